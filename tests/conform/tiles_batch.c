/* The batch program of tiles.py: any instruction whose operands are tiles and scalars, done in three ways.
 *
 * A case is a target, the name of an instruction, its operands, and one image of the on-chip buffer in which every tile
 * lies at its address. The instruction runs by a plan the way that the plan chooses, by a plan with the obvious loop,
 * and on a core; each starts from the same image and answers with its own. What the image holds between tiles is never
 * touched. The order of the fields here and in tiles.py is the format. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <string.h>

#include <ptog/ptog.h>

#include "batch.h"

#define CASE_MARK INT64_C(0x31454c4954474f54) /* "TOGTILE1" */

struct tiles_case {
    char target[16];
    struct text name;
    struct ptog_insn insn;
    struct ptog_run extents;
    unsigned char *image;
    size_t bytes;
};

/* ---- reading ---- */

static int64_t *extents_at(struct ptog_run *run, int64_t place)
{
    int64_t *const of[] = {run->dst_valid, run->src_valid, run->src1_valid};
    if (place < 0 || place > 2)
        fail("such a tile has no extents of its own");
    return of[place];
}

/* `place`: where in struct ptog_run the extents of the tile are; -1: they are written in the instruction. */
static void read_tile(struct tiles_case *c, struct ptog_operand *operand)
{
    struct ptog_tile *tile = &operand->tile;
    tile->rows = read_word();
    tile->cols = read_word();
    tile->valid_row = read_word();
    tile->valid_col = read_word();
    tile->blayout = (enum ptog_blayout)read_word();
    tile->slayout = (enum ptog_slayout)read_word();
    tile->fractal = (int32_t)read_word();
    tile->pad = (enum ptog_pad)read_word();
    tile->addr = (uint64_t)read_word();
    tile->placed = true;
    int64_t place = read_word();
    if (place < 0)
        return;
    int64_t *given = extents_at(&c->extents, place);
    given[0] = tile->valid_row;
    given[1] = tile->valid_col;
    tile->valid_row = tile->valid_col = PTOG_DYN;
}

static void read_operand(struct tiles_case *c, struct ptog_operand *operand)
{
    *operand = (struct ptog_operand){.kind = (enum ptog_operand_kind)read_word()};
    operand->tile.dtype = (enum ptog_dtype)read_word();
    if (operand->kind == PTOG_IS_TILE) {
        read_tile(c, operand);
    } else if (operand->kind == PTOG_IS_SCALAR) {
        operand->bits = (uint64_t)read_word();
        operand->tile.rows = operand->tile.cols = 1;
    }
}

/* False at the end of the input. */
static bool read_case(struct tiles_case *c)
{
    if (!read_mark(CASE_MARK))
        return false;
    *c = (struct tiles_case){0};
    read_bytes(c->target, sizeof c->target);
    c->target[sizeof c->target - 1] = '\0';
    c->name = read_text();
    ptog_insn_start(&c->insn, ptog_opcode_find(c->name.bytes));
    size_t count = read_count(PTOG_MAX_OPERANDS);
    if (c->insn.count == 0 || (int64_t)count > c->insn.count) /* the last ones may be left out */
        fail("an instruction has another number of operands, or does not exist");
    for (size_t i = 0; i < count; i++)
        read_operand(c, &c->insn.of[i]);
    for (int i = 0; i < 4; i++)
        c->insn.attr[i] = (int32_t)read_word();
    c->image = read_buffer(&c->bytes);
    return true;
}

/* ---- the three ways ---- */

static void write_ids(const ptog_diags *diags)
{
    write_word((int64_t)ptog_diags_count(diags));
    for (size_t i = 0; i < ptog_diags_count(diags); i++)
        write_text(ptog_diags_at(diags, i)->id, strlen(ptog_diags_at(diags, i)->id));
}

/* The buffers of the operands: all of them are tiles in `image`, but for scalars, which need none. */
static void give_buffers(struct ptog_run *run, const struct tiles_case *c, unsigned char *image)
{
    struct ptog_buf at[5] = {{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
    bool selects = c->insn.opcode == PTOG_TSEL || c->insn.opcode == PTOG_TSELS;
    for (int i = 0; i < c->insn.count && i < 5; i++) {
        const struct ptog_tile *tile = &c->insn.of[i].tile;
        size_t bytes = (size_t)(tile->rows * tile->cols) * ptog_dtype_size(tile->dtype);
        if (c->insn.of[i].kind == PTOG_IS_TILE)
            at[i] = (struct ptog_buf){image + tile->addr, bytes};
    }
    run->dst = at[0];
    if (selects) { /* the mask stands first, and has the buffer of indices */
        run->idx = (struct ptog_cbuf){at[1].data, at[1].bytes};
        at[1] = at[2];
        at[2] = at[3];
    }
    if (c->insn.opcode == PTOG_TCONCATIDX) {
        run->idx = (struct ptog_cbuf){at[3].data, at[3].bytes};
        run->k = (struct ptog_cbuf){at[4].data, at[4].bytes};
    }
    if (c->insn.opcode >= PTOG_TROWARGMAX && c->insn.opcode <= PTOG_TCOLARGMIN)
        run->cdst = at[3]; /* val */
    run->src = (struct ptog_cbuf){at[1].data, at[1].bytes};
    run->src1 = (struct ptog_cbuf){at[2].data, at[2].bytes};
}

static void run_plan(const ptog_plan *plan, const struct tiles_case *c, bool reference)
{
    unsigned char *image = allocate(c->bytes);
    struct ptog_run run = c->extents;
    struct ptog_fault fault = {0};
    memcpy(image, c->image, c->bytes);
    give_buffers(&run, c, image);
    run.reference = reference;
    write_word(ptog_plan_run(plan, &run, &fault));
    for (int kind = 0; kind < PTOG_FAULT_KINDS; kind++)
        write_word((int64_t)fault.of[kind].count);
    write_bytes(image, c->bytes);
    free(image);
}

/* A tile's storage as it lies in memory: one row of all its elements. */
static struct ptog_tile flat(const struct ptog_tile *tile)
{
    struct ptog_tile row = ptog_tile_vec(tile->dtype, 1, tile->rows * tile->cols);
    return ptog_tile_at(row, tile->addr);
}

static enum ptog_status run_on(ptog_device *device, const struct tiles_case *c, unsigned char *image)
{
    ptog_core *core;
    if (ptog_core_open(&core, device, 0) != PTOG_OK)
        fail("out of memory");
    for (int i = 0; i < c->insn.count; i++) {
        struct ptog_tile tile = flat(&c->insn.of[i].tile);
        if (c->insn.of[i].kind == PTOG_IS_TILE && ptog_core_preset(core, &tile, image + tile.addr) != PTOG_OK)
            fail("a tile takes no preset");
    }
    enum ptog_status status = ptog_core_insn(core, &c->insn, &c->extents);
    for (int i = 0; i < c->insn.count; i++) {
        struct ptog_tile tile = flat(&c->insn.of[i].tile);
        if (c->insn.of[i].kind == PTOG_IS_TILE && ptog_core_peek(core, &tile, image + tile.addr) != PTOG_OK)
            fail("a tile cannot be looked at");
    }
    ptog_core_close(core);
    return status;
}

static void run_core(const struct ptog_target *target, const struct tiles_case *c, ptog_diags *diags)
{
    unsigned char *image = allocate(c->bytes);
    ptog_device *device;
    memcpy(image, c->image, c->bytes);
    if (ptog_device_open(&device, target, NULL) != PTOG_OK)
        fail("out of memory");
    write_word(run_on(device, c, image));
    ptog_diags_clear(diags);
    if (ptog_device_report(device, diags) != PTOG_OK)
        fail("out of memory");
    write_ids(diags);
    write_bytes(image, c->bytes);
    ptog_device_close(device);
    free(image);
}

/* ---- all cases ---- */

static void run_case(const struct tiles_case *c, ptog_diags *diags)
{
    const struct ptog_target *target = ptog_target_find(c->target);
    if (!target)
        fail("a case names an unknown target");
    ptog_plan *plan = NULL;
    enum ptog_status status = ptog_plan_insn(&plan, target, &c->insn, diags);
    if (plan) {
        ptog_diags_clear(diags);
        status = ptog_plan_check(plan, &c->extents, diags);
    }
    write_word(BATCH_RESULT_MARK);
    write_word(status);
    write_ids(diags);
    if (status == PTOG_OK) {
        run_plan(plan, c, false);
        run_plan(plan, c, true);
        run_core(target, c, diags);
    }
    ptog_plan_free(plan);
}

static bool next_case(ptog_diags *diags)
{
    struct tiles_case c;
    if (!read_case(&c))
        return false;
    run_case(&c, diags);
    free(c.image);
    free(c.name.bytes);
    return true;
}

int main(void)
{
    return run_batch(next_case);
}
