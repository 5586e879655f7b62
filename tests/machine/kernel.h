/* machine tests: a kernel on ptog/core.h with its device, buffers and report, and the places of its calls. */
#ifndef PTOG_TESTS_MACHINE_KERNEL_H
#define PTOG_TESTS_MACHINE_KERNEL_H

#include "unit/check.h"

#include <string.h>

#include <ptog/core.h>

struct kernel {
    ptog_device *device;
    ptog_core *core;
    ptog_diags *diags;
    int table, ids, out; /* handles */
    uint32_t line;
};

#define TABLE_ROWS 64
#define TABLE_COLS 32
#define IDS 64
#define OUT_BYTES (256 * 1024)
extern float kernel_table[TABLE_ROWS * TABLE_COLS];
extern int32_t kernel_ids[IDS];
extern unsigned char kernel_out[OUT_BYTES];

/* A device with the three buffers and a core of block 0; ids are 0, 3, 6, ... modulo the rows of the table. */
struct kernel kernel_open(const char *target, const struct ptog_device_options *options);

/* Closes the core and fills `diags`. */
void kernel_finish(struct kernel *k);
void kernel_close(struct kernel *k);

/* Each call is at line `k->line` of "k.c". */
#define AT(k, number) (ptog_core_at((k)->core, "k.c", (k)->line = (number)), (k)->core)

/* Pieces of an embedding: an index tile of 16 at 0x8000, a destination of 16 rows of 32 floats at 0. */
struct ptog_transfer load_ids(void);
struct ptog_mgather gather_rows(enum ptog_oob oob);
struct ptog_mgather gather_elems(enum ptog_oob oob);
struct ptog_transfer store_rows(void);
void flag(struct kernel *k, uint32_t line, enum ptog_pipe src, enum ptog_pipe dst, int id);

/* Exactly these findings, "id line count", in this order; the others are printed. */
void expect(struct kernel *k, const char *const *wanted);
#define EXPECT(k, ...) expect(k, (const char *const[]){__VA_ARGS__, NULL})
#define EXPECT_CLEAN(k) expect(k, (const char *const[]){NULL})

#endif
