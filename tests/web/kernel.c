/* tests: a kernel in C that lacks a flag, and the page of its run. usage: kernel PAGE, where this file can be read */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ptog/ptog.h>

enum { ROWS = 4, WIDTH = 8, MAX_BYTES = 1 << 20 };

struct text {
    char bytes[MAX_BYTES];
    size_t used;
};

static void append(void *user, const char *from, size_t length)
{
    struct text *text = user;
    if (length <= sizeof text->bytes - text->used) {
        memcpy(text->bytes + text->used, from, length);
        text->used += length;
    }
}

static void write_to(void *file, const char *from, size_t length)
{
    fwrite(from, 1, length, file);
}

static void lookup(ptog_device *device, int table, int words, int out)
{
    struct ptog_tile idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 8), 0x1000),
                     dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, ROWS, WIDTH), 0);
    idx.name = "idx";
    dst.name = "dst";
    struct ptog_transfer load = {.tile = idx, .view = ptog_tensor_2d(PTOG_I32, 1, 8)};
    struct ptog_transfer store = {.tile = dst, .view = ptog_tensor_2d(PTOG_F32, ROWS, WIDTH), .store = true};
    struct ptog_mgather gather = {.dst = dst,
                                  .table = ptog_tensor_2d(PTOG_F32, ROWS, WIDTH),
                                  .idx = ptog_tile_valid(idx, 1, ROWS),
                                  .oob = PTOG_OOB_CLAMP};
    ptog_core *core;
    gather.coalesce = PTOG_ROW;
    if (ptog_core_open(&core, device, 0) != PTOG_OK)
        return;
    ptog_core_at(core, __FILE__, __LINE__ + 1);
    ptog_core_load(core, &load, words, 0);
    ptog_core_at(core, __FILE__, __LINE__ + 1);
    ptog_core_mgather(core, &gather, table, 0, NULL);
    ptog_core_at(core, __FILE__, __LINE__ + 1);
    ptog_core_store(core, &store, out, 0);
    ptog_core_close(core);
}

/* The page of what the device did. */
static void write_page(ptog_device *device, const struct text *trace, const char *path)
{
    static struct text source;
    struct ptog_ub_entry entries[8] = {{0}};
    struct ptog_page page = {.name = __FILE__, .target = ptog_target_find("a2a3"), .ran = true, .entries = entries};
    struct ptog_stats stats = {0};
    ptog_diags *diags = ptog_diags_new();
    FILE *file = fopen(__FILE__, "rb"), *to = fopen(path, "wb");
    if (file)
        source.used = fread(source.bytes, 1, sizeof source.bytes, file);
    ptog_device_report(device, diags);
    ptog_device_stats(device, &stats);
    while (page.entry_count < 8 && ptog_device_ub_at(device, page.entry_count, &entries[page.entry_count]))
        page.entry_count++;
    page.text = source.bytes;
    page.text_bytes = source.used;
    page.diags = diags;
    page.stats = &stats;
    page.trace = trace->bytes;
    page.trace_bytes = trace->used;
    if (!to || ptog_report_page(&page, &(struct ptog_sink){.write = write_to, .user = to}) != PTOG_OK)
        exit(1);
    fclose(to);
    if (file)
        fclose(file);
    ptog_diags_free(diags);
}

int main(int argc, char **argv)
{
    static struct text trace;
    static const float table[ROWS][WIDTH] = {{1}, {2}, {3}, {4}};
    static const int32_t words[8] = {3, 0, 2, 1};
    static float out[ROWS][WIDTH];
    struct ptog_sink sink = {.write = append, .user = &trace};
    struct ptog_device_options options = {.trace = &sink, .trace_drawings = true, .trace_short = true};
    ptog_device *device;
    if (argc != 2 || ptog_device_open(&device, ptog_target_find("a2a3"), &options) != PTOG_OK)
        return 1;
    lookup(device, ptog_device_input(device, "table", table, sizeof table),
           ptog_device_input(device, "words", words, sizeof words), ptog_device_buffer(device, "out", out, sizeof out));
    ptog_device_end_trace(device);
    write_page(device, &trace, argv[1]);
    ptog_device_close(device);
    return 0;
}
