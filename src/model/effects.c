/* model: the table of effects. */
#include "model/effects.h"

#include "model/target.h"

#define A2A3 PTOG_ON_A2A3
#define A5 (PTOG_ON_A5 | PTOG_ON_A5_CUSTOM)
#define ANY (A2A3 | A5)

#define R(operand, extent)                                                                                             \
    {                                                                                                                  \
        PTOG_AT_##operand, false, PTOG_BYTES_##extent                                                                  \
    }
#define W(operand, extent)                                                                                             \
    {                                                                                                                  \
        PTOG_AT_##operand, true, PTOG_BYTES_##extent                                                                   \
    }
#define TWO(a, b) {a, b}, 2

enum when { ALWAYS, PLAIN, NZ_ZERO, ONE };

struct row {
    unsigned forms, targets;
    enum when when;
    struct ptog_effects effects;
};

/* The chains of machine-facing flags, all with id 0, in the order in which they are issued. */
#define ROW_CHAIN                                                                                                      \
    .before = {{PTOG_V, PTOG_S}, {PTOG_MTE3, PTOG_S}}, .before_count = 2,                                              \
    .after = {{PTOG_S, PTOG_MTE2},                                                                                     \
              {PTOG_MTE2, PTOG_V},                                                                                     \
              {PTOG_MTE2, PTOG_MTE3},                                                                                  \
              {PTOG_S, PTOG_V},                                                                                        \
              {PTOG_S, PTOG_MTE3}},                                                                                    \
    .after_count = 5
#define ELEM_CHAIN                                                                                                     \
    .before = {{PTOG_V, PTOG_S}, {PTOG_MTE3, PTOG_S}, {PTOG_MTE2, PTOG_S}}, .before_count = 3,                         \
    .after = {{PTOG_S, PTOG_V}, {PTOG_S, PTOG_MTE2}, {PTOG_S, PTOG_MTE3}}, .after_count = 3

static const struct row rows[] = {
    {PTOG_FORM_LOAD,
     ANY,
     ALWAYS,
     {.name = "tload", .phases = {{PTOG_MTE2, TWO(R(VIEW, VALID), W(TILE, BURSTS))}}, .phase_count = 1}},
    {PTOG_FORM_STORE,
     ANY,
     ALWAYS,
     {.name = "tstore", .phases = {{PTOG_MTE3, TWO(R(TILE, VALID), W(VIEW, VALID))}}, .phase_count = 1}},
    /* NZ with Zero: S clears the tile, MTE2 copies into it, and nothing orders the two */
    {PTOG_FORM_ROW,
     A2A3,
     NZ_ZERO,
     {.name = "mgather",
      .phases = {{PTOG_S, TWO(R(IDX, VALID), W(DST, PADDED))}, {PTOG_MTE2, TWO(R(TABLE, DATA), W(DST, DATA))}},
      .phase_count = 2,
      ROW_CHAIN}},
    {PTOG_FORM_ROW,
     A2A3,
     PLAIN,
     {.name = "mgather",
      .phases = {{PTOG_S, TWO(R(IDX, VALID), W(DST, DATA))}, {PTOG_MTE2, TWO(R(TABLE, DATA), W(DST, DATA))}},
      .phase_count = 2,
      ROW_CHAIN}},
    {PTOG_FORM_ELEM,
     A2A3,
     ALWAYS,
     {.name = "mgather",
      .phases = {{PTOG_S, {R(IDX, VALID), R(TABLE, DATA), W(DST, VALID)}, 3}},
      .phase_count = 1,
      ELEM_CHAIN}},
    {PTOG_FORM_ELEM,
     PTOG_ON_A5,
     ONE,
     {.name = "mgather",
      .phases = {{PTOG_S, {R(IDX, VALID), R(TABLE, DATA), W(DST, VALID)}, 3}},
      .phase_count = 1,
      .before = {{PTOG_V, PTOG_S}},
      .before_count = 1,
      .after = {{PTOG_S, PTOG_V}},
      .after_count = 1}},
    {PTOG_FORM_ROW | PTOG_FORM_ELEM,
     A5,
     ALWAYS,
     {.name = "mgather",
      .phases = {{PTOG_V, {R(IDX, VALID), R(TABLE, DATA), W(DST, VALID)}, 3}},
      .phase_count = 1,
      .simt = true}},
    {PTOG_FORM_INDEX,
     ANY,
     ALWAYS,
     {.name = "tgather",
      .phases = {{PTOG_V, {R(IDX, VALID), R(SRC, DATA), W(TMP, DATA), W(DST, VALID)}, 4}},
      .phase_count = 1}},
    {PTOG_FORM_MASK,
     ANY,
     ALWAYS,
     {.name = "tgather", .phases = {{PTOG_V, TWO(R(SRC, DATA), W(DST, DATA))}}, .phase_count = 1}},
    /* The caller owes V->MTE3 for dst and S->MTE3 for cdst: neither is ordered by the chain, which lies before */
    {PTOG_FORM_COMPARE,
     A2A3,
     ALWAYS,
     {.name = "tgather",
      .phases = {{PTOG_V, {R(SRC, VALID), R(K, VALID), W(DST, DATA)}, 3}, {PTOG_S, {W(CDST, VALID)}, 1}},
      .phase_count = 2,
      .before = {{PTOG_S, PTOG_V}, {PTOG_V, PTOG_S}},
      .before_count = 2}},
    {PTOG_FORM_COMPARE,
     A5,
     ALWAYS,
     {.name = "tgather",
      .phases = {{PTOG_V, {R(SRC, VALID), R(K, VALID), W(DST, DATA), W(CDST, VALID)}, 4}},
      .phase_count = 1}},
};

const struct ptog_effects *ptog_effects_of(const struct ptog_target *target, enum ptog_form form, bool nz, bool zero,
                                           bool one)
{
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        if (!(row->forms & form) || !(row->targets & target->bit) || (row->when == NZ_ZERO && !(nz && zero)) ||
            (row->when == ONE && !one))
            continue;
        return &row->effects;
    }
    return NULL;
}

bool ptog_pipe_needs_barrier(const struct ptog_target *target, enum ptog_pipe pipe)
{
    return pipe == PTOG_MTE2 || pipe == PTOG_MTE3 || (pipe == PTOG_V && target->bit == PTOG_ON_A2A3);
}
