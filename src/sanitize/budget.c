/* sanitize: where tiles may lie: alignment, the end of the buffer, what a SIMT launch leaves to the kernel. */
#include <inttypes.h>

#include "base/text.h"
#include "model/target.h"
#include "model/ub_layout.h"
#include "sanitize/sanitize.h"

#define IN_PRACTICE ((uint64_t)128 << 10) /* without dynUBufSize: documented as safe in practice */

static struct ptog_finding *note_with(struct ptog_sanitizer *s, enum ptog_machine_fault_kind kind,
                                      enum ptog_operand_name operand, uint32_t site, uint32_t other, uint64_t insn)
{
    struct ptog_finding_key key = ptog_key(site, operand);
    bool fresh;
    key.other = other;
    struct ptog_finding *f = ptog_findings_machine(&s->court->findings, kind, key, insn, 0, &fresh);
    if (f && fresh && operand != PTOG_AT_COUNT)
        f->operand = ptog_operand_name(operand);
    return f && fresh ? f : NULL;
}

static struct ptog_finding *note(struct ptog_sanitizer *s, enum ptog_machine_fault_kind kind,
                                 enum ptog_operand_name operand, uint32_t site, uint64_t insn)
{
    return note_with(s, kind, operand, site, 0, insn);
}

void ptog_sanitizer_tile(struct ptog_sanitizer *s, const struct ptog_tile *tile, enum ptog_operand_name operand,
                         bool blocks, uint32_t site, uint64_t insn)
{
    const char *name = ptog_names_words(&s->court->names, site, operand);
    char size[PTOG_GROUPED];
    uint64_t bytes = (uint64_t)ptog_tile_bytes(tile), end = tile->addr + bytes;
    struct ptog_findings *findings = &s->court->findings;
    struct ptog_finding *f;
    if (end < bytes)
        end = UINT64_MAX;
    if (blocks && tile->addr % 32 != 0 && (f = note(s, PTOG_MACHINE_UB_MISALIGNED, operand, site, insn)) != NULL) {
        f->message = ptog_findings_text(
            findings, "%.80s is at UB address 0x%" PRIx64 ", which is not a multiple of 32 bytes", name, tile->addr);
        ptog_finding_advise(f, ptog_fix_of_words(ptog_findings_text(findings, "place the tile at 0x%" PRIx64,
                                                                    (tile->addr + 31) / 32 * 32)));
    }
    if (end > s->ub_bytes && (f = note(s, PTOG_MACHINE_UB_OVERFLOW, operand, site, insn)) != NULL)
        f->message =
            ptog_findings_text(findings, "%.80s (UB 0x%" PRIx64 "..0x%" PRIx64 ") ends past the %s-byte UB of %s", name,
                               tile->addr, end - 1, ptog_grouped(s->ub_bytes, size), s->target->name);
    if (end > s->top) {
        s->top = end;
        s->top_site = site;
        s->top_insn = insn;
    }
}

void ptog_sanitizer_simt(struct ptog_sanitizer *s, uint32_t site, uint64_t insn)
{
    if (s->simt_site)
        return;
    s->simt_site = site;
    s->simt_insn = insn;
}

static void judge(struct ptog_sanitizer *s, enum ptog_machine_fault_kind kind, uint64_t most, const char *why)
{
    struct ptog_finding *f = note_with(s, kind, PTOG_AT_COUNT, s->top_site, s->simt_site, s->top_insn);
    if (!f)
        return;
    char top[PTOG_GROUPED], size[PTOG_GROUPED];
    f->message = ptog_findings_text(&s->court->findings, "the tiles reach byte %s of UB, but %s %s bytes",
                                    ptog_grouped(s->top, top), why, ptog_grouped(most, size));
    f->other_message = "SIMT launch here";
}

/* dynUBufSize is more than what reserved region, least data cache and static memory leave. */
static void judge_request(struct ptog_sanitizer *s, uint64_t dyn_ub, uint64_t static_bytes)
{
    uint64_t most = ptog_ub_most_dynamic(s->target, static_bytes);
    struct ptog_findings *findings = &s->court->findings;
    if (dyn_ub <= most)
        return;
    struct ptog_finding *f = note(s, PTOG_MACHINE_UB_BUDGET, PTOG_AT_COUNT, s->simt_site, s->simt_insn);
    if (!f)
        return;
    char size[PTOG_GROUPED], fixed[PTOG_GROUPED], room[PTOG_GROUPED];
    ptog_grouped(dyn_ub, size);
    ptog_grouped(most, room);
    if (static_bytes == 0)
        f->message = ptog_findings_text(
            findings, "a dynUBufSize of %s bytes leaves no room for the data cache (at most %s bytes)", size, room);
    else
        f->message = ptog_findings_text(findings,
                                        "a dynUBufSize of %s bytes and %s bytes of static memory leave no room for the "
                                        "data cache (at most %s bytes of dynUBufSize)",
                                        size, ptog_grouped(static_bytes, fixed), room);
    const char *words = most > 0 ? ptog_findings_text(findings, "launch with a dynUBufSize of at most %s bytes", room)
                                 : "use smaller tiles: static memory alone is too large";
    ptog_finding_advise(f, ptog_fix_of_words(words));
}

/* A launch size on a target whose UB is all static. */
static void judge_launch_size(struct ptog_sanitizer *s, uint64_t dyn_ub)
{
    struct ptog_finding *f = note(s, PTOG_MACHINE_UB_BUDGET, PTOG_AT_COUNT, s->top_site, s->top_insn);
    if (!f)
        return;
    char size[PTOG_GROUPED];
    f->message = ptog_findings_text(&s->court->findings, "%s has no dynamic UB size, but the launch requests %s bytes",
                                    s->target->name, ptog_grouped(dyn_ub, size));
    ptog_finding_advise(f, ptog_fix_of_words("launch without dynUBufSize"));
}

void ptog_sanitizer_budget(struct ptog_sanitizer *s, uint64_t dyn_ub, uint64_t static_bytes)
{
    uint64_t usable = s->ub_bytes - PTOG_UB_RESERVED; /* without a data cache */
    if (s->target->machine != PTOG_MACHINE_SIMT && dyn_ub > 0)
        judge_launch_size(s, dyn_ub);
    if (s->target->machine != PTOG_MACHINE_SIMT || s->top == 0)
        return;
    if (!s->simt_site) {
        if (s->top > usable && s->top <= s->ub_bytes)
            judge(s, PTOG_MACHINE_UB_BUDGET, usable, "a kernel without a SIMT launch has");
        return;
    }
    if (dyn_ub > 0)
        judge_request(s, dyn_ub, static_bytes);
    if (s->top > s->ub_bytes)
        return;
    if (dyn_ub > 0 && s->top > static_bytes + dyn_ub)
        judge(s, PTOG_MACHINE_UB_BUDGET, static_bytes + dyn_ub,
              static_bytes > 0 ? "static memory and dynUBufSize are" : "dynUBufSize is");
    else if (dyn_ub == 0 && s->top > IN_PRACTICE)
        judge(s, PTOG_MACHINE_UB_BUDGET, IN_PRACTICE, "a launch without dynUBufSize has at most");
    else if (dyn_ub == 0 && s->top > usable - PTOG_MOST_CACHE)
        judge(s, PTOG_MACHINE_UB_RESERVED, usable - PTOG_MOST_CACHE, "a launch without dynUBufSize has");
}
