/* fuzz: any operands, any extents, any buffer sizes. Planning and running must neither touch a byte outside the buffers
 * nor differ between the kernel and the reference loop. */
#include <string.h>

#include "input.h"

/* A buffer of its own size, so that a sanitizer sees every byte past it. */
static struct ptog_buf buffer(struct input *in)
{
    size_t bytes = byte(in) * 64u + byte(in);
    struct ptog_buf buf = {malloc(bytes ? bytes : 1), bytes};
    if (!buf.data)
        return (struct ptog_buf){NULL, 0};
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)buf.data)[i] = (unsigned char)(byte(in) % (i % 4 ? 2 : 200));
    return buf;
}

static struct ptog_cbuf constant(struct ptog_buf buf)
{
    return (struct ptog_cbuf){buf.data, buf.bytes};
}

/* Runs twice from the same start; the two must agree. */
static void run_both(const ptog_plan *plan, struct ptog_run *run)
{
    struct ptog_fault first, second;
    size_t dst = run->dst.bytes, cdst = run->cdst.bytes;
    unsigned char *before = malloc(dst + cdst + 1), *after = malloc(dst + cdst + 1);
    if (before && after && run->dst.data && run->cdst.data) {
        memcpy(before, run->dst.data, dst), memcpy(before + dst, run->cdst.data, cdst);
        enum ptog_status status = ptog_plan_run(plan, run, &first);
        memcpy(after, run->dst.data, dst), memcpy(after + dst, run->cdst.data, cdst);
        memcpy(run->dst.data, before, dst), memcpy(run->cdst.data, before + dst, cdst);
        run->reference = true;
        if (ptog_plan_run(plan, run, &second) != status || memcmp(after, run->dst.data, dst) != 0 ||
            memcmp(after + dst, run->cdst.data, cdst) != 0 || memcmp(&first, &second, sizeof first) != 0)
            abort();
    }
    free(before);
    free(after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, data + size};
    const struct ptog_target *target = ptog_target_at(byte(&in) % PTOG_TARGETS);
    ptog_diags *diags = ptog_diags_new();
    ptog_plan *plan = NULL;
    unsigned kind = byte(&in);
    bool small;
    if (kind & 1) {
        struct ptog_mgather op = {.dst = tile(&in),
                                  .table = tensor(&in),
                                  .idx = tile(&in),
                                  .coalesce = (enum ptog_coalesce)(kind >> 1 & 1),
                                  .oob = (enum ptog_oob)(kind >> 2 & 3)};
        if (kind & 64)
            op.table.dtype = op.dst.dtype;
        ptog_plan_mgather(&plan, target, &op, diags);
        small = is_small(&op.dst) && is_small(&op.idx);
    } else {
        struct ptog_tgather op = {.form = (enum ptog_tgather_form)(kind >> 1 & 3),
                                  .dst = tile(&in),
                                  .src = tile(&in),
                                  .pattern = (enum ptog_pattern)(byte(&in) % 9),
                                  .axis = (enum ptog_axis)(kind >> 3 & 1),
                                  .cmp = (enum ptog_cmp)(kind >> 4 & 7),
                                  .offset = (int32_t)byte(&in)};
        if (op.form == PTOG_BY_INDEX)
            op.idx = tile(&in), op.tmp = tile(&in);
        if (op.form == PTOG_BY_COMPARE)
            op.k = tile(&in), op.cdst = tile(&in);
        ptog_plan_tgather(&plan, target, &op, diags);
        small = is_small(&op.dst) && is_small(&op.src);
    }
    if (plan && small) {
        struct ptog_buf src = buffer(&in), idx = buffer(&in), k = buffer(&in);
        struct ptog_run run = {
            .dst = buffer(&in), .cdst = buffer(&in), .src = constant(src), .idx = constant(idx), .k = constant(k)};
        if (kind & 128)
            for (int i = 0; i < 2; i++)
                run.dst_valid[i] = extent(&in), run.src_valid[i] = extent(&in), run.idx_valid[i] = extent(&in),
                run.shape[i + 3] = extent(&in), run.stride[i + 3] = extent(&in);
        run_both(plan, &run);
        free(src.data), free(idx.data), free(k.data), free(run.dst.data), free(run.cdst.data);
    }
    ptog_plan_free(plan);
    ptog_diags_free(diags);
    return 0;
}
