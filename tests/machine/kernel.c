/* machine tests: a kernel on ptog/core.h. */
#include "machine/kernel.h"

#include <stdio.h>

#include "base/pick.h"

float kernel_table[TABLE_ROWS * TABLE_COLS];
int32_t kernel_ids[IDS];
unsigned char kernel_out[OUT_BYTES];

struct kernel kernel_open(const char *target, const struct ptog_device_options *options)
{
    struct kernel k = {0};
    for (int i = 0; i < TABLE_ROWS * TABLE_COLS; i++)
        kernel_table[i] = (float)i + 0.5f;
    for (int i = 0; i < IDS; i++)
        kernel_ids[i] = i * 3 % TABLE_ROWS;
    memset(kernel_out, 0, sizeof kernel_out);
    assert_int_equal(ptog_device_open(&k.device, ptog_target_find(target), options), PTOG_OK);
    k.table = ptog_device_input(k.device, "table", kernel_table, sizeof kernel_table);
    k.ids = ptog_device_input(k.device, "ids", kernel_ids, sizeof kernel_ids);
    k.out = ptog_device_buffer(k.device, "out", kernel_out, sizeof kernel_out);
    assert_int_equal(ptog_core_open(&k.core, k.device, 0), PTOG_OK);
    k.diags = ptog_diags_new();
    assert_non_null(k.diags);
    return k;
}

void kernel_finish(struct kernel *k)
{
    ptog_core_close(k->core);
    k->core = NULL;
    assert_int_equal(ptog_device_report(k->device, k->diags), PTOG_OK);
}

void kernel_close(struct kernel *k)
{
    ptog_core_close(k->core);
    ptog_diags_free(k->diags);
    ptog_device_close(k->device);
}

struct ptog_transfer load_ids(void)
{
    return (struct ptog_transfer){.tile = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 16), 0x8000),
                                  .view = ptog_tensor_2d(PTOG_I32, 1, 16)};
}

struct ptog_mgather gather_rows(enum ptog_oob oob)
{
    return (struct ptog_mgather){.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 16, TABLE_COLS), 0),
                                 .table = ptog_tensor_2d(PTOG_F32, TABLE_ROWS, TABLE_COLS),
                                 .idx = ptog_tile_at(ptog_tile_vec(PTOG_I32, 1, 16), 0x8000),
                                 .coalesce = PTOG_ROW,
                                 .oob = oob};
}

struct ptog_mgather gather_elems(enum ptog_oob oob)
{
    struct ptog_mgather op = gather_rows(oob);
    op.dst = ptog_tile_at(ptog_tile_vec(PTOG_F32, 1, 16), 0);
    op.coalesce = PTOG_ELEM;
    return op;
}

struct ptog_transfer store_rows(void)
{
    return (struct ptog_transfer){.tile = ptog_tile_at(ptog_tile_vec(PTOG_F32, 16, TABLE_COLS), 0),
                                  .view = ptog_tensor_2d(PTOG_F32, 16, TABLE_COLS)};
}

void flag(struct kernel *k, uint32_t line, enum ptog_pipe src, enum ptog_pipe dst, int id)
{
    ptog_core_set_flag(AT(k, line), src, dst, id);
    ptog_core_wait_flag(AT(k, line), src, dst, id);
}

static void put(void *user, const char *text, size_t length)
{
    fwrite(text, 1, length, user);
}

/* Pairs that change nothing are looked at only where one is wanted. */
static const struct ptog_diag *next(const struct kernel *k, const char *const *wanted, size_t *at)
{
    bool looked_at = false;
    for (size_t i = 0; wanted[i]; i++)
        looked_at |= strncmp(wanted[i], "flag-redundant", 14) == 0;
    const struct ptog_diag *d = ptog_diags_at(k->diags, (*at)++);
    while (d && !looked_at && strcmp(d->id, "flag-redundant") == 0)
        d = ptog_diags_at(k->diags, (*at)++);
    return d;
}

void expect(struct kernel *k, const char *const *wanted)
{
    char found[160];
    size_t i = 0, at = 0;
    bool same = true;
    const struct ptog_diag *d;
    if (k->core)
        kernel_finish(k);
    while ((d = next(k, wanted, &at)) != NULL && wanted[i] && same) {
        snprintf(found, sizeof found, "%s %u %llu", d->id, (unsigned)d->where.line, (unsigned long long)d->count);
        same = strcmp(found, wanted[i]) == 0;
        if (!same)
            fprintf(stderr, "wanted \"%s\", found \"%s\"\n", wanted[i], found);
        i++;
    }
    if (!same || wanted[i] || d) {
        ptog_report_text(k->diags, &(struct ptog_sink){.write = put, .user = stderr, .colour = false});
        fprintf(stderr, "wanted \"%s\"\n", ptog_or(wanted[i], "no more"));
        fail();
    }
}
