/* pto: what a process has to say about its kernels, said once, at its end: on standard error when there is something
 * to warn of, or in the file that PTOG_REPORT names. Errors make the exit status 1. */
#ifndef PTO_PTOG_REPORT_HPP
#define PTO_PTOG_REPORT_HPP

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include <ptog/diag.h>
#include <ptog/report.h>

#include <pto/ptog/file.hpp>
#include <pto/ptog/page.hpp>
#include <pto/ptog/rule_words.hpp>
#include <pto/ptog/settings.hpp>

namespace ptog
{

inline std::size_t how_many(const ptog_diags *diags, ptog_severity at_least)
{
    std::size_t count = 0;
    const ptog_diag *diag;
    for (std::size_t i = 0; (diag = ptog_diags_at(diags, i)) != nullptr; i++)
        count += diag->severity >= at_least;
    return count;
}

inline bool ends_in(const char *name, const char *ending)
{
    std::size_t a = std::strlen(name), b = std::strlen(ending);
    return a >= b && std::strcmp(name + a - b, ending) == 0;
}

inline bool wants_page(const settings &s)
{
    return s.report && ends_in(s.report, ".html");
}

/* The rules' pages are where PTOG_RULES_URI says, as for the command; empty: nowhere. */
inline void render_sarif(const ptog_diags *diags, const ptog_sink &sink)
{
    ptog_checked one{};
    one.diags = diags;
    const char *page = std::getenv("PTOG_RULES_URI");
    if (!page)
        page = PTOG_RULES_PAGE;
    ptog_report_sarif_all(&one, 1, *page ? page : nullptr, &sink);
}

/* Without anything to warn of, two notes are still shown: what could not be checked, and what a device needs. */
inline void show_unchecked(const ptog_diags *diags)
{
    const ptog_diag *diag;
    for (std::size_t i = 0; (diag = ptog_diags_at(diags, i)) != nullptr; i++)
        if (std::strcmp(diag->id, PTOG_FAULT_ID_SIMT_CALLED) == 0)
            std::fprintf(stderr, "ptog: note: %s:%u: %s [%s]\n", diag->where.file ? diag->where.file : "?",
                         diag->where.line, diag->message, diag->id);
        else if (std::strcmp(diag->id, PTOG_FAULT_ID_GM_UNKNOWN_SIZE) == 0)
            std::fprintf(stderr, "ptog: note: %s; use aclrtMalloc, ptog::gm_register or -fsanitize=address [%s]\n",
                         diag->message, diag->id);
}

inline void render(const ptog_diags *diags, const settings &s, const page_device &of = {})
{
    text said;
    ptog_sink sink{append, &said, false, {}};
    if (s.report && ends_in(s.report, ".json"))
        ptog_report_json(diags, s.target->name, &sink);
    else if (s.report && ends_in(s.report, ".sarif"))
        render_sarif(diags, sink);
    else if (wants_page(s))
        render_page(diags, s, of, sink);
    else {
        sink.colour = !s.report && isatty(2) && !asked("NO_COLOR");
        ptog_report_text(diags, &sink);
    }
    if (s.report) {
        write_file("PTOG_REPORT", s.report, said);
    } else if (how_many(diags, PTOG_WARNING) > 0) {
        std::fwrite(said.data(), 1, said.size(), stderr);
    } else {
        show_unchecked(diags);
    }
}

} // namespace ptog

#endif
