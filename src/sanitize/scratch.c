/* sanitize: scratch memory of a target's library: which bytes of tiles were overwritten there, and who reads them. A
 * byte that nothing was written to is not lost; a byte that is written again is there again. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/pick.h"
#include "sanitize/sanitize.h"

/* The number of the byte at `at` in the scratch memory; 0 for those before it. */
static uint64_t first_of(const struct ptog_sanitizer *s, uint64_t at)
{
    return ptog_left(at, s->target->ub_scratch);
}

/* How many bytes of the scratch memory lie before `end`. */
static uint64_t end_of(const struct ptog_sanitizer *s, uint64_t end)
{
    return ptog_left(ptog_min(end, s->ub_bytes), s->target->ub_scratch);
}

void ptog_scratch_used(struct ptog_sanitizer *s, const struct ptog_access *access, uint32_t site)
{
    uint64_t end = access->at + access->bytes;
    if (access->kind != PTOG_SCRATCHES || s->target->ub_scratch == 0)
        return;
    if (!s->scratch.lost)
        s->scratch.lost = calloc(s->ub_bytes - s->target->ub_scratch, 1);
    if (!s->scratch.lost) {
        s->court->findings.failed = true;
        return;
    }
    ptog_origin origin;
    for (uint64_t from = access->at, to; from < end && from < s->ub_bytes; from = to) {
        to = ptog_origins_run(&s->origins, from, ptog_min(end, s->ub_bytes), &origin);
        for (uint64_t i = first_of(s, from); i < end_of(s, to); i++)
            s->scratch.lost[i] |= ptog_origin_definition(origin) != PTOG_NEVER_WRITTEN;
    }
    s->scratch.site = site;
}

void ptog_scratch_written(struct ptog_sanitizer *s, uint64_t at, uint64_t bytes)
{
    for (uint64_t i = first_of(s, at); s->scratch.lost && i < end_of(s, at + bytes); i++)
        s->scratch.lost[i] = 0;
}

static void note(struct ptog_sanitizer *s, const struct ptog_access *access, uint64_t from, uint64_t to, uint32_t site,
                 uint64_t insn)
{
    bool fresh;
    struct ptog_finding_key key = ptog_key(site, (enum ptog_operand_name)access->operand);
    struct ptog_findings *findings = &s->court->findings;
    key.other = s->scratch.site;
    struct ptog_finding *f = ptog_findings_machine(findings, PTOG_MACHINE_UB_SCRATCH_CLASH, key, insn, 0, &fresh);
    if (!f || !fresh)
        return;
    const struct ptog_names *names = &s->court->names;
    f->operand = ptog_operand_name((enum ptog_operand_name)access->operand);
    f->other_message = "overwritten here";
    f->message = ptog_findings_text(findings,
                                    "%s reads %.80s, but %s has overwritten UB 0x%" PRIx64 "..0x%" PRIx64
                                    " of it: the library keeps scratch data there",
                                    ptog_names_insn(names, site),
                                    ptog_names_words(names, site, (enum ptog_operand_name)access->operand),
                                    ptog_names_insn(names, s->scratch.site), from, to);
}

void ptog_scratch_read(struct ptog_sanitizer *s, const struct ptog_access *access, uint32_t site, uint64_t insn)
{
    uint64_t first = UINT64_MAX, last = 0;
    for (uint64_t k = 0; s->scratch.lost && k < access->count; k++) {
        uint64_t at = access->at + k * access->pitch;
        for (uint64_t i = first_of(s, at); i < end_of(s, at + access->bytes); i++)
            if (s->scratch.lost[i]) {
                first = ptog_min(first, i);
                last = i;
            }
    }
    if (first != UINT64_MAX)
        note(s, access, s->target->ub_scratch + first, s->target->ub_scratch + last, site, insn);
}
