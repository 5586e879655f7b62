/* pto: what the environment asks of a run, read once.
 *
 *   PTOG_TARGET=a5            the target, instead of the one compiled for
 *   PTOG_SANITIZE=0|1|abort   0: no races, no definedness; abort: stop at the instruction with the first error
 *   PTOG_REPORT=file          the report goes there: JSON for .json, SARIF for .sarif, a page for .html, else text
 *   PTOG_APPLY_FIX=out.cpp    the source with the flags that are missing
 *   PTOG_TRACE=file           the timeline of the device, for Perfetto; empty on host and cpu
 *   PTOG_SCHEDULE=fast|slow|random:SEED    how long transfers take; the report is the same
 *   PTOG_LAUNCH=standard|direct   direct: every kernel is called through a function pointer, without SIMT context
 *   PTO_CPU_MAX_THREADS=N     on cpu, the rows of a large gather run on that many threads; also a macro, else 1
 *   PTOG_DROP_FLAGS=12,13     calls of these lines that set or wait for a flag or a counter are left out
 *   PTOG_SUBBLOCKS=1|2        2: a launched block has two vector cores, with one block index and UB of their own; unset: 2
 *                             for kernels of both kinds of core, else 1
 *   PTOG_ALLOW_EMPTY=0|1      1: a launched kernel may issue no instruction */
#ifndef PTO_PTOG_SETTINGS_HPP
#define PTO_PTOG_SETTINGS_HPP

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <ptog/core.h>

#include <pto/ptog/device_macros.hpp>

#ifndef PTO_CPU_MAX_THREADS
#define PTO_CPU_MAX_THREADS 1u
#endif

namespace ptog
{

/* A mistake in the environment or in the use of these headers; nothing sensible can follow. */
[[noreturn]] __attribute__((format(printf, 1, 2))) inline void give_up(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    std::fflush(nullptr);
    std::fputs("ptog: ", stderr);
    std::vfprintf(stderr, format, args);
    std::fputs("\n", stderr);
    va_end(args);
    std::_Exit(2);
}

struct settings {
    const ptog_target *target = nullptr;
    ptog_schedule schedule = PTOG_SCHEDULE_COST;
    std::uint64_t seed = 0;
    ptog_launch launch = PTOG_LAUNCH_STANDARD;
    std::uint32_t cpu_threads = PTO_CPU_MAX_THREADS, subblocks = 1;
    bool sanitize = true, abort_at_error = false, allow_empty = false, subblocks_given = false;
    const char *report = nullptr, *trace = nullptr;
    const char *dropped = nullptr;
    const char *fixed = nullptr;
};

/* An environment variable; NULL when it is not set or empty. */
inline const char *asked(const char *name)
{
    const char *value = std::getenv(name);
    return value && *value ? value : nullptr;
}

inline const ptog_target *target_named(const char *name)
{
    const ptog_target *target = ptog_target_find(name);
    if (!target)
        give_up("PTOG_TARGET=%s: expected host, cpu, cpusim, a2a3, a5 or a5-custom", name);
    return target;
}

inline void take_schedule(settings &s, const char *text)
{
    char *end = nullptr;
    if (std::strcmp(text, "cost") == 0) {
        s.schedule = PTOG_SCHEDULE_COST;
    } else if (std::strcmp(text, "fast") == 0) {
        s.schedule = PTOG_SCHEDULE_FAST;
    } else if (std::strcmp(text, "slow") == 0) {
        s.schedule = PTOG_SCHEDULE_SLOW;
    } else if (std::strncmp(text, "random:", 7) == 0 && text[7] >= '0' && text[7] <= '9') {
        s.schedule = PTOG_SCHEDULE_RANDOM;
        errno = 0;
        s.seed = std::strtoull(text + 7, &end, 0);
    }
    if ((s.schedule == PTOG_SCHEDULE_COST && std::strcmp(text, "cost") != 0) || (end && (*end || errno)))
        give_up("PTOG_SCHEDULE=%s: expected cost, fast, slow or random:SEED", text);
}

inline void take_sanitize(settings &s, const char *text)
{
    s.sanitize = std::strcmp(text, "0") != 0;
    s.abort_at_error = std::strcmp(text, "abort") == 0;
    if (s.sanitize && !s.abort_at_error && std::strcmp(text, "1") != 0)
        give_up("PTOG_SANITIZE=%s: expected 0, 1 or abort", text);
}

inline void take_allow_empty(settings &s, const char *text)
{
    s.allow_empty = std::strcmp(text, "1") == 0;
    if (!s.allow_empty && std::strcmp(text, "0") != 0)
        give_up("PTOG_ALLOW_EMPTY=%s: expected 0 or 1", text);
}

inline void take_launch(settings &s, const char *text)
{
    s.launch = std::strcmp(text, "direct") == 0 ? PTOG_LAUNCH_DIRECT : PTOG_LAUNCH_STANDARD;
    if (s.launch == PTOG_LAUNCH_STANDARD && std::strcmp(text, "standard") != 0)
        give_up("PTOG_LAUNCH=%s: expected standard or direct", text);
}

inline void take_subblocks(settings &s, const char *text)
{
    s.subblocks = std::strcmp(text, "2") == 0 ? 2 : 1;
    s.subblocks_given = true;
    if (s.subblocks == 1 && std::strcmp(text, "1") != 0)
        give_up("PTOG_SUBBLOCKS=%s: expected 1 or 2", text);
}

inline void take_cpu_threads(settings &s, const char *text)
{
    char *end;
    unsigned long number = std::strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || number < 1 || number > 4096)
        give_up("PTO_CPU_MAX_THREADS=%s: expected a number from 1 to 4096", text);
    s.cpu_threads = static_cast<std::uint32_t>(number);
}

/* Line numbers with commas between them. */
inline void take_dropped(settings &s, const char *text)
{
    s.dropped = text;
    for (const char *at = text;; at++) {
        const char *from = at;
        while (*at >= '0' && *at <= '9')
            at++;
        if (at == from || (*at && *at != ','))
            give_up("PTOG_DROP_FLAGS=%s: expected numbers of lines, 12,13", text);
        if (!*at)
            return;
    }
}

inline settings read_settings(const char *compiled_target)
{
    settings s;
    const char *target = asked("PTOG_TARGET"), *schedule = asked("PTOG_SCHEDULE"), *sanitize = asked("PTOG_SANITIZE");
    const char *dropped = asked("PTOG_DROP_FLAGS"), *launch = asked("PTOG_LAUNCH");
    s.target = target_named(target ? target : compiled_target);
#ifdef __CCE_AICORE__
    s.target = ptog_target_aicore(s.target); /* the CPU simulator then gathers float8 types */
#endif
    if (schedule)
        take_schedule(s, schedule);
    if (sanitize)
        take_sanitize(s, sanitize);
    if (launch)
        take_launch(s, launch);
    if (const char *threads = asked("PTO_CPU_MAX_THREADS"))
        take_cpu_threads(s, threads);
    if (const char *subblocks = asked("PTOG_SUBBLOCKS"))
        take_subblocks(s, subblocks);
    if (const char *allow_empty = asked("PTOG_ALLOW_EMPTY"))
        take_allow_empty(s, allow_empty);
    if (dropped)
        take_dropped(s, dropped);
    s.trace = asked("PTOG_TRACE");
    s.report = asked("PTOG_REPORT");
    s.fixed = asked("PTOG_APPLY_FIX");
    return s;
}

inline bool is_dropped(const settings &s, unsigned line)
{
    for (const char *at = s.dropped; at && *at;) {
        char *end;
        if (std::strtoul(at, &end, 10) == line)
            return true;
        at = *end == ',' ? end + 1 : end;
    }
    return false;
}

} // namespace ptog

#endif
