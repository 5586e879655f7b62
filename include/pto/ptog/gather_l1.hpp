/* pto: MGATHER into L1, described for the library and issued: table, indices and scratch memory are GlobalTensors. */
#ifndef PTO_PTOG_GATHER_L1_HPP
#define PTO_PTOG_GATHER_L1_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <pto/ptog/call.hpp>
#include <pto/ptog/cube_issue.hpp>

namespace ptog
{

template <class Dst> constexpr bool is_l1_gather()
{
    return Dst::Loc == pto::TileType::Mat;
}

/* The scratch memory of a gather into L1, no event. */
template <class Type> using if_global = std::enable_if_t<is_global<Type>::value, int>;

/* An index tile that stands for rows where the mode comes from its shape. */
template <class Idx> constexpr bool is_one_column()
{
    if constexpr (is_tile<Idx>::value)
        return Idx::Cols == 1;
    else
        return true;
}

/* The pipe on which MGATHER waits for events, and which its own event stands for. */
template <class Dst> constexpr pipe_t gather_pipe()
{
    return is_l1_gather<Dst>() ? PIPE_MTE2 : PIPE_V;
}

/* A GlobalTensor as operand `position`. False, with a report, when it cannot be looked at. */
template <class Global>
bool put_view(ptog_insn &insn, thread_state &t, int position, Global &global, const char *name, place at, const char *call)
{
    ptog_operand &operand = insn.of[position];
    operand.kind = PTOG_IS_VIEW;
    operand.view = static_tensor<Global>();
    describe(operand.view, global, name);
    std::size_t reach = reach_of(operand.view);
    if (!is_there(operand.view, global.data(), reach, at, call))
        return false;
    gm_buffers::place gm = gm_at(t, global.data(), reach, operand.view.name);
    operand.buffer = gm.gm;
    operand.offset = gm.offset;
    return true;
}

/* Whatever mode a call of three operands names, the library has rows for it; the CPU simulator's takes elements. */
inline ptog_coalesce mode_without_scratch(pto::Coalesce mode, place at)
{
    if (mode != pto::Coalesce::Elem)
        return PTOG_ROW;
    found(at, PTOG_FAULT_ID_GATHER_L1_ROW, "MGATHER into L1 without scratch memory gathers rows, also with Coalesce::Elem");
    return PTOG_ROW;
}

/* The call is MGATHER(dst, table, idx[, scratch]). */
template <class Dst, class Global, class Idx, class... Scratch>
void run_gather_l1(Dst &dst, Global &table, Idx &idx, pto::Coalesce mode, pto::GatherOOB oob, place at, Scratch &...scratch)
{
    static_assert(!is_tile<Idx>::value, "MGATHER into L1 reads its indices from a GlobalTensor, not from a tile");
    thread_state &t = with_core(at, core_kind::cube);
    if (!have_extents(at, "MGATHER", dst))
        return;
    const call_names &names = t.calls.find(at, "MGATHER");
    const ptog_tile to = tile_of(t, dst, names[0]);
    constexpr bool has_scratch = sizeof...(Scratch) > 0;
    ptog_insn insn;
    ptog_insn_start(&insn, PTOG_MGATHER);
    ptog_insn_set_tile(&insn, 0, &to);
    insn.attr[PTOG_MGATHER_COALESCE] = has_scratch ? static_cast<std::int32_t>(mode) : mode_without_scratch(mode, at);
    insn.attr[PTOG_MGATHER_OOB] = static_cast<std::int32_t>(oob);
    if (!put_view(insn, t, 1, table, names[1], at, "MGATHER") || !put_view(insn, t, 3, idx, names[2], at, "MGATHER") ||
        !(put_view(insn, t, 4, scratch, names[3], at, "MGATHER") && ...))
        return;
    worked(t, PTOG_MTE2, ptog_core_insn(t.core, &insn, nullptr), at, "MGATHER");
    if constexpr (has_scratch)
        arrive(t);
}

} // namespace ptog

#endif
