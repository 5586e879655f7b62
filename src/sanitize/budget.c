/* sanitize: where tiles may lie: alignment, the end of the buffer, what a SIMT launch leaves to the kernel. */
#include <inttypes.h>

#include "base/text.h"
#include "model/cube/memories.h"
#include "model/target.h"
#include "model/ub_layout.h"
#include "sanitize/sanitize.h"

#define IN_PRACTICE ((uint64_t)128 << 10) /* without dynUBufSize: documented as safe in practice */

/* Counts a fault of this kind at two sites in the list of the device. Returns its entry when it is a new one, with its
 * operand set; else NULL. */
static struct ptog_diag_entry *note_with(struct ptog_sanitizer *s, enum ptog_machine_fault_kind kind,
                                         enum ptog_operand_name operand, uint32_t site, uint32_t other, uint64_t insn)
{
    struct ptog_diag_key key = ptog_key(site, operand);
    bool fresh;
    key.other = other;
    struct ptog_diag_entry *f = ptog_diag_note_machine(&s->shared->diags, kind, key, insn, 0, &fresh);
    if (f && fresh && operand != PTOG_AT_COUNT)
        f->diag.operand = ptog_operand_name(operand);
    return f && fresh ? f : NULL;
}

/* Notes a fault that has one site, once for each site. Returns its entry when it is new, for a message; else NULL. */
static struct ptog_diag_entry *note_once(struct ptog_sanitizer *s, enum ptog_machine_fault_kind kind,
                                         enum ptog_operand_name operand, uint32_t site, uint64_t insn)
{
    return note_with(s, kind, operand, site, 0, insn);
}

/* The fault of a tile that ends past its memory. */
static enum ptog_machine_fault_kind overflow_kind(enum ptog_loc loc)
{
    static const enum ptog_machine_fault_kind kinds[PTOG_LOCS] = {
        PTOG_MACHINE_UB_OVERFLOW,  PTOG_MACHINE_L1_OVERFLOW,   PTOG_MACHINE_L0A_OVERFLOW, PTOG_MACHINE_L0B_OVERFLOW,
        PTOG_MACHINE_L0C_OVERFLOW, PTOG_MACHINE_BIAS_OVERFLOW, PTOG_MACHINE_FB_OVERFLOW};
    return kinds[loc];
}

/* A tile of a cube core, at its address among all memories: it ends in its own, and starts at a box. */
static void judge_cube_tile(struct ptog_sanitizer *s, const struct ptog_tile *tile, enum ptog_operand_name operand,
                            uint32_t site, uint64_t insn)
{
    const char *name = ptog_names_words(&s->shared->names, site, operand), *memory = ptog_memory_name(tile->loc);
    uint64_t at = tile->addr - ptog_cube_start(s->target, tile->loc), bytes = (uint64_t)ptog_tile_bytes(tile);
    uint64_t most = ptog_memory_bytes(s->target, tile->loc), box = 32;
    struct ptog_diag_list *diags = &s->shared->diags;
    struct ptog_diag_entry *f;
    char size[PTOG_GROUPED];
    if (tile->loc == PTOG_LEFT || tile->loc == PTOG_RIGHT)
        box = 512;
    if (tile->loc == PTOG_ACC)
        box = 1024;
    if ((bytes > most || at > most - bytes) && (f = note_once(s, overflow_kind(tile->loc), operand, site, insn)) != NULL)
        f->diag.message =
            ptog_diag_text(diags, "%.80s (%s 0x%" PRIx64 "..0x%" PRIx64 ") ends past the %s bytes of %s on %s", name,
                           memory, at, at + bytes - 1, ptog_grouped(most, size), memory, s->target->name);
    if (at % box != 0 && (f = note_once(s, PTOG_MACHINE_CUBE_MISALIGNED, operand, site, insn)) != NULL) {
        f->diag.message = ptog_diag_text(diags, "%.80s is at %s address 0x%" PRIx64 ", which is not a multiple of %u bytes",
                                         name, memory, at, (unsigned)box);
        ptog_diag_advise(f, ptog_fix_of_words(ptog_diag_text(diags, "place the tile at 0x%" PRIx64,
                                                             (at + box - 1) / box * box)));
    }
}

void ptog_sanitizer_tile(struct ptog_sanitizer *s, const struct ptog_tile *tile, enum ptog_operand_name operand,
                         bool blocks, uint32_t site, uint64_t insn)
{
    const char *name = ptog_names_words(&s->shared->names, site, operand);
    char size[PTOG_GROUPED];
    uint64_t bytes = (uint64_t)ptog_tile_bytes(tile), end = tile->addr + bytes;
    struct ptog_diag_list *diags = &s->shared->diags;
    struct ptog_diag_entry *f;
    if (end < bytes)
        end = UINT64_MAX;
    if (tile->loc != PTOG_VEC) {
        judge_cube_tile(s, tile, operand, site, insn);
        return;
    }
    if (blocks && tile->addr % 32 != 0 && (f = note_once(s, PTOG_MACHINE_UB_MISALIGNED, operand, site, insn)) != NULL) {
        f->diag.message = ptog_diag_text(
            diags, "%.80s is at UB address 0x%" PRIx64 ", which is not a multiple of 32 bytes", name, tile->addr);
        ptog_diag_advise(
            f, ptog_fix_of_words(ptog_diag_text(diags, "place the tile at 0x%" PRIx64, (tile->addr + 31) / 32 * 32)));
    }
    if (end > s->target->ub_bytes && (f = note_once(s, PTOG_MACHINE_UB_OVERFLOW, operand, site, insn)) != NULL)
        f->diag.message =
            ptog_diag_text(diags, "%.80s (UB 0x%" PRIx64 "..0x%" PRIx64 ") ends past the %s-byte UB of %s", name,
                           tile->addr, end - 1, ptog_grouped(s->target->ub_bytes, size), s->target->name);
    if (end > s->top && !s->cube) { /* else it is UB of a vector core */
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

/* Notes that the tiles reach further than `most` bytes. Returns the finding, or NULL if it was noted before. */
static struct ptog_diag_entry *judge_budget(struct ptog_sanitizer *s, enum ptog_machine_fault_kind kind, uint64_t most,
                                            const char *why)
{
    struct ptog_diag_entry *f = note_with(s, kind, PTOG_AT_COUNT, s->top_site, s->simt_site, s->top_insn);
    if (!f)
        return NULL;
    char top[PTOG_GROUPED], size[PTOG_GROUPED];
    f->diag.message = ptog_diag_text(&s->shared->diags, "the tiles reach byte %s of UB, but %s %s bytes",
                                     ptog_grouped(s->top, top), why, ptog_grouped(most, size));
    f->other_message = "SIMT launch here";
    return f;
}

/* Without a SIMT launch, nothing uses the last 8 KiB while the kernel runs: tiles there work, on the libraries of
 * today. */
static void judge_plain(struct ptog_sanitizer *s, uint64_t usable)
{
    if (s->top <= usable || s->top > s->ub_bytes)
        return;
    struct ptog_diag_entry *f = judge_budget(s, PTOG_MACHINE_UB_BUDGET, usable, "a kernel without a SIMT launch has");
    if (f)
        f->diag.severity = PTOG_WARNING;
}

/* dynUBufSize is more than what reserved region, least data cache and static memory leave. */
static void judge_request(struct ptog_sanitizer *s, uint64_t dyn_ub, uint64_t static_bytes)
{
    uint64_t most = ptog_ub_most_dynamic(s->target, static_bytes);
    struct ptog_diag_list *diags = &s->shared->diags;
    if (dyn_ub <= most)
        return;
    struct ptog_diag_entry *f = note_once(s, PTOG_MACHINE_UB_BUDGET, PTOG_AT_COUNT, s->simt_site, s->simt_insn);
    if (!f)
        return;
    char size[PTOG_GROUPED], fixed[PTOG_GROUPED], room[PTOG_GROUPED];
    ptog_grouped(dyn_ub, size);
    ptog_grouped(most, room);
    if (static_bytes == 0)
        f->diag.message = ptog_diag_text(
            diags, "a dynUBufSize of %s bytes leaves no room for the data cache (at most %s bytes)", size, room);
    else
        f->diag.message =
            ptog_diag_text(diags,
                           "a dynUBufSize of %s bytes and %s bytes of static memory leave no room for the "
                           "data cache (at most %s bytes of dynUBufSize)",
                           size, ptog_grouped(static_bytes, fixed), room);
    const char *words = most > 0 ? ptog_diag_text(diags, "launch with a dynUBufSize of at most %s bytes", room)
                                 : "use smaller tiles: static memory alone is too large";
    ptog_diag_advise(f, ptog_fix_of_words(words));
}

/* Reports a launch that asks for dynamic UB on a target that has none. */
static void judge_launch_size(struct ptog_sanitizer *s, uint64_t dyn_ub)
{
    struct ptog_diag_entry *f = note_once(s, PTOG_MACHINE_UB_BUDGET, PTOG_AT_COUNT, s->top_site, s->top_insn);
    if (!f)
        return;
    char size[PTOG_GROUPED];
    f->diag.message = ptog_diag_text(&s->shared->diags, "%s has no dynamic UB size, but the launch requests %s bytes",
                                     s->target->name, ptog_grouped(dyn_ub, size));
    ptog_diag_advise(f, ptog_fix_of_words("launch without dynUBufSize"));
}

void ptog_sanitizer_budget(struct ptog_sanitizer *s, uint64_t dyn_ub, uint64_t static_bytes)
{
    uint64_t usable = s->ub_bytes - PTOG_UB_RESERVED; /* without a data cache */
    if (s->cube)
        return;
    if (s->target->machine != PTOG_MACHINE_SIMT && dyn_ub > 0)
        judge_launch_size(s, dyn_ub);
    if (s->target->machine != PTOG_MACHINE_SIMT || s->top == 0)
        return;
    if (!s->simt_site) {
        judge_plain(s, usable);
        return;
    }
    if (dyn_ub > 0)
        judge_request(s, dyn_ub, static_bytes);
    if (s->top > s->ub_bytes)
        return;
    if (dyn_ub > 0 && s->top > static_bytes + dyn_ub)
        judge_budget(s, PTOG_MACHINE_UB_BUDGET, static_bytes + dyn_ub,
                     static_bytes > 0 ? "static memory and dynUBufSize are" : "dynUBufSize is");
    else if (dyn_ub == 0 && s->top > IN_PRACTICE)
        judge_budget(s, PTOG_MACHINE_UB_BUDGET, IN_PRACTICE, "a launch without dynUBufSize has at most");
    else if (dyn_ub == 0 && s->top > usable - PTOG_MAX_CACHE)
        judge_budget(s, PTOG_MACHINE_UB_RESERVED, usable - PTOG_MAX_CACHE, "a launch without dynUBufSize has");
}
