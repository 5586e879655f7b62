/* explore: what was covered and assumed, in words: a line each. */
#include <inttypes.h>

#include "base/pick.h"
#include "base/text.h"
#include "explore/explore.h"

static void add_period(struct ptog_text *text, uint64_t period)
{
    if (period == 1)
        ptog_text_add(text, "; it repeats every turn: order is judged for any number of turns");
    else if (period > 1)
        ptog_text_addf(text, "; it repeats every %" PRIu64 " turns: order is judged for any number of turns", period);
}

/* Appends how many turns a loop made in the runs. */
static void add_loop(struct ptog_text *text, const struct ptog_covered *covered)
{
    if (!covered->reached)
        return;
    if (covered->turn_count == 0) {
        ptog_text_addf(text, "loop at line %" PRIu32 ": no run came to its end\n", covered->line);
        return;
    }
    ptog_text_addf(text, "loop at line %" PRIu32 ": ", covered->line);
    for (uint32_t i = 0; i < covered->turn_count; i++)
        ptog_text_addf(text, "%s%" PRIu64, ptog_when(i > 0, ", "), covered->turns[i]);
    bool one = covered->turn_count == 1 && covered->turns[0] == 1;
    ptog_text_add(text, one ? " turn" : " turns");
    add_period(text, covered->period);
    ptog_text_add(text, "\n");
}

static void add_branch(struct ptog_text *text, const struct ptog_covered *covered)
{
    if (covered->reached && covered->was_true != covered->was_false)
        ptog_text_addf(text, "branch at line %" PRIu32 ": the condition was never %s%s\n", covered->line,
                       covered->was_true ? "false" : "true", ptog_when(covered->never, ", and no inputs make it so"));
}

/* Appends "lines 12 to 14 were not reached" for operations that follow each other. */
static void add_not_reached(struct ptog_text *text, const struct ptog_proof *proof)
{
    struct ptog_covered covered;
    for (size_t i = 0; ptog_proof_covered_at(proof, i, &covered); i++) {
        if (covered.reached)
            continue;
        uint32_t first = covered.line, last = first;
        bool never = covered.never;
        while (ptog_proof_covered_at(proof, i + 1, &covered) && !covered.reached && covered.never == never) {
            last = covered.line;
            i++;
        }
        if (first == last)
            ptog_text_addf(text, "line %" PRIu32 " was not reached", first);
        else
            ptog_text_addf(text, "lines %" PRIu32 " to %" PRIu32 " were not reached", first, last);
        ptog_text_addf(text, "%s\n", ptog_when(never, ", and no inputs lead there"));
    }
}

/* Appends the inputs of a point as they are given to a run. */
static void add_point(struct ptog_text *text, const struct ptog_proof *proof, const struct ptog_point *point)
{
    struct ptog_point_inputs inputs;
    ptog_point_inputs(proof, point, &inputs);
    const char *before = "";
    for (size_t i = 0; i < inputs.number_count; i++, before = ", ")
        ptog_text_addf(text, "%s%%%s = %" PRId64, before, inputs.numbers[i].name, inputs.numbers[i].number);
    for (size_t i = 0; i < inputs.recipe_count; i++, before = ", ")
        ptog_text_addf(text, "%s%%%s = %s", before, inputs.recipes[i].name, inputs.recipes[i].text);
    if (inputs.blocks > 1)
        ptog_text_addf(text, "%s%" PRId64 " blocks", before, inputs.blocks);
}

/* Appends the inputs that were assumed not to come. */
static void add_assumptions(struct ptog_text *text, const struct ptog_proof *proof)
{
    for (size_t i = 0; i < proof->assumption_count; i++) {
        const struct ptog_case *one = &proof->assumptions[i];
        ptog_text_add(text, "assumed: no inputs like ");
        add_point(text, proof, &one->point);
        ptog_text_addf(text, " (line %" PRIu32 ": %s)\n", one->line, one->message);
    }
}

/* Appends how much was run, and what was covered by it. */
static void add_summary(struct ptog_text *text, const struct ptog_proof *proof)
{
    struct ptog_proof_summary summary;
    ptog_proof_summary(proof, &summary);
    ptog_text_addf(text, "%" PRIu64 " run%s on %" PRIu64 " path%s", summary.runs, ptog_plural(summary.runs),
                   summary.paths, ptog_plural(summary.paths));
    if (!proof->executed) {
        ptog_text_add(text, summary.runs == 1 ? "; it could not be judged\n" : "; none of them could be judged\n");
        return;
    }
    if (summary.not_reached == 0)
        ptog_text_add(text, summary.all_branches ? "; all branches covered" : "; all lines reached");
    if (summary.all_paths && !proof->all_inputs)
        ptog_text_add(text,
                      "; there are no other paths, and inputs decide nothing else: order is judged for all inputs");
    else if (summary.all_inputs && !proof->all_inputs)
        ptog_text_add(text, "; inputs decide only the number of turns of a loop: order is judged for all inputs");
    else if (summary.all_inputs)
        ptog_text_add(text, "; branches, flags and addresses do not depend on inputs: order is judged for all inputs");
    else if (summary.all_candidates)
        ptog_text_add(text, "; all combinations of the values worth trying were tried");
    else
        ptog_text_add(text, "; the search ended before all combinations were tried");
    ptog_text_add(text, "\n");
}

size_t ptog_proof_words(const ptog_proof *proof, char *text, size_t size)
{
    struct ptog_text words;
    if (!proof)
        return 0;
    ptog_text_init(&words, text, text ? size : 0);
    add_summary(&words, proof);
    struct ptog_covered covered;
    for (size_t i = 0; ptog_proof_covered_at(proof, i, &covered); i++) {
        if (covered.kind == PTOG_COVERED_LOOP)
            add_loop(&words, &covered);
        else if (covered.kind == PTOG_COVERED_BRANCH)
            add_branch(&words, &covered);
    }
    add_not_reached(&words, proof);
    add_assumptions(&words, proof);
    return words.len;
}
