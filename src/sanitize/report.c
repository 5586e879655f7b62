/* sanitize: findings as diagnostics: the message of a race, its witness, the order of the report. */
#include "base/diag.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/origin.h"
#include "base/text.h"
#include "sanitize/redundant.h"
#include "sanitize/sanitize.h"

#define MAX_MESSAGE 1024

/* Frees shadows, names, findings and logs that the cores of a device share. */
void ptog_sanitizer_shared_close(struct ptog_sanitizer_shared *shared)
{
    for (int i = 0; i < shared->gm_count; i++)
        ptog_shadow_close(&shared->gm[i]);
    free(shared->gm);
    shared->gm = NULL;
    shared->gm_count = 0;
    ptog_names_free(&shared->names);
    ptog_diag_list_free(&shared->diags);
    ptog_order_logs_free(&shared->order_logs);
    ptog_line_pages_clear(&shared->lines);
    free(shared->cores);
    free(shared->judges);
}

static const char *name_at(const struct ptog_sanitizer_shared *shared, uint32_t site)
{
    return ptog_names_insn(&shared->names, site);
}

/* Whether the instruction at a site has an operand of this name. */
static bool has_operand(const struct ptog_sanitizer_shared *shared, uint32_t site, const char *name)
{
    const struct ptog_site *at = ptog_names_site_at(&shared->names, site);
    for (int i = 0; at && i < PTOG_AT_COUNT; i++)
        if (at->operands[i] && strcmp(at->operands[i], name) == 0)
            return true;
    return false;
}

/* The operand of the later access: "%idx", "the index tile". */
static const char *operand_of(const struct ptog_sanitizer_shared *shared, const struct ptog_diag_entry *f)
{
    return ptog_names_words(&shared->names, f->key.site, (enum ptog_operand_name)f->key.operand);
}

/* "mgather (pipe S)" */
static void add_insn(const struct ptog_sanitizer_shared *shared, uint32_t site, uint8_t pipe, struct ptog_text *text)
{
    ptog_text_addf(text, "%s (pipe %s)", name_at(shared, site), ptog_pipe_name((enum ptog_pipe)pipe));
}

/* Which bytes, where the name alone does not tell: the other instruction uses another name for them, or none. */
static void add_bytes(const struct ptog_sanitizer_shared *shared, const struct ptog_diag_entry *f,
                      struct ptog_text *text)
{
    const char *name = operand_of(shared, f);
    if (has_operand(shared, f->key.site, name) && has_operand(shared, f->key.other, name))
        return;
    uint64_t from = f->race.from;
    const char *memory = "bytes";
    if (f->race.space == PTOG_IN_UB)
        memory = ptog_sanitizer_memory(shared, f->race.from, &from);
    ptog_text_addf(text, " (%s 0x%" PRIx64 "..0x%" PRIx64 ")", memory, from, from + (f->race.to - f->race.from));
}

/* "order reversed: tload (pipe MTE2) writes %t before mgather (pipe V), an earlier instruction, has read it: flag
 * MTE2->V 1 is waited for before it is set" */
static void reversed_message(const struct ptog_sanitizer_shared *shared, const struct ptog_diag_entry *f,
                             struct ptog_text *text)
{
    ptog_text_add(text, "order reversed: ");
    add_insn(shared, f->key.site, f->key.pipe, text);
    ptog_text_addf(text, " %s %.80s before ", f->race.writes ? "writes" : "reads", operand_of(shared, f));
    add_insn(shared, f->key.other, f->key.other_pipe, text);
    ptog_text_addf(text, ", an earlier instruction, has %s it", f->race.other_writes ? "written" : "read");
    add_bytes(shared, f, text);
    if (f->race.wait_site)
        ptog_text_addf(text, ": flag %s->%s %d is waited for before it is set",
                       ptog_pipe_name((enum ptog_pipe)f->race.flag_src),
                       ptog_pipe_name((enum ptog_pipe)f->race.flag_dst), f->race.flag_id);
}

/* What the later instruction does to bytes that the earlier one still needs. */
static const char *verb_of(const struct ptog_diag_entry *f)
{
    if (!f->race.writes)
        return "read";
    return f->race.other_writes ? "write" : "overwrite";
}

/* "race: tpush_to_aiv (pipe FIX) of the cube core may overwrite a slot that tpop_from_aic (pipe MTE2) of vector core 0 has
 * not read yet": whichever of the two came second in the run. */
static void slot_message(const struct ptog_sanitizer_shared *shared, const struct ptog_diag_entry *f, bool has_blocks,
                         struct ptog_text *text)
{
    char name[PTOG_CORE_NAME];
    bool second = f->race.writes;
    struct ptog_core_number writer = shared->cores[(second ? f->race.core : f->race.other_core) - 1];
    struct ptog_core_number reader = shared->cores[(second ? f->race.other_core : f->race.core) - 1];
    if (!second)
        add_insn(shared, f->key.other, f->key.other_pipe, text);
    ptog_text_addf(text, " of %s may overwrite a slot that ", ptog_core_words(writer, has_blocks, name));
    if (second)
        add_insn(shared, f->key.other, f->key.other_pipe, text);
    else
        add_insn(shared, f->key.site, f->key.pipe, text);
    ptog_text_addf(text, " of %s has not read yet", ptog_core_words(reader, has_blocks, name));
    add_bytes(shared, f, text);
}

/* "race: tload (pipe MTE2) of vector core 0 may read %ws before tstore (pipe FIX) of the cube core has written it: no
 * counter orders the two" */
static void cores_message(const struct ptog_sanitizer_shared *shared, const struct ptog_diag_entry *f,
                          struct ptog_text *text)
{
    char here[PTOG_CORE_NAME], there[PTOG_CORE_NAME];
    struct ptog_core_number one = shared->cores[f->race.core - 1], other_one = shared->cores[f->race.other_core - 1];
    bool has_blocks = one.block > 0 || other_one.block > 0;
    bool is_overlap = f->key.kind == PTOG_DIAG_GM_BLOCK_OVERLAP;
    const char *other = f->race.other_writes ? "written" : "read";
    if (f->key.kind == PTOG_DIAG_FIFO_OVERRUN) {
        slot_message(shared, f, has_blocks, text);
        return;
    }
    ptog_text_addf(text, " of %s ", ptog_core_words(one, has_blocks, here));
    if (is_overlap)
        ptog_text_addf(text, "writes %.80s where ", operand_of(shared, f));
    else
        ptog_text_addf(text, "may %s %.80s before ", verb_of(f), operand_of(shared, f));
    add_insn(shared, f->key.other, f->key.other_pipe, text);
    ptog_text_addf(text, " of %s %s", ptog_core_words(other_one, has_blocks, there), is_overlap ? "writes" : "has ");
    if (!is_overlap)
        ptog_text_addf(text, "%s it", other);
    add_bytes(shared, f, text);
    ptog_text_add(text, ": no counter orders the two");
}

/* "race: mgather (pipe S) may read %idx before tload (pipe MTE2) has written it" */
static void race_message(const struct ptog_sanitizer_shared *shared, const struct ptog_diag_entry *f,
                         struct ptog_text *text)
{
    const char *other = f->race.other_writes ? "written" : "read";
    const char *other_pipe = ptog_pipe_name((enum ptog_pipe)f->key.other_pipe);
    if (f->key.kind == PTOG_DIAG_ORDER_REVERSED) {
        reversed_message(shared, f, text);
        return;
    }
    bool is_read_late = f->key.kind == PTOG_DIAG_FIFO_OVERRUN && !f->race.writes;
    ptog_text_add(text, "race: ");
    if (!is_read_late)
        add_insn(shared, f->key.site, f->key.pipe, text);
    if (f->race.other_core) {
        cores_message(shared, f, text);
        return;
    }
    if (f->race.other_block) {
        ptog_text_addf(text, " %s %.80s where %s of %s %s; %s run in any order", f->race.writes ? "writes" : "reads",
                       operand_of(shared, f), name_at(shared, f->key.other),
                       f->race.other_subblock ? "the other sub-block" : "another block",
                       f->race.other_writes ? "writes" : "reads", f->race.other_subblock ? "sub-blocks" : "blocks");
        add_bytes(shared, f, text);
        return;
    }
    ptog_text_addf(text, " may %s %.80s before ", verb_of(f), operand_of(shared, f));
    if (f->key.kind == PTOG_DIAG_RACE_SELF)
        ptog_text_addf(text, "its own part on pipe %s has %s it", other_pipe, other);
    else if (f->key.kind == PTOG_DIAG_SAME_PIPE)
        ptog_text_addf(text, "%s, earlier on the same pipe, has %s it", name_at(shared, f->key.other), other);
    else
        ptog_text_addf(text, "%s (pipe %s) has %s it", name_at(shared, f->key.other), other_pipe, other);
    add_bytes(shared, f, text);
}

/* Two latencies of the instruction that starts first order the two accesses differently, since nothing else does; it is
 * the one that is issued first, unless a wait holds that. Blocks run one after another, and an instruction's own phases
 * in order: those races have no witness, and a latency would name all cores of a block. */
static bool has_witness(const struct ptog_sanitizer_shared *shared, const struct ptog_diag_entry *f)
{
    bool doubtful = f->key.kind == PTOG_DIAG_SAME_PIPE && f->diag.severity != PTOG_ERROR; /* time goes on in order there */
    return !shared->linked && !f->diag.message && f->race.late_step > 0 && !f->race.other_block && !doubtful &&
           f->advice != PTOG_ADVICE_OF_ID;
}

/* "if tload at line 12 completes late (instruction 1 of block 0), mgather comes first" */
static void witness_text(const struct ptog_sanitizer_shared *shared, const struct ptog_diag_entry *f,
                         struct ptog_text *text)
{
    uint32_t late = f->race.held ? f->key.site : f->key.other, first = f->race.held ? f->key.other : f->key.site;
    const struct ptog_site *site = ptog_names_site_at(&shared->names, late);
    bool same = strcmp(name_at(shared, late), name_at(shared, first)) == 0;
    const char *which = f->race.held ? "the earlier " : "the next "; /* of two instructions of one name */
    ptog_text_addf(text, "if %s", name_at(shared, late));
    const struct ptog_site *here = ptog_names_site_at(&shared->names, f->key.site);
    if (site)
        ptog_text_add_line(text, &site->where, here ? &here->where : NULL);
    ptog_text_addf(text, " completes late (instruction %u of block %u), %s%s comes first", (unsigned)f->race.late_step,
                   (unsigned)f->race.block, same ? which : "", name_at(shared, first));
}

/* Whether the finding is about something that was not examined. */
static bool is_limit(const struct ptog_diag_entry *f)
{
    return f->key.kind > PTOG_DIAG_OTHER && f->key.kind < PTOG_DIAG_LANE &&
           ptog_machine_fault_at(f->key.kind - PTOG_DIAG_OTHER - 1u)->unjudged;
}

/* The other places of a finding: the other access, and the flag that reverses the order. */
#define MAX_PLACES 3
/* Fills in the related places of a fault: the other access, its flags; returns how many. */
static size_t places_of(const struct ptog_sanitizer_shared *shared, const struct ptog_diag_entry *f,
                        struct ptog_related_place related[MAX_PLACES])
{
    const struct {
        uint32_t site;
        const char *message;
    } places[MAX_PLACES] = {
        {f->key.other, f->other_message}, {f->race.wait_site, "waited for here"}, {f->race.set_site, "set here"}};
    size_t count = 0;
    for (int i = 0; i < MAX_PLACES; i++) {
        const struct ptog_site *site = ptog_names_site_at(&shared->names, places[i].site);
        if (site && places[i].message)
            related[count++] = (struct ptog_related_place){.message = places[i].message, .where = site->where};
    }
    return count;
}

/* Adds a fault to `diags` in words: message, fix, related places, witness. `advised` is told the flags that fixes use.
 * False when out of memory. */
static bool report_finding(const struct ptog_sanitizer_shared *shared, const struct ptog_diag_entry *f,
                           struct ptog_flags_advised *advised, ptog_diags *diags)
{
    char message[MAX_MESSAGE], witness[MAX_MESSAGE];
    struct ptog_fix steps[PTOG_MAX_STEPS];
    struct ptog_text text;
    const struct ptog_site *here = ptog_names_site_at(&shared->names, f->key.site);
    struct ptog_related_place related[MAX_PLACES];
    struct ptog_diag diag = f->diag;
    diag.unjudged = is_limit(f);
    diag.related = related;
    ptog_text_init(&text, message, sizeof message);
    if (!diag.message) {
        race_message(shared, f, &text);
        diag.message = message;
    }
    diag.fix = steps;
    diag.fix_count = ptog_sanitizer_fix(shared, f, advised, steps);
    ptog_text_init(&text, witness, sizeof witness);
    if (has_witness(shared, f)) {
        witness_text(shared, f, &text);
        diag.witness = witness;
        diag.late_block = f->race.block;
        diag.late_instruction = f->race.late_step;
    }
    if (here)
        diag.where = here->where;
    diag.related_count = places_of(shared, f, related);
    if (!f->diag.operand && f->key.operand < PTOG_AT_COUNT)
        diag.operand = ptog_operand_name((enum ptog_operand_name)f->key.operand);
    return ptog_diags_add(diags, &diag);
}

/* ---- redundant pairs */

#define MAX_RELATED 8

static const char *related_message(const struct ptog_flag_end *end)
{
    return end->waits ? "waited for here" : "set here too";
}

/* The other statements of the pair, in the order of the run. */
static size_t other_ends(const struct ptog_sanitizer_shared *shared, const struct ptog_redundants *found,
                         const struct ptog_redundant *pair, struct ptog_related_place *related)
{
    const struct ptog_flag_ends *ends = &shared->order_logs.ends;
    size_t count = 0;
    for (uint32_t end = 1; end <= ends->count && count < MAX_RELATED; end++) {
        const struct ptog_flag_end *e = &ends->of[end - 1];
        const struct ptog_site *site = ptog_names_site_at(&shared->names, e->site);
        if (found->pair_of[end] == found->pair_of[pair->first] && end != pair->first && site)
            related[count++] = (struct ptog_related_place){.message = related_message(e), .where = site->where};
    }
    return count;
}

/* Appends the message of a pair that changes nothing: "flag MTE2->V 1 is redundant: V has nothing left to wait for on
 * MTE2 (on a2a3)". */
static void redundant_message(const struct ptog_sanitizer_shared *shared, const struct ptog_flag_end *end, bool already,
                              struct ptog_text *text)
{
    const char *src = ptog_pipe_name((enum ptog_pipe)end->src), *dst = ptog_pipe_name((enum ptog_pipe)end->dst);
    ptog_text_addf(text, "flag %s->%s ", src, dst);
    if (end->ids)
        ptog_text_add(text, "(any id)");
    else
        ptog_text_addf(text, "%d", end->id);
    ptog_text_add(text, " is redundant: ");
    if (already)
        ptog_text_addf(text, "%s has nothing left to wait for on %s", dst, src);
    else
        ptog_text_addf(text, "other flags and barriers already order what %s and %s share", src, dst);
    ptog_text_addf(text, " (on %s)", shared->target->name);
}

/* Adds the note about a redundant pair to `diags`. False when out of memory. */
static bool add_redundant(const struct ptog_sanitizer_shared *shared, const struct ptog_redundants *found,
                          const struct ptog_redundant *pair, ptog_diags *diags)
{
    const struct ptog_machine_fault *row = ptog_machine_fault_at(PTOG_MACHINE_FLAG_REDUNDANT);
    const struct ptog_flag_end *end = &shared->order_logs.ends.of[pair->first - 1];
    const struct ptog_site *site = ptog_names_site_at(&shared->names, end->site);
    char message[MAX_MESSAGE];
    struct ptog_text text;
    struct ptog_related_place related[MAX_RELATED];
    struct ptog_fix step = ptog_fix_of_words("remove the set and its wait");
    struct ptog_diag diag = {.id = row->id,
                             .kind = PTOG_DIAG_FLAG_REDUNDANT,
                             .severity = row->severity,
                             .message = message,
                             .documented = row->documented,
                             .fix = &step,
                             .fix_count = 1,
                             .related = related,
                             .count = pair->pairs};
    ptog_text_init(&text, message, sizeof message);
    redundant_message(shared, end, pair->already, &text);
    diag.related_count = other_ends(shared, found, pair, related);
    if (site)
        diag.where = site->where;
    return ptog_diags_add(diags, &diag);
}

/* The run was too long for its order logs: it says so once. */
static bool add_cut(ptog_diags *diags)
{
    const struct ptog_machine_fault *row = ptog_machine_fault_at(PTOG_MACHINE_FLAG_REDUNDANT);
    struct ptog_diag diag = {.id = row->id,
                             .kind = PTOG_DIAG_FLAG_REDUNDANT,
                             .severity = row->severity,
                             .message = "the run is too long to tell which flags are redundant",
                             .documented = row->documented};
    return ptog_diags_add(diags, &diag);
}

/* ---- the report */

/* A finding, or a redundant pair. */
struct report_item {
    uint64_t insn;
    const struct ptog_diag_entry *entry;
    const struct ptog_redundant *pair;
};

/* A flag that is still set when an instruction uses it itself is what a missing or late wait leads to: the race comes
 * first. */
static bool is_consequence(const struct report_item *item)
{
    return item->entry && item->entry->key.kind == PTOG_DIAG_FLAG_ID_CLASH;
}

/* By the instruction it first happened at, then in the order in which it was found. */
static int by_insn(const void *a, const void *b)
{
    const struct report_item *x = a, *y = b;
    if (x->insn != y->insn)
        return x->insn < y->insn ? -1 : 1;
    if (x->entry && y->entry && is_consequence(x) != is_consequence(y))
        return is_consequence(x) ? 1 : -1;
    if (x->entry && y->entry)
        return x->entry < y->entry ? -1 : x->entry > y->entry;
    if (x->entry || y->entry)
        return x->entry ? -1 : 1;
    return x->pair < y->pair ? -1 : x->pair > y->pair;
}

/* Adds the findings, and the pairs of flags that change nothing, to `diags`, in the order in which the instructions
 * were issued. PTOG_OK, or PTOG_NO_MEMORY: the report is not complete. */
enum ptog_status ptog_sanitizer_report(const struct ptog_sanitizer_shared *shared, ptog_diags *diags)
{
    const struct ptog_diag_list *list = &shared->diags;
    struct ptog_redundants found;
    struct ptog_flags_advised advised = {.count = 0};
    size_t count = 0;
    ptog_redundants_find(&found, &shared->order_logs);
    struct report_item *order = malloc((list->count + found.count + 1) * sizeof *order);
    bool good = !list->no_memory && !shared->order_logs.failed && !found.failed && order;
    for (size_t i = 0; order && i < list->count; i++)
        order[count++] = (struct report_item){list->list[i].insn, &list->list[i], NULL};
    for (size_t i = 0; order && !shared->refused && i < found.count; i++)
        order[count++] = (struct report_item){found.of[i].insn, NULL, &found.of[i]};
    if (order)
        qsort(order, count, sizeof *order, by_insn);
    for (size_t i = 0; i < count; i++)
        good &= order[i].entry ? report_finding(shared, order[i].entry, &advised, diags)
                               : add_redundant(shared, &found, order[i].pair, diags);
    if (found.cut)
        good &= add_cut(diags);
    free(order);
    ptog_redundants_free(&found);
    return good ? PTOG_OK : PTOG_NO_MEMORY;
}
