/* Drawings: the tile operation diagram of one instruction with its actual operands. A drawing is data: grids of cells
 * with values and what became of them, and arrows from where an element was read to where it was written. Two renderers
 * write it, as SVG and with characters. Large operands are elided: what is left out is a gap.
 *
 *     table 6x4 f32           idx 1x3 i32          dst 3x4 f32
 *     0 |  0  1  2  3 |       | 4 0 9 |            0 | 16 17 18 19 |   from row 4
 *     : |  :  :  :  : |                            1 |  0  1  2  3 |   from row 0
 *     5 | 20 21 22 23 |                            2 | 20 21 22 23 |   index 9 clamped to 5
 *
 * A drawing belongs to the caller and does not change; everything it points to lives as long as it does. */
#ifndef PTOG_DRAWING_H
#define PTOG_DRAWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ptog/diag.h>
#include <ptog/plan.h>
#include <ptog/program.h>
#include <ptog/report.h>
#include <ptog/status.h>
#include <ptog/target.h>

/* What became of an element. */
enum ptog_cell_state {
    PTOG_CELL_PLAIN = 0,     /* the instruction does not access it */
    PTOG_CELL_READ = 1,      /* of a source */
    PTOG_CELL_WRITTEN = 2,   /* of a destination: from an element in range, or computed */
    PTOG_CELL_CLAMPED = 3,   /* its index was out of range: the last one was used */
    PTOG_CELL_WRAPPED = 4,   /* ... the remainder was used */
    PTOG_CELL_ZEROED = 5,    /* ... nothing was read, it is zero */
    PTOG_CELL_OUTSIDE = 6,   /* ... and nothing was done about it: another place was read, or none */
    PTOG_CELL_NO_RESULT = 7, /* a division by zero, a shift by too much */
    PTOG_CELL_PADDING = 8,   /* outside the valid region of a tile */
};
#define PTOG_CELL_STATES 9 /* for arrays by state */

#define PTOG_DRAWN_GAP (-1) /* rows or columns that are left out */
#define PTOG_DRAWN_ALL (-1) /* of an arrow: not a cell but its whole row, or the whole grid */

/* An element, or the place of one, as it is drawn. */
struct ptog_drawn_cell {
    const char *text; /* the value; "--": there is none; "" in a gap */
    const char *note; /* where it came from, or where it lies in memory; NULL: nothing to say */
    enum ptog_cell_state state;
};

/* One operand. */
struct ptog_drawn_grid {
    const char *name;    /* "table", as the documents call it */
    const char *operand; /* "%words", as the program does; NULL: not known */
    const char *title;   /* "1x4 of 1x8 i32, row_major in UB" */
    const char *remark;  /* what the notes of its cells mean; NULL: they have none */
    bool written;        /* a destination */
    int64_t rows, cols;  /* of the whole operand */
    size_t row_count, col_count;
    const int64_t *row_at, *col_at;      /* which row and column stands there, or PTOG_DRAWN_GAP */
    const char *const *row_notes;        /* for each row that is drawn; NULL where there is nothing to say */
    int64_t box_rows, box_cols;          /* of NZ order: the extents of a fractal block; 0: it has none */
    const struct ptog_drawn_cell *cells; /* row_count * col_count, row by row */
};

/* Where an element came from. Positions are those of the drawn grids, gaps included. */
struct ptog_drawn_arrow {
    int from, to;           /* grids; from -1: nowhere that is drawn */
    int from_row, from_col; /* PTOG_DRAWN_ALL: the whole row; both: the whole grid */
    int to_row, to_col;
    enum ptog_cell_state state;
};

/* A drawing, as its renderers read it; programs that draw themselves read it, too. */
typedef struct ptog_drawing {
    const char *title;   /* "mgather row" */
    const char *detail;  /* "clamp, capacity 6, on a2a3" */
    const char *formula; /* "dst[r,j] = table[map(idx[r]), j]"; NULL: none */
    const char *label;   /* the name of the instruction, for between sources and destinations */
    uint32_t line;       /* of the program; 0: there is none */
    size_t grid_count;   /* sources first */
    const struct ptog_drawn_grid *grids;
    size_t arrow_count; /* at most one for each cell that is written */
    const struct ptog_drawn_arrow *arrows;
    size_t note_count;        /* lines of text below the grids */
    const char *const *notes; /* faults, and what cannot be seen */
    uint64_t reserved[4];     /* 0 */
} ptog_drawing;

/* Draws an instruction. `run` has the bytes of its operands before it runs, as for ptog_plan_run, and those of a
 * transfer's view or tile in `dst` and `src`; they are only read. PTOG_OK: *drawing is the caller's, to be freed.
 * PTOG_ILLEGAL: the target refuses it. PTOG_NO_ROOM: see ptog_plan_run. PTOG_BAD_ARGUMENT, PTOG_NO_MEMORY. */
PTOG_API enum ptog_status ptog_drawing_of_insn(ptog_drawing **drawing, const struct ptog_target *target,
                                               const struct ptog_insn *insn, const struct ptog_run *run);

/* Which instruction of a program. All zero: the first gather that runs, or the only tile instruction. */
struct ptog_draw_choice {
    uint32_t line; /* where it stands; 0: see above */
    uint64_t turn; /* the how many-th time it runs, from 1; 0: the first */
    uint64_t reserved[2];
};

/* Runs a program for its meaning until the instruction, and draws that. The buffers that are bound are written, as by a
 * run. PTOG_OK: *drawing is the caller's, to be freed. PTOG_BAD_ARGUMENT: the instruction does not run, or not so
 * often; PTOG_ILLEGAL: the program is refused, or stopped before it: see diags. PTOG_NO_MEMORY. `choice` may be NULL.
 */
PTOG_API enum ptog_status ptog_program_draw(ptog_drawing **drawing, const ptog_program *program,
                                            const struct ptog_execution *execution,
                                            const struct ptog_draw_choice *choice, ptog_diags *diags);

/* NULL is fine. */
PTOG_API void ptog_drawing_free(ptog_drawing *drawing);

/* A picture for browsers and documents: one SVG file that needs nothing else, light or dark as the reader's screen is.
 */
PTOG_API enum ptog_status ptog_drawing_svg(const ptog_drawing *drawing, const struct ptog_sink *sink);

/* With characters, for terminals and for text files; in colour where the sink has it. Both renderers return PTOG_OK,
 * PTOG_NO_MEMORY, or PTOG_BAD_ARGUMENT for NULL. */
PTOG_API enum ptog_status ptog_drawing_text(const ptog_drawing *drawing, const struct ptog_sink *sink);

/* Small programs whose drawings show the forms and policies, one each: those of docs/reference/semantics.md. They are rows of the
 * library, and are never freed. */
struct ptog_draw_example {
    const char *id;     /* "mgather-row-clamp" */
    const char *fault;  /* the id of the fault that it shows; NULL: none */
    const char *what;   /* a sentence */
    const char *text;   /* of the program, for host */
    const char *inputs; /* "table=arange idx=2,0,9": data as the option --in of the command takes it */
};
/* NULL past the end / unknown. */
PTOG_API const struct ptog_draw_example *ptog_draw_example_at(size_t i);
PTOG_API const struct ptog_draw_example *ptog_draw_example_find(const char *id);

#endif
