/* lint: what compilers require of micro instructions of the cube core that stand in tile programs: fills of L1. The
 * stores from L0C have a table of their own, lint_store.def. */
#include "base/text.h"
#include "lint/clauses.h"

/* The number of an operand lies between two, or is not known. */
static bool is_within(const struct ptog_lint_ctx *ctx, uint32_t n, int64_t most)
{
    int64_t number;
    return !ptog_lint_known(ctx, n, &number) || (number >= 0 && number <= most);
}

static bool is_multiple(const struct ptog_lint_ctx *ctx, uint32_t n, int64_t of)
{
    int64_t number;
    return !ptog_lint_known(ctx, n, &number) || (number >= 0 && number % of == 0);
}

/* The pointer is known to point at this type, and the words that are filled are so wide. */
static bool is_element(const struct ptog_lint_ctx *ctx, const char *name, int64_t bits)
{
    const struct ptog_type *type = ptog_lint_type(ctx, (struct ptog_lint_operand){PTOG_LINT_ARGS, 0});
    const char *element = ptog_type_element_name(ctx, type);
    return element && ptog_word_listed(element, name) && ptog_lint_value(ctx, "fill_word_bits") == bits;
}

#define MAX_BLOCKS 32767
#define WORD_BITS(key) (VALUE(key) == 16 || VALUE(key) == 32 || !HAS(key))
#define LIES(operand, places) ptog_type_lies(ctx, ptog_lint_type(ctx, operand), places)

#define LINT_TABLE "spec/lint_micro.def"
#define LINT_NAME micro
#include "lint/rule_table.h"
