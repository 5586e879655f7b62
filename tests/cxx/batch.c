/* tests: the rewriter of ptog-cxx, many sources in one process. Reads "SIZE\n" and that many bytes, again and again;
 * writes for each "done SIZE LAUNCHES\n" and the bytes, or "wrong LINE COLUMN TEXT\n" for the first problem. */
#include <stdio.h>
#include <stdlib.h>

#include "cxx/rewrite.h"

static bool answer(const char *text, size_t size)
{
    struct cxx_rewritten rewritten;
    if (cxx_rewrite(text, size, &rewritten)) {
        printf("done %zu %zu\n", rewritten.size, rewritten.launches);
        fwrite(rewritten.text, 1, rewritten.size, stdout);
    } else if (rewritten.problem_count > 0) {
        const struct cxx_problem *problem = &rewritten.problems[0];
        printf("wrong %zu %zu %s\n", problem->line, problem->column, problem->text);
    }
    bool answered = rewritten.text || rewritten.problem_count > 0;
    cxx_rewritten_free(&rewritten);
    return answered;
}

int main(void)
{
    size_t size;
    while (scanf("%zu", &size) == 1) {
        char *text = size < CXX_MAX_BYTES ? malloc(size + !size) : NULL;
        if (!text || getchar() != '\n' || fread(text, 1, size, stdin) != size)
            return 2;
        bool done = answer(text, size);
        free(text);
        if (!done)
            return 2;
    }
    return 0;
}
