/* pto: what a process has to say about its kernels, said once, at its end: on standard error when there is something
 * to warn of, or in the file that PTOG_REPORT names. Errors make the exit status 1. */
#ifndef PTO_PTOG_REPORT_HPP
#define PTO_PTOG_REPORT_HPP

#include <cctype>
#include <cstdio>
#include <cstring>
#include <unistd.h>

#include <ptog/diag.h>
#include <ptog/report.h>

#include <pto/ptog/file.hpp>
#include <pto/ptog/settings.hpp>

namespace ptog
{

/* set_flag(MTE2, V, 1) as C++ spells it: set_flag(PIPE_MTE2, PIPE_V, EVENT_ID1). */
inline const char *append_call(text &to, const char *name, const char *at, const char *end)
{
    append(to, name);
    append(to, "(");
    while (at < end && *at != ')') {
        const char *from = at;
        while (at < end &&
               (std::isupper(static_cast<unsigned char>(*at)) || std::isdigit(static_cast<unsigned char>(*at))))
            at++;
        if (at > from)
            append(to, std::isdigit(static_cast<unsigned char>(*from)) ? "EVENT_ID" : "PIPE_");
        append(&to, from, static_cast<std::size_t>(at - from));
        if (at < end && *at != ')')
            to.push_back(*at++);
    }
    return at;
}

inline bool starts(const char *at, const char *end, const char *word)
{
    std::size_t length = std::strlen(word);
    return static_cast<std::size_t>(end - at) > length && std::memcmp(at, word, length) == 0 &&
           std::isupper(static_cast<unsigned char>(at[length])) && (at[-1] == ' ' || at[-1] == '"');
}

inline text in_cxx(const text &from)
{
    static const struct {
        const char *said, *name;
    } calls[] = {{"set_flag(", "set_flag"}, {"wait_flag(", "wait_flag"}, {"barrier(", "pipe_barrier"}};
    text to;
    const char *at = from.data(), *end = at + from.size();
    while (at < end) {
        const char *before = at;
        for (const auto &call : calls)
            if (at > from.data() && starts(at, end, call.said))
                at = append_call(to, call.name, at + std::strlen(call.said), end);
        if (at == before)
            to.push_back(*at++);
    }
    return to;
}

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

inline void render(const ptog_diags *diags, const settings &s)
{
    text raw;
    ptog_sink sink{append, &raw, false};
    if (s.report && ends_in(s.report, ".json"))
        ptog_report_json(diags, s.target->name, &sink);
    else if (s.report && ends_in(s.report, ".sarif"))
        ptog_report_sarif(diags, &sink);
    else {
        sink.colour = !s.report && isatty(2) && !asked("NO_COLOR");
        ptog_report_text(diags, &sink);
    }
    text said = in_cxx(raw);
    if (s.report) {
        file_to_be file("PTOG_REPORT", s.report);
        file.write(said.data(), said.size());
        file.complete();
    } else if (how_many(diags, PTOG_WARNING) > 0) {
        std::fwrite(said.data(), 1, said.size(), stderr);
    }
}

} // namespace ptog

#endif
