/* repair: random data in place of the caller's. */
#include "repair/inputs.h"

#include <string.h>

#include "lower/bind.h"
#include "model/dtype.h"

/* The next random number; *state changes. */
static uint64_t draw_number(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 16;
}

/* The element type of what is bound to a slot, as far as the program says it. */
static enum ptog_dtype dtype_of_slot(const struct ptog_slot_state *slot)
{
    switch (slot->value.kind) {
    case PTOG_VALUE_VIEW: return slot->value.view.tensor.dtype;
    case PTOG_VALUE_POINTER: return slot->value.pointer.dtype;
    case PTOG_VALUE_TILE: return slot->value.tile.tile.dtype;
    default: return PTOG_DTYPE_NONE;
    }
}

enum ptog_dtype ptog_binding_dtype(const struct ptog_eval *e, const struct ptog_binding *binding)
{
    enum ptog_dtype dtype = PTOG_DTYPE_NONE;
    for (uint32_t i = 0; i < e->slot_count && dtype == PTOG_DTYPE_NONE; i++)
        if (e->slots[i].binding == binding)
            dtype = dtype_of_slot(&e->slots[i]);
    return dtype == PTOG_DTYPE_NONE ? binding->dtype : dtype;
}

/* Puts the elements of `data` into a random order. */
static void shuffle_elements(unsigned char *data, uint64_t count, size_t size, uint64_t *state)
{
    for (uint64_t i = count; i-- > 1;) {
        uint64_t other = draw_number(state) % (i + 1), a, b;
        memcpy(&a, data + i * size, size);
        memcpy(&b, data + other * size, size);
        memcpy(data + i * size, &b, size);
        memcpy(data + other * size, &a, size);
    }
}

void ptog_randomise(unsigned char *data, uint64_t bytes, enum ptog_dtype dtype, enum ptog_integers integers,
                    uint64_t seed)
{
    size_t size = ptog_dtype_size(dtype);
    bool real = ptog_dtype_is_float(dtype) && dtype != PTOG_HIF8;
    uint64_t state = (seed + 1) * 0x9E3779B97F4A7C15u, count = size > 0 ? bytes / size : 0;
    if (!real && (integers == PTOG_INTEGERS_SHUFFLED || dtype == PTOG_HIF8)) {
        shuffle_elements(data, count, size, &state);
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bits = draw_number(&state);
        uint64_t value = real ? ptog_dtype_from_real(dtype, ((double)(bits % 65) - 32) / 4) : bits % 100;
        memcpy(data + i * size, &value, size);
    }
}
