/* sim: transfers and copies into the cube core.   Bytes go to L1 in blocks of 32, the last of a row filled with zeros;
 * from L1 to L0 whole tiles move, padding included. */
#include "sim/families/cube.h"

#include <string.h>

#include "base/arith.h"
#include "base/pick.h"
#include "model/cube/product.h"
#include "model/fault.h"
#include "model/moves.h"
#include "model/tensor.h"
#include "model/tile.h"
#include "model/transfer.h"

#define BLOCK 32

/* The address of an element in the core's memory. */
static uint64_t element_at(const struct ptog_tile *tile, int64_t r, int64_t c)
{
    return tile->addr + (uint64_t)ptog_tile_offset(tile, r, c) * ptog_dtype_size(tile->dtype);
}

/* Whether the elements of a block follow each other down a column, not along a row. */
static bool blocks_go_down(const struct ptog_tile *tile)
{
    return tile->slayout == PTOG_BOX_COL_MAJOR || ptog_tile_order(tile) == PTOG_ORDER_COL;
}

/* Logs an access of a region of a boxed tile as runs of bytes; boxes of 32-byte rows or columns merge where they
 * follow each other. */
void ptog_log_boxes(struct ptog_log *log, struct ptog_access access, const struct ptog_tile *tile, int64_t rows,
                    int64_t cols)
{
    bool down = blocks_go_down(tile);
    uint64_t size = ptog_dtype_size(tile->dtype);
    int64_t step = 0, box_rows = 1, box_cols = 1, runs = down ? cols : rows, run = down ? rows : cols;
    if (!log)
        return;
    if (tile->slayout != PTOG_NONE_BOX)
        ptog_tile_box(tile, &box_rows, &box_cols);
    step = down ? box_rows : box_cols;
    if (tile->slayout == PTOG_NONE_BOX)
        step = run;
    access.element = (uint8_t)size;
    access.count = 1;
    access.bytes = 0;
    for (int64_t at = 0; at < run; at += step)
        for (int64_t i = 0; i < runs; i++) {
            uint64_t start = element_at(tile, down ? at : i, down ? i : at);
            uint64_t bytes = (uint64_t)ptog_min(step, run - at) * size;
            if (access.bytes > 0 && access.at + access.bytes == start) {
                access.bytes += bytes;
                continue;
            }
            ptog_log_add(log, &access);
            access.at = start;
            access.bytes = bytes;
        }
    ptog_log_add(log, &access);
}

/* ---- TLOAD into L1 */

/* Whether a view has blocks above its rows and columns. */
static bool is_stacked(const struct ptog_tensor *view)
{
    return view->layout == PTOG_NZ || view->shape[0] > 1 || view->shape[1] > 1 || view->shape[2] > 1;
}

/* Reads elements of the view from (r, c) on, down or along, to `to`; what lies outside the buffer is 0xAA, and noted
 * as a fault. */
static void read_elements(const struct ptog_sim *sim, unsigned char *to, int64_t r, int64_t c, int64_t count, bool down)
{
    const struct ptog_tensor *view = ptog_transfer_view(&sim->known->insn);
    uint64_t size = ptog_dtype_size(view->dtype), first;
    int buffer = ptog_sim_buffer(sim);
    if (view->stride[down ? 3 : 4] == 1 && !is_stacked(view) &&
        ptog_mul_u64(ptog_view_place(view, r, c), size, &first) && ptog_add_u64(first, ptog_sim_offset(sim), &first) &&
        ptog_gm_room(sim->memory, buffer, first) >= (uint64_t)count * size) {
        ptog_gm_read(sim->memory, buffer, first, to, (uint64_t)count * size);
        return;
    }
    for (int64_t i = 0; i < count; i++, to += size) {
        int64_t row = down ? r + i : r, col = down ? c : c + i;
        uint64_t place = ptog_view_place(view, row, col), at;
        bool known = ptog_mul_u64(place, size, &at) && ptog_add_u64(at, ptog_sim_offset(sim), &at);
        if (known && ptog_gm_room(sim->memory, buffer, at) >= size) {
            ptog_gm_read(sim->memory, buffer, at, to, size);
            continue;
        }
        memset(to, PTOG_NO_BYTES, size);
        if (sim->log)
            ptog_fault_note(&sim->log->fault, PTOG_FAULT_GM_OUT_OF_BOUNDS, 1, row, col, place);
    }
}

/* Logs rows (of DN: columns) of one distance that lie in the buffer as one access; false, and nothing is logged: the
 * view is not that simple. */
static bool log_rows(const struct ptog_sim *sim, struct ptog_access *access, struct ptog_cube_region moved, bool down)
{
    const struct ptog_tensor *view = ptog_transfer_view(&sim->known->insn);
    uint64_t size = access->element, last = ptog_view_place(view, moved.rows - 1, moved.cols - 1), end;
    if (is_stacked(view) || view->stride[down ? 3 : 4] != 1 || view->stride[down ? 4 : 3] < 1 ||
        !ptog_mul_u64(last + 1, size, &end) || !ptog_add_u64(end, ptog_sim_offset(sim), &end) ||
        end > sim->memory->gm->of[ptog_sim_buffer(sim)].bytes)
        return false;
    access->at = ptog_sim_offset(sim);
    access->bytes = (uint64_t)(down ? moved.rows : moved.cols) * size;
    access->count = (uint64_t)(down ? moved.cols : moved.rows);
    access->pitch = (uint64_t)view->stride[down ? 4 : 3] * size;
    if (access->pitch == access->bytes) {
        access->bytes *= access->count;
        access->count = 1;
    }
    ptog_log_add(sim->log, access);
    return true;
}

/* Logs the elements of the view that are read, piece by piece. */
void ptog_log_cube_view(const struct ptog_sim *sim, enum ptog_access_kind kind, struct ptog_cube_region moved)
{
    const struct ptog_tensor *view = ptog_transfer_view(&sim->known->insn);
    uint64_t size = ptog_dtype_size(view->dtype);
    struct ptog_access access = ptog_sim_access(sim, kind, PTOG_AT_VIEW);
    bool down = view->layout == PTOG_DN;
    access.element = (uint8_t)size;
    if (log_rows(sim, &access, moved, down))
        return;
    for (int64_t i = 0; i < (down ? moved.cols : moved.rows); i++)
        for (int64_t k = 0; k < (down ? moved.rows : moved.cols); k++) {
            uint64_t at = ptog_sim_offset(sim) + ptog_view_place(view, down ? k : i, down ? i : k) * size;
            if (ptog_gm_room(sim->memory, ptog_sim_buffer(sim), at) < size)
                continue;
            if (access.bytes > 0 && access.at + access.bytes == at) {
                access.bytes += size;
                continue;
            }
            ptog_log_add(sim->log, &access);
            access.at = at;
            access.bytes = size;
        }
    ptog_log_add(sim->log, &access);
}

/* A block of the tile, from element (r, c) on. */
static void load_block(const struct ptog_sim *sim, int64_t r, int64_t c, int64_t count, bool down)
{
    const struct ptog_tile *tile = ptog_transfer_tile(&sim->known->insn);
    unsigned char block[BLOCK] = {0};
    uint64_t at = element_at(tile, r, c);
    read_elements(sim, block, r, c, count, down);
    uint64_t bytes = ptog_ub_cut(sim->memory, at, BLOCK);
    if (bytes > 0)
        memcpy(sim->memory->ub + at, block, bytes);
}

/* Performs tload into L1: reads the view in blocks of C0 elements, writes them into the tile's boxes, and logs the
 * accesses and the DMA's counts. */
enum ptog_status ptog_sim_load_l1(const struct ptog_sim *sim)
{
    const struct ptog_tile *tile = ptog_transfer_tile(&sim->known->insn);
    struct ptog_cube_region moved = ptog_loaded_region(&sim->known->insn);
    bool down = blocks_go_down(tile);
    int64_t c0 = ptog_c0(tile->dtype), run = down ? moved.rows : moved.cols, runs = down ? moved.cols : moved.rows;
    for (int64_t at = 0; at < run; at += c0)
        for (int64_t i = 0; i < runs; i++)
            load_block(sim, down ? at : i, down ? i : at, ptog_min(c0, run - at), down);
    if (!sim->log)
        return PTOG_OK;
    int64_t whole = (run + c0 - 1) / c0 * c0; /* whole blocks */
    ptog_log_boxes(sim->log, ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_TILE), tile, down ? whole : moved.rows,
                   down ? moved.cols : whole);
    if (sim->log->gm_reads)
        ptog_log_cube_view(sim, PTOG_READS, moved);
    sim->log->stats.dmas++;
    sim->log->stats.bursts += (uint64_t)runs;
    sim->log->stats.gm_read_bytes += (uint64_t)(moved.rows * moved.cols) * ptog_dtype_size(tile->dtype);
    return PTOG_OK;
}

/* ---- TMOV and TEXTRACT from L1 to L0 */

/* Boxes of one kind on both sides, nothing undefined among them: 32 bytes at a time. False: element by element. */
static bool copy_blocks(const struct ptog_sim *sim, const struct ptog_l0_copy *copy)
{
    const struct ptog_tile *dst = &sim->known->insn.of[PTOG_MOVE_DST].tile,
                           *src = &sim->known->insn.of[PTOG_MOVE_SRC].tile;
    bool down = blocks_go_down(dst);
    int64_t c0 = ptog_c0(dst->dtype), rows, cols;
    ptog_tile_box(dst, &rows, &cols);
    if (sim->memory->tracer || dst->dtype != src->dtype || dst->slayout != src->slayout ||
        dst->slayout == PTOG_NONE_BOX || copy->rows % rows != 0 || copy->cols % cols != 0 || copy->row % rows != 0 ||
        copy->col % cols != 0)
        return false;
    for (int64_t at = 0; at < (down ? copy->rows : copy->cols); at += c0)
        for (int64_t i = 0; i < (down ? copy->cols : copy->rows); i++) {
            int64_t r = down ? at : i, c = down ? i : at;
            uint64_t from = element_at(src, copy->row + r, copy->col + c), to = element_at(dst, r, c);
            if (ptog_ub_cut(sim->memory, from, BLOCK) == BLOCK && ptog_ub_cut(sim->memory, to, BLOCK) == BLOCK)
                memmove(sim->memory->ub + to, sim->memory->ub + from, BLOCK);
        }
    return true;
}

/* Copies a window of an L1 tile into L0 one element at a time, converted as the instruction says; writes the core's
 * memory. */
static void copy_elements(const struct ptog_sim *sim, const struct ptog_l0_copy *copy)
{
    const struct ptog_tile *dst = &sim->known->insn.of[PTOG_MOVE_DST].tile,
                           *src = &sim->known->insn.of[PTOG_MOVE_SRC].tile;
    size_t to = ptog_dtype_size(dst->dtype), from = ptog_dtype_size(src->dtype);
    for (int64_t r = 0; r < copy->rows; r++)
        for (int64_t c = 0; c < copy->cols; c++) {
            uint64_t bits;
            ptog_ub_get(sim->memory, element_at(src, copy->row + r, copy->col + c), from, &bits);
            ptog_ub_put(sim->memory, element_at(dst, r, c), to, ptog_l0_element(sim->known, bits));
        }
}

/* Performs tmov from L1 to L0: copies the window in blocks where it can, else by elements, and logs what it read and
 * wrote. */
enum ptog_status ptog_sim_to_l0(const struct ptog_sim *sim)
{
    struct ptog_l0_copy copy = ptog_l0_copy_of(sim->known);
    if (!copy_blocks(sim, &copy))
        copy_elements(sim, &copy);
    if (!sim->log)
        return PTOG_OK;
    struct ptog_tile window = sim->known->insn.of[PTOG_MOVE_SRC].tile;
    window.addr = element_at(&window, copy.row, copy.col);
    ptog_log_boxes(sim->log, ptog_sim_access(sim, PTOG_READS, PTOG_AT_SRC), &window, copy.rows, copy.cols);
    ptog_log_boxes(sim->log, ptog_sim_access(sim, PTOG_WRITES, PTOG_AT_DST), &sim->known->insn.of[PTOG_MOVE_DST].tile,
                   copy.rows, copy.cols);
    return PTOG_OK;
}
