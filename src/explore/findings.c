/* explore: what a run found. A finding counts once, with the first inputs that showed it. What only shows that inputs
 * cannot be meant, such as an argument of -1 as the size of a view, is no finding but an assumption about them. */
#include <string.h>

#include "base/text.h"
#include "diag/kind.h"
#include "explore/explore.h"

/* ---- which inputs are plausible ---- */

/* What a point is like. */
struct point_nature {
    bool varied;      /* it is not the one to begin with */
    bool negative;    /* a scalar argument is */
    bool not_natural; /* or is 0 */
    bool chooses;     /* data was chosen, not generated */
    bool outside;     /* and is no index of everything that is indexed */
    bool launched;    /* another number of blocks than the first, or another block of them */
};

/* The smallest capacity of the program's tables. */
static int64_t least_capacity(const struct ptog_proof *proof)
{
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < proof->capacity_count; i++)
        if (proof->capacities[i] < least)
            least = proof->capacities[i];
    return least;
}

/* What is special about the inputs of a point: negative numbers, indices past the end of tables. */
static struct point_nature nature_of(const struct ptog_proof *proof, const struct ptog_point *point)
{
    struct point_nature nature = {.negative = false};
    int64_t capacity = least_capacity(proof);
    for (size_t i = 0; i < proof->variable_count; i++) {
        const struct ptog_variable *variable = &proof->variables[i];
        int64_t value = point->of[i];
        nature.varied = nature.varied || value != variable->values[0];
        if (variable->kind == PTOG_VARIABLE_BLOCKS || variable->launch != PTOG_NOT_OF_LAUNCH) {
            nature.launched = nature.launched || value != variable->values[0];
        } else if (variable->kind == PTOG_VARIABLE_NUMBER && !variable->is_bit) {
            nature.negative = nature.negative || value < 0;
            nature.not_natural = nature.not_natural || value <= 0;
        } else if (variable->kind == PTOG_VARIABLE_ELEMENT || variable->kind == PTOG_VARIABLE_FILL) {
            nature.chooses = nature.chooses || value != AS_GENERATED;
            nature.outside = nature.outside || (value != AS_GENERATED && (value < 0 || value >= capacity));
        }
    }
    return nature;
}

/* Whether a diagnostic is about lanes with this fault. */
static bool is_lane(const struct ptog_diag *diag, enum ptog_fault_kind fault)
{
    return diag->kind == (unsigned)PTOG_DIAG_LANE + fault;
}

/* Values, sizes and offsets that the program refuses: divisors, shift counts, what no view has. */
static bool is_about_values(const struct ptog_diag *diag)
{
    return is_lane(diag, PTOG_FAULT_DIV_BY_ZERO) || is_lane(diag, PTOG_FAULT_SHIFT_RANGE) ||
           is_lane(diag, PTOG_FAULT_COUNT_ZERO) || diag->kind >= PTOG_DIAG_TEXT;
}

/* Whether a diagnostic says that an access leaves its memory. */
static bool is_about_memory(const struct ptog_diag *diag)
{
    return is_lane(diag, PTOG_FAULT_GM_OUT_OF_BOUNDS) || is_lane(diag, PTOG_FAULT_GM_OUTSIDE_VIEW) ||
           is_lane(diag, PTOG_FAULT_SHORT_BUFFER);
}

/* Whether a diagnostic refuses an operation, its address or its event id, and that operation trusts arguments. */
static bool is_about_trust(const struct ptog_proof *proof, const struct ptog_diag *diag)
{
    if (diag->kind < PTOG_DIAG_RULE && diag->kind != PTOG_DIAG_FLAG_BAD_ID && diag->kind != PTOG_DIAG_UB_MISALIGNED)
        return false;
    uint32_t line = 0; /* where the operation begins: what is refused may be on a later one */
    for (size_t op = 0; op < proof->op_count; op++)
        if (proof->covers[op].covered.line <= diag->where.line && proof->covers[op].covered.line > line)
            line = proof->covers[op].covered.line;
    for (size_t op = 0; op < proof->op_count; op++)
        if (proof->covers[op].trusts_inputs && proof->covers[op].covered.line == line)
            return true;
    return false;
}

/* Whether an operation that trusts arguments is refused with other ones than those that `ptog run` chooses: what else
 * goes wrong in such a run may follow from that. */
static bool is_trust_broken(const struct ptog_proof *proof, const struct point_nature *nature, const ptog_diags *diags)
{
    const struct ptog_diag *diag;
    for (size_t i = 0; nature->varied && (diag = ptog_diags_at(diags, i)) != NULL; i++)
        if (diag->severity == PTOG_ERROR && !diag->unjudged && is_about_trust(proof, diag))
            return true;
    return false;
}

/* Whether inputs like these cannot be meant, so that the program need not cope with them. */
static bool is_assumption(const struct ptog_proof *proof, const struct point_nature *nature,
                          const struct ptog_diag *diag)
{
    if (diag->unjudged)
        return false;
    if (nature->varied && is_about_trust(proof, diag))
        return true;
    if (is_about_values(diag))
        return nature->not_natural || nature->chooses || nature->launched;
    if (is_lane(diag, PTOG_FAULT_UB_OUTSIDE_TILE))
        return nature->outside;
    return is_about_memory(diag) && (nature->negative || (nature->outside && proof->capacity_count == 0));
}

/* ---- lists ---- */

/* The line of the other place of a diagnostic; 0: it has none. */
static uint32_t other_line(const struct ptog_diag *diag)
{
    return diag->related_count > 0 ? diag->related[0].where.line : 0;
}

/* Whether a diagnostic is the finding. */
static bool is_finding(const struct ptog_case *finding, const struct ptog_diag *diag)
{
    return finding->kind == diag->kind && finding->line == diag->where.line && finding->column == diag->where.column &&
           finding->other_line == other_line(diag);
}

/* Keeps a diagnostic with the point that shows it, each kind and place once, while there is room. Returns what was
 * added; NULL: nothing. */
static struct ptog_case *note_case(struct ptog_case *list, size_t *count, size_t most, const struct ptog_diag *diag,
                                   const struct ptog_point *point)
{
    for (size_t i = 0; i < *count; i++)
        if (is_finding(&list[i], diag))
            return NULL;
    if (*count == most)
        return NULL;
    struct ptog_case *finding = &list[(*count)++];
    *finding = (struct ptog_case){.kind = diag->kind,
                                  .line = diag->where.line,
                                  .column = diag->where.column,
                                  .other_line = other_line(diag),
                                  .point = *point};
    struct ptog_text text;
    ptog_text_init(&text, finding->message, sizeof finding->message);
    ptog_text_add(&text, diag->message);
    return finding;
}

/* Keeps a copy of the diagnostic of a finding, in the place of the one before. */
static void keep_diag(struct ptog_proof *proof, struct ptog_case *finding, const struct ptog_diag *diag)
{
    ptog_diags *kept = ptog_diags_new();
    if (!kept || ptog_diags_append(kept, diag) != PTOG_OK) {
        proof->no_memory = true;
        ptog_diags_free(kept);
        return;
    }
    ptog_diags_free(finding->diags);
    finding->diags = kept;
}

static void note_finding(struct ptog_proof *proof, const struct ptog_diag *diag, const struct ptog_point *point)
{
    struct ptog_case *finding = note_case(proof->findings, &proof->finding_count, MAX_FINDINGS, diag, point);
    if (finding)
        keep_diag(proof, finding, diag);
}

void ptog_find_fixes(struct ptog_proof *proof, size_t first)
{
    const struct ptog_diag *diag;
    if (first == proof->finding_count || proof->no_memory)
        return;
    ptog_diags *diags = ptog_diags_new();
    enum ptog_status status = PTOG_NO_MEMORY;
    if (diags)
        status = ptog_run_point(proof, &proof->findings[first].point, diags);
    proof->no_memory = status == PTOG_NO_MEMORY;
    for (size_t i = 0; !proof->is_stopped && (diag = ptog_diags_at(diags, i)) != NULL; i++)
        for (size_t k = first; k < proof->finding_count; k++)
            if (is_finding(&proof->findings[k], diag))
                keep_diag(proof, &proof->findings[k], diag);
    ptog_diags_free(diags);
}

void ptog_note_findings(struct ptog_proof *proof, const struct ptog_point *point, const ptog_diags *diags)
{
    const struct ptog_diag *diag;
    struct point_nature nature = nature_of(proof, point);
    bool judged = proof->last.ended, ordered = judged, is_meant = !is_trust_broken(proof, &nature, diags);
    for (size_t i = 0; (diag = ptog_diags_at(diags, i)) != NULL; i++) {
        bool empty = ptog_kind_is_empty_run(diag->kind), limited = empty || ptog_kind_is_limit(diag->kind);
        judged = judged && !limited;
        ordered = ordered && (!diag->unjudged || empty); /* nothing ran: it is in order */
        if (diag->severity != PTOG_ERROR || limited || !proof->last.started)
            continue;
        if (is_assumption(proof, &nature, diag))
            note_case(proof->assumptions, &proof->assumption_count, MAX_ASSUMPTIONS, diag, point);
        else if (is_meant)
            note_finding(proof, diag, point);
    }
    proof->executed = proof->executed || judged;
    proof->was_cut_short = proof->was_cut_short || !judged;
    if (ordered)
        ptog_repeats_end(&proof->repeats);
}
