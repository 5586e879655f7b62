/* fuzz: any bytes as a C++ source for ptog-cxx. Lines stay where they are, a source without launches stays as it is,
 * what was rewritten has no launches left, and what is wrong is said of a place inside the source. */
#include <stdlib.h>
#include <string.h>

#include "cxx/rewrite.h"

static void check(bool holds)
{
    if (!holds)
        abort();
}

static size_t lines(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += text[i] == '\n';
    return count;
}

static void check_problems(const struct cxx_rewritten *rewritten, size_t size)
{
    size_t kept = rewritten->problem_count < CXX_MAX_PROBLEMS ? rewritten->problem_count : CXX_MAX_PROBLEMS;
    check(kept > 0);
    for (size_t i = 0; i < kept; i++) {
        const struct cxx_problem *problem = &rewritten->problems[i];
        check(problem->at <= size && problem->line >= 1 && problem->column >= 1 && problem->text[0] != '\0');
    }
}

static void check_done(const struct cxx_rewritten *rewritten, const char *text, size_t size)
{
    struct cxx_rewritten again;
    check(rewritten->edits > 0 || rewritten->size == size);
    check(rewritten->edits > 0 || size == 0 || memcmp(rewritten->text, text, size) == 0);
    check(lines(rewritten->text, rewritten->size) == lines(text, size));
    check(cxx_rewrite(rewritten->text, rewritten->size, &again));
    check(again.launches == 0);
    check(again.edits > 0 || (again.size == rewritten->size && memcmp(again.text, rewritten->text, again.size) == 0));
    cxx_rewritten_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cxx_rewritten rewritten;
    if (cxx_rewrite((const char *)data, size, &rewritten))
        check_done(&rewritten, (const char *)data, size);
    else
        check_problems(&rewritten, size);
    cxx_rewritten_free(&rewritten);
    return 0;
}
