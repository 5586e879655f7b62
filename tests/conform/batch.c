/* The batch program of the conformance test: cases come in on stdin, what the library did with them goes out on stdout.
 *
 * Each case is planned once and run twice, through the chosen kernel and through the obvious loop. Every run has its
 * own copies of the buffers, allocated to the exact byte so that a sanitizer sees an access past the end. The format is
 * native 64-bit words and raw bytes; wire.py is its other side, and the order of the fields here and there is the
 * format. Any I/O error ends the program with a message and exit status 2. */
#include <string.h>

#include <ptog/ptog.h>

#include "batch.h"

#define CASE_MARK INT64_C(0x3145534143474f54) /* "TOGCASE1" */

enum { DST, SRC, IDX, K, CDST, BUFFERS };

struct conform_case {
    char target[16];
    bool tgather;
    struct ptog_mgather mgather; /* dst and idx are shared with tgather */
    struct ptog_tgather tgather_op;
    struct ptog_run run;   /* extents and threads; the buffers are added per run */
    size_t shift;          /* bytes by which each buffer is moved off malloc's alignment */
    size_t bytes[BUFFERS]; /* 0: no such buffer */
    unsigned char *content[BUFFERS];
};

/* ---- reading ---- */

static void read_words(int64_t *to, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = read_word();
}

static struct ptog_tile read_tile(void)
{
    struct ptog_tile tile = {0};
    tile.dtype = (enum ptog_dtype)read_word();
    tile.loc = (enum ptog_loc)read_word();
    tile.rows = read_word();
    tile.cols = read_word();
    tile.valid_row = read_word();
    tile.valid_col = read_word();
    tile.blayout = (enum ptog_blayout)read_word();
    tile.slayout = (enum ptog_slayout)read_word();
    tile.fractal = (int32_t)read_word();
    tile.pad = (enum ptog_pad)read_word();
    tile.placed = read_word() != 0;
    tile.addr = (uint64_t)read_word();
    return tile;
}

static struct ptog_tensor read_tensor(void)
{
    struct ptog_tensor tensor = {0};
    tensor.dtype = (enum ptog_dtype)read_word();
    tensor.layout = (enum ptog_layout)read_word();
    read_words(tensor.shape, 5);
    read_words(tensor.stride, 5);
    return tensor;
}

static void read_operands(struct conform_case *c)
{
    struct ptog_tgather *t = &c->tgather_op;
    struct ptog_mgather *m = &c->mgather;
    t->dst = m->dst = read_tile();
    t->src = read_tile();
    t->idx = m->idx = read_tile();
    t->tmp = read_tile();
    t->k = read_tile();
    t->cdst = read_tile();
    m->table = read_tensor();
    m->coalesce = (enum ptog_coalesce)read_word();
    m->oob = (enum ptog_oob)read_word();
    t->form = (enum ptog_tgather_form)read_word();
    t->pattern = (enum ptog_pattern)read_word();
    t->axis = (enum ptog_axis)read_word();
    t->cmp = (enum ptog_cmp)read_word();
    t->offset = (int32_t)read_word();
}

static void read_run(struct conform_case *c)
{
    struct ptog_run *run = &c->run;
    read_words(run->dst_valid, 2);
    read_words(run->src_valid, 2);
    read_words(run->idx_valid, 2);
    read_words(run->k_valid, 2);
    read_words(run->cdst_valid, 2);
    read_words(run->shape, 5);
    read_words(run->stride, 5);
    run->threads = (int)read_word();
    c->shift = (size_t)read_word();
}

static void read_buffers(struct conform_case *c)
{
    for (int i = 0; i < BUFFERS; i++) {
        int64_t bytes = read_word();
        if (bytes < 0 || bytes > BATCH_MAX_BYTES)
            fail("a buffer's length makes no sense");
        c->bytes[i] = (size_t)bytes;
    }
    for (int i = 0; i < BUFFERS; i++) {
        c->content[i] = allocate(c->bytes[i]);
        read_bytes(c->content[i], c->bytes[i]);
    }
}

/* False at the end of the input. */
static bool read_case(struct conform_case *c)
{
    if (!read_mark(CASE_MARK))
        return false;
    *c = (struct conform_case){0};
    read_bytes(c->target, sizeof c->target);
    c->target[sizeof c->target - 1] = '\0';
    c->tgather = read_word() != 0;
    read_operands(c);
    read_run(c);
    read_buffers(c);
    return true;
}

static void free_case(struct conform_case *c)
{
    for (int i = 0; i < BUFFERS; i++)
        free(c->content[i]);
}

/* ---- writing ---- */

/* NULL is the empty text. */
static void write_string(const char *text)
{
    write_text(text, text ? strlen(text) : 0);
}

static void write_diags(const ptog_diags *diags)
{
    size_t count = ptog_diags_count(diags);
    write_word((int64_t)count);
    for (size_t i = 0; i < count; i++) {
        const struct ptog_diag *diag = ptog_diags_at(diags, i);
        write_word(diag->severity);
        write_word(diag->refuses);
        write_string(diag->id);
    }
}

static void write_lane(uint64_t count, int64_t row, int64_t col, uint64_t index)
{
    write_word((int64_t)count);
    write_word(row);
    write_word(col);
    write_word((int64_t)index);
}

static void write_fault(const struct ptog_fault *fault)
{
    write_lane(fault->count, fault->row, fault->col, fault->index);
    write_word((int64_t)fault->capacity);
    write_word(fault->kind);
    for (int kind = 0; kind < PTOG_FAULT_KINDS; kind++) {
        const struct ptog_fault_entry *of = &fault->of[kind];
        write_lane(of->count, of->row, of->col, of->index);
    }
}

/* ---- running ---- */

/* The buffers of one run. Each ends where its allocation ends. */
struct memory {
    unsigned char *block[BUFFERS];
    unsigned char *data[BUFFERS]; /* NULL: the case has no such buffer */
};

static void fill_memory(struct memory *memory, const struct conform_case *c)
{
    for (int i = 0; i < BUFFERS; i++) {
        memory->block[i] = allocate(c->bytes[i] + c->shift);
        memory->data[i] = c->bytes[i] ? memory->block[i] + c->shift : NULL;
        if (c->bytes[i])
            memcpy(memory->data[i], c->content[i], c->bytes[i]);
    }
}

static bool inputs_intact(const struct memory *memory, const struct conform_case *c)
{
    static const int inputs[] = {SRC, IDX, K};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        if (c->bytes[inputs[i]] && memcmp(memory->data[inputs[i]], c->content[inputs[i]], c->bytes[inputs[i]]) != 0)
            return false;
    return true;
}

static void run_once(const ptog_plan *plan, const struct conform_case *c, bool reference)
{
    struct memory memory;
    struct ptog_run run = c->run;
    struct ptog_fault fault;

    fill_memory(&memory, c);
    memset(&fault, 0x5a, sizeof fault); /* the library promises to fill it, whatever happens */
    run.dst = (struct ptog_buf){memory.data[DST], c->bytes[DST]};
    run.src = (struct ptog_cbuf){memory.data[SRC], c->bytes[SRC]};
    run.idx = (struct ptog_cbuf){memory.data[IDX], c->bytes[IDX]};
    run.k = (struct ptog_cbuf){memory.data[K], c->bytes[K]};
    run.cdst = (struct ptog_buf){memory.data[CDST], c->bytes[CDST]};
    run.reference = reference;

    write_word(ptog_plan_run(plan, &run, &fault));
    write_word(inputs_intact(&memory, c));
    write_fault(&fault);
    write_bytes(memory.data[DST], c->bytes[DST]);
    write_bytes(memory.data[CDST], c->bytes[CDST]);
    for (int i = 0; i < BUFFERS; i++)
        free(memory.block[i]);
}

static void run_case(const struct conform_case *c, ptog_diags *diags)
{
    const struct ptog_target *target = ptog_target_find(c->target);
    ptog_plan *plan = NULL;
    if (!target)
        fail("a case names an unknown target");

    enum ptog_status status = c->tgather ? ptog_plan_tgather(&plan, target, &c->tgather_op, diags)
                                         : ptog_plan_mgather(&plan, target, &c->mgather, diags);
    write_word(BATCH_RESULT_MARK);
    write_word(status);
    write_diags(diags);
    write_word(plan != NULL);
    if (plan) {
        write_string(ptog_plan_kernel(plan));
        ptog_diags_clear(diags);
        write_word(ptog_plan_check(plan, &c->run, diags));
        write_diags(diags);
        run_once(plan, c, false);
        run_once(plan, c, true);
    }
    ptog_plan_free(plan);
}

static bool next_case(ptog_diags *diags)
{
    struct conform_case c;
    if (!read_case(&c))
        return false;
    run_case(&c, diags);
    free_case(&c);
    return true;
}

int main(void)
{
    return run_batch(next_case);
}
