/* pto: instructions of the cube core with their operands, described for the library and issued; and what other instructions share
 * with them. */
#ifndef PTO_PTOG_CUBE_ISSUE_HPP
#define PTO_PTOG_CUBE_ISSUE_HPP

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <pto/ptog/call.hpp>
#include <pto/ptog/describe.hpp>

namespace ptog
{

template <class Tile, class Global> constexpr ptog_transfer static_transfer(bool store)
{
    ptog_transfer op{};
    op.tile = static_tile<Tile>();
    op.view = static_tensor<Global>();
    op.store = store;
    return op;
}

/* The pipe that stores a tile, and the one that copies between two. */
template <class Tile> constexpr pipe_t store_pipe()
{
    return Tile::Loc == pto::TileType::Acc ? PIPE_FIX : PIPE_MTE3;
}
/* A tile of a vector core that goes to L1, which that core executes. */
template <class Dst, class Src> constexpr bool is_sent_to_l1()
{
    return Src::Loc == pto::TileType::Vec && Dst::Loc == pto::TileType::Mat;
}

template <class Dst, class Src> constexpr pipe_t copy_pipe()
{
    if (is_sent_to_l1<Dst, Src>())
        return PIPE_MTE3;
    if (Src::Loc == pto::TileType::Mat && Dst::Loc == pto::TileType::Mat)
        return PIPE_MTE2; /* TFILLPAD */
    if (Src::Loc == pto::TileType::Acc || Dst::Loc == pto::TileType::Scaling)
        return PIPE_FIX;
    return any_on_cube<Dst, Src>() ? PIPE_MTE1 : PIPE_V;
}

template <class Tile> ptog_tile tile_of(thread_state &t, Tile &tile, const char *name)
{
    ptog_tile to = static_tile<Tile>();
    describe(to, t, tile, name);
    return to;
}

struct insn_attrs {
    std::int32_t of[PTOG_MAX_ATTRS];
};

inline insn_attrs relu_attrs(bool relu, pto::AccToVecMode to = pto::AccToVecMode::SingleModeVec0)
{
    insn_attrs attrs{};
    attrs.of[PTOG_MOVE_RELU] = relu;
    attrs.of[PTOG_MOVE_TO] = static_cast<std::int32_t>(to);
    return attrs;
}

/* The phase of a product. */
inline insn_attrs phase_attrs(pto::AccPhase phase)
{
    insn_attrs attrs{};
    attrs.of[PTOG_PRODUCT_PHASE] = static_cast<std::int32_t>(phase);
    return attrs;
}

/* An operand whose extents are all known here. */
template <class Operand>
bool put_whole(ptog_insn &insn, thread_state &t, int position, Operand &operand, place at, const char *call, const char *name)
{
    if constexpr (is_tile<Operand>::value) {
        if (!have_extents(at, call, operand))
            return false;
        ptog_tile tile = tile_of(t, operand, name);
        ptog_insn_set_tile(&insn, position, &tile);
    } else {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &operand, sizeof operand);
        ptog_insn_set_scalar(&insn, position, dtype_of<Operand>(), bits);
    }
    return true;
}

/* An instruction with tiles of the cube core; `twice`: so many operands before the others stand for the first argument of the call. */
template <ptog_opcode opcode, core_kind kind = core_kind::cube, class... Operands>
void run_on_cube(place at, const char *call, pipe_t pipe, const insn_attrs &attrs, int twice, Operands &...operands)
{
    thread_state &t = with_core(at, kind);
    const call_names &names = t.calls.find(at, call);
    ptog_insn insn;
    int position = 0;
    ptog_insn_start(&insn, opcode);
    std::memcpy(insn.attr, attrs.of, sizeof insn.attr);
    auto put = [&](auto &operand) {
        const char *name = names[static_cast<std::size_t>(position > twice ? position - twice : 0)];
        return put_whole(insn, t, position++, operand, at, call, name);
    };
    if ((put(operands) && ...))
        worked(t, static_cast<ptog_pipe>(pipe), ptog_core_insn(t.core, &insn, nullptr), at, call);
}

/* A store of an accumulator that drops negative elements, or scales: by a number, or by a tile with one for each column. */
template <class Global, class Tile, class... Scale>
void run_store_acc(Global &global, Tile &tile, place at, const char *call, pto::AtomicType atomic, bool relu, pto::STPhase phase,
                   Scale &...scale)
{
    static_assert(!std::is_const_v<typename Global::DType>, "TSTORE: cannot store to a GlobalTensor of a const type");
    static_assert(Tile::Loc == pto::TileType::Acc, "TSTORE: only accumulators are stored with a scale or a relu");
    thread_state &t = with_core(at, core_kind::cube);
    if (!have_extents(at, call, tile))
        return;
    const call_names &names = t.calls.find(at, call);
    ptog_transfer op = static_transfer<Tile, Global>(true);
    ptog_insn insn;
    op.atomic = static_cast<ptog_atomic>(atomic);
    describe(op.tile, t, tile, names[1]);
    describe(op.view, global, names[0]);
    ptog_insn_transfer(&insn, &op);
    insn.attr[PTOG_TSTORE_RELU] = relu;
    insn.attr[PTOG_TSTORE_PHASE] = static_cast<std::int32_t>(phase);
    if ((put_whole(insn, t, 2, scale, at, call, names[2]) && ...))
        store_insn(t, insn, global.data(), at, call);
}

} // namespace ptog

#endif
