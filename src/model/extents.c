/* model: the extents that may be left open until an instruction runs. */
#include "model/extents.h"

static void add(struct ptog_extents *extents, const char *name, int64_t *planned, int64_t given)
{
    extents->of[extents->count++] = (struct ptog_open_extent){name, planned, given};
}

struct ptog_extents ptog_mgather_extents(struct ptog_mgather *op, const struct ptog_run *run)
{
    static const char *const shape[5] = {"table.shape[0]", "table.shape[1]", "table.shape[2]", "table.shape[3]",
                                         "table.shape[4]"};
    static const char *const stride[5] = {"table.stride[0]", "table.stride[1]", "table.stride[2]", "table.stride[3]",
                                          "table.stride[4]"};
    struct ptog_extents extents = {.count = 0};
    add(&extents, "dst.valid_row", &op->dst.valid_row, run->dst_valid[0]);
    add(&extents, "dst.valid_col", &op->dst.valid_col, run->dst_valid[1]);
    add(&extents, "idx.valid_row", &op->idx.valid_row, run->idx_valid[0]);
    add(&extents, "idx.valid_col", &op->idx.valid_col, run->idx_valid[1]);
    for (int d = 0; d < 5; d++)
        add(&extents, shape[d], &op->table.shape[d], run->shape[d]);
    for (int d = 0; d < 5; d++)
        add(&extents, stride[d], &op->table.stride[d], run->stride[d]);
    return extents;
}

struct ptog_extents ptog_tgather_extents(struct ptog_tgather *op, const struct ptog_run *run)
{
    struct ptog_extents extents = {.count = 0};
    add(&extents, "dst.valid_row", &op->dst.valid_row, run->dst_valid[0]);
    add(&extents, "dst.valid_col", &op->dst.valid_col, run->dst_valid[1]);
    add(&extents, "src.valid_row", &op->src.valid_row, run->src_valid[0]);
    add(&extents, "src.valid_col", &op->src.valid_col, run->src_valid[1]);
    add(&extents, "idx.valid_row", &op->idx.valid_row, run->idx_valid[0]);
    add(&extents, "idx.valid_col", &op->idx.valid_col, run->idx_valid[1]);
    add(&extents, "k.valid_row", &op->k.valid_row, run->k_valid[0]);
    add(&extents, "k.valid_col", &op->k.valid_col, run->k_valid[1]);
    add(&extents, "cdst.valid_row", &op->cdst.valid_row, run->cdst_valid[0]);
    add(&extents, "cdst.valid_col", &op->cdst.valid_col, run->cdst_valid[1]);
    return extents;
}

void ptog_extents_apply(const struct ptog_extents *extents)
{
    for (int i = 0; i < extents->count; i++)
        if (*extents->of[i].planned == PTOG_DYN && extents->of[i].given != 0)
            *extents->of[i].planned = extents->of[i].given;
}
