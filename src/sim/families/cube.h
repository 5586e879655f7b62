/* sim: the phases of the cube core that belong to families of the vector core: a load into L1, a store or copy
 * of an accumulator, a copy from L1 to L0. */
#ifndef PTOG_SIM_CUBE_H
#define PTOG_SIM_CUBE_H

#include "model/cube/product.h"
#include "sim/insn.h"

enum ptog_status ptog_sim_load_l1(const struct ptog_sim *sim);
enum ptog_status ptog_sim_store_acc(const struct ptog_sim *sim);
enum ptog_status ptog_sim_to_l0(const struct ptog_sim *sim);
enum ptog_status ptog_sim_copy_out(const struct ptog_sim *sim);

/* Logs the elements of the view that move, piece by piece. */
void ptog_log_cube_view(const struct ptog_sim *sim, enum ptog_access_kind kind, struct ptog_cube_region moved);

/* Logs the valid region of a tile of boxes, `rows` by `cols` of it, in as few pieces as there are. */
void ptog_log_boxes(struct ptog_log *log, struct ptog_access access, const struct ptog_tile *tile, int64_t rows,
                    int64_t cols);

#endif
