/* pto: the timeline of a device in the file that PTOG_TRACE names, in a form that Perfetto opens. Further devices of
 * the process, one per thread and dynUBufSize, write FILE.2, FILE.3, ... A file appears by rename when it is complete.
 */
#ifndef PTO_PTOG_TRACE_HPP
#define PTO_PTOG_TRACE_HPP

#include <atomic>
#include <cstdio>
#include <cstring>

#include <ptog/report.h>

#include <pto/ptog/report.hpp>
#include <pto/ptog/settings.hpp>

namespace ptog
{

inline std::atomic<unsigned> traces{0}; /* opened so far */

class trace_file
{
  public:
    explicit trace_file(const char *name)
    {
        char number[16] = "";
        unsigned n = ++traces;
        if (n > 1)
            std::snprintf(number, sizeof number, ".%u", n);
        append(name_, name);
        append(name_, number);
        part_ = name_;
        append(part_, ".part");
        name_.push_back('\0');
        part_.push_back('\0');
        file_ = std::fopen(part_.data(), "wb");
        if (!file_)
            give_up("PTOG_TRACE=%s: cannot write it", name);
    }

    /* After the device was closed. */
    void complete()
    {
        if (std::ferror(file_) || std::fclose(file_) != 0 || std::rename(part_.data(), name_.data()) != 0)
            give_up("PTOG_TRACE=%s: cannot write it", name_.data());
    }

    const ptog_sink sink{write, this, false};

  private:
    std::FILE *file_;
    text name_, part_;

    static void write(void *user, const char *from, std::size_t length)
    {
        std::fwrite(from, 1, length, static_cast<trace_file *>(user)->file_);
    }
};

} // namespace ptog

#endif
