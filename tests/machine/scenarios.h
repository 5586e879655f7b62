/* machine tests: each fault of the machine in a kernel on ptog/core.h, wrong and with the smallest change that makes it
 * clean. */
#ifndef PTOG_TESTS_MACHINE_SCENARIOS_H
#define PTOG_TESTS_MACHINE_SCENARIOS_H

#include "machine/kernel.h"

#define ROW_BYTES (TABLE_COLS * sizeof(float))

/* What lies at the start of the output. */
enum bytes { NO_BYTES, ROW_0, ROW_1, LAST_ROW, UNWRITTEN, ZEROS, FIRST_BLOCKS };

struct scenario {
    const char *name; /* of the report */
    void (*issue)(struct kernel *k, bool fixed);
    const char *id, *target;
    enum bytes fast, slow; /* under the two schedules */
    struct ptog_device_options wrong, right;
};

/* scenarios_vector.c */
void scenario_div_by_zero(struct kernel *k, bool fixed);
void scenario_shift_range(struct kernel *k, bool fixed);
void scenario_count_zero(struct kernel *k, bool fixed);
void scenario_nan_order(struct kernel *k, bool fixed);
void scenario_sort_nan(struct kernel *k, bool fixed);
void scenario_expand_block(struct kernel *k, bool fixed);
void scenario_tmp_overrun(struct kernel *k, bool fixed);
void scenario_mask_overrun(struct kernel *k, bool fixed);

/* scenarios_scatter.c */
void scenario_scatter_conflict(struct kernel *k, bool fixed);
void scenario_scatter_dropped(struct kernel *k, bool fixed);
void scenario_scatter_not_atomic(struct kernel *k, bool fixed);
void scenario_tile_scatter_conflict(struct kernel *k, bool fixed);
void scenario_tile_scatter_outside(struct kernel *k, bool fixed);
void scenario_gatherb_misaligned(struct kernel *k, bool fixed);
void scenario_gatherb_overrun(struct kernel *k, bool fixed);
void scenario_sort_unsorted(struct kernel *k, bool fixed);

/* scenarios_cache.c */
void scenario_scalar_stale(struct kernel *k, bool fixed);
void scenario_scalar_unflushed(struct kernel *k, bool fixed);
void scenario_scalar_unflushed_end(struct kernel *k, bool fixed);
void scenario_line_shared(struct kernel *k, bool fixed);
void scenario_line_mixed(struct kernel *k, bool fixed);

/* scenarios_cube.c */
void scenario_l1_overflow(struct kernel *k, bool fixed);
void scenario_l0a_overflow(struct kernel *k, bool fixed);
void scenario_l0b_overflow(struct kernel *k, bool fixed);
void scenario_l0c_overflow(struct kernel *k, bool fixed);
void scenario_bias_overflow(struct kernel *k, bool fixed);
void scenario_cube_misaligned(struct kernel *k, bool fixed);
void scenario_wrong_core(struct kernel *k, bool fixed);
void scenario_unit_flag(struct kernel *k, bool fixed);

/* scenarios_cross.c */
void scenario_deadlock(struct kernel *k, bool fixed);
void scenario_xflag_overflow(struct kernel *k, bool fixed);
void scenario_xflag_clash(struct kernel *k, bool fixed);
void scenario_xflag_left(struct kernel *k, bool fixed);
void scenario_xflag_reduce(struct kernel *k, bool fixed);
void scenario_fifo_overrun(struct kernel *k, bool fixed);
void scenario_fifo_slot(struct kernel *k, bool fixed);
void scenario_fifo_mismatch(struct kernel *k, bool fixed);
void scenario_fifo_unfreed(struct kernel *k, bool fixed);

extern const struct scenario scenarios[];
extern const size_t scenario_count;

#endif
