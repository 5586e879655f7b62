/* Targets: what a device, or a way to run kernels without one, accepts, and where its meaning differs.
 *
 *   host        the meaning, without the limits of a device: for tools and tests
 *   cpu         the CPU simulator of the PTO headers, with its own readings of the documents
 *   a2a3        Ascend A2 and A3: gathers by the scalar pipe and row transfers
 *   a5          Ascend A5: gathers by launches of SIMT lanes
 *   a5-custom   the earlier custom MGATHER of A5, whose mode follows from the index tile
 *
 * Each is a row of ptog/spec/targets.def. The library owns them and never frees them, so pointers can be compared,
 * except those of ptog_target_aicore. `ptog targets` prints all of this as a table. Most programs only pass a target on
 * and look at its name. */
#ifndef PTOG_TARGET_H
#define PTOG_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ptog/insn.h>

/* How targets read MGATHER and TGATHER, where they do not agree.
 *   mode_from    whether Row or Elem is written, always Elem, or derived from the shape of the index tile
 *   row_count    the capacity of Row on an ND table
 *   row_pitch    how far one row of the table is from the next: its stride, or an extent of dst
 *   elem_count   the capacity of Elem on an ND table
 *   row_index    the shapes that an index tile of Row may have
 *   tile_oob     what an index of TGATHER outside its source gives */
enum ptog_mode_from { PTOG_MODE_EXPLICIT, PTOG_MODE_ALWAYS_ELEM, PTOG_MODE_FROM_INDEX_SHAPE };
enum ptog_row_count { PTOG_ROWS_SHAPE_0_TO_3, PTOG_ROWS_SHAPE_3 }; /* capacity of Row on an ND table */
enum ptog_row_pitch { PTOG_PITCH_STRIDE_3, PTOG_PITCH_VALID_COL, PTOG_PITCH_SHAPE_4 };
enum ptog_elem_count { PTOG_ELEMS_ALL, PTOG_ELEMS_SHAPE_3_4 }; /* capacity of Elem on an ND table */
enum ptog_row_index {
    PTOG_ROW_INDEX_1R,
    PTOG_ROW_INDEX_LINEAR,
    PTOG_ROW_INDEX_ANY,
    PTOG_ROW_INDEX_R1,
    PTOG_ROW_INDEX_PACKED /* a row or a column without padding between its elements */
};
enum ptog_tile_oob { PTOG_TILE_OOB_ZERO, PTOG_TILE_OOB_READS_UB }; /* TGATHER index outside its source */

/* How instructions are done: not at all as on a device, by S and row transfers, or by launches of SIMT lanes. */
enum ptog_machine_kind { PTOG_NO_MACHINE = 0, PTOG_MACHINE_DMA = 1, PTOG_MACHINE_SIMT = 2 };

/* A target. Zero of a field is what most targets have. */
struct ptog_target {
    const char *name;    /* "a2a3" */
    const char *summary; /* one line for people */
    uint32_t bit;        /* this target in a mask of targets */
    uint32_t as;         /* the targets whose rows hold for this one: itself, and the one that it is like */

    /* MGATHER */
    enum ptog_mode_from mode_from;
    enum ptog_row_count row_count;
    enum ptog_row_pitch row_pitch;
    enum ptog_elem_count elem_count;
    enum ptog_row_index row_index;
    bool policies;      /* the four out-of-bounds policies exist */
    bool elem_default;  /* without a mode it is Elem */
    bool signed_index;  /* an index is the number of its type, with its sign, in 64 bits; else it is unsigned */
    bool product_32;    /* libraries compute row offsets and capacities in 32 bits: what does not fit is a warning */
    bool clamps_signed; /* Clamp takes a negative signed index to 0; else it is a large unsigned number */
    bool writes_padded; /* the whole padded tile is written, not only the valid region */
    bool elem_in_order; /* Elem reads an index and writes its element before it reads the next: dst may lie on idx */
    uint32_t table_layouts, dst_orders, index_orders; /* bit (1 << layout), (1 << order) */

    /* TGATHER */
    enum ptog_tile_oob tile_oob;
    bool walks_tmp;     /* by index, 2-byte data: tmp is walked with dst's row stride */
    bool compare_a5;    /* positions count in rows of 64; f32 is rounded to int32 and compared as uint32;
                         * u16 is compared for equality alone */
    bool mask_8_by_row; /* 8-byte mask gather puts source row r at r*(dst.cols/factor), and knows no axis col */

    /* TSTORE */
    bool stores_region; /* a view may be larger than the valid region, which then goes to its first rows and columns */

    /* elementwise instructions */
    bool max_compares;     /* max is (a < b) ? b : a, and so loses a NaN in b */
    bool casts;            /* tcvt is a cast of C++ */
    bool off_wants_tmp;    /* tcvt saturates between most types unless it has a tmp */
    bool shifts_64_modulo; /* the count of a shift of 64-bit elements is used modulo 64 */

    /* TLOAD and TSTORE */
    bool dn_contiguous; /* the elements of a DN column follow each other, whatever stride 3 of the view says */
    bool larger_views; /* a view may be larger than what is valid of the tile: all rows of ND, all columns of DN move */
    bool pads_blocks;  /* padding ends with the last 32-byte block of each row or column, and NZ has none; else it is
                        * the rest of the tile */
    bool pads_null;    /* padding that is null is 0; else it is left alone */

    /* the machine */
    enum ptog_machine_kind machine;
    uint64_t ub_bytes;     /* the on-chip buffer; 0: none */
    uint64_t cube_bytes[PTOG_LOCS]; /* the memories of a cube core, by enum ptog_loc; [PTOG_VEC] is 0 */
    bool left_nz;          /* a left tile is NZ; else ZZ */
    uint64_t ub_scratch;   /* where the device library's own scratch memory in it starts; 0: it has none */
    int32_t most_bursts;   /* that fit in the field of one transfer */
    bool drops_misaligned; /* a burst to an address that is not a multiple of 32 is dropped */
    bool v_overtakes;      /* instructions of V do not wait for each other */
    bool scalar_1x1;       /* an MGATHER of one element is done by S, without a launch */

    bool loads_any_location; /* TLOAD fills a tile of any location, and TSTORE does not empty mat */
    bool cpu_threads;        /* PTO_CPU_MAX_THREADS applies: the rows of a large gather run on several threads */
    bool aicore;             /* built with __CCE_AICORE__: ptog_target_aicore */
    bool skews_views; /* TLOAD and TSTORE: rows of a view that is wider than the tile by n are n elements closer */
};

/* The targets as numbers: PTOG_TARGET_HOST, PTOG_TARGET_A2A3, ...; ptog_target_at takes them. The order of the includes
 * counts. */
enum ptog_target_number {
/* clang-format off */
#include <ptog/spec/hide_macros.def>
#define TARGET(NAME, ...) PTOG_TARGET_##NAME,
#include <ptog/spec/targets.def>
#include <ptog/spec/show_macros.def>
    /* clang-format on */
    PTOG_TARGETS
};

/* The element types that an operand may have, as bits (1 << dtype): `operand` by its name, "dst", "idx", ... All of
 * them where the instruction does not mind. */
PTOG_API uint32_t ptog_target_types(const struct ptog_target *target, enum ptog_opcode opcode, enum ptog_form form,
                                    const char *operand);

/* By name: "host", "cpu", "a2a3", "a5", "a5-custom", "cpusim", or by an alias, "910b". NULL when unknown or NULL. */
PTOG_API const struct ptog_target *ptog_target_find(const char *name);

/* The target as it is when it is built with __CCE_AICORE__: cpu and cpusim then gather float8 types, too. The others
 * are the same, and NULL is NULL. It has the name and the bit of the target. */
PTOG_API const struct ptog_target *ptog_target_aicore(const struct ptog_target *target);

/* Another name of a target: a row of src/spec/target_aliases.def. */
struct ptog_target_alias {
    const char *name; /* "910b" */
    const struct ptog_target *target;
    const char *what; /* whose name it is */
};
/* NULL past the end. */
PTOG_API const struct ptog_target_alias *ptog_target_alias_at(size_t i);

/* All of them, in a fixed order, by enum ptog_target_number. NULL past the end. */
PTOG_API const struct ptog_target *ptog_target_at(size_t i);

/* The form an instruction has on a target: with some it depends on attributes, with MGATHER on the target, too.
 * PTOG_FORMS, which is none, for NULL and for an opcode that is none. */
PTOG_API enum ptog_form ptog_insn_form(const struct ptog_target *target, const struct ptog_insn *insn);

/* The mode an MGATHER really has on a target: as written, always Elem (cpu), or from the index tile (a5-custom). */
PTOG_API enum ptog_coalesce ptog_mgather_mode(const struct ptog_target *target, const struct ptog_mgather *op);

#endif
