/* model: names of enumerators, from spec/enums.def, and of statuses, from spec/statuses.def. */
#include <ptog/insn.h>
#include <ptog/status.h>
#include <ptog/version.h>

enum kind { coalesce, oob, axis, cmp, pattern, loc, layout, tile_order };

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

const char *ptog_coalesce_name(enum ptog_coalesce value) { return name_of(coalesce, (int)value); }
const char *ptog_oob_name(enum ptog_oob value) { return name_of(oob, (int)value); }
const char *ptog_axis_name(enum ptog_axis value) { return name_of(axis, (int)value); }
const char *ptog_cmp_name(enum ptog_cmp value) { return name_of(cmp, (int)value); }
const char *ptog_pattern_name(enum ptog_pattern value) { return name_of(pattern, (int)value); }
const char *ptog_loc_name(enum ptog_loc value) { return name_of(loc, (int)value); }
const char *ptog_layout_name(enum ptog_layout value) { return name_of(layout, (int)value); }
const char *ptog_tile_order_name(enum ptog_tile_order value) { return name_of(tile_order, (int)value); }

const char *ptog_status_text(enum ptog_status status)
{
    switch (status) {
#define STATUS(value, text) case value: return text;
#include "spec/statuses.def"
#undef STATUS
    }
    return "unknown status";
}

const char *ptog_version(void)
{
    return PTOG_VERSION;
}
