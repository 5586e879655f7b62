/* An outside program: what someone writes who has only the installed files. Also valid C++. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <ptog/ptog.h>

int main(void)
{
    float table[3][4] = {{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}}, dst[2][4];
    int32_t idx[2] = {2, 0};

    struct ptog_mgather op;
    memset(&op, 0, sizeof op);
    op.dst = ptog_tile_vec(PTOG_F32, 2, 4);
    op.table = ptog_tensor_2d(PTOG_F32, 3, 4);
    op.idx = ptog_tile_vec(PTOG_I32, 1, 2);

    ptog_plan *plan = NULL;
    enum ptog_status status = ptog_plan_mgather(&plan, ptog_target_find("host"), &op, NULL);
    struct ptog_run run;
    memset(&run, 0, sizeof run);
    run.dst.data = dst;
    run.dst.bytes = sizeof dst;
    run.src.data = table;
    run.src.bytes = sizeof table;
    run.idx.data = idx;
    run.idx.bytes = sizeof idx;
    if (status == PTOG_OK)
        status = ptog_plan_run(plan, &run, NULL);
    ptog_plan_free(plan);
    printf("%s %s %g %g\n", ptog_version(), ptog_status_text(status), (double)dst[0][3], (double)dst[1][0]);
    return status == PTOG_OK ? 0 : 1;
}
