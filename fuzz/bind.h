/* fuzz: buffers for the slots of a function, of sizes that an input chooses. */
#ifndef PTOG_FUZZ_BIND_H
#define PTOG_FUZZ_BIND_H

#include <string.h>

#include "input.h"

#define MAX_SLOTS 8
#define MAX_BYTES (1 << 16)

/* What the slot's type says, where it says anything: a pointer takes 4,096 bytes. */
static inline size_t slot_bytes(const struct ptog_slot *slot)
{
    size_t bytes = ptog_dtype_size(slot->dtype);
    for (int d = 0; d < slot->rank; d++) {
        if (slot->shape[d] < 0 || slot->shape[d] > MAX_BYTES)
            return 4096;
        bytes *= (size_t)slot->shape[d];
        if (bytes > MAX_BYTES)
            return MAX_BYTES;
    }
    return slot->rank > 0 ? bytes : 4096;
}

/* A buffer of exactly that size, so that a sanitizer sees every byte past it. */
static inline void bind_bytes(struct ptog_binding *binding, size_t bytes)
{
    binding->data.data = malloc(bytes ? bytes : 1);
    binding->data.bytes = binding->data.data ? bytes : 0;
    for (size_t i = 0; i < binding->data.bytes; i++)
        ((unsigned char *)binding->data.data)[i] = (unsigned char)(i % 4 ? 0 : i * 7 % 64);
}

/* Mostly what the program wants; else too little, nothing, a number for memory, or another type. */
static inline void bind_slot(struct ptog_binding *binding, const struct ptog_slot *slot, struct input *in)
{
    static const unsigned char parts[16] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 1, 2}; /* halves of the bytes */
    unsigned how = byte(in);
    *binding =
        (struct ptog_binding){.name = slot->name, .number = how & 8 ? (int64_t)how << 55 : how % 5, .real = how / 2.0};
    binding->is_number = (slot->kind == PTOG_SLOT_NUMBER) != (how % 16 == 15);
    if (binding->is_number)
        return;
    bind_bytes(binding, slot_bytes(slot) * parts[how % 16] / 2);
    if (how % 16 == 12)
        binding->dtype = (enum ptog_dtype)(byte(in) % 18), binding->rank = (int)byte(in) % 7;
    binding->read_only = how >= 0xf8;
}

/* As many as there are, but for some that are left out. The caller frees them with unbind. */
static inline size_t bind_slots(const ptog_program *program, const char *function, struct ptog_binding *bindings,
                                struct input *in)
{
    struct ptog_slot slot;
    size_t count = 0;
    for (size_t i = 0; count < MAX_SLOTS && ptog_program_slot_at(program, function, i, &slot); i++)
        if (byte(in) != 0xff)
            bind_slot(&bindings[count++], &slot, in);
    return count;
}

static inline void unbind(struct ptog_binding *bindings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(bindings[i].data.data);
}

/* An input of text and choices: what follows the first zero byte chooses. A text alone makes choices of its own bytes,
 * so that the programs of the tests are run in many ways. */
static inline struct input choices_of(const unsigned char *data, size_t *size)
{
    const unsigned char *end = data + *size, *zero = *size ? memchr(data, 0, *size) : NULL;
    if (!zero)
        return (struct input){*size > 64 ? end - 64 : data, end};
    *size = (size_t)(zero - data);
    return (struct input){zero + 1, end};
}

#endif
