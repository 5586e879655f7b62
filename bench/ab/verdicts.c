/* bench/ab: verifying and planning. Legal operands of each instruction on each kind of target, refused ones with their
 * reasons, and the making of a plan. */
#include <ptog/ptog.h>

#include "turn.h"

/* One instruction (the others have no operand) on a target. */
struct question {
    const char *target;
    struct ptog_mgather mgather;
    struct ptog_tgather tgather;
    struct ptog_transfer transfer;
    bool plan;    /* make a plan of it */
    bool illegal; /* the answer, which is asked for with reasons */
};

struct state {
    const struct ptog_target *target;
    const struct question *question;
};

static void *begin(const void *what)
{
    struct state *s = calloc(1, sizeof *s);
    if (s) {
        s->question = what;
        s->target = ptog_target_find(s->question->target);
    }
    return s;
}

static enum ptog_status planned(const struct ptog_target *target, const struct question *q)
{
    ptog_plan *plan = NULL;
    enum ptog_status status;
    if (q->mgather.dst.dtype != PTOG_DTYPE_NONE)
        status = ptog_plan_mgather(&plan, target, &q->mgather, NULL);
    else
        status = ptog_plan_tgather(&plan, target, &q->tgather, NULL);
    ptog_plan_free(plan);
    return status;
}

static enum ptog_status verified(const struct ptog_target *target, const struct question *q, ptog_diags *diags)
{
    if (q->mgather.dst.dtype != PTOG_DTYPE_NONE)
        return ptog_verify_mgather(target, &q->mgather, diags);
    if (q->tgather.dst.dtype != PTOG_DTYPE_NONE)
        return ptog_verify_tgather(target, &q->tgather, diags);
    return ptog_verify_transfer(target, &q->transfer, diags);
}

static bool call(void *state)
{
    const struct state *s = state;
    if (s->question->plan)
        return planned(s->target, s->question) == PTOG_OK;
    if (!s->question->illegal)
        return verified(s->target, s->question, NULL) == PTOG_OK;
    ptog_diags *diags = ptog_diags_new();
    bool right = verified(s->target, s->question, diags) == PTOG_ILLEGAL && ptog_diags_count(diags) > 0;
    ptog_diags_free(diags);
    return right;
}

static bool end(void *state)
{
    free(state);
    return true;
}

static struct ptog_mgather rows(void)
{
    return (struct ptog_mgather){.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 64, 128), 0),
                                 .table = ptog_tensor_2d(PTOG_F32, 65536, 128),
                                 .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 64), 0x10000),
                                 .coalesce = PTOG_ROW,
                                 .oob = PTOG_OOB_CLAMP};
}

/* An index as a column: host takes it, a2a3 and a5 do not. */
static struct ptog_mgather column(void)
{
    struct ptog_mgather op = rows();
    op.idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 64, 1), 0x10000);
    return op;
}

static struct ptog_tgather by_index(void)
{
    return (struct ptog_tgather){.form = PTOG_BY_INDEX,
                                 .dst = ptog_tile_vec(PTOG_F32, 64, 64),
                                 .src = ptog_tile_vec(PTOG_F32, 64, 64),
                                 .idx = ptog_tile_vec(PTOG_I32, 64, 64)};
}

static struct ptog_tgather by_mask(void)
{
    return (struct ptog_tgather){.form = PTOG_BY_MASK,
                                 .dst = ptog_tile_vec(PTOG_F32, 64, 64),
                                 .src = ptog_tile_vec(PTOG_F32, 64, 128),
                                 .pattern = PTOG_P0101};
}

static struct ptog_transfer load(void)
{
    return (struct ptog_transfer){.tile = ptog_tile_vec(PTOG_F32, 64, 128), .view = ptog_tensor_2d(PTOG_F32, 64, 128)};
}

int main(int argc, char **argv)
{
    const struct {
        const char *name;
        struct question question;
    } list[] = {
        {"plan mgather, host", {.target = "host", .mgather = rows(), .plan = true}},
        {"plan mgather, a5", {.target = "a5", .mgather = rows(), .plan = true}},
        {"plan tgather, a2a3", {.target = "a2a3", .tgather = by_index(), .plan = true}},
        {"verify mgather, host", {.target = "host", .mgather = rows()}},
        {"verify mgather, a2a3", {.target = "a2a3", .mgather = rows()}},
        {"verify mgather, a5", {.target = "a5", .mgather = rows()}},
        {"verify mgather, refused", {.target = "a2a3", .mgather = column(), .illegal = true}},
        {"verify tgather index, a2a3", {.target = "a2a3", .tgather = by_index()}},
        {"verify tgather mask, a5", {.target = "a5", .tgather = by_mask()}},
        {"verify transfer, a2a3", {.target = "a2a3", .transfer = load()}},
    };
    struct work works[sizeof list / sizeof *list];
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        works[i] = (struct work){list[i].name, &list[i].question, begin, call, end};
    return turn_main(argc, argv, works, sizeof list / sizeof *list);
}
