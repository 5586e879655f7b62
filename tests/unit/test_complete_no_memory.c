/* unit: completing, printing and repairing a program when memory runs out, at every allocation in turn, for good or
 * just once: no crash, no leak, never half a repair, and the caller's buffers are as they were unless the program ran.
 */
#include "unit/check.h"

#include <string.h>

#include <ptog/ptog.h>

#include "unit/refusing.h"

#define TILE "!pto.tile_buf<vec, 1x8xf32>"
#define VIEW "!pto.partition_tensor_view<1x8xf32>"
#define TEXT(sync)                                                                                                     \
    "func.func @f(%a: " VIEW ", %o: " VIEW ") {\n"                                                                     \
    "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c3 = arith.constant 3 : index\n"           \
    "  %t = pto.alloc_tile : " TILE "\n"                                                                               \
    "  scf.for %k = %c0 to %c3 step %c1 {\n"                                                                           \
    "    pto.tload ins(%a : " VIEW ") outs(%t : " TILE ")\n" sync "    pto.tstore ins(%t : " TILE ") outs(%o : " VIEW  \
    ")\n"                                                                                                              \
    "  }\n  return\n}\n"

/* The store stands behind a wait, and the load after it reads what it stores. */
#define HELD                                                                                                           \
    "func.func @f(%a: " VIEW ", %o: " VIEW ") {\n"                                                                     \
    "  %s = pto.alloc_tile : " TILE "\n  %t = pto.alloc_tile : " TILE "\n"                                             \
    "  pto.tload ins(%a : " VIEW ") outs(%s : " TILE ")\n"                                                             \
    "  pto.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID5>]\n"                                                         \
    "  pto.tload ins(%a : " VIEW ") outs(%t : " TILE ")\n"                                                             \
    "  pto.tstore ins(%t : " TILE ") outs(%o : " VIEW ")\n"                                                            \
    "  pto.tload ins(%o : " VIEW ") outs(%s : " TILE ")\n"                                                             \
    "  pto.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID5>]\n"                                                          \
    "  return\n}\n"

static float in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8];

struct printed {
    char text[4096];
    size_t length;
};

static void keep(void *user, const char *text, size_t length)
{
    struct printed *printed = user;
    assert_true(length <= sizeof printed->text - printed->length);
    memcpy(printed->text + printed->length, text, length);
    printed->length += length;
}

/* True when nothing was refused. Done in spite of a refusal, it is the whole program all the same. */
static bool run(const char *text, bool repairs, long allocations, struct printed *whole)
{
    struct ptog_binding bindings[] = {
        {.name = "a", .data = {in, sizeof in}, .dtype = PTOG_F32, .rank = 2, .shape = {1, 8}},
        {.name = "o", .data = {out, sizeof out}, .dtype = PTOG_F32, .rank = 2, .shape = {1, 8}}};
    struct ptog_execution execution = {.target = ptog_target_find("a5"), .bindings = bindings, .binding_count = 2};
    struct printed printed = {.length = 0};
    struct ptog_sink sink = {.write = keep, .user = &printed};
    ptog_program *program = NULL;
    ptog_result *result = NULL;
    memset(out, 0, sizeof out);
    ran_out = false;
    allocations_left = allocations;
    enum ptog_status status = ptog_program_parse(&program, "f.pto", text, strlen(text), NULL);
    if (status == PTOG_OK && repairs)
        status = ptog_program_repair(program, &execution, &sink, NULL);
    else if (status == PTOG_OK)
        status = ptog_program_run(program, &execution, NULL, &result);
    if (result)
        status = ptog_result_program(result, &sink, NULL);
    allocations_left = -1;
    ptog_result_free(result);
    ptog_program_free(program);
    if (repairs)
        assert_true(out[0] == 0);
    assert_true(ran_out ? status == PTOG_NO_MEMORY || status == PTOG_OK : status == PTOG_OK);
    if (allocations < 0)
        *whole = printed;
    if (status == PTOG_OK) {
        assert_int_equal(printed.length, whole->length);
        assert_memory_equal(printed.text, whole->text, whole->length);
    }
    return !ran_out;
}

static void every_allocation(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool repairs;
    } cases[] = {{TEXT(""), false}, {TEXT("    pto.barrier <PIPE_V>\n"), true}, {HELD, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct printed whole;
        run(cases[i].text, cases[i].repairs, -1, &whole);
        for (int once = 0; once < 2; once++) {
            long n = 0;
            refuses_once = once;
            while (!run(cases[i].text, cases[i].repairs, n, &whole))
                n = next_refusal(n);
            assert_true(n > 50);
        }
    }
}

/* Of a race that is reported, a witness or a fix that got lost says so. True when nothing was refused. */
static bool report(long allocations, char *whole_fix)
{
    struct ptog_binding bindings[] = {
        {.name = "a", .data = {in, sizeof in}, .dtype = PTOG_F32, .rank = 2, .shape = {1, 8}},
        {.name = "o", .data = {out, sizeof out}, .dtype = PTOG_F32, .rank = 2, .shape = {1, 8}}};
    struct ptog_execution execution = {.target = ptog_target_find("a5"), .bindings = bindings, .binding_count = 2};
    static const char text[] = TEXT("    pto.barrier <PIPE_V>\n");
    ptog_program *program = NULL;
    ptog_diags *diags = ptog_diags_new();
    const struct ptog_diag *diag;
    assert_int_equal(ptog_program_parse(&program, "f.pto", text, strlen(text), NULL), PTOG_OK);
    ran_out = false;
    allocations_left = allocations;
    enum ptog_status status = ptog_program_run(program, &execution, diags, NULL);
    allocations_left = -1;
    assert_true(status == PTOG_FAULT || (ran_out && status == PTOG_NO_MEMORY));
    for (size_t i = 0; status == PTOG_FAULT && (diag = ptog_diags_at(diags, i)) != NULL; i++) {
        if (strcmp(diag->id, "race-raw") != 0)
            continue;
        if (allocations < 0)
            strcpy(whole_fix, fix_of(diag));
        assert_true(strstr(diag->witness, " instead of ") || strstr(diag->witness, "same for this data") ||
                    strstr(diag->witness, "not enough memory"));
        assert_true(strcmp(fix_of(diag), whole_fix) == 0 || strstr(fix_of(diag), "not enough memory"));
    }
    ptog_diags_free(diags);
    ptog_program_free(program);
    return !ran_out;
}

static void what_is_lost_is_said(void **state)
{
    char fix[1024] = "";
    (void)state;
    assert_true(report(-1, fix));
    assert_true(strlen(fix) > 0);
    for (int once = 0; once < 2; once++) {
        refuses_once = once;
        for (long n = 0; !report(n, fix); n = next_refusal(n))
            continue;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation), cmocka_unit_test(what_is_lost_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
