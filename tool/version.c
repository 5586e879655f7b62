/* tool: ptog --version, what a report of a problem should begin with. */
#include "tool.h"

#include "commit.h" /* PTOG_COMMIT: made by cmake/commit.cmake, empty outside of a git clone */
#include "io/pick.h"

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "an unknown compiler"
#endif

#if defined(__x86_64__)
#define PROCESSOR "x86_64"
#elif defined(__aarch64__)
#define PROCESSOR "aarch64"
#else
#define PROCESSOR "another processor"
#endif

/* Prints the sets of kernels, and which one is used here. */
static void print_sets(void)
{
    struct ptog_kernel_set set;
    fputs("instruction sets: ", stdout);
    for (size_t i = 0; ptog_kernel_set_at(i, &set); i++) {
        const char *note = "";
        if (set.chosen)
            note = " (used here)";
        else if (!set.runs)
            note = " (not on this CPU)";
        printf("%s%s%s", tool_when(i > 0, ", "), set.name, note);
    }
    putchar('\n');
}

void tool_print_version(void)
{
    const bool has_commit = sizeof PTOG_COMMIT > 1;
    printf("ptog %s", ptog_version());
    if (has_commit)
        printf(" (commit %s)", PTOG_COMMIT);
    printf("\nbuilt by %s for %s\n", COMPILER, PROCESSOR);
    print_sets();
    printf("tuned for: %s\n", ptog_tuning(NULL));
}
