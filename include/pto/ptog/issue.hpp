/* pto: an instruction with its operands, described for the library and issued. One function per form. */
#ifndef PTO_PTOG_ISSUE_HPP
#define PTO_PTOG_ISSUE_HPP

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <pto/ptog/call.hpp>
#include <pto/ptog/check.hpp>
#include <pto/ptog/cube_issue.hpp>
#include <pto/ptog/describe.hpp>

namespace ptog
{

/* ---- TLOAD and TSTORE ---- */

/* `issue`: load or prefetch of call.hpp. */
template <class Tile, class Global>
void run_load(Tile &tile, Global &global, place at, decltype(&load) issue = load, const char *name = "TLOAD")
{
    static constexpr ptog_transfer known = static_transfer<Tile, Global>(false);
    thread_state &t = with_core(at, kind_of<Tile>());
    if (!have_extents(at, name, tile) || !has_whole_pairs(global, at, name))
        return;
    ptog_transfer op = known;
    const call_names &names = t.calls.find(at, name);
    describe(op.tile, t, tile, names[0]);
    describe(op.view, global, names[1]);
    issue(t, op, global.data(), at);
}

template <class Global, class Tile>
void run_store(Global &global, Tile &tile, place at, pto::AtomicType atomic = pto::AtomicType::AtomicNone)
{
    static_assert(!std::is_const_v<typename Global::DType>, "TSTORE: cannot store to a GlobalTensor of a const type");
    static constexpr ptog_transfer known = static_transfer<Tile, Global>(true);
    thread_state &t = with_core(at, kind_of<Tile>());
    if (!have_extents(at, "TSTORE", tile) || !has_whole_pairs(global, at, "TSTORE"))
        return;
    ptog_transfer op = known;
    const call_names &names = t.calls.find(at, "TSTORE");
    op.atomic = static_cast<ptog_atomic>(atomic);
    describe(op.tile, t, tile, names[1]);
    describe(op.view, global, names[0]);
    store(t, op, global.data(), at, static_cast<ptog_pipe>(store_pipe<Tile>()));
}

/* ---- MGATHER ---- */

template <class Dst, class Global, class Idx>
constexpr ptog_mgather static_mgather(ptog_coalesce coalesce, pto::GatherOOB oob)
{
    ptog_mgather op{};
    op.dst = static_tile<Dst>();
    op.table = static_tensor<Global>();
    op.idx = static_tile<Idx>();
    op.coalesce = coalesce;
    op.oob = static_cast<ptog_oob>(oob);
    return op;
}

/* Without a mode: Row, but on some targets Elem. */
inline bool is_elem_unsaid()
{
    const ptog_target *target = process_settings().target;
    return target->elem_default || target->mode_from == PTOG_MODE_ALWAYS_ELEM;
}

template <ptog_coalesce coalesce, pto::GatherOOB oob, bool mode_given, class Dst, class Global, class Idx>
void run_mgather(Dst &dst, Global &table, Idx &idx, place at)
{
    static constexpr ptog_mgather known = static_mgather<Dst, Global, Idx>(coalesce, oob);
    static thread_local ptog_mgather op = known; /* from call to call: only what the run knows is written again */
    thread_state &t = with_core(at);
    if (!have_extents(at, "MGATHER", dst, idx))
        return;
    const call_names &names = t.calls.find(at, "MGATHER");
    describe(op.dst, t, dst, names[0]);
    describe(op.table, table, names[1]);
    describe(op.idx, t, idx, names[2]);
    if (!mode_given && is_elem_unsaid())
        op.coalesce = PTOG_ELEM;
    mgather(t, op, table.data(), Dst::ValidRow < 0 || Dst::ValidCol < 0, at);
}

/* ---- MSCATTER ---- */

/* What a kernel says of a scatter; `conflict` is -1 where it does not say what happens with equal indices. */
struct scatter_words {
    bool mode_given;
    pto::Coalesce mode;
    pto::ScatterAtomicOp atomic;
    pto::ScatterOOB oob;
    int conflict;
};

/* The CPU form writes in any order unless an argument says otherwise; the A2A3 form has no such argument, and the
 * library refuses one.
 */
inline std::int32_t scatter_conflict_of(int given)
{
    const ptog_target *target = process_settings().target;
    if (given >= 0)
        return target->machine == PTOG_MACHINE_DMA ? PTOG_CONFLICT_DEFAULT : given;
    bool host = target->machine == PTOG_NO_MACHINE && !target->max_compares;
    return target->machine != PTOG_NO_MACHINE || host ? PTOG_CONFLICT_LAST : PTOG_CONFLICT_DEFAULT;
}

/* The call is MSCATTER(table, src, idx). */
template <class Global, class Src, class Idx>
void run_mscatter(Global &table, Src &src, Idx &idx, const scatter_words &words, place at)
{
    static_assert(!std::is_const_v<typename Global::DType>, "MSCATTER: cannot store to a GlobalTensor of a const type");
    thread_state &t = with_core(at);
    if (!have_extents(at, "MSCATTER", src, idx))
        return;
    const call_names &names = t.calls.find(at, "MSCATTER");
    ptog_tile from = static_tile<Src>(), indices = static_tile<Idx>();
    ptog_tensor to = static_tensor<Global>();
    ptog_insn insn;
    ptog_insn_start(&insn, PTOG_MSCATTER);
    describe(from, t, src, names[1]);
    describe(to, table, names[0]);
    describe(indices, t, idx, names[2]);
    bool elem = words.mode_given ? words.mode == pto::Coalesce::Elem : is_elem_unsaid();
    insn.attr[PTOG_MSCATTER_COALESCE] = elem ? PTOG_ELEM : PTOG_ROW;
    insn.attr[PTOG_MSCATTER_OOB] = static_cast<std::int32_t>(words.oob);
    insn.attr[PTOG_MSCATTER_ATOMIC] = static_cast<std::int32_t>(words.atomic);
    insn.attr[PTOG_MSCATTER_CONFLICT] = scatter_conflict_of(words.conflict);
    ptog_insn_set_tile(&insn, 0, &from);
    insn.of[1].kind = PTOG_IS_VIEW;
    insn.of[1].view = to;
    ptog_insn_set_tile(&insn, 2, &indices);
    mscatter(t, insn, table.data(), at);
}

/* ---- TGATHER ---- */

template <class Dst, class Src>
ptog_tgather tiles_of(thread_state &t, ptog_tgather_form form, Dst &dst, Src &src, const char *dst_name,
                      const char *src_name)
{
    ptog_tgather op{};
    op.form = form;
    op.dst = tile_of(t, dst, dst_name);
    op.src = tile_of(t, src, src_name);
    return op;
}

template <class Dst, class Src, class Idx> void run_by_index(Dst &dst, Src &src, Idx &idx, place at)
{
    thread_state &t = with_core(at);
    if (!have_extents(at, "TGATHER", dst, src, idx))
        return;
    const call_names &names = t.calls.find(at, "TGATHER");
    ptog_tgather op = tiles_of(t, PTOG_BY_INDEX, dst, src, names[0], names[1]);
    op.idx = tile_of(t, idx, names[2]);
    tgather(t, op, at);
}

template <class Dst, class Src, class Idx, class Tmp>
void run_by_index(Dst &dst, Src &src, Idx &idx, Tmp &tmp, place at)
{
    thread_state &t = with_core(at);
    if (!have_extents(at, "TGATHER", dst, src, idx, tmp))
        return;
    const call_names &names = t.calls.find(at, "TGATHER");
    ptog_tgather op = tiles_of(t, PTOG_BY_INDEX, dst, src, names[0], names[1]);
    op.idx = tile_of(t, idx, names[2]);
    op.tmp = tile_of(t, tmp, names[3]);
    tgather(t, op, at);
}

template <class Dst, class Src>
void run_by_mask(Dst &dst, Src &src, pto::MaskPattern pattern, pto::GatherAxis axis, place at)
{
    thread_state &t = with_core(at);
    if (!have_extents(at, "TGATHER", dst, src))
        return;
    const call_names &names = t.calls.find(at, "TGATHER");
    ptog_tgather op = tiles_of(t, PTOG_BY_MASK, dst, src, names[0], names[1]);
    op.pattern = static_cast<ptog_pattern>(pattern);
    op.axis = static_cast<ptog_axis>(axis);
    tgather(t, op, at);
}

template <class Dst, class Cdst, class Src, class Keys>
ptog_tgather comparison_of(thread_state &t, Dst &dst, Cdst &cdst, Src &src, Keys &k, pto::CmpMode cmp,
                           std::int32_t offset, const char *const names[4])
{
    ptog_tgather op = tiles_of(t, PTOG_BY_COMPARE, dst, src, names[0], names[2]);
    op.cdst = tile_of(t, cdst, names[1]);
    op.k = tile_of(t, k, names[3]);
    op.cmp = static_cast<ptog_cmp>(cmp);
    op.offset = offset;
    return op;
}

template <class Dst, class Cdst, class Src, class Keys>
void run_by_compare(Dst &dst, Cdst &cdst, Src &src, Keys &k, pto::CmpMode cmp, std::int32_t offset, place at)
{
    thread_state &t = with_core(at);
    if (have_extents(at, "TGATHER", dst, cdst, src, k))
        tgather(t, comparison_of(t, dst, cdst, src, k, cmp, offset, t.calls.find(at, "TGATHER").of), at);
}

/* The call is TGATHER(dst, src, k, cdst, tmp, offset). */
template <class Dst, class Cdst, class Src, class Keys, class Tmp>
void run_by_compare(Dst &dst, Cdst &cdst, Src &src, Keys &k, Tmp &tmp, pto::CmpMode cmp, std::int32_t offset, place at)
{
    thread_state &t = with_core(at);
    if (!have_extents(at, "TGATHER", dst, cdst, src, k, tmp))
        return;
    const call_names &names = t.calls.find(at, "TGATHER");
    const char *const ordered[] = {names[0], names[3], names[1], names[2]};
    ptog_tgather op = comparison_of(t, dst, cdst, src, k, cmp, offset, ordered);
    op.tmp = tile_of(t, tmp, names[4]);
    tgather(t, op, at);
}

/* ---- tiles element by element: any instruction of the table whose operands are tiles and scalars ---- */

/* Valid extents that only the run knows stay open in the description, and are given beside it: the library judges them
 * differently. */
template <class Tile> void open_extents(ptog_tile &to, std::int64_t given[2])
{
    given[0] = Tile::ValidRow < 0 ? to.valid_row : 0;
    given[1] = Tile::ValidCol < 0 ? to.valid_col : 0;
    if (Tile::ValidRow < 0)
        to.valid_row = PTOG_DYN;
    if (Tile::ValidCol < 0)
        to.valid_col = PTOG_DYN;
}

/* Whether an operand of the row is a tmp. */
constexpr bool is_scratch(ptog_opcode opcode, int position)
{
    switch (opcode) {
#include <ptog/spec/hide_macros.def>
#define OUT(NAME) false,
#define OUT_OF(NAME, forms) false,
#define IN(NAME) false,
#define IN_OF(NAME, forms) false,
#define BOTH(NAME) false,
#define SAME(NAME) false,
#define PART(NAME) false,
#define COLUMN(NAME) false,
#define LINE(NAME) false,
#define TO(NAME) false,
#define FROM(NAME) false,
#define FROM_OF(NAME, forms) false,
#define ROOM_OF(NAME, forms) false,
#define PICK_OF(NAME, forms) false,
#define OPTION_OF(NAME, forms) false,
#define SAME_PICK(NAME) false,
#define NUMBER(NAME) false,
#define PLACE(NAME) false,
#define PLACE_OF(NAME, forms) false,
#define SCRATCH_OF(NAME, used, taken) true,
#define INSN(OPCODE, text, family, lane, kind, destinations, operands)                                                 \
    case PTOG_##OPCODE: {                                                                                              \
        constexpr bool of[] = {operands};                                                                              \
        return position < static_cast<int>(sizeof of) && of[position];                                                 \
    }
#include <ptog/spec/insns.def>
#include <ptog/spec/show_macros.def>
    default: return false;
    }
}

/* How many operands after dst are sources: a tmp stands behind them. */
constexpr int tile_sources(ptog_opcode opcode)
{
    if (opcode == PTOG_TCI || opcode == PTOG_TTRI)
        return 0;
    constexpr sources one[] = {sources::tile, sources::tile_and_tmp, sources::rows};
    for (sources what : one)
        if (sources_of(opcode) == what)
            return 1;
    if (opcode == PTOG_TCVT || opcode == PTOG_TTRANS)
        return 1;
    return 2;
}

/* Instructions that are judged when they run, with all extents. */
constexpr bool has_late_extents(ptog_opcode opcode)
{
    constexpr ptog_opcode late[] = {
        PTOG_TSEL,        PTOG_TSELS,    PTOG_TSORT32,     PTOG_TSCATTER,    PTOG_TGATHERB,     PTOG_THISTOGRAM,
        PTOG_TADDC,       PTOG_TSUBC,    PTOG_TADDSC,      PTOG_TSUBSC,      PTOG_TADDRELUCONV, PTOG_TSUBRELUCONV,
        PTOG_TADDDEQRELU, PTOG_TDEQUANT, PTOG_TPARTARGMAX, PTOG_TPARTARGMIN, PTOG_TINTERLEAVE,  PTOG_TDEINTERLEAVE,
        PTOG_TQUANT,      PTOG_TCONCATCOUNTS};
    for (ptog_opcode other : late)
        if (opcode == other)
            return true;
    return false;
}

/* An operand that is left out, before others that are not. */
struct no_operand {
};

/* Operand `position`: a tile with its extents, or a scalar of an element type. False, with a report, when a tile has
 * none. */
template <class Operand>
bool put_operand(ptog_insn &insn, ptog_run &extents, thread_state &t, int position, Operand &operand, place at,
                 const char *name)
{
    if constexpr (is_tile<Operand>::value) {
        std::int64_t *const given[] = {extents.dst_valid, extents.src_valid, extents.src1_valid};
        bool scratch = is_scratch(insn.opcode, position);
        if (!scratch && !have_extents(at, ptog_opcode_name(insn.opcode), operand))
            return false;
        ptog_tile tile = tile_of(t, operand, name);
        if (scratch)
            tile.valid_row = tile.valid_col = 0; /* all of it, whatever the kernel calls valid */
        if constexpr (IsTwinType<std::remove_cv_t<typename Operand::DType>>())
            if (insn.opcode == PTOG_TEXTRACT || insn.opcode == PTOG_TINSERT)
                count_bytes(tile, operand);
        if (!has_late_extents(insn.opcode) && position <= tile_sources(insn.opcode)) /* a tmp is as large as it is */
            open_extents<Operand>(tile, given[position]);
        ptog_insn_set_tile(&insn, position, &tile);
    } else if constexpr (!std::is_same_v<Operand, no_operand>) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &operand, sizeof operand);
        ptog_insn_set_scalar(&insn, position, dtype_of<Operand>(), bits);
    }
    return true;
}

template <class Operand> constexpr bool has_open_extents()
{
    if constexpr (is_tile<Operand>::value)
        return Operand::ValidRow < 0 || Operand::ValidCol < 0;
    else
        return false;
}

/* `order`: which argument of the call each operand is. */
template <ptog_opcode opcode, class... Operands>
void run_in_order(place at, const insn_attrs &attrs, const int *order, Operands &...operands)
{
    thread_state &t = with_core(at, core_kind::vector);
    const call_names &names = t.calls.find(at, ptog_opcode_name(opcode));
    ptog_insn insn;
    ptog_run extents{};
    int position = 0;
    ptog_insn_start(&insn, opcode);
    std::memcpy(insn.attr, attrs.of, sizeof insn.attr);
    auto put = [&](auto &operand) {
        const char *name = names[order[position]];
        return put_operand(insn, extents, t, position++, operand, at, name);
    };
    if (!(put(operands) && ...))
        return;
    constexpr bool open = (has_open_extents<Operands>() || ...);
    worked(t, PTOG_V, ptog_core_insn(t.core, &insn, open ? &extents : nullptr), at, ptog_opcode_name(opcode));
}

/* `first`: the call has so many of the last operands before dst. */
template <ptog_opcode opcode, int first = 0, class... Operands>
void run_with_attrs(place at, const insn_attrs &attrs, Operands &...operands)
{
    constexpr int count = sizeof...(Operands);
    int order[count];
    for (int i = 0; i < count; i++)
        order[i] = (i + first) % count;
    run_in_order<opcode>(at, attrs, order, operands...);
}

/* `Order`: which argument of the call each operand is. */
template <ptog_opcode opcode, int... Order, class... Operands> void run_renamed(place at, Operands &...operands)
{
    constexpr int order[] = {Order...};
    run_in_order<opcode>(at, {}, order, operands...);
}

/* A reduction that also gives the value: the call is TROWARGMAX(val, dst, src, tmp). */
template <ptog_opcode opcode, class Dst, class Src, class Tmp, class Val>
void run_with_value(place at, Dst &dst, Src &src, Tmp &tmp, Val &val)
{
    run_with_attrs<opcode, 1>(at, {}, dst, src, tmp, val);
}

/* Copies between tiles: dst, the sources, and the numbers of a window or the counts behind them. */
template <ptog_opcode opcode, class Dst, class Src, class... Operands>
void run_move(place at, Dst &dst, Src &src, Operands &...operands)
{
    constexpr core_kind kind = is_sent_to_l1<Dst, Src>() ? core_kind::vector : core_kind::cube;
    if constexpr (any_on_cube<Dst, Src>())
        run_on_cube<opcode, kind>(at, ptog_opcode_name(opcode), copy_pipe<Dst, Src>(), {}, 0, dst, src, operands...);
    else
        run_with_attrs<opcode>(at, {}, dst, src, operands...);
}

/* Whether an instruction asks how exactly it shall compute; the results of others are rounded once anyway. */
constexpr bool has_precision(ptog_opcode opcode)
{
    return opcode == PTOG_TFMOD || opcode == PTOG_TFMODS || opcode == PTOG_TREM || opcode == PTOG_TREMS;
}

constexpr bool is_of_parts(ptog_opcode opcode)
{
    return opcode == PTOG_TPARTADD || opcode == PTOG_TPARTMUL || opcode == PTOG_TPARTMAX || opcode == PTOG_TPARTMIN;
}

/* Where one source has no element, dst gets those of the other. */
template <ptog_opcode opcode, class Dst, class Src0, class Src1> void run_parts(place at, Dst &dst, Src0 &src0, Src1 &src1)
{
    if (is_empty(src0))
        run_move<PTOG_TMOV>(at, dst, src1);
    else if (is_empty(src1))
        run_move<PTOG_TMOV>(at, dst, src0);
    else
        run_with_attrs<opcode>(at, {}, dst, src0, src1);
}

/* dst and the sources, tiles or scalars, in the order of the row. */
template <ptog_opcode opcode, auto precision = 0, class... Operands>
void run_elementwise(place at, Operands &...operands)
{
    insn_attrs attrs{};
    if constexpr (has_precision(opcode))
        attrs.of[PTOG_REMAINDER_PRECISE] = static_cast<int>(precision) != 0;
    if constexpr (is_of_parts(opcode))
        run_parts<opcode>(at, operands...);
    else
        run_with_attrs<opcode>(at, attrs, operands...);
}

/* TPREFETCH of a view; between tiles it is a copy, as in the simulator. */
template <class Dst, class Src> void run_prefetch(Dst &dst, Src &src, place at)
{
    if constexpr (is_tile<Src>::value)
        run_move<PTOG_TMOV>(at, dst, src);
    else
        run_load(dst, src, at, prefetch, "TPREFETCH");
}

/* TCI and TTRI: dst, a scalar, perhaps a tmp; the attribute is a template argument. */
template <ptog_opcode opcode, class... Operands> void run_generate(place at, int flag, Operands &...operands)
{
    insn_attrs attrs{};
    attrs.of[0] = flag;
    run_with_attrs<opcode>(at, attrs, operands...);
}

template <ptog_opcode opcode, class... Operands> void run_compare(place at, pto::CmpMode mode, Operands &...operands)
{
    insn_attrs attrs{};
    attrs.of[PTOG_TCMP_MODE] = static_cast<std::int32_t>(mode);
    run_with_attrs<opcode>(at, attrs, operands...);
}

template <class Dst, class Src> void run_scatter_mask(place at, pto::MaskPattern pattern, int axis, Dst &dst, Src &src)
{
    insn_attrs attrs{};
    attrs.of[PTOG_TSCATTER_BY] = PTOG_BY_MASK;
    attrs.of[PTOG_TSCATTER_PATTERN] = static_cast<std::int32_t>(pattern);
    attrs.of[PTOG_TSCATTER_AXIS] = axis;
    run_with_attrs<PTOG_TSCATTER>(at, attrs, dst, src);
}

/* ---- TMRGSORT ---- */

template <class Dst, class Src> void run_merge_runs(place at, Dst &dst, Src &src, std::uint32_t block)
{
    thread_state &t = with_core(at);
    if (!have_extents(at, "TMRGSORT", dst, src))
        return;
    const call_names &names = t.calls.find(at, "TMRGSORT");
    const ptog_tile to = tile_of(t, dst, names[0]), from = tile_of(t, src, names[1]);
    ptog_insn insn;
    ptog_insn_start(&insn, PTOG_TMRGSORT);
    ptog_insn_set_tile(&insn, 0, &to);
    ptog_insn_set_tile(&insn, 1, &from);
    ptog_insn_set_scalar(&insn, 2, PTOG_I64, block);
    worked(t, PTOG_V, ptog_core_insn(t.core, &insn, nullptr), at, "TMRGSORT");
}

/* The call is TMRGSORT(dst, executed, tmp, src0, src1, ...). */
template <class Executed, class Dst, class Tmp, class... Lists>
void run_merge_lists(place at, bool exhausted, Executed &executed, Dst &dst, Tmp &tmp, Lists &...lists)
{
    thread_state &t = with_core(at);
    if (!have_extents(at, "TMRGSORT", dst, lists...))
        return;
    const call_names &names = t.calls.find(at, "TMRGSORT");
    ptog_tile scratch = tile_of(t, tmp, names[2]);
    const ptog_tile to = tile_of(t, dst, names[0]);
    scratch.valid_row = scratch.valid_col = 0;
    ptog_insn insn;
    int number = 0;
    ptog_insn_start(&insn, PTOG_TMRGSORT);
    insn.attr[PTOG_TMRGSORT_EXHAUSTED] = exhausted;
    ptog_insn_set_tile(&insn, 0, &to);
    auto put = [&](auto &list) {
        const ptog_tile from = tile_of(t, list, names[3 + number]);
        ptog_insn_set_tile(&insn, 3 + number++, &from);
    };
    (put(lists), ...);
    ptog_insn_set_tile(&insn, 7, &scratch);
    worked(t, PTOG_V, ptog_core_insn(t.core, &insn, nullptr), at, "TMRGSORT");
    std::uint16_t counts[4];
    bool tells = exhausted || process_settings().target->cpu_threads;
    if (!tells || ptog_core_merged(t.core, counts) != PTOG_OK)
        return;
    executed.mrgSortList0 = counts[0];
    executed.mrgSortList1 = counts[1];
    executed.mrgSortList2 = counts[2];
    executed.mrgSortList3 = counts[3];
}

/* What TCVT does where the kernel does not say: the CPU form never saturates. */
template <class Dst, class Src> pto::SaturationMode usual_saturation()
{
    bool cut = narrows(dtype_of<typename Src::DType>(), dtype_of<typename Dst::DType>());
    return cut || process_settings().target->casts ? pto::SaturationMode::OFF : pto::SaturationMode::ON;
}

/* dst, src and perhaps a tmp. */
template <class... Tiles>
void run_convert(place at, pto::RoundMode mode, pto::SaturationMode saturation, Tiles &...tiles)
{
    insn_attrs attrs{};
    attrs.of[PTOG_TCVT_ROUND] = static_cast<std::int32_t>(mode);
    attrs.of[PTOG_TCVT_SATURATION] = static_cast<std::int32_t>(saturation);
    run_with_attrs<PTOG_TCVT>(at, attrs, tiles...);
}

} // namespace ptog

#endif
