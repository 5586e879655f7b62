/* pto: FIFOs between the cube core and the vector cores of a block, as the library has them (ptog/fifo.h): TPipe is one
 * end of one, on each core that makes it. On A5 the slots lie in the core that pops, else in global memory. */
#ifndef PTO_PTOG_FIFO_HPP
#define PTO_PTOG_FIFO_HPP

#include <cstdint>

#include <ptog/fifo.h>

#include <pto/common/pto_tile.hpp>
#include <pto/ptog/cross.hpp>
#include <pto/ptog/cube_issue.hpp>

namespace pto
{

/* How vector cores share a tile: none, rows, columns; of the last two vector core 0 has one more. */
enum TileSplitAxis : std::uint8_t {
    TILE_NO_SPLIT = 0,
    TILE_UP_DOWN = 1,
    TILE_LEFT_RIGHT = 2,
    TILE_UP_DOWN_ODD = 3,
    TILE_LEFT_RIGHT_ODD = 4
};

/* Who pushes, and on A5 whether through global memory. */
enum Direction : std::uint8_t {
    UNDEFINED = 0,
    DIR_C2V = 1,
    DIR_V2C = 2,
    DIR_BOTH = 3,
    DIR_V2C_CTRL = 4,
    DIR_C2V_GM = 5,
    DIR_V2C_GM = 6,
    DIR_BOTH_GM = 7
};

} // namespace pto

namespace ptog
{

/* The number of a FIFO in a launch: its first flag, unless another FIFO has that. Both ends ask with the same words. */
inline std::uint32_t fifo_number(thread_state &t, const fifo_words &words)
{
    std::uint32_t number = words.flag, free = 16;
    for (const fifo_words &other : t.fifos) {
        if (other.is_like(words))
            return other.number;
        if (other.number == number)
            number = free;
        free = other.number >= free ? other.number + 1 : free;
    }
    number = number == words.flag ? number : free;
    if (number >= PTOG_FIFOS)
        give_up("a kernel has more than %d FIFOs", PTOG_FIFOS);
    t.fifos.push_back(words);
    t.fifos[t.fifos.size() - 1].number = number;
    return number;
}

/* Memory for the slots of a FIFO that lie in a core: a buffer of the device for each block. */
inline int ring_of(thread_state &t, std::uint32_t number, std::size_t bytes)
{
    for (const ring &one : t.rings)
        if (one.device == t.current && one.block == t.block && one.number == number && one.bytes == bytes)
            return one.gm;
    void *data = std::calloc(1, bytes);
    int gm = data ? ptog_device_buffer(t.devices[t.current]->handle, "fifo", data, bytes) : -1;
    if (gm < 0)
        give_up("out of memory");
    t.rings.push_back({t.current, t.block, number, bytes, data, gm});
    return gm;
}

/* Opens an end on the core that runs. False: it cannot be; that is said. */
inline bool open_fifo(thread_state &t, ptog_fifo_options &options, const fifo_words &words, void *slots, place at)
{
    if (!can_wait(t, at, "TPipe"))
        return false;
    options.number = fifo_number(t, words);
    std::size_t bytes = ptog_fifo_bytes(&options);
    if (options.local) {
        options.gm = ring_of(t, options.number, bytes);
    } else {
        gm_buffers::place gm = gm_at(t, slots, bytes, "fifo");
        options.gm = gm.gm;
        options.offset = gm.offset;
    }
    done(t, ptog_core_fifo_open(t.core, &options), at, "TPipe");
    return true;
}

/* ---- what a kernel does with one */

template <class Pipe> bool has_fifo(Pipe &pipe, thread_state &t, place at, const char *call)
{
    if (!pipe.is_open && can_wait(t, at, call))
        say(at, call, "the TPipe was not made on this core");
    return pipe.is_open;
}

/* After a call that may have waited. */
inline void transferred(thread_state &t, ptog_pipe pipe, ptog_status status, place at, const char *call)
{
    if (status == PTOG_FAULT)
        t.issued++; /* the core has ended */
    else
        worked(t, pipe, status, at, call);
}

template <class Pipe, class Tile> void push_tile(Pipe &pipe, Tile &tile, pto::TileSplitAxis split, place at)
{
    static_assert(Tile::Loc == pto::TileType::Acc || Tile::Loc == pto::TileType::Vec,
                  "TPUSH: a tile of the accumulator or of a vector core is pushed");
    constexpr pipe_t on = store_pipe<Tile>();
    thread_state &t = with_core(at, kind_of<Tile>());
    if (!has_fifo(pipe, t, at, "TPUSH"))
        return;
    const call_names &names = t.calls.find(at, "TPUSH");
    ptog_tile from = tile_of(t, tile, names[1]);
    ptog_status status = waiting(t, [&] {
        return ptog_core_fifo_push(t.core, pipe.number, &from, static_cast<ptog_split>(split));
    });
    transferred(t, static_cast<ptog_pipe>(on), status, at, "TPUSH");
}

template <class Pipe, class Tile> void pop_tile(Pipe &pipe, Tile &tile, pto::TileSplitAxis split, place at)
{
    static_assert(Tile::Loc == pto::TileType::Mat || Tile::Loc == pto::TileType::Vec,
                  "TPOP: a tile of L1 or of a vector core is popped");
    thread_state &t = with_core(at, kind_of<Tile>());
    if (!has_fifo(pipe, t, at, "TPOP"))
        return;
    const call_names &names = t.calls.find(at, "TPOP");
    ptog_tile to = static_tile<Tile>();
    to.name = names[1];
    to.valid_row = tile.GetValidRow();
    to.valid_col = tile.GetValidCol();
    ptog_status status = waiting(t, [&] {
        return ptog_core_fifo_pop(t.core, pipe.number, &to, static_cast<ptog_split>(split));
    });
    tile.room.assign(to.addr);
    tile.room.addr(t, static_cast<int>(Tile::Loc), 0, true);
    transferred(t, PTOG_MTE2, status, at, "TPOP");
}

/* The pointer for an offset that the library gave. */
template <class Pipe> std::uintptr_t slot_pointer(const Pipe &pipe, std::uint64_t offset)
{
    return reinterpret_cast<std::uintptr_t>(pipe.slots) + static_cast<std::uintptr_t>(offset - pipe.offset);
}

/* Where the part of a vector core begins in a slot that the whole tile is in. */
template <class Global> std::uint64_t part_offset(thread_state &t, pto::TileSplitAxis split)
{
    constexpr auto rows = static_cast<std::uint64_t>(Global::staticShape[3]), cols = static_cast<std::uint64_t>(Global::staticShape[4]);
    if (t.cube || split == pto::TILE_NO_SPLIT)
        return 0;
    return t.subblock * (split == pto::TILE_UP_DOWN ? rows * cols : cols) * sizeof(typename Global::RawDType);
}

/* Waits for a slot, or for an entry, which the kernel fills or reads itself. */
template <class Pipe, class Global, class Call>
void take_slot(Pipe &pipe, Global &global, pto::TileSplitAxis split, place at, const char *name, Call call)
{
    static_assert(!Pipe::is_local, "slots of this TPipe lie in a core: use a direction through global memory, such as DIR_C2V_GM");
    thread_state &t = with_core(at);
    std::uint64_t offset = pipe.offset;
    if (!has_fifo(pipe, t, at, name))
        return;
    ptog_status status = waiting(t, [&] { return call(t.core, pipe.number, static_cast<ptog_split>(split), &offset); });
    global.SetAddr(reinterpret_cast<typename Global::DType *>(slot_pointer(pipe, offset) + part_offset<Global>(t, split)));
    t.issued++;
    done(t, status, at, name);
}

template <class Pipe> void push_slot(Pipe &pipe, pto::TileSplitAxis split, place at)
{
    thread_state &t = with_core(at);
    if (!has_fifo(pipe, t, at, "TPUSH"))
        return;
    t.issued++;
    done(t, waiting(t, [&] { return ptog_core_fifo_push(t.core, pipe.number, nullptr, static_cast<ptog_split>(split)); }), at, "TPUSH");
}

template <class Pipe> void free_entry(Pipe &pipe, place at)
{
    thread_state &t = with_core(at);
    if (!has_fifo(pipe, t, at, "TFREE"))
        return;
    t.issued++;
    done(t, waiting(t, [&] { return ptog_core_fifo_free(t.core, pipe.number); }), at, "TFREE");
}

} // namespace ptog

namespace pto
{

/* One end of a FIFO with SlotNum slots of SlotSize bytes. Popped tiles lie at c2v in UB, at v2c in L1. */
template <std::uint8_t FlagID, std::uint8_t DirType, std::uint32_t SlotSize, std::uint32_t SlotNum, std::uint32_t LocalSlotNum = 2,
          bool IsNoSplit = false, bool UnitFlag = false>
struct TPipe {
    static_assert(DirType >= DIR_C2V && DirType <= DIR_BOTH_GM && DirType != DIR_V2C_CTRL,
                  "not supported yet: this direction of TPipe");
    static_assert(!UnitFlag, "not supported yet: TPipe with the unit flag");
    static_assert(SlotNum >= 1, "TPipe: a FIFO has a slot at least");
    static_assert(FlagID + (DirType == DIR_BOTH || DirType == DIR_BOTH_GM ? 3 : 1) < 16, "TPipe: flags end at 15");

    static constexpr bool through_gm = DirType > DIR_V2C_CTRL;
    static constexpr std::uint8_t DIR_TYPE = through_gm ? DirType - DIR_V2C_CTRL : DirType;
    static constexpr bool is_c2v = DIR_TYPE == DIR_C2V, is_v2c = DIR_TYPE == DIR_V2C, is_both = DIR_TYPE == DIR_BOTH;
#ifdef PTO_NPU_ARCH_A5
    static constexpr bool is_local = !through_gm;
#else
    static constexpr bool is_local = false;
#endif

    explicit TPipe(void *gm, std::uint32_t c2v, std::uint32_t v2c, PTOG_PLACE) : slots(gm)
    {
        ptog::thread_state &t = ptog::with_core(PTOG_HERE);
        ptog_fifo_options options{};
        options.direction = static_cast<ptog_fifo_direction>(DIR_TYPE);
        options.slot_size = SlotSize;
        options.slots = SlotNum;
        options.local_slots = LocalSlotNum;
        options.local = is_local || !gm;
        options.consumer[0] = c2v;
        options.consumer[1] = v2c;
        is_open = ptog::open_fifo(t, options, {FlagID, DirType, SlotSize, SlotNum, LocalSlotNum, IsNoSplit, 0}, gm, PTOG_HERE);
        number = options.number;
        offset = options.offset;
    }

    /* How many frees of `tiles` entries the one who pushed has not waited for. */
    static constexpr std::uint32_t countPendingFreeCredits(std::uint32_t tiles)
    {
        constexpr std::uint32_t period = SlotNum <= 2 ? SlotNum : SlotNum / 2;
        std::uint32_t waits = 0;
        for (std::uint32_t i = SlotNum; i < tiles; i++)
            waits += i % period == 0;
        return tiles / period - waits;
    }

    struct Producer {
    };
    struct Consumer {
    };

    void *slots;
    std::uint32_t number = 0;
    std::uint64_t offset = 0; /* where the slots begin in their buffer */
    bool is_open = false;
};

template <class Pipe, class Tile_, TileSplitAxis split, std::enable_if_t<ptog::is_tile<Tile_>::value, int> = 0>
PTO_INST RecordEvent TPUSH(Pipe &pipe, Tile_ &tile, PTOG_PLACE)
{
    ptog::push_tile(pipe, tile, split, PTOG_HERE);
    return {ptog::store_pipe<Tile_>()};
}
template <class Pipe, class Global, TileSplitAxis split, std::enable_if_t<ptog::is_global<Global>::value, int> = 0>
PTO_INST RecordEvent TPUSH(Pipe &pipe, Global &, PTOG_PLACE)
{
    ptog::push_slot(pipe, split, PTOG_HERE);
    return {PIPE_S};
}
/* A kernel may say which vector core it is, which the core knows. */
template <class Pipe, class Tile_, TileSplitAxis split, std::enable_if_t<ptog::is_tile<Tile_>::value, int> = 0>
PTO_INST RecordEvent TPUSH(Pipe &pipe, Tile_ &tile, std::int32_t, PTOG_PLACE)
{
    ptog::push_tile(pipe, tile, split, PTOG_HERE);
    return {ptog::store_pipe<Tile_>()};
}
template <class Pipe, class Tile_, TileSplitAxis split, std::enable_if_t<ptog::is_tile<Tile_>::value, int> = 0>
PTO_INST RecordEvent TPOP(Pipe &pipe, Tile_ &tile, std::int32_t, PTOG_PLACE)
{
    ptog::pop_tile(pipe, tile, split, PTOG_HERE);
    return {PIPE_MTE2};
}
template <class Pipe, class Tile_, TileSplitAxis split, std::enable_if_t<ptog::is_tile<Tile_>::value, int> = 0>
PTO_INST RecordEvent TPOP(Pipe &pipe, Tile_ &tile, PTOG_PLACE)
{
    ptog::pop_tile(pipe, tile, split, PTOG_HERE);
    return {PIPE_MTE2};
}
template <class Pipe, class Global, TileSplitAxis split, std::enable_if_t<ptog::is_global<Global>::value, int> = 0>
PTO_INST RecordEvent TPOP(Pipe &pipe, Global &global, PTOG_PLACE)
{
    ptog::take_slot(pipe, global, split, PTOG_HERE, "TPOP", [](auto *core, auto number, auto how, auto *offset) {
        return ptog_core_fifo_pop_slot(core, number, how, offset);
    });
    return {PIPE_S};
}
template <class Pipe, class Global, TileSplitAxis split, std::enable_if_t<ptog::is_global<Global>::value, int> = 0>
PTO_INST RecordEvent TALLOC(Pipe &pipe, Global &global, PTOG_PLACE)
{
    ptog::take_slot(pipe, global, split, PTOG_HERE, "TALLOC", [](auto *core, auto number, auto how, auto *offset) {
        return ptog_core_fifo_alloc(core, number, how, offset);
    });
    return {PIPE_S};
}
template <class Pipe, TileSplitAxis split> PTO_INST RecordEvent TFREE(Pipe &pipe, PTOG_PLACE)
{
    ptog::free_entry(pipe, PTOG_HERE);
    return {PIPE_S};
}
template <class Pipe> PTO_INST RecordEvent TFREE(Pipe &pipe, PTOG_PLACE)
{
    ptog::free_entry(pipe, PTOG_HERE);
    return {PIPE_S};
}
template <class Pipe, class Global, TileSplitAxis split, std::enable_if_t<ptog::is_global<Global>::value, int> = 0>
PTO_INST RecordEvent TFREE(Pipe &pipe, Global &, PTOG_PLACE)
{
    ptog::free_entry(pipe, PTOG_HERE);
    return {PIPE_S};
}

} // namespace pto

#endif
