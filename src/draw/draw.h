/* draw: the drawing of an instruction in the making. An instruction is walked three times, as src/ref walks it, each
 * time lane by lane: to see which elements of its destinations are worth showing, where those came from, and what of
 * the sources that are shown is read.
 *
 *   struct ptog_plane    an operand as a plane of elements: where they lie, what they are, which of them are drawn
 *   struct ptog_origin   one lane: an element that is written, the one that it came from, the index that led there
 *   ptog_draw_fn         a family: tells every lane of an instruction */
#ifndef PTOG_DRAW_DRAW_H
#define PTOG_DRAW_DRAW_H

#include <ptog/drawing.h>

#include "base/arena.h"
#include "base/stack.h"
#include "model/insn.h"

/* ---- which rows or columns are drawn: shown.c */

#define PTOG_MAX_WANTS 32

/* Rows or columns that should be seen, the most important first. */
struct ptog_wants {
    int64_t of[PTOG_MAX_WANTS];
    size_t count;
};
void ptog_wants_add(struct ptog_wants *wants, int64_t at);

#define PTOG_MAX_SHOWN 64

struct ptog_shown {
    int64_t at[PTOG_MAX_SHOWN]; /* increasing, with PTOG_DRAWN_GAP in between */
    size_t count;
};

/* All of `total`, or about `most` of them: the first and the last, what is wanted, and from the first on up to `least`.
 */
void ptog_shown_choose(struct ptog_shown *shown, int64_t total, const struct ptog_wants *wants, size_t least,
                       size_t most);

/* Where it is drawn: its place, or that of the gap that hides it. */
int ptog_shown_slot(const struct ptog_shown *shown, int64_t at);

/* It is drawn itself. */
bool ptog_shown_has(const struct ptog_shown *shown, int64_t at);

/* ---- operands: plane.c */

struct ptog_plane {
    const struct ptog_operand *operand; /* NULL: not drawn */
    enum ptog_operand_name name;
    bool written;
    struct ptog_cbuf bytes, before; /* as it is drawn; as it was: the same but for a destination */
    enum ptog_dtype dtype;
    int64_t rows, cols, valid_rows, valid_cols;
    struct ptog_wants want_rows, want_cols;
    struct ptog_shown row, col;
    unsigned char *touched; /* of a source: the state of each cell that is drawn, as far as a lane came to it */
    int grid;               /* its number in the drawing */
};

void ptog_plane_start(struct ptog_plane *plane, const struct ptog_operand *operand, const struct ptog_operand_row *row,
                      struct ptog_cbuf bytes);

/* The elements from the first one to (r, c), and back: false when there is no element of the operand. */
uint64_t ptog_plane_place(const struct ptog_plane *plane, int64_t r, int64_t c);
bool ptog_plane_find(const struct ptog_plane *plane, uint64_t place, int64_t *r, int64_t *c);

/* The element lies in its buffer, and has these bits. */
bool ptog_plane_bits(const struct ptog_plane *plane, int64_t r, int64_t c, uint64_t *bits);

/* The instruction gave it another value. */
bool ptog_plane_is_changed(const struct ptog_plane *plane, int64_t r, int64_t c);

/* Elements lie row by row, without a gap: their places need no telling. */
bool ptog_plane_is_plain(const struct ptog_plane *plane);

/* Elements lie in fractal blocks. */
bool ptog_plane_is_nz(const struct ptog_plane *plane);

/* The value of an element, as short as a picture wants it. */
#define PTOG_PLANE_TEXT 32
void ptog_plane_text(const struct ptog_plane *plane, int64_t r, int64_t c, enum ptog_cell_state state,
                     char text[PTOG_PLANE_TEXT]);

/* ---- lanes: lanes.c */

struct ptog_origin {
    int to; /* operands, by their place in the instruction */
    int64_t r, c;
    int from; /* -1: nothing that is drawn */
    int64_t from_r, from_c;
    int by; /* the index, or what was compared with; -1: none */
    int64_t by_r, by_c;
    enum ptog_cell_state state;
    bool is_one_of_many; /* other lanes go to the same element: its cell does not say where it is from */
};

enum ptog_draw_walk { PTOG_WALK_LOOKS, PTOG_WALK_COLLECTS, PTOG_WALK_MARKS };

struct ptog_draw {
    const struct ptog_known_insn *known;
    struct ptog_run run; /* after the instruction */
    struct ptog_plane planes[PTOG_MAX_OPERANDS];
    enum ptog_draw_walk walk;
    struct ptog_stack lanes; /* struct ptog_origin, of elements that are drawn */
    const char *row_notes[PTOG_MAX_OPERANDS][PTOG_MAX_SHOWN];
    struct ptog_arena *arena;
    bool accessed; /* see ptog_draw_accessed */
    bool no_memory;
};

/* The lanes that were collected. */
static inline size_t ptog_draw_lanes(const struct ptog_draw *draw)
{
    return draw->lanes.used / sizeof(struct ptog_origin);
}

static inline const struct ptog_origin *ptog_draw_lane_at(const struct ptog_draw *draw, size_t i)
{
    return (const struct ptog_origin *)(const void *)draw->lanes.data + i;
}

/* Told by a family, for every lane. */
void ptog_draw_lane(struct ptog_draw *draw, const struct ptog_origin *origin);

/* The walk wants to know about a row of an operand: words beside it. */
bool ptog_draw_row_wanted(const struct ptog_draw *draw, int operand, int64_t r);
__attribute__((format(printf, 4, 5))) void ptog_draw_row_note(struct ptog_draw *draw, int operand, int64_t r,
                                                              const char *format, ...);

/* A text that lives as long as the drawing; NULL, which is noted, when out of memory. */
__attribute__((format(printf, 2, 3))) const char *ptog_draw_words(struct ptog_draw *draw, const char *format, ...);

/* ---- families: one function each; a family that has none is drawn without lanes */

typedef void ptog_draw_fn(struct ptog_draw *draw);
ptog_draw_fn ptog_draw_transfer, ptog_draw_mgather, ptog_draw_mscatter, ptog_draw_sorts, ptog_draw_tscatter, ptog_draw_tgatherb, ptog_draw_tgather,
    ptog_draw_elementwise, ptog_draw_moves, ptog_draw_reduce;
ptog_draw_fn *ptog_draw_family(enum ptog_family family);

/* ---- words: words.c */

/* "mgather row"; "clamp, capacity 6, on a2a3"; the formula, or NULL; "1x4 of 1x8 i32, row_major in UB". */
const char *ptog_draw_title(struct ptog_draw *draw);
const char *ptog_draw_detail(struct ptog_draw *draw);
const char *ptog_draw_formula(struct ptog_draw *draw);
const char *ptog_draw_grid_title(struct ptog_draw *draw, const struct ptog_plane *plane);

/* ---- the drawing itself: grids.c, arrows.c, drawing.c */

/* What a drawing consists of, and the memory of all of it. */
struct ptog_made_drawing {
    ptog_drawing shown; /* first: it is what the caller has */
    struct ptog_arena arena;
};

void ptog_draw_grids(struct ptog_draw *draw, const char *const *names, ptog_drawing *drawing);
void ptog_draw_arrows(struct ptog_draw *draw, ptog_drawing *drawing);

/* The lane that an arrow for its whole row stands for: every lane of that row of a destination that is drawn comes from
 * one row of one source, in one state. */
bool ptog_draw_is_whole_row(const struct ptog_draw *draw, const struct ptog_origin *lane);

/* Draws a legal instruction; `names` are those that the program has for its operands, and may be NULL, as each of them.
 */
enum ptog_status ptog_draw_insn(ptog_drawing **drawing, const struct ptog_target *target, const struct ptog_insn *insn,
                                const struct ptog_run *run, const char *const *names);

/* ptog_drawing_of_insn of an instruction that is resolved. Views only have the bytes that it accesses: their other
 * cells are blank. `names`: what the program calls the operands, as "%idx", in the order of the row; NULL: not known. */
enum ptog_status ptog_draw_accessed(ptog_drawing **drawing, const struct ptog_known_insn *known,
                                    const struct ptog_run *run, const char *const *names);

#endif
