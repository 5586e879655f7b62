/* Random programs survive reading and printing, in every form. PTOG_RANDOM_PROGRAMS and PTOG_RANDOM_SEED say how many
 * and from which seed on; the seed of a failure is printed. */
#include "unit/check.h"

#include "../asm/random_program.h"
#include "../asm/round_trip.h"

#define DEFAULT_PROGRAMS 2000
#define DEFAULT_SEED 1

static void programs_survive(void **state)
{
    (void)state;
    uint64_t count = number_from("PTOG_RANDOM_PROGRAMS", DEFAULT_PROGRAMS);
    uint64_t first = number_from("PTOG_RANDOM_SEED", DEFAULT_SEED);
    struct writer *w = malloc(sizeof *w);
    assert_non_null(w);
    print_message("programs %llu, first seed %llu\n", (unsigned long long)count, (unsigned long long)first);
    for (uint64_t seed = first; seed < first + count; seed++) {
        random_program(w, seed);
        const char *problem = round_trip(w->text, w->used);
        struct parsed parsed;
        parse_bytes(&parsed, w->text, w->used);
        if (!problem && parsed.status != PTOG_OK)
            problem = parsed.diags.count > 0 ? parsed.diags.list[0].diag.message : "it does not parse";
        if (problem) {
            print_error("seed %llu: %s\n%s\n", (unsigned long long)seed, problem, w->text);
            fail();
        }
        parsed_free(&parsed);
    }
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_survive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
