/* pto: what the documents call static, as static assertions with the rule's id (ptog explain ID says more): for each
 * kind of call, which form of which instruction it is, and which of its operands is which. The rules themselves are in
 * pto/ptog/rule_check.hpp. They are those of the target compiled for; host asks for nothing, and cpu for little.
 * Extents of -1 are left to the run. The rest is the verifier's, at run time, by the same rules. */
#ifndef PTO_PTOG_CHECK_HPP
#define PTO_PTOG_CHECK_HPP

#include <type_traits>

#include <pto/ptog/describe.hpp>
#include <pto/ptog/rule_check.hpp>
#include <pto/ptog/rule_words.hpp>
#include <pto/ptog/target.hpp>

namespace ptog
{

inline constexpr bool on_npu = compiled_for.like == PTOG_TARGET_A2A3 || compiled_for.like == PTOG_TARGET_A5 ||
                               compiled_for.like == PTOG_TARGET_A5_CUSTOM;

/* The rules of a target that has a machine. */
template <ptog_opcode opcode, ptog_form form, class... Operands> constexpr void assert_on_npu()
{
    if constexpr (on_npu)
        assert_rules<opcode, form, Operands...>();
}

/* ---- gathers ---- */

template <class Dst, class Idx>
inline constexpr bool same_valid = may_equal(Idx::ValidRow, Dst::ValidRow) && may_equal(Idx::ValidCol, Dst::ValidCol);

/* `row`: Coalesce::Row. */
template <bool row, class Dst, class Global, class Idx> constexpr void check_mgather()
{
    if constexpr (compiled_for.like == PTOG_TARGET_CPU) {
        static_assert(std::is_integral_v<typename Idx::DType>, PTOG_RULE_WORDS_mgather_index_dtype);
        static_assert(sizeof(typename Dst::DType) == sizeof(typename Global::DType),
                      PTOG_RULE_WORDS_mgather_same_dtype);
    }
    if constexpr (on_npu && row && compiled_for.like != PTOG_TARGET_A5_CUSTOM) {
        constexpr rule_check c = check_of<PTOG_MGATHER, PTOG_FORM_ROW, as<operand::at_DST, Dst>,
                                          as<operand::at_TABLE, Global>, as<operand::at_IDX, Idx>>();
        static_assert(rules::row_index_fits(c, operand::at_IDX) || !same_valid<Dst, Idx>,
                      "The index tile has dst's shape: add Coalesce::Elem. " PTOG_RULE_WORDS_mgather_row_index_shape);
    }
    assert_on_npu<PTOG_MGATHER, row ? PTOG_FORM_ROW : PTOG_FORM_ELEM, as<operand::at_DST, Dst>,
                  as<operand::at_TABLE, Global>, as<operand::at_IDX, Idx>>();
}

template <class Dst, class Src, class Idx> constexpr void check_tgather_index()
{
    assert_on_npu<PTOG_TGATHER, PTOG_FORM_INDEX, as<operand::at_DST, Dst>, as<operand::at_SRC, Src>,
                  as<operand::at_IDX, Idx>>();
}

template <class Dst, class Src> constexpr void check_tgather_mask()
{
    assert_on_npu<PTOG_TGATHER, PTOG_FORM_MASK, as<operand::at_DST, Dst>, as<operand::at_SRC, Src>>();
}

/* ---- element by element ---- */

/* What the sources of an instruction of the table are. */
enum class sources {
    tile = 1,
    tiles = 2,
    scalar = 10,
    tile_and_scalar = 11,
    either = 200,
    rows = 1000, /* of a reduction: a tile that is apart from dst, and a tmp */
    tile_and_tmp = 1001,
    tiles_and_tmp = 1002,
    scalar_and_tmp = 1011
};

/* None of those that have intrinsics of their own. */
constexpr sources sources_of(ptog_opcode opcode)
{
    if (opcode == PTOG_TCI || opcode == PTOG_TTRI || opcode == PTOG_TCVT || opcode == PTOG_TCMP ||
        opcode == PTOG_TCMPS || opcode == PTOG_TSEL || opcode == PTOG_TSELS)
        return sources{};
    if (opcode >= PTOG_TMOV && opcode <= PTOG_TCONCATIDX)
        return sources{};
    switch (opcode) {
#include <ptog/spec/hide_macros.def>
#define OUT(NAME)
#define OUT_OF(NAME, forms)
#define IN(NAME)
#define IN_OF(NAME, forms)
#define BOTH(NAME)
#define SAME(NAME) +1
#define PART(NAME) +1
#define COLUMN(NAME) +1
#define LINE(NAME) +1
#define TO(NAME)
#define FROM(NAME)
#define FROM_OF(NAME, forms)
#define ROOM_OF(NAME, forms)
#define PICK_OF(NAME, forms)
#define OPTION_OF(NAME, forms)
#define SAME_PICK(NAME) +100
#define NUMBER(NAME) +10
#define PLACE(NAME)
#define PLACE_OF(NAME, forms)
#define SCRATCH_OF(NAME, used, taken) +1000
#define INSN(OPCODE, text, family, lane, kind, destinations, operands)                                                 \
    case PTOG_##OPCODE:                                                                                                \
        return static_cast<sources>(0 operands);
#include <ptog/spec/insns.def>
#include <ptog/spec/show_macros.def>
    default: return sources{};
    }
}

/* For the overloads of an intrinsic: these operands of it are tiles. */
template <class... Tiles> using if_tiles = std::enable_if_t<(is_tile<Tiles>::value && ...), int>;

/* ... and the instruction takes such sources. */
template <ptog_opcode opcode, sources what, class... Tiles>
using if_sources = std::enable_if_t<sources_of(opcode) == what && (is_tile<Tiles>::value && ...), int>;

/* ... a tile whose columns are folded, with a tmp behind it or without. */
template <ptog_opcode opcode, class Tile>
using if_columns = std::enable_if_t<
    (sources_of(opcode) == sources::tile || sources_of(opcode) == sources::tile_and_tmp) && is_tile<Tile>::value, int>;

/* Its sources are tiles of which one may be smaller than dst. */
constexpr bool has_parts(ptog_opcode opcode)
{
    return opcode == PTOG_TPARTADD || opcode == PTOG_TPARTMUL || opcode == PTOG_TPARTMAX || opcode == PTOG_TPARTMIN;
}

/* One of its sources is a column or a row that stands for all of dst's. */
constexpr bool broadcasts(ptog_opcode opcode)
{
    return opcode >= PTOG_TROWEXPAND && opcode <= PTOG_TCOLEXPANDEXPDIF;
}

constexpr ptog_form broadcast_form(ptog_opcode opcode)
{
    bool column = opcode < PTOG_TCOLEXPAND;
    if (sources_of(opcode) == sources::tile)
        return column ? PTOG_FORM_FROM_COLUMN : PTOG_FORM_FROM_ROW;
    return column ? PTOG_FORM_BY_COLUMN : PTOG_FORM_BY_ROW;
}

constexpr ptog_form form_of(ptog_opcode opcode)
{
    if (has_parts(opcode))
        return PTOG_FORM_PARTIAL;
    if (broadcasts(opcode))
        return broadcast_form(opcode);
    switch (sources_of(opcode)) {
    case sources::tile:
    case sources::tile_and_tmp: return PTOG_FORM_UNARY;
    case sources::tiles:
    case sources::tiles_and_tmp: return PTOG_FORM_PAIRWISE;
    case sources::scalar: return PTOG_FORM_FILL;
    default: return PTOG_FORM_BY_SCALAR;
    }
}

/* ---- conversions ---- */

/* Kernels that do not say saturate, but for these. */
constexpr bool narrows(ptog_dtype source, ptog_dtype dst)
{
#include <ptog/spec/hide_macros.def>
#define NARROWS(from, to)                                                                                              \
    if (source == PTOG_##from && dst == PTOG_##to)                                                                     \
        return true;
#include <ptog/spec/conversions.def>
#include <ptog/spec/show_macros.def>
    return false;
}

template <class Dst, class Src> constexpr void check_convert()
{
    assert_on_npu<PTOG_TCVT, PTOG_FORM_CONVERT, as<operand::at_DST, Dst>, as<operand::at_SRC, Src>>();
}

/* ---- masks ---- */

/* `Sources`: those that are tiles; the first one decides. */
template <ptog_opcode opcode, ptog_form form, class Mask, class First, class... Sources> constexpr void check_compare()
{
    assert_on_npu<opcode, form, as<operand::at_DST, Mask>, as<operand::at_SRC0, First>,
                  as<operand::at_SRC1, Sources>...>();
}

template <ptog_opcode opcode, ptog_form form, class Dst, class Mask, class First, class... Sources>
constexpr void check_select()
{
    assert_on_npu<opcode, form, as<operand::at_DST, Dst>, as<operand::at_BITS, Mask>, as<operand::at_SRC0, First>,
                  as<operand::at_SRC1, Sources>...>();
}

/* ---- sorts ---- */

template <class Dst, class Src, class Idx> constexpr void check_sort32()
{
    assert_on_npu<PTOG_TSORT32, PTOG_FORM_SORT_32, as<operand::at_DST, Dst>, as<operand::at_SRC, Src>,
                  as<operand::at_IDX, Idx>>();
}

template <class Dst, class Src> constexpr void check_merge_runs()
{
    assert_on_npu<PTOG_TMRGSORT, PTOG_FORM_MERGE_RUNS, as<operand::at_DST, Dst>, as<operand::at_SRC, Src>>();
}

template <class Dst, class Tmp, class Src0, class Src1> constexpr void check_merge_lists()
{
    assert_on_npu<PTOG_TMRGSORT, PTOG_FORM_MERGE_2, as<operand::at_DST, Dst>, as<operand::at_TMP, Tmp>,
                  as<operand::at_SRC0, Src0>, as<operand::at_SRC1, Src1>>();
}

/* ---- scatters and gathers between tiles ---- */

template <class Dst, class Src, class Idx> constexpr void check_tscatter_index()
{
    assert_on_npu<PTOG_TSCATTER, PTOG_FORM_SCATTER_INDEX, as<operand::at_DST, Dst>, as<operand::at_SRC, Src>,
                  as<operand::at_IDX, Idx>>();
}

template <class Dst, class Src> constexpr void check_tscatter_mask()
{
    assert_on_npu<PTOG_TSCATTER, PTOG_FORM_SCATTER_MASK, as<operand::at_DST, Dst>, as<operand::at_SRC, Src>>();
}

template <class Dst, class Src, class Offset> constexpr void check_tgatherb()
{
    assert_on_npu<PTOG_TGATHERB, PTOG_FORM_GATHER_BLOCKS, as<operand::at_DST, Dst>, as<operand::at_SRC, Src>,
                  as<operand::at_OFFSET, Offset>>();
}

/* ---- elements of several tiles, combined ---- */

template <ptog_opcode opcode, class Dst, class Src> constexpr void check_combine()
{
    constexpr bool only = opcode == PTOG_TDEQUANT || opcode == PTOG_TPAIRREDUCESUM || opcode == PTOG_TQUANT;
    assert_on_npu<opcode, PTOG_FORM_COMBINE, as<operand::at_DST, Dst>,
                  as<only ? operand::at_SRC : operand::at_SRC0, Src>>();
}
template <ptog_opcode opcode, class Dst, class Src0, class Src1> constexpr void check_combine()
{
    assert_on_npu<opcode, PTOG_FORM_COMBINE, as<operand::at_DST, Dst>, as<operand::at_SRC0, Src0>,
                  as<operand::at_SRC1, Src1>>();
}

/* ---- copies between tiles ---- */

/* The instruction that TFILLPAD<mode> is. */
constexpr ptog_opcode fill_of(pto::TFillPadMode mode)
{
    switch (mode) {
    case pto::TFillPadMode::InPlace: return PTOG_TFILLPAD_INPLACE;
    case pto::TFillPadMode::Expand: return PTOG_TFILLPAD_EXPAND;
    default: return PTOG_TFILLPAD;
    }
}

/* Copies are between vector tiles on every target; those of the cube core are checked when they run. `More`: the second of two
 * sources. */
template <ptog_opcode opcode, ptog_form form, class Dst, class Src, class... More> constexpr void check_move()
{
    constexpr operand first = sizeof...(More) > 0 ? operand::at_SRC0 : operand::at_SRC;
    if constexpr (!any_on_cube<Dst, Src>())
        assert_rules<opcode, form, as<operand::at_DST, Dst>, as<first, Src>, as<operand::at_SRC1, More>...>();
}

/* ---- reductions ---- */

/* The form of a reduction; `values`: with the elements that were found. */
constexpr ptog_form reduce_form(ptog_opcode opcode, bool values)
{
    switch (opcode) {
    case PTOG_TROWARGMAX:
    case PTOG_TROWARGMIN: return values ? PTOG_FORM_ROW_ARG_VALUE : PTOG_FORM_ROW_ARG;
    case PTOG_TCOLARGMAX:
    case PTOG_TCOLARGMIN: return values ? PTOG_FORM_COL_ARG_VALUE : PTOG_FORM_COL_ARG;
    default: return sources_of(opcode) == sources::rows ? PTOG_FORM_ROW_REDUCE : PTOG_FORM_COL_REDUCE;
    }
}

/* For the overload with val. */
template <ptog_opcode opcode, class... Tiles>
using if_finds_values =
    std::enable_if_t<reduce_form(opcode, true) != reduce_form(opcode, false) && (is_tile<Tiles>::value && ...), int>;

template <ptog_opcode opcode, class Dst, class Src, class... Val> constexpr void check_reduce()
{
    assert_on_npu<opcode, reduce_form(opcode, sizeof...(Val) > 0), as<operand::at_DST, Dst>, as<operand::at_SRC, Src>,
                  as<operand::at_VAL, Val>...>();
}

/* ---- any of them ---- */

/* The operands of an elementwise call: dst, and the sources that are tiles. */
template <ptog_opcode opcode, class Dst> constexpr void check_sources()
{
    assert_on_npu<opcode, form_of(opcode), as<operand::at_DST, Dst>>();
}
template <ptog_opcode opcode, class Dst, class Src> constexpr void check_sources()
{
    constexpr bool only = sources_of(opcode) == sources::tile || sources_of(opcode) == sources::tile_and_tmp;
    assert_on_npu<opcode, form_of(opcode), as<operand::at_DST, Dst>,
                  as<only ? operand::at_SRC : operand::at_SRC0, Src>>();
}
template <ptog_opcode opcode, class Dst, class Src0, class Src1> constexpr void check_sources()
{
    assert_on_npu<opcode, form_of(opcode), as<operand::at_DST, Dst>, as<operand::at_SRC0, Src0>,
                  as<operand::at_SRC1, Src1>>();
}

/* `Sources`: those that are tiles. */
template <ptog_opcode opcode, class Dst, class... Sources> constexpr void check_elementwise()
{
    check_sources<opcode, Dst, Sources...>();
}

} // namespace ptog

#endif
