/* bench/ab: programs as text, by ptog/program.h: reading and checking, a loop run on each kind of target, a race with
 * its witness, and a function with very many arguments. */
#include <ptog/program.h>
#include <ptog/ptog.h>

#include "turn.h"

enum { STEPS = 64, WORDS = 8, WIDTH = 64, TABLE_ROWS = 256 };

/* 64 steps of load, gather, store. %s: the wait between load and gather, or nothing. */
static const char LOOP[] =
    "func.func @embed(%%table: !pto.partition_tensor_view<256x64xf32>, %%words: !pto.ptr<i32>, %%out: !pto.ptr<f32>) {\n"
    "  %%c0 = arith.constant 0 : index\n"
    "  %%c1 = arith.constant 1 : index\n"
    "  %%c8 = arith.constant 8 : index\n"
    "  %%c64 = arith.constant 64 : index\n"
    "  %%c512 = arith.constant 512 : index\n"
    "  %%wv = pto.make_tensor_view %%words, shape = [%%c1, %%c512], strides = [%%c512, %%c1] : !pto.tensor_view<?x?xi32>\n"
    "  %%ov = pto.make_tensor_view %%out, shape = [%%c512, %%c64], strides = [%%c64, %%c1] : !pto.tensor_view<?x?xf32>\n"
    "  %%idx = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32>\n"
    "  %%dst = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>\n"
    "  scf.for %%k = %%c0 to %%c64 step %%c1 {\n"
    "    %%at = arith.muli %%k, %%c8 : index\n"
    "    %%w = pto.partition_view %%wv, offsets = [%%c0, %%at], sizes = [%%c1, %%c8] : !pto.tensor_view<?x?xi32> -> "
    "!pto.partition_tensor_view<1x8xi32>\n"
    "    %%o = pto.partition_view %%ov, offsets = [%%at, %%c0], sizes = [%%c8, %%c64] : !pto.tensor_view<?x?xf32> -> "
    "!pto.partition_tensor_view<8x64xf32>\n"
    "    pto.tload ins(%%w : !pto.partition_tensor_view<1x8xi32>) outs(%%idx : !pto.tile_buf<vec, 1x8xi32>)\n"
    "%s"
    "    pto.mgather ins(%%table, %%idx : !pto.partition_tensor_view<256x64xf32>, !pto.tile_buf<vec, 1x8xi32>) "
    "outs(%%dst : !pto.tile_buf<vec, 8x64xf32>) {coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob clamp>}\n"
    "    pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID1>]\n"
    "    pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID1>]\n"
    "    pto.tstore ins(%%dst : !pto.tile_buf<vec, 8x64xf32>) outs(%%o : !pto.partition_tensor_view<8x64xf32>)\n"
    "    pto.barrier <PIPE_ALL>\n"
    "  }\n"
    "  return\n"
    "}\n";
static const char WAIT[] = "    pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]\n"
                           "    pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]\n";

/* What is done with a text. */
enum deed { PARSE, CHECK, SLOTS, RUN };
struct task {
    enum deed deed;
    const char *target;
    bool racy;     /* the loop without its wait: an error that is found, and shown by a witness */
    int arguments; /* above 0: a function with so many numbers instead of the loop */
};

struct state {
    const struct task *task;
    char *text;
    ptog_program *program;
    struct ptog_binding *bindings;
    size_t binding_count;
    char (*names)[16];
    float table[TABLE_ROWS * WIDTH], out[STEPS * WORDS * WIDTH];
    int32_t words[STEPS * WORDS];
};

static bool loop(struct state *s)
{
    s->text = malloc(sizeof LOOP + sizeof WAIT);
    s->bindings = calloc(3, sizeof *s->bindings);
    if (!s->text || !s->bindings)
        return false;
    sprintf(s->text, LOOP, s->task->racy ? "" : WAIT);
    for (size_t i = 0; i < STEPS * WORDS; i++)
        s->words[i] = turn_index(i, TABLE_ROWS);
    s->bindings[0] = (struct ptog_binding){.name = "table", .data = {s->table, sizeof s->table}};
    s->bindings[1] = (struct ptog_binding){.name = "words", .data = {s->words, sizeof s->words}};
    s->bindings[2] = (struct ptog_binding){.name = "out", .data = {s->out, sizeof s->out}};
    s->binding_count = 3;
    return true;
}

static bool many_arguments(struct state *s)
{
    size_t count = (size_t)s->task->arguments;
    s->text = malloc(count * 32 + 64);
    s->bindings = calloc(count, sizeof *s->bindings);
    s->names = calloc(count, sizeof *s->names);
    if (!s->text || !s->bindings || !s->names)
        return false;
    char *at = s->text + sprintf(s->text, "func.func @f(");
    for (size_t i = 0; i < count; i++) {
        snprintf(s->names[i], sizeof s->names[i], "a%zu", i);
        at += sprintf(at, "%s%%%s: index", i > 0 ? ", " : "", s->names[i]);
        s->bindings[i] = (struct ptog_binding){.name = s->names[i], .is_number = true, .number = 1};
    }
    sprintf(at, ") {\n  return\n}\n");
    s->binding_count = count;
    return true;
}

static bool parse(struct state *s)
{
    return ptog_program_parse(&s->program, "work.pto", s->text, strlen(s->text), NULL) == PTOG_OK;
}

static void *begin(const void *what)
{
    struct state *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->task = what;
    bool made = s->task->arguments > 0 ? many_arguments(s) : loop(s);
    return made && parse(s) ? s : NULL;
}

static bool reparse(struct state *s)
{
    ptog_program_free(s->program);
    return parse(s);
}

#if PTOG_VERSION_MAJOR == 0 && PTOG_VERSION_MINOR < 2 /* this file is also built with revisions to compare with */
#define ptog_program_slot_at(program, function, i, slot) (ptog_program_slot(program, function, i, slot) == PTOG_OK)
#endif

/* Asks for everything that has to be bound, as the command does. */
static bool slots(const struct state *s)
{
    struct ptog_slot slot;
    size_t count = 0;
    while (ptog_program_slot_at(s->program, NULL, count, &slot))
        count++;
    return count == s->binding_count;
}

static bool run(struct state *s, const struct ptog_target *target)
{
    struct ptog_execution execution = {.target = target, .bindings = s->bindings, .binding_count = s->binding_count};
    ptog_diags *diags = ptog_diags_new();
    enum ptog_status status = ptog_program_run(s->program, &execution, diags, NULL);
    ptog_diags_free(diags);
    return status == (s->task->racy ? PTOG_FAULT : PTOG_OK);
}

static bool call(void *state)
{
    struct state *s = state;
    const struct ptog_target *target = ptog_target_find(s->task->target);
    switch (s->task->deed) {
    case PARSE: return reparse(s);
    case CHECK: return ptog_program_check(s->program, target, NULL) == PTOG_OK;
    case SLOTS: return slots(s);
    case RUN: return run(s, target);
    }
    return false;
}

static bool end(void *state)
{
    struct state *s = state;
    ptog_program_free(s->program);
    free(s->text);
    free(s->bindings);
    free(s->names);
    free(s);
    return true;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        struct task task;
    } list[] = {
        {"program parse", {PARSE, "host", false, 0}},
        {"program check, a2a3", {CHECK, "a2a3", false, 0}},
        {"program run, host", {RUN, "host", false, 0}},
        {"program run, a2a3", {RUN, "a2a3", false, 0}},
        {"program run, a5", {RUN, "a5", false, 0}},
        {"program run with a race, a2a3", {RUN, "a2a3", true, 0}},
        {"program slots of 1000 arguments", {SLOTS, "host", false, 1000}},
        {"program bind 100 arguments", {RUN, "host", false, 100}},
        {"program bind 10000 arguments", {RUN, "host", false, 10000}},
    };
    struct work works[sizeof list / sizeof *list];
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        works[i] = (struct work){list[i].name, &list[i].task, begin, call, end};
    return turn_main(argc, argv, works, sizeof list / sizeof *list);
}
