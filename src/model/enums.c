/* model: names of enumerators, from spec/enums.def, and of statuses, from spec/statuses.def. */
#include <ptog/insn.h>
#include <ptog/status.h>
#include <ptog/version.h>

enum kind { coalesce, oob, axis, cmp, pattern, round, saturation, atomic, scatter_oob, scatter_atomic, scatter_conflict, loc, layout, tile_order };

static const struct {
    enum kind kind;
    int value;
    const char *name;
} names[] = {
#define ENUM(kind, value, name) {kind, value, name},
#include "spec/enums.def"
#undef ENUM
};

static const char *name_of(enum kind kind, int value)
{
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].kind == kind && names[i].value == value)
            return names[i].name;
    return "?";
}

#define NAME(type)                                                                                                     \
    const char *ptog_##type##_name(enum ptog_##type value)                                                             \
    {                                                                                                                  \
        return name_of(type, (int)value);                                                                              \
    }
NAME(coalesce)
NAME(oob)
NAME(axis)
NAME(cmp)
NAME(pattern)
NAME(round)
NAME(saturation)
NAME(atomic)
NAME(scatter_oob)
NAME(scatter_atomic)
NAME(scatter_conflict)
NAME(loc)
NAME(layout)
NAME(tile_order)

const char *ptog_status_text(enum ptog_status status)
{
    switch (status) {
#define STATUS(value, text)                                                                                            \
    case value:                                                                                                        \
        return text;
#include "spec/statuses.def"
#undef STATUS
    }
    return "unknown status";
}

const char *ptog_version(void)
{
    return PTOG_VERSION;
}
