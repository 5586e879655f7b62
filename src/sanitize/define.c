/* sanitize: definedness, in issue order: was every byte that is read written, and by a tile that has to do with it? */
#include <inttypes.h>

#include "sanitize/sanitize.h"

static uint64_t clip(const struct ptog_sanitizer *s, uint64_t at, uint64_t bytes)
{
    uint64_t room = at < s->ub_bytes ? s->ub_bytes - at : 0;
    return bytes < room ? bytes : room;
}

static void write_range(struct ptog_sanitizer *s, uint64_t at, uint64_t bytes, ptog_origin origin)
{
    bytes = clip(s, at, bytes);
    if (bytes > 0)
        ptog_origins_set(&s->origins, at, bytes, origin);
}

static void note_undefined(struct ptog_sanitizer *s, const struct ptog_access *access, enum ptog_definition state,
                           uint64_t at, uint64_t count, uint32_t site, uint64_t insn)
{
    bool fresh, pad = state == PTOG_PADDING;
    const char *name = ptog_operand_name((enum ptog_operand_name)access->operand);
    struct ptog_finding *f =
        ptog_findings_machine(&s->court->findings, pad ? PTOG_MACHINE_PAD_READ : PTOG_MACHINE_UNINIT_READ,
                              ptog_key(site, (enum ptog_operand_name)access->operand), insn, count, &fresh);
    if (!f || !fresh)
        return;
    f->operand = name;
    const struct ptog_site *where = ptog_names_site_at(&s->court->names, site);
    f->message = ptog_findings_text(
        &s->court->findings, "%s reads %s, %s, from UB 0x%" PRIx64 " on", where ? where->name : "an instruction", name,
        pad ? "where a short burst left undefined padding" : "where nothing was ever written", at);
}

static bool partly(const struct ptog_tile_seen *a, const struct ptog_tile_seen *b)
{
    uint64_t a_end = a->addr + a->reach, b_end = b->addr + b->reach;
    bool a_in_b = a->addr >= b->addr && a_end <= b_end, b_in_a = b->addr >= a->addr && b_end <= a_end;
    return !a_in_b && !b_in_a && a->addr < b_end && b->addr < a_end;
}

/* Bytes that were last written through another tile. */
static void check_tile(struct ptog_sanitizer *s, const struct ptog_access *access, uint32_t other, uint32_t site,
                       uint64_t insn)
{
    const struct ptog_tile_seen *mine = ptog_names_tile_at(&s->court->names, access->tile);
    const struct ptog_tile_seen *seen = ptog_names_tile_at(&s->court->names, other);
    if (!mine || !seen || !partly(mine, seen))
        return;
    struct ptog_finding_key key = ptog_key(site, (enum ptog_operand_name)access->operand);
    bool fresh;
    key.other = seen->writer;
    struct ptog_finding *f =
        ptog_findings_machine(&s->court->findings, PTOG_MACHINE_UB_PARTIAL_OVERLAP, key, insn, 0, &fresh);
    if (!f || !fresh)
        return;
    f->operand = ptog_operand_name((enum ptog_operand_name)access->operand);
    f->other_message = "written here";
    f->message = ptog_findings_text(
        &s->court->findings,
        "%s at UB 0x%" PRIx64 "..0x%" PRIx64 " reads bytes that were last written through a tile at 0x%" PRIx64
        "..0x%" PRIx64 ", which it overlaps only in part",
        f->operand, mine->addr, mine->addr + mine->reach - 1, seen->addr, seen->addr + seen->reach - 1);
}

/* Elements of an access with a byte of one definition. */
struct undefined_elements {
    uint64_t count;
    uint64_t first; /* where the first one is */
    uint64_t end;   /* of the last one in this piece */
};

/* The bytes [from, to) of a piece of elements that starts at `start`. */
static void count_elements(struct undefined_elements *bad, uint64_t start, uint64_t from, uint64_t to, uint64_t element)
{
    uint64_t first = start + (from - start) / element * element;
    if (first < bad->end)
        first = bad->end; /* counted with the bytes before */
    if (first >= to)
        return;
    if (bad->count == 0)
        bad->first = first;
    uint64_t count = (to - first + element - 1) / element;
    bad->count += count;
    bad->end = first + count * element;
}

static void read_range(struct ptog_sanitizer *s, const struct ptog_access *access, uint64_t at,
                       struct undefined_elements bad[], uint32_t site, uint64_t insn)
{
    uint64_t end = at + clip(s, at, access->bytes), element = access->element ? access->element : 1;
    uint32_t last = access->tile;
    ptog_origin origin;
    bad[PTOG_NEVER_WRITTEN].end = bad[PTOG_PADDING].end = 0;
    for (uint64_t from = at, to; from < end; from = to) {
        to = ptog_origins_run(&s->origins, from, end, &origin);
        enum ptog_definition definition = ptog_origin_definition(origin);
        uint32_t tile = ptog_origin_tile(origin);
        if (definition != PTOG_DEFINED)
            count_elements(&bad[definition], at, from, to, element);
        if (tile != last && tile != access->tile)
            check_tile(s, access, last = tile, site, insn);
    }
}

void ptog_sanitizer_define(struct ptog_sanitizer *s, const struct ptog_access *access, uint32_t site, uint64_t insn)
{
    struct undefined_elements bad[PTOG_PADDING + 1] = {0};
    if (access->space != PTOG_IN_UB)
        return;
    bool writes = ptog_access_writes(access);
    ptog_origin origin = ptog_origin_of(access->tile, access->kind == PTOG_WRITES ? PTOG_DEFINED : PTOG_PADDING);
    for (uint64_t i = 0; i < access->count; i++) {
        uint64_t at = access->at + i * access->pitch;
        if (writes)
            write_range(s, at, access->bytes, origin);
        else if (access->kind == PTOG_READS)
            read_range(s, access, at, bad, site, insn);
    }
    struct ptog_tile_seen *tile = writes ? ptog_names_tile_at(&s->court->names, access->tile) : NULL;
    if (tile)
        tile->writer = site;
    for (int d = PTOG_NEVER_WRITTEN; d <= PTOG_PADDING; d++)
        if (bad[d].count > 0)
            note_undefined(s, access, (enum ptog_definition)d, bad[d].first, bad[d].count, site, insn);
}

void ptog_sanitizer_preset(struct ptog_sanitizer *s, const struct ptog_access *access)
{
    for (uint64_t i = 0; i < access->count; i++)
        write_range(s, access->at + i * access->pitch, access->bytes, ptog_origin_of(access->tile, PTOG_DEFINED));
}

void ptog_sanitizer_forget(struct ptog_sanitizer *s, uint64_t at, uint64_t bytes)
{
    write_range(s, at, bytes, ptog_origin_of(0, PTOG_NEVER_WRITTEN));
}
