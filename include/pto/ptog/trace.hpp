/* pto: the timeline of a device in the file that PTOG_TRACE names, in a form that Perfetto opens. Further devices of
 * the process, one per thread and dynUBufSize, write FILE.2, FILE.3, ... A file appears by rename when it is complete.
 */
#ifndef PTO_PTOG_TRACE_HPP
#define PTO_PTOG_TRACE_HPP

#include <cstdio>

#include <ptog/report.h>

#include <pto/ptog/file.hpp>

namespace ptog
{

inline atomic<unsigned> traces{0}; /* opened so far */

class trace_file
{
  public:
    explicit trace_file(const char *name) : file_("PTOG_TRACE", numbered(name).data())
    {
    }

    /* After the device was closed. */
    void complete()
    {
        file_.complete();
    }

    const ptog_sink sink{write, this, false, {}};

  private:
    file_to_be file_;

    static text numbered(const char *name)
    {
        text whole;
        char number[16] = "";
        unsigned n = ++traces;
        if (n > 1)
            std::snprintf(number, sizeof number, ".%u", n);
        append(whole, name);
        append(whole, number);
        whole.push_back('\0');
        return whole;
    }

    static void write(void *user, const char *from, std::size_t length)
    {
        static_cast<trace_file *>(user)->file_.write(from, length);
    }
};

} // namespace ptog

#endif
