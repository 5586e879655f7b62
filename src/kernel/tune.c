/* kernel: the rows of tune.def, and the reader of a text that says others. */
#include "kernel/tune.h"

#include <stdio.h>
#include <string.h>

/* ---- the processor */

struct cpu {
    bool amd, intel, avx2, avx512, avx512_bf16, avx512_vbmi, avx512_vp2, neon;
};

/* What this processor can do, as far as rows of tune.def name it. */
static struct cpu cpu_here(void)
{
    struct cpu cpu = {.avx2 = ptog_isa_runs(PTOG_ISA_AVX2),
                      .avx512 = ptog_isa_runs(PTOG_ISA_AVX512),
                      .avx512_vbmi = ptog_isa_runs(PTOG_ISA_AVX512_VBMI),
                      .neon = ptog_isa_runs(PTOG_ISA_NEON)};
#if defined(__x86_64__)
    cpu.amd = __builtin_cpu_is("amd");
    cpu.intel = __builtin_cpu_is("intel");
    cpu.avx512_bf16 = __builtin_cpu_supports("avx512bf16");
    cpu.avx512_vp2 = ptog_isa_runs(PTOG_ISA_AVX512_VBMI) && __builtin_cpu_supports("avx512vp2intersect");
#endif
    return cpu;
}

struct ptog_tune ptog_tune_here(void)
{
    struct cpu cpu = cpu_here();
#define TUNE_ROW(text, matches, measured, ...)                                                                         \
    if (matches)                                                                                                       \
        return (struct ptog_tune){.name = (text), __VA_ARGS__};
#include "kernel/tune.def"
}

bool ptog_tune_at(size_t i, struct ptog_tune *tune, const char **measured)
{
#define TUNE_ROW(text, matches, where, ...)                                                                            \
    if (i-- == 0) {                                                                                                    \
        *tune = (struct ptog_tune){.name = (text), __VA_ARGS__};                                                       \
        *measured = (where);                                                                                           \
        return true;                                                                                                   \
    }
#include "kernel/tune.def"
    return false;
}

/* ---- a text */

struct span {
    const char *at, *end;
};

static bool is_tune_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The span without blanks at its ends. */
static struct span trim_span(struct span s)
{
    while (s.at < s.end && is_tune_blank(*s.at))
        s.at++;
    while (s.at < s.end && is_tune_blank(s.end[-1]))
        s.end--;
    return s;
}

/* Whether the span is this word. */
static bool is_word(struct span s, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(s.end - s.at) == length && memcmp(s.at, word, length) == 0;
}

/* Digits only, and not more than fit. */
static bool read_tune_number(struct span s, int64_t *number)
{
    int64_t n = 0;
    if (s.at == s.end)
        return false;
    for (const char *at = s.at; at < s.end; at++) {
        if (*at < '0' || *at > '9' || n > (INT64_MAX - 9) / 10)
            return false;
        n = n * 10 + (*at - '0');
    }
    *number = n;
    return true;
}

#define WHY 160 /* bytes of a reason */

/* Reads a number between two limits into *to; false, with the reason in `why`, when it is none. */
static bool take_number(struct span value, int64_t least, int64_t most, int64_t *to, char why[WHY])
{
    int64_t number;
    if (read_tune_number(value, &number) && number >= least && number <= most) {
        *to = number;
        return true;
    }
    snprintf(why, WHY, "expected a number from %lld to %lld", (long long)least, (long long)most);
    return false;
}

/* Reads the name of a set of kernels that this processor has into *to; false, with the reason in `why`. */
static bool take_set(struct span value, enum ptog_isa *to, char why[WHY])
{
    for (int isa = 0; isa < PTOG_ISA_COUNT; isa++) {
        if (!is_word(value, ptog_isa_name((enum ptog_isa)isa)))
            continue;
        if (ptog_isa_runs((enum ptog_isa)isa)) {
            *to = (enum ptog_isa)isa;
            return true;
        }
        snprintf(why, WHY, "this processor has no %s", ptog_isa_name((enum ptog_isa)isa));
        return false;
    }
    snprintf(why, WHY, "expected the name of a set of kernels, as 'ptog --version' lists them");
    return false;
}

/* Sets one field; false, with the reason in `why`. */
static bool take_field(struct ptog_tune *tune, struct span name, struct span value, char why[WHY])
{
#define TUNE_SET(field, meaning)                                                                                       \
    if (is_word(name, #field))                                                                                         \
        return take_set(value, &tune->field, why);
#define TUNE_NUMBER(field, least, most, meaning)                                                                       \
    if (is_word(name, #field))                                                                                         \
        return take_number(value, least, most, &tune->field, why);
#include "kernel/tune.def"
    snprintf(why, WHY, "unknown field");
    return false;
}

/* Reads a line `field = value`, which may be empty or a comment; false, with the reason in `why`. */
static bool take_line(struct ptog_tune *tune, struct span line, char why[WHY])
{
    line = trim_span(line);
    if (line.at == line.end || *line.at == '#')
        return true;
    const char *sign = memchr(line.at, '=', (size_t)(line.end - line.at));
    if (!sign) {
        snprintf(why, WHY, "expected 'field = value'");
        return false;
    }
    return take_field(tune, trim_span((struct span){line.at, sign}), trim_span((struct span){sign + 1, line.end}), why);
}

void ptog_tune_read(struct ptog_tune *tune, const char *text, size_t bytes, const struct ptog_tune_watch *watch)
{
    const char *end = text + bytes;
    char why[WHY];
    for (size_t line = 1; text < end; line++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        struct span span = {text, stop ? stop : end};
        if (!take_line(tune, span, why) && watch)
            watch->bad_line(watch->data, line, why);
        text = stop ? stop + 1 : end;
    }
}
