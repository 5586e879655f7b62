/* sanitize: definedness, in issue order: was every byte that is read written, and by a tile that has to do with it? */
#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "sanitize/sanitize.h"

enum definition { NEVER = 0, DEFINED = 1, PADDING = 2 };

/* Makes the states known up to `end`, which lies in UB: what is new was never written. False when out of memory. */
static bool reach(struct ptog_sanitizer *s, uint64_t end)
{
    size_t before = s->state_count;
    if (!ptog_array_reserve(&s->state, end, &s->state_count)) {
        s->court->findings.failed = true;
        return false;
    }
    memset(s->state + before, NEVER, s->state_count - before);
    return true;
}

/* Of the bytes, those in UB; their states are known. */
static uint64_t clip(struct ptog_sanitizer *s, uint64_t at, uint64_t bytes)
{
    uint64_t room = at < s->ub_bytes ? s->ub_bytes - at : 0;
    if (bytes > room)
        bytes = room;
    return bytes == 0 || at + bytes <= s->state_count || reach(s, at + bytes) ? bytes : 0;
}

static void write_range(struct ptog_sanitizer *s, uint64_t at, uint64_t bytes, enum definition state, uint32_t tile)
{
    bytes = clip(s, at, bytes);
    if (bytes == 0)
        return;
    memset(s->state + at, state, bytes);
    ptog_owners_set(&s->owners, at, bytes, tile);
}

static void note_undefined(struct ptog_sanitizer *s, const struct ptog_access *access, enum definition state,
                           uint64_t at, uint64_t count, uint32_t site, uint64_t insn)
{
    bool fresh, pad = state == PADDING;
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

/* Elements that hold a byte of the given state; *first is the address of the first. */
static uint64_t bad_elements(const struct ptog_sanitizer *s, uint64_t at, uint64_t bytes, uint64_t element,
                             enum definition state, uint64_t *first)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < bytes; i += element) {
        bool bad = false;
        for (uint64_t b = i; b < i + element && b < bytes; b++)
            bad |= s->state[at + b] == state;
        if (bad && count++ == 0)
            *first = at + i;
    }
    return count;
}

static bool partly(const struct ptog_tile_seen *a, const struct ptog_tile_seen *b)
{
    uint64_t a_end = a->addr + a->reach, b_end = b->addr + b->reach;
    bool a_in_b = a->addr >= b->addr && a_end <= b_end, b_in_a = b->addr >= a->addr && b_end <= a_end;
    return !a_in_b && !b_in_a && a->addr < b_end && b->addr < a_end;
}

static void check_tiles(struct ptog_sanitizer *s, const struct ptog_access *access, uint64_t at, uint64_t bytes,
                        uint32_t site, uint64_t insn)
{
    const struct ptog_tile_seen *mine = ptog_names_tile_at(&s->court->names, access->tile);
    uint32_t last = access->tile;
    for (uint64_t i = 0; i < bytes; i++) {
        uint32_t other = ptog_owner_at(&s->owners, at + i);
        if (other == last || other == access->tile)
            continue;
        last = other;
        const struct ptog_tile_seen *seen = ptog_names_tile_at(&s->court->names, other);
        if (!mine || !seen || !partly(mine, seen))
            continue;
        struct ptog_finding_key key = ptog_key(site, (enum ptog_operand_name)access->operand);
        bool fresh;
        key.other = seen->writer;
        struct ptog_finding *f =
            ptog_findings_machine(&s->court->findings, PTOG_MACHINE_UB_PARTIAL_OVERLAP, key, insn, 0, &fresh);
        if (!f || !fresh)
            continue;
        f->operand = ptog_operand_name((enum ptog_operand_name)access->operand);
        f->other_message = "written here";
        f->message = ptog_findings_text(
            &s->court->findings,
            "%s at UB 0x%" PRIx64 "..0x%" PRIx64 " reads bytes that were last written through a tile at 0x%" PRIx64
            "..0x%" PRIx64 ", which it overlaps only in part",
            f->operand, mine->addr, mine->addr + mine->reach - 1, seen->addr, seen->addr + seen->reach - 1);
    }
}

/* Eight bytes at a time. */
static bool all_defined(const unsigned char *state, uint64_t bytes)
{
    uint64_t others = 0, word, i = 0;
    for (; i + sizeof word <= bytes; i += sizeof word) {
        memcpy(&word, state + i, sizeof word);
        others |= word ^ UINT64_MAX / 255 * DEFINED;
    }
    for (; i < bytes; i++)
        others |= state[i] ^ DEFINED;
    return others == 0;
}

/* Bytes of one access that are not defined, by state. */
struct tally {
    uint64_t never, padding, never_at, padding_at;
};

static void read_range(struct ptog_sanitizer *s, const struct ptog_access *access, uint64_t at, struct tally *tally,
                       uint32_t site, uint64_t insn)
{
    uint64_t bytes = clip(s, at, access->bytes), element = access->element ? access->element : 1, first = 0;
    if (bytes == 0)
        return;
    if (!all_defined(s->state + at, bytes)) {
        uint64_t never = bad_elements(s, at, bytes, element, NEVER, &first);
        if (never > 0 && tally->never == 0)
            tally->never_at = first;
        tally->never += never;
        uint64_t padding = bad_elements(s, at, bytes, element, PADDING, &first);
        if (padding > 0 && tally->padding == 0)
            tally->padding_at = first;
        tally->padding += padding;
    }
    if (!ptog_owners_are(&s->owners, at, bytes, access->tile))
        check_tiles(s, access, at, bytes, site, insn);
}

void ptog_sanitizer_define(struct ptog_sanitizer *s, const struct ptog_access *access, uint32_t site, uint64_t insn)
{
    struct tally tally = {0};
    if (access->space != PTOG_IN_UB)
        return;
    bool writes = ptog_access_writes(access);
    for (uint64_t i = 0; i < access->count; i++) {
        uint64_t at = access->at + i * access->pitch;
        if (writes)
            write_range(s, at, access->bytes, access->kind == PTOG_WRITES ? DEFINED : PADDING, access->tile);
        else if (access->kind == PTOG_READS)
            read_range(s, access, at, &tally, site, insn);
    }
    struct ptog_tile_seen *tile = writes ? ptog_names_tile_at(&s->court->names, access->tile) : NULL;
    if (tile)
        tile->writer = site;
    if (tally.never > 0)
        note_undefined(s, access, NEVER, tally.never_at, tally.never, site, insn);
    if (tally.padding > 0)
        note_undefined(s, access, PADDING, tally.padding_at, tally.padding, site, insn);
}

void ptog_sanitizer_preset(struct ptog_sanitizer *s, const struct ptog_access *access)
{
    for (uint64_t i = 0; i < access->count; i++)
        write_range(s, access->at + i * access->pitch, access->bytes, DEFINED, access->tile);
}
