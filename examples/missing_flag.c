/* examples: an embedding lookup on the simulated A2/A3 core, without the flag after the load of the index, and with it.
 *
 * The sanitizer finds the race in both directions of time from one run. The slow schedule shows what it does: the
 * gather reads the index tile before the load has written it. */
#include <stdio.h>
#include <string.h>

#include <ptog/ptog.h>

enum { ROWS = 4, WIDTH = 8, TABLE_ROWS = 6 };

static float table[TABLE_ROWS][WIDTH];
static int32_t indices[8] = {2, 5, 0, 3};

static void show(void *file, const char *text, size_t length)
{
    fwrite(text, 1, length, file);
}

/* The kernel, as one writes it for the device. */
static void embed(ptog_device *device, bool flagged, int table_gm, int index_gm, int out_gm)
{
    struct ptog_tile idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 8), 0x1000);
    struct ptog_tile dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, ROWS, WIDTH), 0x0);
    idx.name = "idx"; /* what messages call it */
    dst.name = "dst";
    struct ptog_transfer load = {.tile = idx, .view = ptog_tensor_2d(PTOG_I32, 1, 8)};
    struct ptog_mgather gather = {.dst = dst,
                                  .table = ptog_tensor_2d(PTOG_F32, TABLE_ROWS, WIDTH),
                                  .idx = ptog_tile_valid(idx, 1, ROWS),
                                  .coalesce = PTOG_ROW,
                                  .oob = PTOG_OOB_CLAMP};
    struct ptog_transfer store = {.tile = dst, .view = ptog_tensor_2d(PTOG_F32, ROWS, WIDTH), .store = true};
    static const int32_t stale[8] = {0, 0, 0, 0};
    ptog_core *core;

    if (ptog_core_open(&core, device, 0) != PTOG_OK)
        return;
    ptog_core_preset(core, &idx, stale); /* what an earlier kernel left in UB */
    ptog_core_at(core, "embed.c", 12);
    ptog_core_load(core, &load, index_gm, 0);
    if (flagged) {
        ptog_core_at(core, "embed.c", 13);
        ptog_core_set_flag(core, PTOG_MTE2, PTOG_V, 1);
        ptog_core_wait_flag(core, PTOG_MTE2, PTOG_V, 1);
    }
    ptog_core_at(core, "embed.c", 14);
    ptog_core_mgather(core, &gather, table_gm, 0, NULL);
    ptog_core_at(core, "embed.c", 15);
    ptog_core_store(core, &store, out_gm, 0);
    ptog_core_close(core);
}

static void run(const char *title, bool flagged, enum ptog_schedule schedule)
{
    struct ptog_device_options options = {.schedule = schedule};
    float out[ROWS][WIDTH] = {{0}};
    ptog_device *device;
    ptog_diags *diags = ptog_diags_new();

    printf("%s\n", title);
    if (ptog_device_open(&device, ptog_target_find("a2a3"), &options) != PTOG_OK)
        return;
    embed(device, flagged, ptog_device_input(device, "table", table, sizeof table),
          ptog_device_input(device, "indices", indices, sizeof indices),
          ptog_device_buffer(device, "out", out, sizeof out));
    printf("  rows %g %g %g %g\n", (double)out[0][0], (double)out[1][0], (double)out[2][0], (double)out[3][0]);
    ptog_device_report(device, diags);
    ptog_report_text(diags, &(struct ptog_sink){.write = show, .user = stdout});
    if (ptog_diags_count(diags) == 0)
        printf("  clean, for all timings\n");
    ptog_diags_free(diags);
    ptog_device_close(device);
}

int main(void)
{
    for (int i = 0; i < TABLE_ROWS * WIDTH; i++)
        table[i / WIDTH][i % WIDTH] = (float)(i / WIDTH);
    run("no flag after the load, loads fast:", false, PTOG_SCHEDULE_FAST);
    run("no flag after the load, loads slow:", false, PTOG_SCHEDULE_SLOW);
    run("with set_flag(MTE2, V, 1) and wait_flag, loads slow:", true, PTOG_SCHEDULE_SLOW);
    return 0;
}
