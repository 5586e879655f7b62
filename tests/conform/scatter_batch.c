/* The batch program of scatter.py: any instruction with tiles, scalars and views of global memory, done on a core and, where
 * the case asks for it, by a plan.
 *
 * A case has one image of the on-chip buffer (UB; L1 for a gather into L1), in which every tile lies at its address, and one
 * buffer of global memory, in which every view starts at its offset.
 * Each way starts from both and answers with both. The order of the fields here and in scatter.py is the format. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <string.h>

#include <ptog/ptog.h>

#include "batch.h"

#define CASE_MARK INT64_C(0x3154415343474f54) /* "TOGCSAT1" */

struct scatter_case {
    char target[16];
    struct ptog_insn insn;
    bool by_plan;
    unsigned char *image, *memory;
    size_t image_bytes, memory_bytes;
};

/* ---- reading ---- */

static void read_tile(struct ptog_tile *tile)
{
    tile->dtype = (enum ptog_dtype)read_word();
    tile->rows = read_word();
    tile->cols = read_word();
    tile->valid_row = read_word();
    tile->valid_col = read_word();
    tile->blayout = (enum ptog_blayout)read_word();
    tile->slayout = (enum ptog_slayout)read_word();
    tile->fractal = (int32_t)read_word();
    tile->addr = (uint64_t)read_word();
    tile->loc = (enum ptog_loc)read_word();
    tile->placed = true;
}

static void read_view(struct ptog_tensor *view)
{
    view->dtype = (enum ptog_dtype)read_word();
    view->layout = (enum ptog_layout)read_word();
    for (int d = 0; d < 5; d++)
        view->shape[d] = read_word();
    for (int d = 0; d < 5; d++)
        view->stride[d] = read_word();
}

static void read_operand(struct ptog_operand *operand)
{
    *operand = (struct ptog_operand){.kind = (enum ptog_operand_kind)read_word()};
    if (operand->kind == PTOG_IS_TILE)
        read_tile(&operand->tile);
    else if (operand->kind == PTOG_IS_VIEW) {
        operand->offset = (uint64_t)read_word();
        read_view(&operand->view);
    }
    else if (operand->kind == PTOG_IS_SCALAR) {
        operand->tile.dtype = (enum ptog_dtype)read_word();
        operand->bits = (uint64_t)read_word();
        operand->tile.rows = operand->tile.cols = 1;
    }
}

/* False at the end of the input. */
static bool read_case(struct scatter_case *c)
{
    if (!read_mark(CASE_MARK))
        return false;
    *c = (struct scatter_case){0};
    read_bytes(c->target, sizeof c->target);
    c->target[sizeof c->target - 1] = '\0';
    struct text name = read_text();
    ptog_insn_start(&c->insn, ptog_opcode_find(name.bytes));
    free(name.bytes);
    size_t count = read_count(PTOG_MAX_OPERANDS);
    if ((int64_t)count != c->insn.count)
        fail("an instruction has another number of operands, or does not exist");
    for (size_t i = 0; i < count; i++)
        read_operand(&c->insn.of[i]);
    for (int i = 0; i < 4; i++)
        c->insn.attr[i] = (int32_t)read_word();
    c->by_plan = read_word() != 0;
    c->image = read_buffer(&c->image_bytes);
    c->memory = read_buffer(&c->memory_bytes);
    return true;
}

/* ---- answering ---- */

static void write_ids(const ptog_diags *diags)
{
    write_word((int64_t)ptog_diags_count(diags));
    for (size_t i = 0; i < ptog_diags_count(diags); i++) {
        const struct ptog_diag *diag = ptog_diags_at(diags, i);
        write_text(diag->id, strlen(diag->id));
        write_word((int64_t)diag->severity);
    }
}

static void write_memories(const struct scatter_case *c, unsigned char *image, unsigned char *memory)
{
    write_bytes(image, c->image_bytes);
    write_bytes(memory, c->memory_bytes);
    free(image);
    free(memory);
}

static unsigned char *copy_of(const unsigned char *bytes, size_t count)
{
    unsigned char *copy = allocate(count + 1); /* never of 0 bytes */
    memcpy(copy, bytes, count);
    return copy;
}

/* ---- by a plan: mscatter writes a table; the others write their first tile */

static struct ptog_buf storage_of(const struct ptog_tile *tile, unsigned char *image)
{
    return (struct ptog_buf){image + tile->addr, (size_t)(tile->rows * tile->cols) * ptog_dtype_size(tile->dtype)};
}

static struct ptog_cbuf source_of(const struct ptog_tile *tile, unsigned char *image)
{
    struct ptog_buf buffer = storage_of(tile, image);
    return (struct ptog_cbuf){buffer.data, buffer.bytes};
}

#define COUNTS_BYTES 8 /* of the pairs that TMRGSORT took of each list, at the end of the image */

static void bind_lists(struct ptog_run *run, const struct scatter_case *c, unsigned char *image)
{
    struct ptog_cbuf *const lists[] = {&run->src, &run->src1, &run->idx, &run->k};
    for (int i = 0; i < 4 && c->insn.of[3].kind == PTOG_IS_TILE; i++)
        *lists[i] = source_of(&c->insn.of[3 + i].tile, image);
    run->cdst = (struct ptog_buf){image + c->image_bytes - COUNTS_BYTES, COUNTS_BYTES};
}

static bool is_into_l1(const struct scatter_case *c)
{
    return c->insn.opcode == PTOG_MGATHER;
}

/* The table, the indices and, if there is one, the scratch memory. */
static void bind_views(struct ptog_run *run, const struct scatter_case *c, unsigned char *image, unsigned char *memory)
{
    const struct ptog_operand *table = &c->insn.of[1], *indices = &c->insn.of[3], *scratch = &c->insn.of[4];
    run->dst = storage_of(&c->insn.of[0].tile, image);
    run->src = (struct ptog_cbuf){memory + table->offset, c->memory_bytes - table->offset};
    run->idx = (struct ptog_cbuf){memory + indices->offset, c->memory_bytes - indices->offset};
    if (scratch->kind == PTOG_IS_VIEW)
        run->tmp = (struct ptog_buf){memory + scratch->offset, c->memory_bytes - scratch->offset};
}

/* Where a run has the operands of instructions that combine tiles: d dst, c cdst, s src, 1 src1, i idx, k; . the number
 * or tmp of the plan. */
static const char *places_of(enum ptog_opcode opcode)
{
    switch (opcode) {
    case PTOG_TADDC:
    case PTOG_TSUBC: return "ds1i";
    case PTOG_TADDSC:
    case PTOG_TSUBSC: return "ds.1";
    case PTOG_TADDRELUCONV:
    case PTOG_TSUBRELUCONV: return "ds1";
    case PTOG_TADDDEQRELU: return "ds1..";
    case PTOG_TDEQUANT: return "dski";
    case PTOG_TQUANT: return "dsk.i";
    case PTOG_TCONCATCOUNTS: return "dcs1ik";
    case PTOG_TPAIRREDUCESUM: return "ds";
    case PTOG_TPARTARGMAX:
    case PTOG_TPARTARGMIN: return "dcs1ik";
    case PTOG_TINTERLEAVE:
    case PTOG_TDEINTERLEAVE: return "dcs1";
    default: return "";
    }
}

static void bind_combined(struct ptog_run *run, const struct scatter_case *c, unsigned char *image)
{
    const char *places = places_of(c->insn.opcode);
    if (*places)
        run->idx = run->src = (struct ptog_cbuf){0};
    for (int i = 0; places[i]; i++) {
        if (c->insn.of[i].kind != PTOG_IS_TILE)
            continue;
        struct ptog_cbuf from = source_of(&c->insn.of[i].tile, image);
        switch (places[i]) {
        case 'c': run->cdst = storage_of(&c->insn.of[i].tile, image); break;
        case 's': run->src = from; break;
        case '1': run->src1 = from; break;
        case 'i': run->idx = from; break;
        case 'k': run->k = from; break;
        default: break;
        }
    }
}

static void run_plan(const ptog_plan *plan, const struct scatter_case *c, bool reference)
{
    unsigned char *image = copy_of(c->image, c->image_bytes), *memory = copy_of(c->memory, c->memory_bytes);
    bool to_table = c->insn.of[1].kind == PTOG_IS_VIEW;
    struct ptog_run run = {.dst = {memory, c->memory_bytes}, .reference = reference};
    struct ptog_fault fault = {0};
    if (!to_table)
        run.dst = storage_of(&c->insn.of[0].tile, image);
    run.src = source_of(&c->insn.of[to_table ? 0 : 1].tile, image);
    run.idx = source_of(&c->insn.of[2].tile, image);
    if (is_into_l1(c))
        bind_views(&run, c, image, memory);
    if (c->insn.opcode == PTOG_TMRGSORT)
        bind_lists(&run, c, image);
    bind_combined(&run, c, image);
    write_word(ptog_plan_run(plan, &run, &fault));
    for (int kind = 0; kind < PTOG_FAULT_KINDS; kind++)
        write_word((int64_t)fault.of[kind].count);
    write_memories(c, image, memory);
}

/* ---- on a core */

/* A tile's storage as it lies in memory: one row of all its elements. */
static struct ptog_tile flat(const struct ptog_tile *tile)
{
    struct ptog_tile row = ptog_tile_at(ptog_tile_vec(tile->dtype, 1, tile->rows * tile->cols), tile->addr);
    row.loc = tile->loc;
    return row;
}

static enum ptog_status run_on(ptog_device *device, const struct scatter_case *c, unsigned char *image)
{
    ptog_core *core;
    if ((is_into_l1(c) ? ptog_core_open_cube(&core, device, 0) : ptog_core_open(&core, device, 0)) != PTOG_OK)
        fail("out of memory");
    struct ptog_tile all = ptog_tile_at(ptog_tile_vec(PTOG_U8, 1, (int64_t)c->image_bytes), 0);
    all.loc = is_into_l1(c) ? PTOG_MAT : PTOG_VEC;
    if (ptog_core_preset(core, &all, image) != PTOG_OK)
        fail("the buffer takes no preset");
    enum ptog_status status = ptog_core_insn(core, &c->insn, NULL);
    for (int i = 0; i < c->insn.count; i++) {
        struct ptog_tile tile = flat(&c->insn.of[i].tile);
        if (c->insn.of[i].kind == PTOG_IS_TILE && ptog_core_peek(core, &tile, image + tile.addr) != PTOG_OK)
            fail("a tile cannot be looked at");
    }
    bool counts = c->insn.of[1].kind != PTOG_IS_TILE && (c->insn.attr[0] || ptog_target_find(c->target)->cpu_threads);
    if (c->insn.opcode == PTOG_TMRGSORT && counts) {
        uint16_t taken[4];
        ptog_core_merged(core, taken);
        memcpy(image + c->image_bytes - COUNTS_BYTES, taken, COUNTS_BYTES);
    }
    ptog_core_close(core);
    return status;
}

static void run_core(const struct ptog_target *target, struct scatter_case *c, ptog_diags *diags)
{
    unsigned char *image = copy_of(c->image, c->image_bytes), *memory = copy_of(c->memory, c->memory_bytes);
    ptog_device *device;
    if (ptog_device_open(&device, target, NULL) != PTOG_OK)
        fail("out of memory");
    int buffer = ptog_device_buffer(device, "gm", memory, c->memory_bytes);
    for (int i = 0; i < c->insn.count; i++)
        if (c->insn.of[i].kind == PTOG_IS_VIEW)
            c->insn.of[i].buffer = buffer;
    write_word(run_on(device, c, image));
    ptog_diags_clear(diags);
    if (ptog_device_report(device, diags) != PTOG_OK)
        fail("out of memory");
    write_ids(diags);
    ptog_device_close(device);
    write_memories(c, image, memory);
}

/* ---- all cases ---- */

static void run_case(struct scatter_case *c, ptog_diags *diags)
{
    const struct ptog_target *target = ptog_target_find(c->target);
    ptog_plan *plan = NULL;
    if (!target)
        fail("a case names an unknown target");
    enum ptog_status status = ptog_plan_insn(&plan, target, &c->insn, diags);
    write_word(BATCH_RESULT_MARK);
    write_word(status);
    write_ids(diags);
    if (status == PTOG_OK && c->by_plan) {
        run_plan(plan, c, false);
        run_plan(plan, c, true);
    }
    if (status == PTOG_OK)
        run_core(target, c, diags);
    ptog_plan_free(plan);
}

static bool next_case(ptog_diags *diags)
{
    struct scatter_case c;
    if (!read_case(&c))
        return false;
    run_case(&c, diags);
    free(c.image);
    free(c.memory);
    return true;
}

int main(void)
{
    return run_batch(next_case);
}
