/* draw: ptog_drawing_of_insn. The instruction is executed on copies of what it writes, by the obvious loop of
 * src/ref; its family tells the lanes; operands become grids and lanes arrows. */
#include <ptog/drawing.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <ptog/verify.h>

#include "base/pick.h"
#include "draw/draw.h"
#include "model/buffers.h"
#include "model/fault.h"
#include "model/tile.h"
#include "ref/ref.h"

#define MAX_ROWS 8 /* of a destination; a source has the rows that these come from */
#define MAX_SOURCE_ROWS 10
#define MAX_COLS 8
#define LEAST_COLS 3
#define LEAST 4       /* that are shown of a source, if it has them */
#define LINE_WIDTH 76 /* characters of a row of cells */

/* ---- carrying it out */

/* Gives the instruction copies of the buffers that it writes, so that the caller's stay as they are; a source that is
 * the destination itself is so in the copy, too. False when out of memory. */
static bool copy_written(struct ptog_draw *draw, const struct ptog_run *run, struct ptog_arena *copies)
{
    const struct ptog_insn_row *row = ptog_insn_row(draw->known->insn.opcode);
    for (int i = 0; i < row->count; i++) {
        struct ptog_buf old = ptog_run_buffer(run, &row->of[i]);
        uint64_t span = ptog_operand_span(&draw->known->insn.of[i]);
        if (row->of[i].role == PTOG_ROLE_IN || row->of[i].role == PTOG_ROLE_SAME || !old.data)
            continue;
        struct ptog_buf copy = {.bytes = ptog_min(old.bytes, span)};
        copy.data = ptog_arena_alloc(copies, copy.bytes + 1);
        if (!copy.data)
            return false;
        memcpy(copy.data, old.data, copy.bytes);
        for (int in = 0; in < row->count; in++) {
            struct ptog_buf source = ptog_run_buffer(run, &row->of[in]);
            if (row->of[in].role == PTOG_ROLE_SAME && source.data == old.data && source.bytes <= copy.bytes)
                ptog_run_set_buffer(&draw->run, &row->of[in], (struct ptog_buf){copy.data, source.bytes});
        }
        ptog_run_set_buffer(&draw->run, &row->of[i], copy);
    }
    return true;
}

/* A scalar that the run does not give is the instruction's own. */
static void give_scalars(struct ptog_draw *draw)
{
    const struct ptog_insn *insn = &draw->known->insn;
    const struct ptog_insn_row *row = ptog_insn_row(insn->opcode);
    for (int i = 0; i < row->count; i++)
        if (insn->of[i].kind == PTOG_IS_SCALAR && !ptog_run_buffer(&draw->run, &row->of[i]).data)
            ptog_run_set_buffer(
                &draw->run, &row->of[i],
                (struct ptog_buf){(void *)(uintptr_t)&insn->of[i].bits, ptog_dtype_size(insn->of[i].tile.dtype)});
}

/* Makes a plane of each operand that the instruction uses, with its bytes before and after the run. */
static void start_planes(struct ptog_draw *draw, const struct ptog_run *run)
{
    const struct ptog_insn *insn = &draw->known->insn;
    const struct ptog_insn_row *row = ptog_insn_row(insn->opcode);
    for (int i = 0; i < row->count; i++) {
        bool used = row->of[i].role != PTOG_ROLE_SCRATCH && (row->of[i].used & PTOG_FORM_BIT(draw->known->form)) &&
                    ptog_insn_has(&draw->known->insn, draw->known->form, i);
        if (!used || insn->of[i].kind == PTOG_IS_ABSENT || !ptog_insn_has(insn, draw->known->form, i))
            continue;
        struct ptog_buf before = ptog_run_buffer(run, &row->of[i]), after = ptog_run_buffer(&draw->run, &row->of[i]);
        ptog_plane_start(&draw->planes[i], &insn->of[i], &row->of[i], (struct ptog_cbuf){before.data, before.bytes});
        if (draw->planes[i].written)
            draw->planes[i].bytes = (struct ptog_cbuf){after.data, after.bytes};
    }
}

/* ---- choosing what is shown */

/* The length of the longest text in the cells of a plane that are shown. */
static size_t widest_text(const struct ptog_plane *plane)
{
    size_t most = 1;
    char text[PTOG_PLANE_TEXT];
    for (size_t i = 0; i < plane->row.count; i++)
        for (size_t j = 0; j < plane->col.count; j++) {
            int64_t r = plane->row.at[i], c = plane->col.at[j];
            if (r == PTOG_DRAWN_GAP || c == PTOG_DRAWN_GAP)
                continue;
            bool padding = r >= plane->valid_rows || c >= plane->valid_cols;
            ptog_plane_text(plane, r, c, padding ? PTOG_CELL_PADDING : PTOG_CELL_PLAIN, text);
            most = ptog_max(strlen(text), most);
        }
    return most;
}

/* Wide values leave room for fewer columns. */
static void choose_cols(struct ptog_plane *plane, size_t least)
{
    size_t most = MAX_COLS;
    do
        ptog_shown_choose(&plane->col, plane->cols, &plane->want_cols, ptog_min(least, most), most);
    while ((widest_text(plane) + 2) * plane->col.count > LINE_WIDTH && --most >= LEAST_COLS);
}

/* Chooses which rows and columns of a destination are shown: also those at borders, between fractal blocks, and
 * between what is valid and the padding. */
static void choose_written(struct ptog_plane *plane)
{
    if (ptog_plane_is_nz(plane) && plane->cols > MAX_COLS) {
        ptog_wants_add(&plane->want_cols, ptog_c0(plane->dtype) - 1);
        ptog_wants_add(&plane->want_cols, ptog_c0(plane->dtype));
    }
    ptog_wants_add(&plane->want_rows, plane->valid_rows - 1);
    ptog_wants_add(&plane->want_rows, plane->valid_rows);
    ptog_wants_add(&plane->want_cols, plane->valid_cols - 1);
    ptog_wants_add(&plane->want_cols, plane->valid_cols);
    ptog_shown_choose(&plane->row, plane->rows, &plane->want_rows, MAX_ROWS, MAX_ROWS);
    choose_cols(plane, MAX_COLS);
}

/* What lanes came from; and where no lanes are told, as much as of a destination. */
static void choose_read(struct ptog_plane *plane, bool told)
{
    ptog_shown_choose(&plane->row, plane->rows, &plane->want_rows, told ? LEAST : MAX_ROWS, MAX_SOURCE_ROWS);
    choose_cols(plane, told ? LEAST : MAX_COLS);
}

/* Chooses the rows and columns of an operand that are shown; of a source, room is made for what is read there. */
static void choose_shown(struct ptog_draw *draw, struct ptog_plane *plane)
{
    if (plane->written) {
        choose_written(plane);
        return;
    }
    choose_read(plane, ptog_draw_family(ptog_insn_family(&draw->known->insn)) != NULL);
    plane->touched = ptog_arena_alloc(draw->arena, plane->row.count * plane->col.count + 1);
    draw->no_memory = draw->no_memory || !plane->touched;
}

/* Walks over all lanes of the instruction three times: what is shown of destinations is known after the first walk, of
 * sources after the second, which collects the lanes, and the third marks what is read. */
static void walk_insn(struct ptog_draw *draw)
{
    ptog_draw_fn *family = ptog_draw_family(ptog_insn_family(&draw->known->insn));
    for (int turn = PTOG_WALK_LOOKS; turn <= PTOG_WALK_MARKS; turn++) {
        draw->walk = (enum ptog_draw_walk)turn;
        if (family)
            family(draw);
        for (int i = 0; i < draw->known->insn.count && turn < PTOG_WALK_MARKS; i++)
            if (draw->planes[i].operand && draw->planes[i].written == (turn == PTOG_WALK_LOOKS))
                choose_shown(draw, &draw->planes[i]);
    }
}

/* ---- what cannot be seen */

/* Adds notes on what was wrong with lanes, and on what the drawing leaves out. */
static void make_notes(struct ptog_draw *draw, const struct ptog_fault *fault, ptog_drawing *drawing)
{
    const char **notes = ptog_arena_alloc(draw->arena, (PTOG_FAULT_KINDS + 2) * sizeof *notes);
    if (!notes) {
        draw->no_memory = true;
        return;
    }
    drawing->notes = notes;
    for (int kind = 0; kind < PTOG_FAULT_KINDS; kind++)
        if (fault->of[kind].count > 0)
            notes[drawing->note_count++] =
                ptog_draw_words(draw, "%s, %" PRIu64 " in all: %s", ptog_fault_info_at((size_t)kind)->id,
                                fault->of[kind].count, ptog_fault_info_at((size_t)kind)->what);
    if (ptog_insn_row(draw->known->insn.opcode)->of[0].is_read)
        notes[drawing->note_count++] = "the destination is read, too; what it held before is not drawn";
    if (!ptog_draw_family(ptog_insn_family(&draw->known->insn)))
        notes[drawing->note_count++] = "which element comes from which is not drawn for this instruction";
}

/* ---- all of it */

/* Runs the instruction on copies of what it writes, and fills the drawing with what came of it. Frees all but what the
 * drawing keeps. */
static enum ptog_status make_drawing(struct ptog_made_drawing *made, struct ptog_draw *draw, const struct ptog_run *run,
                                     const char *const *names)
{
    struct ptog_arena copies = {0};
    struct ptog_fault fault = {0};
    ptog_drawing *drawing = &made->shown;
    give_scalars(draw);
    enum ptog_status status = copy_written(draw, run, &copies) ? PTOG_OK : PTOG_NO_MEMORY;
    if (status == PTOG_OK)
        status = ptog_ref_insn(draw->known, &draw->run, &fault);
    if (status == PTOG_OK || status == PTOG_FAULT) {
        start_planes(draw, run);
        walk_insn(draw);
        drawing->title = ptog_draw_title(draw);
        drawing->detail = ptog_draw_detail(draw);
        drawing->formula = ptog_draw_formula(draw);
        drawing->label = ptog_opcode_name(draw->known->insn.opcode);
        ptog_draw_grids(draw, names, drawing);
        ptog_draw_arrows(draw, drawing);
        make_notes(draw, &fault, drawing);
        status = draw->no_memory ? PTOG_NO_MEMORY : PTOG_OK;
    }
    ptog_stack_free(&draw->lanes);
    ptog_arena_free(&copies);
    return status;
}

/* Makes a drawing of an instruction and a run of it; *drawing is NULL unless PTOG_OK. */
static enum ptog_status draw_known(ptog_drawing **drawing, const struct ptog_known_insn *known,
                                   const struct ptog_run *run, const char *const *names, bool accessed)
{
    struct ptog_made_drawing *made = calloc(1, sizeof *made);
    struct ptog_draw *draw = calloc(1, sizeof *draw);
    enum ptog_status status = PTOG_NO_MEMORY;
    if (made && draw) {
        draw->known = known;
        draw->accessed = accessed;
        draw->run = *run;
        draw->arena = &made->arena;
        status = make_drawing(made, draw, run, names);
    }
    free(draw);
    if (status == PTOG_OK)
        *drawing = &made->shown;
    else if (made)
        ptog_drawing_free(&made->shown);
    return status;
}

enum ptog_status ptog_draw_insn(ptog_drawing **drawing, const struct ptog_target *target, const struct ptog_insn *insn,
                                const struct ptog_run *run, const char *const *names)
{
    struct ptog_known_insn known;
    ptog_known_start(&known, target, insn, run);
    return draw_known(drawing, &known, run, names, false);
}

enum ptog_status ptog_draw_accessed(ptog_drawing **drawing, const struct ptog_known_insn *known,
                                    const struct ptog_run *run, const char *const *names)
{
    *drawing = NULL;
    return draw_known(drawing, known, run, names, true);
}

enum ptog_status ptog_drawing_of_insn(ptog_drawing **drawing, const struct ptog_target *target,
                                      const struct ptog_insn *insn, const struct ptog_run *run)
{
    struct ptog_known_insn known;
    if (!drawing)
        return PTOG_BAD_ARGUMENT;
    *drawing = NULL;
    if (!target || !insn || !run || ptog_insn_malformed(insn))
        return PTOG_BAD_ARGUMENT;
    ptog_known_start(&known, target, insn, run);
    if (ptog_insn_is_open(&known.insn))
        return PTOG_BAD_ARGUMENT;
    enum ptog_status status = ptog_verify(target, &known.insn, NULL);
    if (status == PTOG_OK)
        return draw_known(drawing, &known, run, NULL, false);
    return status;
}

void ptog_drawing_free(ptog_drawing *drawing)
{
    struct ptog_made_drawing *made = (struct ptog_made_drawing *)(void *)drawing;
    if (!made)
        return;
    ptog_arena_free(&made->arena);
    free(made);
}
