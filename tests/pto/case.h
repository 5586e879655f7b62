/* pto tests: a program with its data, as programs.py and auto.py send it to their batch programs. */
#ifndef PTOG_TESTS_PTO_CASE_H
#define PTOG_TESTS_PTO_CASE_H

#include "base/pick.h"
#include "batch.h"

#define CASE_MARK INT64_C(0x31474f5250474f54) /* "TOGPROG1" */
#define MAX_COUNT 64

struct program_case {
    struct text target, source;
    int64_t blocks;
    size_t schedules; /* to be tried besides the usual one: fast, slow, then random ones */
    uint64_t seed;
    size_t binding_count, dump_count;
    struct ptog_binding bindings[MAX_COUNT];
    struct text names[MAX_COUNT], dumps[MAX_COUNT];
};

/* ---- reading ---- */

static void read_binding(struct program_case *c, size_t i)
{
    struct ptog_binding *binding = &c->bindings[i];
    *binding = (struct ptog_binding){0};
    c->names[i] = read_text();
    binding->name = c->names[i].bytes;
    binding->is_number = read_word() != 0;
    binding->number = read_word();
    binding->dtype = (enum ptog_dtype)read_word();
    binding->rank = (int)read_word();
    for (int d = 0; d < 5; d++)
        binding->shape[d] = read_word();
    binding->data.data = read_buffer(&binding->data.bytes);
}

/* False at the end of the input. */
static inline bool read_case(struct program_case *c)
{
    if (!read_mark(CASE_MARK))
        return false;
    c->target = read_text();
    c->source = read_text();
    c->blocks = read_word();
    c->schedules = read_count(MAX_COUNT);
    c->seed = (uint64_t)read_word();
    c->binding_count = read_count(MAX_COUNT);
    for (size_t i = 0; i < c->binding_count; i++)
        read_binding(c, i);
    c->dump_count = read_count(MAX_COUNT);
    for (size_t i = 0; i < c->dump_count; i++)
        c->dumps[i] = read_text();
    return true;
}

static inline void free_bindings(struct ptog_binding *bindings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(bindings[i].data.data);
}

static inline void free_case(struct program_case *c)
{
    free(c->target.bytes);
    free(c->source.bytes);
    for (size_t i = 0; i < c->binding_count; i++)
        free(c->names[i].bytes);
    free_bindings(c->bindings, c->binding_count);
    for (size_t i = 0; i < c->dump_count; i++)
        free(c->dumps[i].bytes);
}

/* ---- using ---- */

/* The bindings with data of their own. */
static inline void copy_bindings(struct ptog_binding *to, const struct program_case *c)
{
    for (size_t i = 0; i < c->binding_count; i++) {
        size_t bytes = c->bindings[i].data.bytes;
        to[i] = c->bindings[i];
        to[i].data.data = malloc(ptog_max(bytes, 1));
        if (!to[i].data.data)
            fail("out of memory");
        memcpy(to[i].data.data, c->bindings[i].data.data, bytes);
    }
}

#endif
