/* pto: a file that a process leaves behind. It appears by rename when it is complete; what is there already and is no
 * file (a device, a pipe) is written to as it is. */
#ifndef PTO_PTOG_FILE_HPP
#define PTO_PTOG_FILE_HPP

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>

#include <pto/ptog/list.hpp>
#include <pto/ptog/settings.hpp>

namespace ptog
{

using text = list<char>;

inline void append(void *user, const char *from, std::size_t length)
{
    static_cast<text *>(user)->append(from, length);
}

inline void append(text &to, const char *from)
{
    append(&to, from, std::strlen(from));
}

class file_to_be
{
  public:
    /* `variable` asked for it: messages name both. */
    file_to_be(const char *variable, const char *name) : variable_(variable)
    {
        struct stat info;
        bool exists = stat(name, &info) == 0;
        char *real = exists && S_ISREG(info.st_mode) ? realpath(name, nullptr) : nullptr; /* not the link: its file */
        append(name_, real ? real : name);
        std::free(real);
        if (!exists || S_ISREG(info.st_mode)) {
            draft_ = name_;
            append(draft_, ".part");
            draft_.push_back('\0');
        }
        name_.push_back('\0');
        file_ = std::fopen(draft_.empty() ? name_.data() : draft_.data(), "wb");
        if (!file_)
            fail();
    }

    void write(const char *from, std::size_t length)
    {
        std::fwrite(from, 1, length, file_);
    }

    void complete()
    {
        bool written = !std::ferror(file_);
        written = std::fclose(file_) == 0 && written;
        if (!written || (!draft_.empty() && std::rename(draft_.data(), name_.data()) != 0))
            fail();
    }

  private:
    const char *variable_;
    text name_, draft_; /* no draft: not a file */
    std::FILE *file_;

    [[noreturn]] void fail()
    {
        if (!draft_.empty())
            std::remove(draft_.data());
        give_up("%s=%s: cannot write it", variable_, name_.data());
    }
};

inline void write_file(const char *variable, const char *name, const text &bytes)
{
    file_to_be file(variable, name);
    file.write(bytes.data(), bytes.size());
    file.complete();
}

} // namespace ptog

#endif
