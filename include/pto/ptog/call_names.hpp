/* pto: what a kernel's source calls the operands of an instruction, for messages: the arguments of the call on its
 * line. A source is read once, when its first instruction is issued, if it lies below the working directory or has the
 * name of a C++ source; where it cannot be read, or the call is written by a macro, messages say "the index tile". */
#ifndef PTO_PTOG_CALL_NAMES_HPP
#define PTO_PTOG_CALL_NAMES_HPP

#include <climits>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include <ptog/report.h>

#include <pto/ptog/found.hpp>
#include <pto/ptog/page.hpp>

namespace ptog
{

/* The names of one call, by the position of the argument; NULL where there is none. */
struct call_names {
    place at;
    const char *instruction;
    const char *of[PTOG_MAX_OPERANDS];

    const char *operator[](std::size_t position) const
    {
        return position < PTOG_MAX_OPERANDS ? of[position] : nullptr;
    }
    bool is(place other, const char *name) const
    {
        return at.file == other.file && at.line == other.line && instruction == name;
    }
};

/* ---- sources ---- */

inline bool is_below_working_directory(const char *file)
{
    char *here = ::realpath(".", nullptr), *there = ::realpath(file, nullptr);
    std::size_t length = here ? std::strlen(here) : 0;
    bool below = here && there && std::strncmp(here, there, length) == 0 && (there[length] == '/' || length == 1);
    std::free(here);
    std::free(there);
    return below;
}

inline bool is_cxx_source(const char *file)
{
    const char *ending = std::strrchr(file, '.');
    for (const char *one : {".cpp", ".cc", ".cxx", ".c++", ".C", ".cce", ".asc", ".h", ".hh", ".hpp", ".hxx"})
        if (ending && std::strcmp(ending, one) == 0)
            return true;
    return false;
}

struct source_text {
    const char *file;
    text *bytes;
};

/* The text of a file, which is never freed: names may be wanted in destructors. */
inline const text &source_of(const char *file)
{
    static atomic<bool> busy{false};
    static auto *all = new list<source_text>;
    spin_lock held(busy);
    for (const source_text &one : *all)
        if (std::strcmp(one.file, file) == 0)
            return *one.bytes;
    auto *bytes = new text;
    if (is_cxx_source(file) || is_below_working_directory(file))
        *bytes = contents_of(file);
    all->push_back({file, bytes});
    return *bytes;
}

inline call_names *read_names(place at, const char *instruction)
{
    auto *made = new call_names{at, instruction, {}};
    ptog_source_call call{};
    if (!at.file)
        return made;
    const text &source = source_of(at.file);
    if (source.empty() || ptog_source_call_find(source.data(), source.size(), instruction, at.line, &call) != PTOG_OK)
        return made;
    for (std::size_t i = 0; i < call.count; i++)
        if (call.name[i][0])
            made->of[i] = ::strdup(call.name[i]);
    return made;
}

/* ---- the calls of a thread ---- */

class call_table
{
  public:
    const call_names &find(place at, const char *instruction)
    {
        for (std::size_t i = slot_of(at, instruction); i < slots; i++) {
            call_names *&entry = of_[i];
            if (!entry)
                entry = read_names(at, instruction);
            if (entry->is(at, instruction))
                return *entry;
        }
        return none_;
    }

  private:
    static constexpr std::size_t slots = 4096; /* calls of a kernel; what finds no room has no names */
    call_names *of_[slots] = {};
    call_names none_{};

    static std::size_t slot_of(place at, const char *instruction)
    {
        std::uint64_t bits =
            reinterpret_cast<std::uintptr_t>(at.file) * 31 + reinterpret_cast<std::uintptr_t>(instruction);
        return ((bits + at.line) * 0x9E3779B97F4A7C15u) >> 53;
    }
};

} // namespace ptog

#endif
