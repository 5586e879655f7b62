/* fuzz: any calls of ptog/core.h in any order, with any arguments: a device, up to two cores, instructions, flags,
 * scalars, tiles that are filled and read from outside. */
#define PTOG_NAMES_OPCODES /* ptog/opcode.h */

#include <string.h>

#include "input.h"
#include "report.h"

#define CORES 2
#define BUFFERS 3
#define MAX_CALLS 200

struct machine {
    ptog_device *device;
    ptog_core *cores[CORES];
    int handles[BUFFERS];
    unsigned char *bytes[BUFFERS];
    struct input *in;
};

static int handle(struct machine *m)
{
    unsigned b = byte(m->in);
    return b < 250 ? m->handles[b % BUFFERS] : (int)b - 252;
}

static uint64_t offset(struct machine *m)
{
    unsigned b = byte(m->in);
    return b < 250 ? b * 4u : UINT64_MAX - (255 - b) * 1000u;
}

/* Operands of an instruction are more often legal when they are alike. */
static struct ptog_tile tile_like(struct machine *m, const struct ptog_tile *other)
{
    unsigned b = byte(m->in);
    struct ptog_tile made = b & 3 ? *other : tile(m->in);
    return b & 12 ? ptog_tile_at(made, (b >> 4) * 1024u) : made;
}

static void call_insn(struct machine *m, ptog_core *core)
{
    struct ptog_insn insn;
    struct ptog_tile first = tile_like(m, &(struct ptog_tile){0});
    struct ptog_run extents = {.dst_valid = {extent(m->in), 3}, .src_valid = {2, extent(m->in)}};
    bool small = is_small(&first);
    ptog_insn_start(&insn, (enum ptog_opcode)(byte(m->in) % (PTOG_OPCODES + 1)));
    for (int i = 0; i < insn.count && i < PTOG_MAX_OPERANDS; i++) {
        struct ptog_tile next = tile_like(m, &first);
        unsigned b = byte(m->in);
        small = small && is_small(&next);
        if (b < 200)
            ptog_insn_set_tile(&insn, i, &next);
        else
            ptog_insn_set_scalar(&insn, i, (enum ptog_dtype)(b % 18), (uint64_t)byte(m->in) << (b % 57));
    }
    for (int i = 0; i < PTOG_MAX_ATTRS; i++)
        insn.attr[i] = byte(m->in) % 8;
    if (small)
        ptog_core_insn(core, &insn, byte(m->in) & 1 ? &extents : NULL);
}

static void call_transfer(struct machine *m, ptog_core *core, bool store)
{
    struct ptog_transfer op = {.tile = tile_like(m, &(struct ptog_tile){0})};
    unsigned b = byte(m->in);
    op.view = b & 1 ? tensor(m->in) : ptog_tensor_2d(op.tile.dtype, op.tile.rows, op.tile.cols);
    op.atomic = (enum ptog_atomic)(b >> 6);
    if (!is_small(&op.tile))
        return;
    if (store)
        ptog_core_store(core, &op, handle(m), offset(m));
    else
        ptog_core_load(core, &op, handle(m), offset(m));
}

static void call_mgather(struct machine *m, ptog_core *core)
{
    struct ptog_tile dst = tile_like(m, &(struct ptog_tile){0});
    unsigned b = byte(m->in);
    struct ptog_mgather op = {.dst = dst,
                              .idx = tile_like(m, &dst),
                              .table = b & 16 ? tensor(m->in) : ptog_tensor_2d(dst.dtype, extent(m->in), dst.cols),
                              .coalesce = (enum ptog_coalesce)(b & 1),
                              .oob = (enum ptog_oob)(b >> 1 & 7)};
    if (b & 32)
        op.idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, dst.rows), 4096);
    if (is_small(&op.dst) && is_small(&op.idx))
        ptog_core_mgather(core, &op, handle(m), offset(m), NULL);
}

static void call_tgather(struct machine *m, ptog_core *core)
{
    struct ptog_tile first = tile_like(m, &(struct ptog_tile){0});
    unsigned b = byte(m->in);
    uint64_t k = byte(m->in);
    struct ptog_tgather op = {.form = (enum ptog_tgather_form)(b & 3),
                              .dst = tile_like(m, &first),
                              .src = tile_like(m, &first),
                              .idx = tile_like(m, &first),
                              .tmp = tile_like(m, &first),
                              .k = tile_like(m, &first),
                              .cdst = tile_like(m, &first),
                              .pattern = (enum ptog_pattern)(b >> 2 & 7),
                              .axis = (enum ptog_axis)(b >> 5 & 1),
                              .cmp = (enum ptog_cmp)(b >> 5)};
    if (!is_small(&op.dst) || !is_small(&op.src) || !is_small(&op.idx))
        return;
    if (b & 128)
        ptog_core_tgather_scalar(core, &op, &k, NULL);
    else
        ptog_core_tgather(core, &op, NULL);
}

/* One element at a time, and whole tiles from outside. */
static void call_values(struct machine *m, ptog_core *core, unsigned which)
{
    static unsigned char packed[1 << 16];
    struct ptog_tile t = tile_like(m, &(struct ptog_tile){0});
    uint64_t value = byte(m->in), element = offset(m) / 4;
    if (!is_small(&t) || ptog_dtype_size(t.dtype) > 8)
        return;
    switch (which % 7) {
    case 0: ptog_core_get_value(core, &t, element, &value); break;
    case 1: ptog_core_set_value(core, &t, element, &value); break;
    case 2: ptog_core_load_scalar(core, handle(m), offset(m), byte(m->in) % 9, &value); break;
    case 3: ptog_core_store_scalar(core, handle(m), offset(m), byte(m->in) % 9, &value); break;
    case 4: ptog_core_preset(core, &t, packed); break;
    case 5: ptog_core_peek(core, &t, packed); break;
    default: ptog_core_place(core, &t); break;
    }
}

static void call_sync(struct machine *m, ptog_core *core, unsigned which)
{
    unsigned b = byte(m->in);
    enum ptog_pipe src = (enum ptog_pipe)(b % 9), dst = (enum ptog_pipe)(b / 9 % 9);
    int id = (int)(byte(m->in) % 10) - 1;
    if (which % 3 == 0)
        ptog_core_set_flag(core, src, dst, id);
    else if (which % 3 == 1)
        ptog_core_wait_flag(core, src, dst, id);
    else
        ptog_core_barrier(core, src);
}

static void call(struct machine *m)
{
    unsigned b = byte(m->in);
    ptog_core *core = m->cores[b % CORES];
    ptog_core_at(core, b & 64 ? "kernel.c" : NULL, b);
    switch (b / CORES % 10) {
    case 0: call_transfer(m, core, false); break;
    case 1: call_transfer(m, core, true); break;
    case 2: call_mgather(m, core); break;
    case 3: call_tgather(m, core); break;
    case 4:
    case 5: call_insn(m, core); break;
    case 6: call_values(m, core, byte(m->in)); break;
    default: call_sync(m, core, b / CORES % 10 - 7); break;
    }
    ptog_device_errors(m->device);
}

static void close_machine(struct machine *m, ptog_diags *diags)
{
    struct ptog_stats stats = {0};
    struct ptog_ub_entry entry;
    struct ptog_ub_layout layout;
    for (int i = 0; i < CORES; i++)
        ptog_core_close(m->cores[i]);
    ptog_device_sync(m->device);
    ptog_device_stats(m->device, &stats);
    ptog_device_ub_layout(m->device, &layout);
    for (size_t i = 0; ptog_device_ub_at(m->device, i, &entry); i++)
        continue;
    ptog_device_report(m->device, diags);
    ptog_device_end_trace(m->device);
    read_diags(diags);
    render(diags, NULL, &stats);
    ptog_device_close(m->device);
}

static bool open_machine(struct machine *m, const struct ptog_sink *trace)
{
    unsigned flags = byte(m->in);
    struct ptog_cost_override cost = {.name = ptog_cost_at(byte(m->in) % 8)->name, .cycles = byte(m->in)};
    struct ptog_latency late = {.block = 0, .instruction = byte(m->in) % 8, .cycles = PTOG_LATE};
    struct ptog_device_options options = {.schedule = (enum ptog_schedule)(byte(m->in) % 6),
                                          .seed = flags,
                                          .dyn_ub = flags & 1 ? (uint64_t)byte(m->in) << 10 : 0,
                                          .launch = (enum ptog_launch)(flags >> 1 & 1),
                                          .no_sanitize = flags & 4,
                                          .automatic = flags & 8,
                                          .most_instructions = flags & 16 ? byte(m->in) : 0,
                                          .costs = &cost,
                                          .cost_count = flags >> 5 & 1,
                                          .trace = flags & 64 ? trace : NULL,
                                          .late = &late,
                                          .late_count = flags >> 7,
                                          .spelling = (enum ptog_spelling)(byte(m->in) % 2)};
    if (ptog_device_open(&m->device, ptog_target_at(byte(m->in) % PTOG_TARGETS), &options) != PTOG_OK)
        return false;
    for (int i = 0; i < BUFFERS; i++) {
        size_t bytes = byte(m->in) * 16u;
        m->bytes[i] = calloc(bytes + 1, 1);
        m->handles[i] = i == 0 ? ptog_device_input(m->device, "in", m->bytes[i], bytes)
                               : ptog_device_buffer(m->device, "out", m->bytes[i], bytes);
    }
    for (int i = 0; i < CORES; i++)
        if (ptog_core_open(&m->cores[i], m->device, (uint32_t)i) != PTOG_OK)
            m->cores[i] = NULL;
    return true;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct input in = {data, data + size};
    struct machine m = {.in = &in};
    size_t sum = 0;
    struct ptog_sink trace = {.write = drop, .user = &sum};
    ptog_diags *diags = ptog_diags_new();
    if (diags && open_machine(&m, &trace)) {
        for (int i = 0; i < MAX_CALLS && in.at < in.end; i++)
            call(&m);
        close_machine(&m, diags);
    }
    for (int i = 0; i < BUFFERS; i++)
        free(m.bytes[i]);
    ptog_diags_free(diags);
    return 0;
}
