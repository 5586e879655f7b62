/* pto: what these headers find themselves, beside the devices: operands that cannot be described, launches that do
 * nothing. It goes into the report of the process with everything else. */
#ifndef PTO_PTOG_FOUND_HPP
#define PTO_PTOG_FOUND_HPP

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <ptog/core.h>

#include <pto/ptog/atomic.hpp>
#include <pto/ptog/list.hpp>
#include <pto/ptog/rule_words.hpp>

namespace ptog
{

/* Where in the kernel a call stands; the default argument of every instruction. */
struct place {
    const char *file;
    unsigned line;
};

/* A row of the fault table that was found, with its message. */
struct finding {
    const char *id;
    place at;
    char message[400];
    std::uint64_t count;

    bool is(const finding &other) const
    {
        return std::strcmp(id, other.id) == 0 && at.line == other.at.line &&
               (at.file == other.at.file || (at.file && other.at.file && std::strcmp(at.file, other.at.file) == 0)) &&
               std::strcmp(message, other.message) == 0;
    }
};

class findings
{
  public:
    void add(const finding &one)
    {
        spin_lock held(busy_);
        for (finding &known : all_)
            if (known.is(one)) {
                known.count++;
                return;
            }
        all_.push_back(one);
    }

    /* Into the report; false when out of memory. */
    bool append_to(ptog_diags *diags)
    {
        spin_lock held(busy_);
        bool complete = true;
        for (const finding &one : all_) {
            const ptog_machine_fault *row = ptog_machine_fault_find(one.id);
            ptog_diag diag{};
            diag.id = one.id;
            diag.severity = row ? row->severity : PTOG_ERROR;
            diag.documented = row ? row->documented : nullptr;
            diag.message = one.message;
            diag.where.file = one.at.file;
            diag.where.line = one.at.line;
            diag.count = one.count;
            complete = ptog_diags_append(diags, &diag) == PTOG_OK && complete;
        }
        return complete;
    }

    void clear()
    {
        spin_lock held(busy_);
        all_.clear();
    }

  private:
    atomic<bool> busy_{false};
    list<finding> all_;
};

/* Never destroyed: kernels may run in destructors. */
inline findings &found_here()
{
    static findings *all = new findings;
    return *all;
}

__attribute__((format(printf, 3, 4))) inline void found(place at, const char *id, const char *format, ...)
{
    finding one{id, at, "", 1};
    va_list args;
    va_start(args, format);
    std::vsnprintf(one.message, sizeof one.message, format, args);
    va_end(args);
    found_here().add(one);
}

} // namespace ptog

#endif
