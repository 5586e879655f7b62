/* sanitize: findings as diagnostics: the message of a race, its witness, the order of the report. */
#include "base/diag.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/origin.h"
#include "base/text.h"
#include "sanitize/redundant.h"
#include "sanitize/sanitize.h"

#define LONGEST 1024

void ptog_court_close(struct ptog_court *court)
{
    for (int i = 0; i < court->gm_count; i++)
        ptog_shadow_close(&court->gm[i]);
    free(court->gm);
    court->gm = NULL;
    court->gm_count = 0;
    ptog_names_free(&court->names);
    ptog_findings_free(&court->findings);
    ptog_tapes_free(&court->tapes);
}

static const char *name_at(const struct ptog_court *court, uint32_t site)
{
    return ptog_names_insn(&court->names, site);
}

/* Whether the instruction at a site has an operand of this name. */
static bool has_operand(const struct ptog_court *court, uint32_t site, const char *name)
{
    const struct ptog_site *at = ptog_names_site_at(&court->names, site);
    for (int i = 0; at && i < PTOG_AT_COUNT; i++)
        if (at->operands[i] && strcmp(at->operands[i], name) == 0)
            return true;
    return false;
}

/* The operand of the later access: "%idx", "the index tile". */
static const char *operand_of(const struct ptog_court *court, const struct ptog_finding *f)
{
    return ptog_names_words(&court->names, f->key.site, (enum ptog_operand_name)f->key.operand);
}

/* "mgather (pipe S)" */
static void add_insn(const struct ptog_court *court, uint32_t site, uint8_t pipe, struct ptog_text *text)
{
    ptog_text_addf(text, "%s (pipe %s)", name_at(court, site), ptog_pipe_name((enum ptog_pipe)pipe));
}

/* Which bytes, where the name alone does not tell: the other instruction uses another name for them, or none. */
static void add_bytes(const struct ptog_court *court, const struct ptog_finding *f, struct ptog_text *text)
{
    const char *name = operand_of(court, f);
    if (has_operand(court, f->key.site, name) && has_operand(court, f->key.other, name))
        return;
    ptog_text_addf(text, " (%s 0x%" PRIx64 "..0x%" PRIx64 ")", f->space == PTOG_IN_UB ? "UB" : "bytes", f->from, f->to);
}

/* "order reversed: tload (pipe MTE2) writes %t before mgather (pipe V), an earlier instruction, has read it: flag
 * MTE2->V 1 is waited for before it is set" */
static void reversed_message(const struct ptog_court *court, const struct ptog_finding *f, struct ptog_text *text)
{
    ptog_text_add(text, "order reversed: ");
    add_insn(court, f->key.site, f->key.pipe, text);
    ptog_text_addf(text, " %s %.80s before ", f->writes ? "writes" : "reads", operand_of(court, f));
    add_insn(court, f->key.other, f->key.other_pipe, text);
    ptog_text_addf(text, ", an earlier instruction, has %s it", f->other_writes ? "written" : "read");
    add_bytes(court, f, text);
    if (f->wait_site)
        ptog_text_addf(text, ": flag %s->%s %d is waited for before it is set",
                       ptog_pipe_name((enum ptog_pipe)f->flag_src), ptog_pipe_name((enum ptog_pipe)f->flag_dst),
                       f->flag_id);
}

/* What the later instruction does to bytes that the earlier one still needs. */
static const char *verb_of(const struct ptog_finding *f)
{
    if (!f->writes)
        return "read";
    return f->other_writes ? "write" : "overwrite";
}

/* "race: mgather (pipe S) may read %idx before tload (pipe MTE2) has written it" */
static void race_message(const struct ptog_court *court, const struct ptog_finding *f, struct ptog_text *text)
{
    const char *other = f->other_writes ? "written" : "read";
    const char *other_pipe = ptog_pipe_name((enum ptog_pipe)f->key.other_pipe);
    if (f->key.kind == PTOG_DIAG_ORDER_REVERSED) {
        reversed_message(court, f, text);
        return;
    }
    ptog_text_add(text, "race: ");
    add_insn(court, f->key.site, f->key.pipe, text);
    if (f->other_block) {
        ptog_text_addf(text, " %s %.80s where %s of another block %s; blocks run in any order",
                       f->writes ? "writes" : "reads", operand_of(court, f), name_at(court, f->key.other),
                       f->other_writes ? "writes" : "reads");
        add_bytes(court, f, text);
        return;
    }
    ptog_text_addf(text, " may %s %.80s before ", verb_of(f), operand_of(court, f));
    if (f->key.kind == PTOG_DIAG_RACE_SELF)
        ptog_text_addf(text, "its own part on pipe %s has %s it", other_pipe, other);
    else if (f->key.kind == PTOG_DIAG_SAME_PIPE)
        ptog_text_addf(text, "%s, earlier on the same pipe, has %s it", name_at(court, f->key.other), other);
    else
        ptog_text_addf(text, "%s (pipe %s) has %s it", name_at(court, f->key.other), other_pipe, other);
    add_bytes(court, f, text);
}

/* Two latencies of the instruction that starts first order the two accesses differently, since nothing else does; it is
 * the one that is issued first, unless a wait holds that. Blocks run one after another, and an instruction's own phases
 * in order: those races have no witness. */
static bool has_witness(const struct ptog_finding *f)
{
    return !f->message && f->late_step > 0 && !f->other_block && f->advice != PTOG_ADVICE_OF_ID;
}

/* "if tload at line 12 completes late (instruction 1 of block 0), mgather comes first" */
static void witness_text(const struct ptog_court *court, const struct ptog_finding *f, struct ptog_text *text)
{
    uint32_t late = f->held ? f->key.site : f->key.other, first = f->held ? f->key.other : f->key.site;
    const struct ptog_site *site = ptog_names_site_at(&court->names, late);
    bool same = strcmp(name_at(court, late), name_at(court, first)) == 0;
    const char *which = f->held ? "the earlier " : "the next "; /* of two instructions of one name */
    ptog_text_addf(text, "if %s", name_at(court, late));
    const struct ptog_site *here = ptog_names_site_at(&court->names, f->key.site);
    if (site)
        ptog_text_add_line(text, &site->where, here ? &here->where : NULL);
    ptog_text_addf(text, " completes late (instruction %u of block %u), %s%s comes first", (unsigned)f->late_step,
                   (unsigned)f->block, same ? which : "", name_at(court, first));
}

/* Whether the finding is about something that was not examined. */
static bool is_limit(const struct ptog_finding *f)
{
    return f->key.kind > PTOG_DIAG_OTHER && f->key.kind < PTOG_DIAG_LANE &&
           ptog_machine_fault_at(f->key.kind - PTOG_DIAG_OTHER - 1u)->unjudged;
}

/* The other places of a finding: the other access, and the flag that reverses the order. */
#define MOST_PLACES 3
static size_t places_of(const struct ptog_court *court, const struct ptog_finding *f,
                        struct ptog_related_place related[MOST_PLACES])
{
    const struct {
        uint32_t site;
        const char *message;
    } places[MOST_PLACES] = {
        {f->key.other, f->other_message}, {f->wait_site, "waited for here"}, {f->set_site, "set here"}};
    size_t count = 0;
    for (int i = 0; i < MOST_PLACES; i++) {
        const struct ptog_site *site = ptog_names_site_at(&court->names, places[i].site);
        if (site && places[i].message)
            related[count++] = (struct ptog_related_place){.message = places[i].message, .where = site->where};
    }
    return count;
}

static bool add(const struct ptog_court *court, const struct ptog_finding *f, struct ptog_flags_advised *advised,
                ptog_diags *diags)
{
    char message[LONGEST], witness[LONGEST];
    struct ptog_fix steps[PTOG_MOST_STEPS];
    struct ptog_text text;
    const struct ptog_site *here = ptog_names_site_at(&court->names, f->key.site);
    struct ptog_related_place related[MOST_PLACES];
    struct ptog_diag diag = {.id = f->id,
                             .kind = f->key.kind,
                             .severity = f->severity,
                             .unjudged = is_limit(f),
                             .refuses = f->refuses,
                             .operand = f->operand,
                             .message = f->message ? f->message : message,
                             .documented = f->documented,
                             .accepted_by = f->accepted_by,
                             .related = related,
                             .count = f->count};
    ptog_text_init(&text, message, sizeof message);
    if (!f->message)
        race_message(court, f, &text);
    diag.fix = steps;
    diag.fix_count = ptog_finding_fix(court, f, advised, steps);
    ptog_text_init(&text, witness, sizeof witness);
    if (has_witness(f)) {
        witness_text(court, f, &text);
        diag.witness = witness;
        diag.late_block = f->block;
        diag.late_instruction = f->late_step;
    }
    if (here)
        diag.where = here->where;
    diag.related_count = places_of(court, f, related);
    if (!f->operand && f->key.operand < PTOG_AT_COUNT)
        diag.operand = ptog_operand_name((enum ptog_operand_name)f->key.operand);
    return ptog_diags_add(diags, &diag);
}

/* ---- redundant pairs */

#define MOST_RELATED 8

static const char *related_message(const struct ptog_flag_end *end)
{
    return end->waits ? "waited for here" : "set here too";
}

/* The other statements of the pair, in the order of the run. */
static size_t other_ends(const struct ptog_court *court, const struct ptog_redundants *found,
                         const struct ptog_redundant *pair, struct ptog_related_place *related)
{
    const struct ptog_flag_ends *ends = &court->tapes.ends;
    size_t count = 0;
    for (uint32_t end = 1; end <= ends->count && count < MOST_RELATED; end++) {
        const struct ptog_flag_end *e = &ends->of[end - 1];
        const struct ptog_site *site = ptog_names_site_at(&court->names, e->site);
        if (found->pair_of[end] == found->pair_of[pair->first] && end != pair->first && site)
            related[count++] = (struct ptog_related_place){.message = related_message(e), .where = site->where};
    }
    return count;
}

/* "flag MTE2->V 1 is redundant: V has nothing left to wait for on MTE2 (on a2a3)" */
static void redundant_message(const struct ptog_court *court, const struct ptog_flag_end *end, bool already,
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
    ptog_text_addf(text, " (on %s)", court->target->name);
}

static bool add_redundant(const struct ptog_court *court, const struct ptog_redundants *found,
                          const struct ptog_redundant *pair, ptog_diags *diags)
{
    const struct ptog_machine_fault *row = ptog_machine_fault_at(PTOG_MACHINE_FLAG_REDUNDANT);
    const struct ptog_flag_end *end = &court->tapes.ends.of[pair->first - 1];
    const struct ptog_site *site = ptog_names_site_at(&court->names, end->site);
    char message[LONGEST];
    struct ptog_text text;
    struct ptog_related_place related[MOST_RELATED];
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
    redundant_message(court, end, pair->already, &text);
    diag.related_count = other_ends(court, found, pair, related);
    if (site)
        diag.where = site->where;
    return ptog_diags_add(diags, &diag);
}

/* The run was too long for its tapes: it says so once. */
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
struct entry {
    uint64_t insn;
    const struct ptog_finding *finding;
    const struct ptog_redundant *pair;
};

/* A flag that is still set when an instruction uses it itself is what a missing or late wait leads to: the race comes
 * first. */
static bool is_consequence(const struct entry *entry)
{
    return entry->finding && entry->finding->key.kind == PTOG_DIAG_FLAG_ID_CLASH;
}

/* By the instruction it first happened at, then in the order in which it was found. */
static int by_insn(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->insn != y->insn)
        return x->insn < y->insn ? -1 : 1;
    if (x->finding && y->finding && is_consequence(x) != is_consequence(y))
        return is_consequence(x) ? 1 : -1;
    if (x->finding && y->finding)
        return x->finding < y->finding ? -1 : x->finding > y->finding;
    if (x->finding || y->finding)
        return x->finding ? -1 : 1;
    return x->pair < y->pair ? -1 : x->pair > y->pair;
}

enum ptog_status ptog_court_report(const struct ptog_court *court, ptog_diags *diags)
{
    const struct ptog_findings *findings = &court->findings;
    struct ptog_redundants found;
    struct ptog_flags_advised advised = {.count = 0};
    size_t count = 0;
    ptog_redundants_find(&found, &court->tapes);
    struct entry *order = malloc((findings->count + found.count + 1) * sizeof *order);
    bool good = !findings->failed && !court->tapes.failed && !found.failed && order;
    for (size_t i = 0; order && i < findings->count; i++)
        order[count++] = (struct entry){findings->of[i].insn, &findings->of[i], NULL};
    for (size_t i = 0; order && i < found.count; i++)
        order[count++] = (struct entry){found.of[i].insn, NULL, &found.of[i]};
    if (order)
        qsort(order, count, sizeof *order, by_insn);
    for (size_t i = 0; i < count; i++)
        good &= order[i].finding ? add(court, order[i].finding, &advised, diags)
                                 : add_redundant(court, &found, order[i].pair, diags);
    if (found.cut)
        good &= add_cut(diags);
    free(order);
    ptog_redundants_free(&found);
    return good ? PTOG_OK : PTOG_NO_MEMORY;
}
