/* One case of a unit test program: with PTOG_UNIT_CASE=NAME the program runs only the cases of that name, as CTest does. Linked into
 * every program of tests/unit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

__attribute__((constructor)) static void choose_case(void)
{
    const char *name = getenv("PTOG_UNIT_CASE");
    if (name)
        cmocka_set_test_filter(name);
}
