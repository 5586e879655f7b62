/* sanitize: scratch memory of a target's library: which bytes of tiles were overwritten there, and who reads them. A
 * byte that nothing was written to is not lost; a byte that is written again is there again. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/pick.h"
#include "sanitize/sanitize.h"

/* The number of the byte at `at` in the scratch memory; 0 for those before it. */
static uint64_t scratch_offset(const struct ptog_sanitizer *s, uint64_t at)
{
    return ptog_left(at, s->target->ub_scratch);
}

/* How many bytes of the scratch memory lie before `end`. */
static uint64_t scratch_bytes_before(const struct ptog_sanitizer *s, uint64_t end)
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
        s->shared->diags.no_memory = true;
        return;
    }
    ptog_origin origin;
    for (uint64_t from = access->at, to; from < end && from < s->ub_bytes; from = to) {
        to = ptog_origins_run(&s->origins, from, ptog_min(end, s->ub_bytes), &origin);
        for (uint64_t i = scratch_offset(s, from); i < scratch_bytes_before(s, to); i++)
            s->scratch.lost[i] |= ptog_origin_definition(origin) != PTOG_NEVER_WRITTEN;
    }
    s->scratch.site = site;
}

void ptog_scratch_written(struct ptog_sanitizer *s, uint64_t at, uint64_t bytes)
{
    for (uint64_t i = scratch_offset(s, at); s->scratch.lost && i < scratch_bytes_before(s, at + bytes); i++)
        s->scratch.lost[i] = 0;
}

/* Reports a read of bytes that the scratch memory of a library has overwritten, unless it was reported before. */
static void note_clash(struct ptog_sanitizer *s, const struct ptog_access *access, uint64_t from, uint64_t to,
                       uint32_t site, uint64_t insn)
{
    bool fresh;
    struct ptog_diag_key key = ptog_key(site, (enum ptog_operand_name)access->operand);
    struct ptog_diag_list *diags = &s->shared->diags;
    key.other = s->scratch.site;
    struct ptog_diag_entry *f = ptog_diag_note_machine(diags, PTOG_MACHINE_UB_SCRATCH_CLASH, key, insn, 0, &fresh);
    if (!f || !fresh)
        return;
    const struct ptog_names *names = &s->shared->names;
    f->diag.operand = ptog_operand_name((enum ptog_operand_name)access->operand);
    f->other_message = "overwritten here";
    f->diag.message = ptog_diag_text(diags,
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
        for (uint64_t i = scratch_offset(s, at); i < scratch_bytes_before(s, at + access->bytes); i++)
            if (s->scratch.lost[i]) {
                first = ptog_min(first, i);
                last = i;
            }
    }
    if (first != UINT64_MAX)
        note_clash(s, access, s->target->ub_scratch + first, s->target->ub_scratch + last, site, insn);
}
