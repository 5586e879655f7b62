/* pto: an instruction with its operands, described for the library and issued. One function per form. */
#ifndef PTO_PTOG_ISSUE_HPP
#define PTO_PTOG_ISSUE_HPP

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <pto/ptog/call.hpp>
#include <pto/ptog/check.hpp>
#include <pto/ptog/describe.hpp>

namespace ptog
{

/* ---- TLOAD and TSTORE ---- */

template <class Tile, class Global> constexpr ptog_transfer static_transfer(bool store)
{
    ptog_transfer op{};
    op.tile = static_tile<Tile>();
    op.view = static_tensor<Global>();
    op.store = store;
    return op;
}

/* `issue`: load or prefetch of call.hpp. */
template <class Tile, class Global>
void run_load(Tile &tile, Global &global, place at, decltype(&load) issue = load, const char *name = "TLOAD")
{
    static constexpr ptog_transfer known = static_transfer<Tile, Global>(false);
    thread_state &t = with_core(at);
    if (!have_extents(at, name, tile))
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
    thread_state &t = with_core(at);
    if (!have_extents(at, "TSTORE", tile))
        return;
    ptog_transfer op = known;
    const call_names &names = t.calls.find(at, "TSTORE");
    op.atomic = static_cast<ptog_atomic>(atomic);
    describe(op.tile, t, tile, names[1]);
    describe(op.view, global, names[0]);
    store(t, op, global.data(), at);
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

/* ---- TGATHER ---- */

template <class Tile> ptog_tile tile_of(thread_state &t, Tile &tile, const char *name)
{
    ptog_tile to = static_tile<Tile>();
    describe(to, t, tile, name);
    return to;
}

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

/* Operand `position`: a tile with its extents, or a scalar of an element type. False, with a report, when a tile has
 * none. */
template <class Operand>
bool put_operand(ptog_insn &insn, ptog_run &extents, thread_state &t, int position, Operand &operand, place at,
                 const char *name)
{
    if constexpr (is_tile<Operand>::value) {
        std::int64_t *const given[] = {extents.dst_valid, extents.src_valid, extents.src1_valid};
        bool selects =
            insn.opcode == PTOG_TSEL || insn.opcode == PTOG_TSELS; /* their extents are known when they run */
        if (!have_extents(at, ptog_opcode_name(insn.opcode), operand))
            return false;
        ptog_tile tile = tile_of(t, operand, name);
        if (!selects && position <= tile_sources(insn.opcode)) /* a tmp is as large as it is */
            open_extents<Operand>(tile, given[position]);
        ptog_insn_set_tile(&insn, position, &tile);
    } else {
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

struct insn_attrs {
    std::int32_t of[PTOG_MOST_ATTRS];
};

/* `first`: the call has so many of the last operands before dst. */
template <ptog_opcode opcode, int first = 0, class... Operands>
void run_with_attrs(place at, const insn_attrs &attrs, Operands &...operands)
{
    constexpr int count = sizeof...(Operands);
    thread_state &t = with_core(at);
    const call_names &names = t.calls.find(at, ptog_opcode_name(opcode));
    ptog_insn insn;
    ptog_run extents{};
    int position = 0;
    ptog_insn_start(&insn, opcode);
    std::memcpy(insn.attr, attrs.of, sizeof insn.attr);
    auto put = [&](auto &operand) {
        const char *name = names[(position + first) % count];
        return put_operand(insn, extents, t, position++, operand, at, name);
    };
    if (!(put(operands) && ...))
        return;
    constexpr bool open = (has_open_extents<Operands>() || ...);
    worked(t, PTOG_V, ptog_core_insn(t.core, &insn, open ? &extents : nullptr), at, ptog_opcode_name(opcode));
}

/* dst and the sources, tiles or scalars, in the order of the row. */
template <ptog_opcode opcode, class... Operands> void run_elementwise(place at, Operands &...operands)
{
    run_with_attrs<opcode>(at, {}, operands...);
}

/* A reduction that also gives the value: the call is TROWARGMAX(val, dst, src, tmp). */
template <ptog_opcode opcode, class Dst, class Src, class Tmp, class Val>
void run_with_value(place at, Dst &dst, Src &src, Tmp &tmp, Val &val)
{
    run_with_attrs<opcode, 1>(at, {}, dst, src, tmp, val);
}

/* Copies between tiles: dst, the sources, and the numbers of a window or the counts behind them. */
template <ptog_opcode opcode, class... Operands> void run_move(place at, Operands &...operands)
{
    run_with_attrs<opcode>(at, {}, operands...);
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
