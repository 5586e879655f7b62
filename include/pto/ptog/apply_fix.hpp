/* pto: PTOG_APPLY_FIX=out.cpp: the source with the flags and barriers that are missing (ptog_report_fixed). What has no
 * place for one is said, and left to the author. */
#ifndef PTO_PTOG_APPLY_FIX_HPP
#define PTO_PTOG_APPLY_FIX_HPP

#include <cstdio>

#include <ptog/report.h>

#include <pto/ptog/page.hpp>

namespace ptog
{

inline void say_left_out(const ptog_diags *left_out)
{
    const ptog_diag *note;
    for (std::size_t i = 0; (note = ptog_diags_at(left_out, i)) != nullptr; i++)
        std::fprintf(stderr, "%s:%u: note: %s\n", note->where.file ? note->where.file : "?", note->where.line,
                     note->message);
}

inline void apply_fixes(const ptog_diags *diags, const char *to)
{
    ptog_fixed_source source{};
    source.file = ptog_fixed_file(diags);
    if (!source.file) {
        std::fprintf(stderr, "ptog: PTOG_APPLY_FIX=%s: there is nothing to add\n", to);
        return;
    }
    text before = contents_of(source.file), after;
    if (before.empty())
        give_up("PTOG_APPLY_FIX=%s: cannot read %s", to, source.file);
    source.text = before.data();
    source.bytes = before.size();
    ptog_sink sink{append, &after, false, {}};
    ptog_diags *left_out = ptog_diags_new();
    if (!left_out || ptog_report_fixed(&source, diags, &sink, left_out) != PTOG_OK)
        give_up("PTOG_APPLY_FIX=%s: out of memory", to);
    say_left_out(left_out);
    ptog_diags_free(left_out);
    write_file("PTOG_APPLY_FIX", to, after);
    std::fprintf(stderr, "ptog: %s is %s with %zu lines added\n", to, source.file, source.added);
}

} // namespace ptog

#endif
