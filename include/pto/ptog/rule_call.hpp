/* pto: a call of an intrinsic as the rules of the verifier see it: its operands by name, what their types say of them,
 * and what the target compiled for takes. */
#ifndef PTO_PTOG_RULE_CALL_HPP
#define PTO_PTOG_RULE_CALL_HPP

#include <pto/ptog/describe.hpp>
#include <pto/ptog/target.hpp>

namespace ptog
{

/* The names of operands, in the order of ptog/spec/forms.def. */
enum class operand {
#include <ptog/spec/hide_macros.def>
#define OPERAND(NAME, ...) at_##NAME,
#include <ptog/spec/forms.def>
#include <ptog/spec/show_macros.def>
    at_DATA, /* whatever no row before names */
};
inline constexpr int operand_names = static_cast<int>(operand::at_DATA);

/* ---- the element types that the target takes: the rows of ptog/spec/accepts.def ---- */

constexpr unsigned bit(ptog_dtype dtype)
{
    return 1u << dtype;
}

struct accepts_row {
    ptog_opcode opcode;
    unsigned long long forms;
    operand name;
    unsigned targets, types;
};

inline constexpr accepts_row accepts[] = {
#include <ptog/spec/hide_macros.def>
#define ACCEPTS(OPCODE, forms, name, targets, types) {PTOG_##OPCODE, forms, operand::at_##name, targets, types},
#include <ptog/spec/accepts.def>
#include <ptog/spec/show_macros.def>
};

/* The first row that fits; one for every type where there is none. (A pointer would be no constant to g++ with
 * -fsanitize=undefined.) */
constexpr accepts_row accepts_for(ptog_opcode opcode, ptog_form form, operand name, unsigned targets)
{
    for (const accepts_row &row : accepts)
        if (row.opcode == opcode && (row.forms >> form & 1) && (row.name == name || row.name == operand::at_DATA) &&
            (row.targets & targets))
            return row;
    return {opcode, ~0ull, name, ~0u, ~0u};
}

constexpr unsigned types_on(const profile &target, ptog_opcode opcode, ptog_form form, operand name)
{
    unsigned own = 1u << target.number, like = 1u << target.like;
    accepts_row row = accepts_for(opcode, form, name, own);
    return row.targets == ~0u ? accepts_for(opcode, form, name, own | like).types : row.types;
}

/* The compiled-for target converts between these types: the rows of ptog/spec/conversions.def. */
constexpr bool converts(ptog_dtype source, ptog_dtype dst)
{
    constexpr unsigned own = 1u << compiled_for.number, like = 1u << compiled_for.like;
#include <ptog/spec/hide_macros.def>
#define CONVERTS(from, targets, types)                                                                                 \
    if (source == PTOG_##from && ((targets) & (own | like)))                                                           \
        return (types) >> dst & 1;
#include <ptog/spec/conversions.def>
#include <ptog/spec/show_macros.def>
    return compiled_for.like == PTOG_TARGET_HOST || compiled_for.like == PTOG_TARGET_CPU;
}

/* ---- a call, as the predicates see it ---- */

struct rule_check {
    ptog_opcode opcode;
    ptog_form form;
    unsigned present;               /* bit (1 << name): the operand is there */
    ptog_tile tiles[operand_names]; /* by name */
    ptog_tensor view;               /* of at_TABLE and at_VIEW */
};

constexpr const ptog_tile &tile_of(const rule_check &c, operand name)
{
    return c.tiles[static_cast<int>(name)];
}

constexpr bool is_view(operand name)
{
    return name == operand::at_TABLE || name == operand::at_VIEW;
}

constexpr bool has_operand(const rule_check &c, operand name)
{
    return c.present >> static_cast<int>(name) & 1;
}

constexpr std::int64_t bytes_of(ptog_dtype dtype)
{
    switch (dtype) {
    case PTOG_I8:
    case PTOG_U8:
    case PTOG_F8E4M3:
    case PTOG_F8E5M2:
    case PTOG_HIF8:
    case PTOG_F8E8M0:
    case PTOG_F4E2M1X2:
    case PTOG_F4E1M2X2:
    case PTOG_I4X2:
    case PTOG_I4: return 1;
    case PTOG_I16:
    case PTOG_U16:
    case PTOG_F16:
    case PTOG_BF16: return 2;
    case PTOG_I64:
    case PTOG_U64: return 8;
    default: return 4;
    }
}

constexpr std::int64_t block_of(ptog_dtype dtype)
{
    return 32 / bytes_of(dtype);
}

constexpr enum ptog_tile_order order_of(const ptog_tile &tile)
{
    if (tile.slayout == PTOG_NONE_BOX)
        return tile.blayout == PTOG_ROW_MAJOR ? PTOG_ORDER_ROW : PTOG_ORDER_COL;
    if (tile.slayout == PTOG_BOX_ROW_MAJOR && tile.blayout == PTOG_COL_MAJOR && tile.fractal == 512)
        return PTOG_ORDER_NZ;
    return PTOG_ORDER_OTHER;
}

/* Its valid extents are known, and something is valid. */
constexpr bool is_sound(const ptog_tile &tile)
{
    return tile.valid_row >= 1 && tile.valid_row <= tile.rows && tile.valid_col >= 1 && tile.valid_col <= tile.cols;
}

/* Equal, or not known before the run. */
constexpr bool may_equal(std::int64_t a, std::int64_t b)
{
    return a < 0 || b < 0 || a == b;
}

/* What a target is like where the rules on MGATHER and MSCATTER ask. */
struct static_target {
    int number;
    unsigned table_layouts, dst_orders, index_orders;
    ptog_row_index row_index;
};

inline constexpr static_target static_targets[] = {
#define PTOG_STATIC_TARGET(number, table_layouts, dst_orders, index_orders, row_index)                                      \
    {number, table_layouts, dst_orders, index_orders, row_index},
#define PTOG_STATIC_RULE(id, only, forms, targets, exact, operands, predicate, words)
#include <ptog/spec/static_rules.def>
};

/* A target that describes an earlier MGATHER scatters as another one does. */
constexpr static_target target_of(const rule_check &c)
{
    int number = compiled_for.number;
    if (c.opcode == PTOG_MSCATTER && compiled_for.like == PTOG_TARGET_A5_CUSTOM)
        number = PTOG_TARGET_A5;
    for (const static_target &known : static_targets)
        if (known.number == number)
            return known;
    return {};
}

/* The tile whose elements MGATHER or MSCATTER moves. */
constexpr const ptog_tile &moved_tile(const rule_check &c)
{
    return tile_of(c, c.opcode == PTOG_MSCATTER ? operand::at_SRC : operand::at_DST);
}

constexpr bool is_late(const ptog_tile &tile)
{
    return tile.valid_row < 0 || tile.valid_col < 0;
}

} // namespace ptog

#endif
