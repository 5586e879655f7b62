/* sanitize: definedness, in issue order: was every byte that is read written, and by a tile that has to do with it?
 * What instructions compute from undefined bytes is in undef_propagation.c; here it is reported. */
#include <inttypes.h>
#include <string.h>

#include "base/pick.h"
#include "sanitize/sanitize.h"

/* How many of the bytes lie in UB. */
static uint64_t clip_bytes(const struct ptog_sanitizer *s, uint64_t at, uint64_t bytes)
{
    uint64_t room = at < s->ub_bytes ? s->ub_bytes - at : 0;
    return bytes < room ? bytes : room;
}

/* Sets where the bytes of UB from `at` on come from; bytes past the end of UB are left out. */
static void write_range(struct ptog_sanitizer *s, uint64_t at, uint64_t bytes, ptog_origin origin)
{
    bytes = clip_bytes(s, at, bytes);
    if (bytes > 0)
        ptog_origins_set(&s->origins, at, bytes, origin);
}

/* Elements of an access that are undefined in one way, from one place. */
struct undefined_elements {
    uint64_t count;
    uint64_t first;              /* where the first one is */
    uint64_t end;                /* of the last one in this piece */
    const struct ptog_trail *of; /* they were computed; NULL: they are so by themselves */
    uint32_t tile;               /* then, the one that was last written there; 0: none */
};

/* Why the bytes are undefined, as the end of a sentence. */
static const char *reason_of(enum ptog_definition definition)
{
    if (definition == PTOG_PADDING)
        return "which a load left undefined as padding";
    return "which nothing has written";
}

/* The tile of an access starts there. */
static bool is_start(const struct ptog_names *names, const struct ptog_access *access, uint64_t at)
{
    const struct ptog_tile_seen *tile = ptog_names_tile_at(names, access->tile);
    return tile && tile->addr == at;
}

/* Says that padding is read: what a short burst left behind, or what lies beyond the rows and columns of a product. */
static void say_padding(struct ptog_sanitizer *s, struct ptog_diag_entry *f, const struct undefined_elements *bad,
                        const char *reader, const char *name, bool has_writer)
{
    uint64_t at;
    const char *memory = ptog_sanitizer_memory(s->shared, bad->first, &at);
    bool product = s->cube && strcmp(memory, "L0C") == 0;
    const char *writer = s->cube ? "an earlier instruction" : "a load";
    if (has_writer)
        f->other_message =
            product ? "only its own rows and columns are defined" : "its last 32-byte block is padded here";
    if (product) {
        writer = "the product";
        ptog_diag_advise(f, ptog_fix_of_words("give the tile the valid extents of the product"));
    }
    f->diag.message =
        ptog_diag_text(&s->shared->diags, "%s reads %.80s where %s left undefined padding, from %s 0x%" PRIx64 " on",
                       reader, name, writer, memory, at);
}

/* Counts a read of undefined elements, and writes the message of a new one: bytes that nothing has written, padding, or
 * a result that was computed from such bytes. */
static void note_undefined(struct ptog_sanitizer *s, const struct ptog_access *access, enum ptog_definition state,
                           const struct undefined_elements *bad, uint32_t site, uint64_t insn)
{
    bool fresh;
    const struct ptog_names *names = &s->shared->names;
    enum ptog_operand_name operand = (enum ptog_operand_name)access->operand;
    const char *name = ptog_names_words(names, site, operand), *reader = ptog_names_insn(names, site);
    struct ptog_diag_key key = ptog_key(site, operand);
    struct ptog_diag_list *diags = &s->shared->diags;
    const struct ptog_tile_seen *padded = state == PTOG_PADDING ? ptog_names_tile_at(names, bad->tile) : NULL;
    if (bad->of)
        key.other = bad->of->site;
    else if (padded)
        key.other = padded->writer;
    struct ptog_diag_entry *f = ptog_diag_note_machine(
        diags, state == PTOG_PADDING ? PTOG_MACHINE_PAD_READ : PTOG_MACHINE_UNINIT_READ, key, insn, bad->count, &fresh);
    if (!f || !fresh)
        return;
    f->diag.operand = ptog_operand_name(operand);
    if (!bad->of) {
        if (state == PTOG_PADDING)
            say_padding(s, f, bad, reader, name, padded != NULL);
        else
            f->diag.message = ptog_diag_text(diags, "%s reads %.80s, but nothing has written %s", reader, name,
                                             is_start(names, access, bad->first) ? "it" : "all of it");
        return;
    }
    uint64_t at;
    const char *memory = ptog_sanitizer_memory(s->shared, bad->of->at, &at);
    f->other_message = "computed here from undefined bytes";
    f->diag.message = ptog_diag_text(
        diags, "%s reads %.80s, which %s computed from bytes of %.80s at %s 0x%" PRIx64 ", %s", reader, name,
        ptog_names_insn(names, bad->of->site),
        ptog_names_words(names, bad->of->site, (enum ptog_operand_name)bad->of->operand), memory, at, reason_of(state));
}

/* Whether two tiles share bytes, and neither holds all of the other. */
static bool overlap_partly(const struct ptog_tile_seen *a, const struct ptog_tile_seen *b)
{
    uint64_t a_end = a->addr + a->reach, b_end = b->addr + b->reach;
    bool a_in_b = a->addr >= b->addr && a_end <= b_end, b_in_a = b->addr >= a->addr && b_end <= a_end;
    return !a_in_b && !b_in_a && a->addr < b_end && b->addr < a_end;
}

/* Reports an access of bytes that were last written through another tile which overlaps this one only in part. */
static void check_tile(struct ptog_sanitizer *s, const struct ptog_access *access, uint32_t other, uint32_t site,
                       uint64_t insn)
{
    const struct ptog_tile_seen *mine = ptog_names_tile_at(&s->shared->names, access->tile);
    const struct ptog_tile_seen *seen = ptog_names_tile_at(&s->shared->names, other);
    if (!mine || !seen || !overlap_partly(mine, seen))
        return;
    struct ptog_diag_key key = ptog_key(site, (enum ptog_operand_name)access->operand);
    bool fresh;
    key.other = seen->writer;
    struct ptog_diag_entry *f =
        ptog_diag_note_machine(&s->shared->diags, PTOG_MACHINE_UB_PARTIAL_OVERLAP, key, insn, 0, &fresh);
    if (!f || !fresh)
        return;
    f->diag.operand = ptog_operand_name((enum ptog_operand_name)access->operand);
    f->other_message = "written here";
    const struct ptog_names *names = &s->shared->names;
    const struct ptog_site *writer = ptog_names_site_at(names, seen->writer);
    const char *whole = ptog_or(writer ? writer->operands[seen->written_as] : NULL, "another tile");
    uint64_t at, other_at;
    const char *memory = ptog_sanitizer_memory(s->shared, mine->addr, &at);
    ptog_sanitizer_memory(s->shared, seen->addr, &other_at);
    f->diag.message = ptog_diag_text(
        &s->shared->diags,
        "%s reads bytes of %.80s (%s 0x%" PRIx64 "..0x%" PRIx64
        ") that were last written as part of %.80s (%s 0x%" PRIx64 "..0x%" PRIx64 "); the two overlap only in part",
        ptog_names_insn(names, site), ptog_names_words(names, site, (enum ptog_operand_name)access->operand), memory,
        at, at + mine->reach - 1, whole, memory, other_at, other_at + seen->reach - 1);
}

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

/* Bytes that were computed from undefined ones, by where those come from. */
static void count_carried(const struct ptog_sanitizer *s, struct undefined_elements bad[], uint64_t start,
                          uint64_t from, uint64_t end, uint64_t element)
{
    for (uint64_t to; from < end; from = to) {
        const struct ptog_trail *trail = &s->undef.trails[s->origins.carried[from].trail];
        struct undefined_elements *of = &bad[trail->definition];
        for (to = from + 1; to < end && s->origins.carried[to].trail == s->origins.carried[from].trail;)
            to++;
        if (of->count == 0)
            of->of = trail;
        count_elements(of, start, from, to, element);
    }
}

/* Bytes that are undefined by themselves, in a tile. */
static void count_plain(struct undefined_elements *bad, uint32_t tile, uint64_t start, uint64_t from, uint64_t to,
                        uint64_t element)
{
    if (bad->count == 0)
        bad->tile = tile;
    count_elements(bad, start, from, to, element);
}

/* Looks up where the bytes of an access come from. Undefined elements are added to `bad`, by kind; bytes that another
 * tile wrote are checked. */
static void read_range(struct ptog_sanitizer *s, const struct ptog_access *access, uint64_t at,
                       struct undefined_elements bad[], uint32_t site, uint64_t insn)
{
    uint64_t end = at + clip_bytes(s, at, access->bytes), element = access->element ? access->element : 1;
    uint32_t last = access->tile;
    ptog_origin origin;
    bad[PTOG_NEVER_WRITTEN].end = bad[PTOG_PADDING].end = 0;
    for (uint64_t from = at, to; from < end; from = to) {
        to = ptog_origins_run(&s->origins, from, end, &origin);
        enum ptog_definition definition = ptog_origin_definition(origin);
        uint32_t tile = ptog_origin_tile(origin);
        if (definition == PTOG_CARRIED)
            count_carried(s, bad, at, from, to, element);
        else if (definition != PTOG_DEFINED)
            count_plain(&bad[definition], tile, at, from, to, element);
        if (tile != last && tile != access->tile)
            check_tile(s, access, last = tile, site, insn);
    }
}

/* Marks the bytes of one piece of an access as written: defined, or as padding or scratch. What was followed element
 * by element has its definitions already, and only the tile changes. */
static void write(struct ptog_sanitizer *s, const struct ptog_access *access, uint64_t at)
{
    ptog_scratch_written(s, at, access->bytes);
    if (access->kind != PTOG_WRITES)
        write_range(s, at, access->bytes, ptog_origin_of(access->tile, PTOG_PADDING));
    else if (s->undef.on)
        ptog_origins_retile(&s->origins, at, clip_bytes(s, at, access->bytes), access->tile);
    else
        write_range(s, at, access->bytes, ptog_origin_of(access->tile, PTOG_DEFINED));
}

/* All bytes from the first piece to the last, those between them included, were written through the tile that is read,
 * and are defined: then there is nothing to look for. */
static bool is_plainly_defined(const struct ptog_sanitizer *s, const struct ptog_access *access)
{
    uint64_t end = access->at + (access->count - 1) * access->pitch + access->bytes;
    ptog_origin origin;
    return access->at < s->ub_bytes && end <= s->ub_bytes &&
           ptog_origins_run(&s->origins, access->at, end, &origin) == end &&
           origin == ptog_origin_of(access->tile, PTOG_DEFINED);
}

bool ptog_sanitizer_reads(struct ptog_sanitizer *s, const struct ptog_access *access, bool decides, uint32_t site,
                          uint64_t insn)
{
    struct undefined_elements bad[PTOG_PADDING + 1] = {0};
    if (access->space != PTOG_IN_UB || access->kind != PTOG_READS)
        return false;
    bool plain = access->count > 1 && is_plainly_defined(s, access);
    for (uint64_t i = 0; i < access->count && !plain; i++)
        read_range(s, access, access->at + i * access->pitch, bad, site, insn);
    ptog_scratch_read(s, access, site, insn);
    for (int d = PTOG_NEVER_WRITTEN; decides && d <= PTOG_PADDING; d++)
        if (bad[d].count > 0)
            note_undefined(s, access, (enum ptog_definition)d, &bad[d], site, insn);
    return !decides && bad[PTOG_NEVER_WRITTEN].count + bad[PTOG_PADDING].count > 0;
}

void ptog_sanitizer_writes(struct ptog_sanitizer *s, const struct ptog_access *access, uint32_t site)
{
    if (access->space != PTOG_IN_UB || !ptog_access_writes(access))
        return;
    ptog_scratch_used(s, access, site);
    for (uint64_t i = 0; access->kind != PTOG_SCRATCHES && i < access->count; i++)
        write(s, access, access->at + i * access->pitch);
    struct ptog_tile_seen *tile = ptog_names_tile_at(&s->shared->names, access->tile);
    if (tile) {
        tile->writer = site;
        tile->written_as = (uint8_t)access->operand;
    }
}

void ptog_sanitizer_arrives(struct ptog_sanitizer *s, const struct ptog_access *access, uint32_t site)
{
    struct ptog_access here = *access;
    bool on = s->undef.on;
    here.space = PTOG_IN_UB;
    s->undef.on = false; /* what the core's own last instruction made is another matter */
    ptog_sanitizer_writes(s, &here, site);
    s->undef.on = on;
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
