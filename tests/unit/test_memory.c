/* unit: what control groups leave of memory: files as the two versions of them have, in a folder of our own. */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */
#include "unit/check.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/memory.h"

static char root[64];

static void put(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static uint64_t limit(const char *groups)
{
    char path[256];
    put("groups", groups);
    snprintf(path, sizeof path, "%s/groups", root);
    return tool_memory_of_groups(path, root);
}

static int drop(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

static int make(void **state)
{
    (void)state;
    strcpy(root, "/tmp/ptog-memory-XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int clear(void **state)
{
    (void)state;
    return nftw(root, drop, 8, FTW_DEPTH | FTW_PHYS);
}

static void version_1(void **state)
{
    (void)state;
    put("memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("memory/jobs/memory.limit_in_bytes", "500000\n");
    put("memory/jobs/7/memory.limit_in_bytes", "700000\n");
    assert_int_equal(limit("4:cpu,cpuacct:/jobs/7\n3:memory:/jobs/7\n"), 500000); /* the group above has less */
    assert_int_equal(limit("3:memory:/other\n"), INT64_C(9223372036854771712));
    assert_int_equal(limit("4:cpu:/jobs\n"), UINT64_MAX);
}

static void version_2(void **state)
{
    (void)state;
    put("a/memory.max", "max\n");
    put("a/b/memory.max", "134217728\n");
    assert_int_equal(limit("0::/a/b\n"), 134217728);
    assert_int_equal(limit("0::/a\n"), UINT64_MAX);
    assert_int_equal(limit("0::/a/b/deep/er\n"), 134217728);
}

/* A container sees its own group as the root. */
static void the_root(void **state)
{
    (void)state;
    put("memory.max", "4096\n");
    assert_int_equal(limit("0::/somewhere/else\n"), 4096);
    assert_int_equal(limit("0::/\n"), 4096);
}

static void not_readable(void **state)
{
    char longest[4000];
    (void)state;
    assert_int_equal(tool_memory_of_groups("/nowhere", root), UINT64_MAX);
    assert_int_equal(limit(""), UINT64_MAX);
    assert_int_equal(limit("no colon\n:\n::\n\n0::"), UINT64_MAX);
    memset(longest, 'x', sizeof longest);
    memcpy(longest, "0::/", 4);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(limit(longest), UINT64_MAX);
    put("memory.max", "a few\n");
    assert_int_equal(limit("0::/\n"), UINT64_MAX);
}

static void here(void **state)
{
    (void)state;
    assert_true(tool_memory_left() > 1 << 20 && tool_memory_left() <= tool_memory());
    assert_true(tool_resident() < tool_memory());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(version_1, make, clear),
        cmocka_unit_test_setup_teardown(version_2, make, clear),
        cmocka_unit_test_setup_teardown(the_root, make, clear),
        cmocka_unit_test_setup_teardown(not_readable, make, clear),
        cmocka_unit_test(here),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
