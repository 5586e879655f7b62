/* Every line of assembly that the documents print (tests/pto/seeds: document and line in the name; there they are run,
 * too) parses, prints, and converts to each other form and back. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../asm/round_trip.h"

#define LEAST_FILES 33
#define SEEDS PTOG_TESTS_DIR "/pto/seeds"

static void check_file(const char *directory, const char *name)
{
    char path[2048], text[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text, file);
    assert_true(size < sizeof text);
    fclose(file);
    struct parsed parsed;
    parse_bytes(&parsed, text, size);
    if (parsed.status != PTOG_OK)
        print_error("%s: %s\n", name, parsed.diags.list[0].diag.message);
    assert_int_equal(parsed.status, PTOG_OK);
    assert_int_equal(parsed.diags.count, 0);
    for (int form = PTOG_TEXT_WRITTEN; form <= PTOG_TEXT_AS; form++) {
        struct printed printed = print_form(&parsed, (enum ptog_text_form)form);
        if (printed.status != PTOG_OK)
            print_error("%s has no form %d\n", name, form);
        assert_int_equal(printed.status, PTOG_OK);
        free(printed.text);
    }
    parsed_free(&parsed);
    const char *problem = round_trip(text, size);
    if (problem)
        print_error("%s: %s\n", name, problem);
    assert_null(problem);
}

static void every_line(void **state)
{
    (void)state;
    int files = 0;
    DIR *dir = opendir(SEEDS);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".pto") != 0)
            continue;
        check_file(SEEDS, entry->d_name);
        files++;
    }
    closedir(dir);
    print_message("%d files\n", files);
    assert_true(files >= LEAST_FILES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
