/* What the documents declare, as a compiler sees it: numbers and sizes of enums, and each signature with all of its template
 * arguments written out, with no event and with two. Never linked. */
#include <pto/pto-inst.hpp>

#include <cstdint>
#include <type_traits>

using namespace pto;

template <class Enum> constexpr bool is_a_byte = std::is_same_v<std::underlying_type_t<Enum>, std::uint8_t>;

static_assert(is_a_byte<GatherOOB> && sizeof(GatherOOB) == 1, "GatherOOB is an enum of one byte");
static_assert(is_a_byte<Coalesce> && sizeof(Coalesce) == 1, "Coalesce is an enum of one byte");
static_assert(static_cast<int>(Coalesce::Row) == 0 && static_cast<int>(Coalesce::Elem) == 1);
static_assert(static_cast<int>(GatherOOB::Undefined) == 0 && static_cast<int>(GatherOOB::Clamp) == 1 &&
              static_cast<int>(GatherOOB::Wrap) == 2 && static_cast<int>(GatherOOB::Zero) == 3);

using Dst = Tile<TileType::Vec, float, 16, 16>;
using Idx = Tile<TileType::Vec, int32_t, 16, 16>;
using Table = GlobalTensor<float, Shape<1, 1, 1, 64, 16>, Stride<1, 1, 1, 16, 1>>;
using First = RecordEvent;
using Second = Event<Op::TLOAD, Op::TADD>;

template <class T> constexpr bool is_recorded = std::is_same_v<T, RecordEvent>;

void signatures(Dst &dst, Table &table, Idx &idx, Dst &src0, Tile<TileType::Vec, float, 16, 8> &half_of, First &first, Second &second)
{
    /* 001, 002 and 003: <TileDst, GlobalData, TileInd, WaitEvents...>(dst, src, indexes, events...) */
    static_assert(is_recorded<decltype(MGATHER<Dst, Table, Idx>(dst, table, idx))>);
    static_assert(is_recorded<decltype(MGATHER(dst, table, idx, first, second))>);
    /* 002, A2/A3 and A5: <CMode = Row, Oob = Undefined, TileDst, GlobalTable, TileIdx, WaitEvents...> */
    static_assert(is_recorded<decltype(MGATHER<Coalesce::Elem>(dst, table, idx))>);
    static_assert(is_recorded<decltype(MGATHER<Coalesce::Elem, GatherOOB::Wrap, Dst, Table, Idx>(dst, table, idx))>);
    static_assert(is_recorded<decltype(MGATHER<Coalesce::Elem, GatherOOB::Wrap>(dst, table, idx, first, second))>);
    /* 000: <Mode = Undefined, TileDst, GlobalTable, TileIdx>(dst, table, indices) */
    static_assert(is_recorded<decltype(MGATHER<GatherOOB::Zero, Dst, Table, Idx>(dst, table, idx))>);
    /* 004: <TileDataD, TileDataS0, TileDataS1, WaitEvents...>, and <DstTileData, SrcTileData, maskPattern, WaitEvents...> */
    static_assert(is_recorded<decltype(TGATHER<Dst, Dst, Idx>(dst, src0, idx))>);
    static_assert(is_recorded<decltype(TGATHER(dst, src0, idx, first, second))>);
    static_assert(is_recorded<decltype(TGATHER<Tile<TileType::Vec, float, 16, 8>, Dst, MaskPattern::P0101>(half_of, src0))>);
    static_assert(
        is_recorded<decltype(TGATHER<Tile<TileType::Vec, float, 16, 8>, Dst, MaskPattern::P0101>(half_of, src0, first, second))>);
}
