/* pto: what the documents call static, as static assertions with the rule's id (ptog explain ID says more). They are
 * those of the target compiled for; host asks for nothing, and cpu for little. Extents of -1 are left to the run. The
 * rest is the verifier's, at run time, by the same rules. */
#ifndef PTO_PTOG_CHECK_HPP
#define PTO_PTOG_CHECK_HPP

#include <type_traits>

#include <pto/ptog/describe.hpp>
#include <pto/ptog/target.hpp>

namespace ptog
{

constexpr unsigned bit(ptog_dtype dtype)
{
    return 1u << dtype;
}

/* ---- the element types that the target takes: the rows of ptog/spec/accepts.def ---- */

enum class operand {
#include <ptog/spec/hide_macros.def>
#define OPERAND(NAME, ...) at_##NAME,
#include <ptog/spec/insns.def>
#include <ptog/spec/show_macros.def>
    at_DATA, /* whatever no row before names */
};

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

template <class Type> constexpr bool takes(ptog_opcode opcode, ptog_form form, operand name)
{
    return types_on(compiled_for, opcode, form, name) & bit(dtype_of<Type>());
}

inline constexpr bool on_a2a3 = compiled_for.like == PTOG_TARGET_A2A3;
inline constexpr bool on_a5 = compiled_for.like == PTOG_TARGET_A5;
inline constexpr bool on_custom = compiled_for.like == PTOG_TARGET_A5_CUSTOM;
inline constexpr bool on_npu = on_a2a3 || on_a5 || on_custom;

/* Equal, or not known before the run. */
constexpr bool may_equal(std::int64_t a, std::int64_t b)
{
    return a < 0 || b < 0 || a == b;
}

template <class Tile> inline constexpr bool is_vec = Tile::Loc == pto::TileType::Vec;
template <class Tile> inline constexpr bool is_row_major = Tile::isRowMajor && !Tile::isBoxedLayout;
template <class Tile>
inline constexpr bool is_nz = !Tile::isRowMajor && Tile::SFractal == pto::SLayout::RowMajor &&
                              Tile::SFractalSize == pto::TileConfig::fractalABSize;
template <class Tile>
inline constexpr bool is_32_bytes =
    ((Tile::isRowMajor || is_nz<Tile> ? Tile::Cols : Tile::Rows) * sizeof(typename Tile::DType)) % 32 == 0;

template <class Dst, class Idx>
inline constexpr bool same_valid = may_equal(Idx::ValidRow, Dst::ValidRow) && may_equal(Idx::ValidCol, Dst::ValidCol);
template <class Dst, class Idx>
inline constexpr bool is_row_list = (Idx::isRowMajor && may_equal(Idx::ValidRow, 1) &&
                                     may_equal(Idx::ValidCol, Dst::ValidRow)) ||
                                    (on_a5 && !Idx::isRowMajor && may_equal(Idx::ValidCol, 1) &&
                                     may_equal(Idx::ValidRow, Dst::ValidRow));

template <class Dst, class Global, class Idx> constexpr void check_mgather_types()
{
    using Type = typename Dst::DType;
    static_assert(is_vec<Dst> && is_vec<Idx>, "MGATHER: dst and index must be TileType::Vec tiles [tile-loc]");
    static_assert(takes<Type>(PTOG_MGATHER, PTOG_FORM_ROW, operand::at_DST),
                  "MGATHER: this target does not gather dst's element type [mgather-dtype]");
    static_assert(dtype_of<Type>() == dtype_of<typename Global::DType>(),
                  "MGATHER: table and dst must have the same element type [mgather-same-dtype]");
    static_assert(takes<typename Idx::DType>(PTOG_MGATHER, PTOG_FORM_ROW, operand::at_IDX),
                  "MGATHER: the index must be int32_t or uint32_t [mgather-index-dtype]");
    static_assert(is_32_bytes<Dst>,
                  "MGATHER: the contiguous padded extent of dst must be a multiple of 32 bytes [mgather-dst-align]");
    static_assert(on_custom || is_32_bytes<Idx>,
                  "MGATHER: the contiguous padded extent of the index tile must be a multiple of 32 bytes "
                  "[mgather-index-align]");
}

template <class Dst, class Global, class Idx> constexpr void check_mgather_layouts()
{
    constexpr bool nz = Global::layout == pto::Layout::NZ;
    constexpr int c0 = pto::C0_SIZE_BYTE / static_cast<int>(sizeof(typename Dst::DType));
    if constexpr (on_a2a3) {
        static_assert(nz ? is_nz<Dst> : is_row_major<Dst>,
                      "MGATHER: an ND table needs a row-major dst, and an NZ table an NZ dst [mgather-layout-pair]");
        static_assert(is_row_major<Idx>,
                      "MGATHER: the index tile must be row-major, without boxes [mgather-index-layout]");
        static_assert(!nz || Global::staticShape[3] == pto::FRACTAL_NZ_ROW,
                      "MGATHER: dimension 3 of an NZ table must be 16, and static [tensor-nz-rows]");
        static_assert(
            !nz || Global::staticShape[4] == c0,
            "MGATHER: dimension 4 of an NZ table must be C0 = 32 / element size, and static [tensor-nz-cols]");
        static_assert(!nz || Dst::Cols % c0 == 0,
                      "MGATHER: the number of columns of an NZ dst must be a multiple of C0 [tile-nz-cols]");
        static_assert(!nz || Dst::Rows % pto::FRACTAL_NZ_ROW == 0,
                      "MGATHER: the number of rows of an NZ dst must be a multiple of 16 [tile-nz-rows]");
    } else if constexpr (on_a5) {
        static_assert(!Dst::isBoxedLayout,
                      "MGATHER: dst must not have boxes (use SLayout::NoneBox) [mgather-dst-layout]");
        static_assert(!Idx::isBoxedLayout, "MGATHER: the index tile must not have boxes [mgather-index-layout]");
    } else {
        static_assert(is_row_major<Dst>, "MGATHER: dst must be row-major, without boxes [mgather-dst-layout]");
        static_assert(is_row_major<Idx>,
                      "MGATHER: the index tile must be row-major, without boxes [mgather-index-layout]");
    }
}

template <class Dst, class Global, class Idx> constexpr void check_mgather_custom()
{
    static_assert(Dst::Rows == Idx::Rows,
                  "MGATHER: dst and index must have the same number of rows [mgather-rows-match]");
    static_assert(Idx::Cols == 1 || Idx::Cols == Dst::Cols,
                  "MGATHER: the index tile must have one column, or as many as dst [mgather-index-columns]");
    static_assert(may_equal(Global::staticShape[0], 1) && may_equal(Global::staticShape[1], 1) &&
                      may_equal(Global::staticShape[2], 1),
                  "MGATHER: the table must have shape <1, 1, 1, rows, width> [mgather-table-rank]");
}

/* `row`: Coalesce::Row. */
template <bool row, class Dst, class Global, class Idx> constexpr void check_mgather()
{
    if constexpr (compiled_for.like == PTOG_TARGET_CPU) {
        static_assert(std::is_integral_v<typename Idx::DType>,
                      "MGATHER: the index must be an integer [mgather-index-dtype]");
        static_assert(sizeof(typename Dst::DType) == sizeof(typename Global::DType),
                      "MGATHER: table and dst must have elements of the same size [mgather-same-dtype]");
    }
    if constexpr (on_npu) {
        check_mgather_types<Dst, Global, Idx>();
        check_mgather_layouts<Dst, Global, Idx>();
    }
    if constexpr (on_custom)
        check_mgather_custom<Dst, Global, Idx>();
    if constexpr ((on_a2a3 || on_a5) && row) {
        static_assert(
            is_row_list<Dst, Idx> || !same_valid<Dst, Idx>,
            "MGATHER: Coalesce::Row needs a list of dst.ValidRow indices, but the index tile has dst's shape: add Coalesce::Elem [mgather-row-index-shape]");
        static_assert(
            is_row_list<Dst, Idx> || same_valid<Dst, Idx>,
            "MGATHER: Coalesce::Row needs a list of dst.ValidRow indices: [1, R] row-major, on A5 also [R, 1] column-major [mgather-row-index-shape]");
        static_assert(
            !on_a5 || may_equal(Global::staticShape[4], Dst::ValidCol),
            "MGATHER: on A5, Coalesce::Row needs a table exactly as wide as the valid region of dst [mgather-row-width-exact]");
    }
    if constexpr ((on_a2a3 || on_a5) && !row)
        static_assert(same_valid<Dst, Idx>,
                      "MGATHER: Coalesce::Elem needs an index for each element of dst [mgather-elem-index-shape]");
}

template <class Dst, class Src, class Idx> constexpr void check_tgather_index()
{
    if constexpr (on_npu) {
        static_assert(is_vec<Dst> && is_vec<Src> && is_vec<Idx>,
                      "TGATHER: tiles must be TileType::Vec tiles [tile-loc]");
        static_assert(takes<typename Dst::DType>(PTOG_TGATHER, PTOG_FORM_INDEX, operand::at_DST),
                      "TGATHER: this target does not gather dst's element type by index [tgather-dtype]");
        static_assert(dtype_of<typename Dst::DType>() == dtype_of<typename Src::DType>(),
                      "TGATHER: src and dst must have the same element type [tgather-same-dtype]");
        static_assert(takes<typename Idx::DType>(PTOG_TGATHER, PTOG_FORM_INDEX, operand::at_IDX),
                      "TGATHER: this target does not support indices of this type [tgather-index-dtype]");
        static_assert(!on_a2a3 || (may_equal(Idx::ValidCol, Idx::Cols) && may_equal(Dst::ValidCol, Dst::Cols)),
                      "TGATHER: all columns of dst and of the index tile must be valid [tgather-contiguous]");
    }
}

template <class Dst, class Src> constexpr void check_tgather_mask()
{
    if constexpr (on_npu) {
        static_assert(is_vec<Dst> && is_vec<Src>, "TGATHER: tiles must be TileType::Vec tiles [tile-loc]");
        static_assert(takes<typename Dst::DType>(PTOG_TGATHER, PTOG_FORM_MASK, operand::at_DST) &&
                          takes<typename Src::DType>(PTOG_TGATHER, PTOG_FORM_MASK, operand::at_SRC),
                      "TGATHER: this target does not compact this element type [tgather-mask-dtype]");
        static_assert(sizeof(typename Dst::DType) == sizeof(typename Src::DType),
                      "TGATHER: src and dst must have elements of the same size [tgather-mask-size]");
        static_assert(is_row_major<Dst> && is_row_major<Src>,
                      "TGATHER: dst and src must be row-major [tgather-mask-layout]");
        static_assert(!on_a2a3 || may_equal(Dst::ValidCol, Dst::Cols),
                      "TGATHER: all columns of dst must be valid [tgather-contiguous]");
    }
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
#define PICK_OF(NAME, forms)
#define SAME_PICK(NAME) +100
#define NUMBER(NAME) +10
#define PLACE(NAME)
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

/* The type of a source goes with that of dst. */
template <ptog_opcode opcode, class Dst, class Source> constexpr bool same_or_wider()
{
    constexpr ptog_dtype dst = dtype_of<typename Dst::DType>(), source = dtype_of<typename Source::DType>();
    return dst == source || (opcode == PTOG_TAXPY && dst == PTOG_F32 && source == PTOG_F16);
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

/* The compiled-for target converts between these types. */
constexpr bool converts(ptog_dtype source, ptog_dtype dst)
{
    constexpr unsigned own = 1u << compiled_for.number, like = 1u << compiled_for.like;
#include <ptog/spec/hide_macros.def>
#define CONVERTS(from, targets, types)                                                                                 \
    if (source == PTOG_##from && ((targets) & (own | like)))                                                           \
        return (types) >> dst & 1;
#include <ptog/spec/conversions.def>
#include <ptog/spec/show_macros.def>
    return !on_npu;
}

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
    if constexpr (on_npu) {
        static_assert(is_vec<Dst> && is_vec<Src>, "TCVT: tiles must be TileType::Vec tiles [tile-loc]");
        static_assert(converts(dtype_of<typename Src::DType>(), dtype_of<typename Dst::DType>()),
                      "TCVT: this target does not convert between these types [tcvt-type-pair]");
        static_assert(is_row_major<Dst> && is_row_major<Src>, "TCVT: tiles must be row-major [elementwise-layout]");
        static_assert(same_valid<Dst, Src>, "TCVT: src must have dst's valid shape [elementwise-shape]");
    }
}

/* ---- masks ---- */

/* `Sources`: those that are tiles; the first one decides. */
template <ptog_opcode opcode, ptog_form form, class Mask, class First, class... Sources> constexpr void check_compare()
{
    if constexpr (on_npu) {
        static_assert(is_vec<Mask> && is_vec<First> && (is_vec<Sources> && ...),
                      "tiles must be TileType::Vec tiles [tile-loc]");
        static_assert(takes<typename First::DType>(opcode, form, operand::at_SRC0),
                      "this target does not compare this element type [mask-data-dtype]");
        static_assert(takes<typename Mask::DType>(opcode, form, operand::at_DST),
                      "this target does not support a mask of this type [tcmp-mask-dtype]");
        static_assert(((dtype_of<typename First::DType>() == dtype_of<typename Sources::DType>()) && ...),
                      "the operands that are compared must have the same element type [mask-same-dtype]");
    }
}

template <ptog_opcode opcode, ptog_form form, class Dst, class Mask, class... Sources> constexpr void check_select()
{
    if constexpr (on_npu) {
        static_assert(is_vec<Dst> && is_vec<Mask> && (is_vec<Sources> && ...),
                      "tiles must be TileType::Vec tiles [tile-loc]");
        static_assert(takes<typename Dst::DType>(opcode, form, operand::at_DST),
                      "this target does not select this element type [tsel-dtype]");
        static_assert(takes<typename Mask::DType>(opcode, form, operand::at_BITS),
                      "this target does not support a mask of this type [tsel-mask-dtype]");
        static_assert(((dtype_of<typename Dst::DType>() == dtype_of<typename Sources::DType>()) && ...),
                      "the operands that are selected must have the same element type [mask-same-dtype]");
    }
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

template <ptog_opcode opcode, class Dst, class Src> constexpr bool padded_shape_fits()
{
    return opcode == PTOG_TFILLPAD_EXPAND ? Dst::Rows >= Src::Rows && Dst::Cols >= Src::Cols
                                          : Dst::Rows == Src::Rows && Dst::Cols == Src::Cols;
}

template <ptog_opcode opcode, ptog_form form, class Dst, class Src, class... More> constexpr void check_move()
{
    static_assert(is_vec<Dst> && is_vec<Src> && (is_vec<More> && ...),
                  "not supported: copies other than between TileType::Vec tiles [tile-loc]");
    if constexpr (form == PTOG_FORM_PAD) {
        static_assert(sizeof(typename Dst::DType) == sizeof(typename Src::DType),
                      "TFILLPAD: src and dst must have elements of the same size [tfillpad-size]");
        static_assert(Dst::PadVal != pto::PadValue::Null, "TFILLPAD: dst must have a pad value [tfillpad-pad]");
        static_assert(padded_shape_fits<opcode, Dst, Src>(), "TFILLPAD: dst must be as large as src [tfillpad-shape]");
    } else {
        static_assert(std::is_same_v<typename Dst::DType, typename Src::DType> &&
                          (std::is_same_v<typename Dst::DType, typename More::DType> && ...),
                      "the sources and dst must have the same element type [move-same-dtype]");
    }
    if constexpr (on_npu)
        static_assert(takes<typename Dst::DType>(opcode, form, operand::at_DST),
                      "this target does not copy elements of dst's type [move-dtype]");
}

/* ---- reductions ---- */

/* The form of a reduction; `values`: with the elements that were found. */
constexpr ptog_form reduce_form(ptog_opcode opcode, bool values)
{
    switch (opcode) {
    case PTOG_TROWARGMAX:
    case PTOG_TROWARGMIN: return values ? PTOG_FORM_ROW_ARG_VALUE : PTOG_FORM_ROW_ARG;
    case PTOG_TCOLARGMAX:
    case PTOG_TCOLARGMIN: return PTOG_FORM_COL_ARG;
    default: return sources_of(opcode) == sources::rows ? PTOG_FORM_ROW_REDUCE : PTOG_FORM_COL_REDUCE;
    }
}

/* For the overload with val. */
template <ptog_opcode opcode, class... Tiles>
using if_finds_values =
    std::enable_if_t<reduce_form(opcode, true) == PTOG_FORM_ROW_ARG_VALUE && (is_tile<Tiles>::value && ...), int>;

/* What a reduction writes: row-major, or, of a row reduction, a column: col-major with Cols 1. */
template <class Tile> constexpr bool is_reduced(bool by_row)
{
    return is_row_major<Tile> || (by_row && !Tile::isBoxedLayout && !Tile::isRowMajor && Tile::Cols == 1);
}

template <ptog_opcode opcode, class Dst, class Src, class... Val> constexpr void check_reduce()
{
    if constexpr (on_npu) {
        constexpr ptog_form form = reduce_form(opcode, sizeof...(Val) > 0);
        constexpr bool by_row = form != PTOG_FORM_COL_REDUCE && form != PTOG_FORM_COL_ARG;
        constexpr bool folds = form == PTOG_FORM_ROW_REDUCE || form == PTOG_FORM_COL_REDUCE;
        static_assert(is_vec<Dst> && is_vec<Src> && (is_vec<Val> && ...),
                      "tiles must be TileType::Vec tiles [tile-loc]");
        static_assert(takes<typename Src::DType>(opcode, form, operand::at_SRC),
                      "this target does not reduce src's element type [reduce-dtype]");
        static_assert(
            folds ? dtype_of<typename Dst::DType>() == dtype_of<typename Src::DType>()
                  : takes<typename Dst::DType>(opcode, form, operand::at_DST),
            "dst must have the element type of src, or a 32-bit integer type if it holds positions [reduce-dtype]");
        static_assert(((dtype_of<typename Val::DType>() == dtype_of<typename Src::DType>()) && ...),
                      "val must have the element type of src [reduce-dtype]");
        static_assert(is_row_major<Src> && is_reduced<Dst>(by_row) && (is_reduced<Val>(by_row) && ...),
                      "tiles must be row-major; the result of a row reduction may also be one column [reduce-layout]");
    }
}

/* ---- any of them ---- */

/* `Sources`: those that are tiles. */
template <ptog_opcode opcode, class Dst, class... Sources> constexpr void check_elementwise()
{
    if constexpr (on_npu) {
        static_assert(is_vec<Dst> && (is_vec<Sources> && ...), "tiles must be TileType::Vec tiles [tile-loc]");
        static_assert(takes<typename Dst::DType>(opcode, form_of(opcode), operand::at_DST),
                      "this target does not compute with dst's element type [elementwise-dtype]");
        static_assert((same_or_wider<opcode, Dst, Sources>() && ...),
                      "the sources and dst must have the same element type [elementwise-same-dtype]");
        static_assert(broadcasts(opcode) || (is_row_major<Dst> && (is_row_major<Sources> && ...)),
                      "tiles must be row-major [elementwise-layout]");
        static_assert(is_row_major<Dst>, "dst must be row-major [expand-layout]");
        static_assert(has_parts(opcode) || broadcasts(opcode) || (same_valid<Dst, Sources> && ...),
                      "sources must have dst's valid shape [elementwise-shape]");
    }
}

} // namespace ptog

#endif
