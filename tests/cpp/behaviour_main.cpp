/* Small programs, chosen by name, about what the headers add to the library: launches, global memory, reports, events,
 * tiles without an address. behaviour.py runs them in several environments and reads the reports. */
#include <pto/pto-inst.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <sys/mman.h>
#include <thread>
#include <vector>

using namespace pto;

static float table[64 * 32], out[64 * 32];
static int32_t ids[64];

template <class T, int R, int C> using Packed = GlobalTensor<T, Shape<1, 1, 1, R, C>, Stride<1, 1, 1, C, 1>>;

static void after_load()
{
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
}
static void before_store()
{
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
}

/* Gathers 16 rows; `flagged` or not after the load. */
template <int TableRows> static void rows(float *to, float *from, int32_t *indices, bool flagged = true)
{
    Tile<TileType::Vec, float, 16, 32> dst;
    Tile<TileType::Vec, int32_t, 1, 16> idx;
    TASSIGN(dst, 0);
    TASSIGN(idx, 0x4000);
    Packed<float, TableRows, 32> tableGM(from);
    Packed<int32_t, 1, 16> idxGM(indices);
    Packed<float, 16, 32> outGM(to);
    TLOAD(idx, idxGM);
    if (flagged)
        after_load();
    MGATHER<Coalesce::Row>(dst, tableGM, idx); // the gather
    before_store();
    TSTORE(outGM, dst);
}

static bool gathered(const float *to, const int32_t *indices, int count)
{
    for (int i = 0; i < count * 32; i++)
        if (to[i] != table[indices[i / 32] * 32 + i % 32])
            return false;
    return true;
}

static int failed(const char *what)
{
    std::printf("%s\n", what);
    return 3;
}

static int passed(bool good, const char *what)
{
    if (good)
        return 0;
    return failed(what);
}

/* Each block gathers its 16 rows. `stride` 0: all blocks write the same ones. */
static void block_rows(float *to, int stride)
{
    rows<64>(to + block_idx * stride, table, ids + get_block_idx() * 16);
    if (get_block_num() != 4 || block_num != 4)
        std::exit(failed("get_block_num"));
}

static int blocks(int stride)
{
    ptog::gm_register(out, sizeof out);
    ptog::fn([&](auto &&...a) { block_rows(a...); }).on(4, nullptr, nullptr)(out, stride);
    return passed(!stride || gathered(out, ids, 64), "blocks");
}

/* Called through a function pointer: on a5 the gather hangs, and nothing of it arrives. */
static void by_rows(float *to, float *from, int32_t *indices)
{
    Tile<TileType::Vec, float, 16, 32> dst;
    Tile<TileType::Vec, int32_t, 16, 1> standing;
    Tile<TileType::Vec, int32_t, 1, 16> idx;
    TASSIGN(dst, 0);
    TASSIGN(idx, 0x4000);
    TASSIGN(standing, 0x4000);
    Packed<float, 64, 32> tableGM(from);
    Packed<int32_t, 1, 16> idxGM(indices);
    Packed<float, 16, 32> outGM(to);
    TLOAD(idx, idxGM);
    after_load();
    if (std::strcmp(ptog::process_settings().target->name, "a5-custom") == 0)
        MGATHER<GatherOOB::Undefined>(dst, tableGM, standing);
    else
        MGATHER<Coalesce::Row>(dst, tableGM, idx);
    before_store();
    TSTORE(outGM, dst);
}

/* What runs on lanes of its own alone needs no context. */
static void copy_only(float *to, float *from)
{
    Tile<TileType::Vec, float, 16, 32> tile;
    TASSIGN(tile, 0);
    Packed<float, 16, 32> fromGM(from), toGM(to);
    TLOAD(tile, fromGM);
    set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID0);
    TSTORE(toGM, tile);
}

/* One element is gathered by the scalar pipe: no launch, no context. */
template <class Dst, class Idx> static void gather_one(Dst &dst, Idx &idx, float *from)
{
    TASSIGN(dst, 0);
    TASSIGN(idx, 0x80);
    const int32_t three = 3;
    float result = 0;
    ptog::preset(idx, &three);
    Packed<float, 64, 32> tableGM(from);
    MGATHER<Coalesce::Elem>(dst, tableGM, idx);
    ptog::peek(dst, &result);
    if (result != 3)
        std::exit(failed("one element"));
}

static void one_element(float *from)
{
    Tile<TileType::Vec, float, 1, 8, BLayout::RowMajor, 1, 1> dst;
    Tile<TileType::Vec, int32_t, 1, 8, BLayout::RowMajor, 1, 1> idx;
    gather_one(dst, idx, from);
}

/* The same when its extents are known at run time only. */
static void one_element_dynamic(float *from)
{
    Tile<TileType::Vec, float, 1, 8, BLayout::RowMajor, -1, -1> dst(1, 1);
    Tile<TileType::Vec, int32_t, 1, 8, BLayout::RowMajor, -1, -1> idx(1, 1);
    gather_one(dst, idx, from);
}

/* 200 KiB of tiles: more than a launch has without asking, or with less. */
template <bool Assigned> static void large_kernel(float *from)
{
    Tile<TileType::Vec, float, 32, 1024> dst;
    Tile<TileType::Vec, int32_t, 1, 32> idx;
    if (Assigned)
        TASSIGN(dst, 72 * 1024);
    TASSIGN(idx, 0);
    Packed<float, 2, 1024> tableGM(from);
    Packed<int32_t, 1, 32> idxGM(ids);
    TLOAD(idx, idxGM);
    after_load();
    MGATHER<Coalesce::Row, GatherOOB::Wrap>(dst, tableGM, idx);
}

/* Tiles without TASSIGN, made anew in each round of a loop. */
static int no_tassign()
{
    for (int i = 0; i < 100; i++) {
        Tile<TileType::Vec, float, 16, 32> dst;
        Tile<TileType::Vec, int32_t, 1, 16> idx;
        Packed<float, 64, 32> tableGM(table);
        Packed<int32_t, 1, 16> idxGM(ids + i % 4 * 16);
        Packed<float, 16, 32> outGM(out + i % 4 * 512);
        TLOAD(idx, idxGM);
        after_load();
        MGATHER<Coalesce::Row>(dst, tableGM, idx);
        before_store();
        TSTORE(outGM, dst);
        pipe_barrier(PIPE_ALL);
    }
    return passed(gathered(out, ids, 64), "no_tassign");
}

/* Inner tiles lie beside the outer one, which was placed first, and beside the one with an address. */
static int placement()
{
    Tile<TileType::Vec, float, 16, 32> fixed;
    Tile<TileType::Vec, int32_t, 1, 16> outer;
    TASSIGN(fixed, 0x100);
    int32_t values[16] = {1}, seen[16] = {};
    float other[512] = {};
    Packed<float, 16, 32> any(other);
    TLOAD(fixed, any);
    ptog::preset(outer, values);
    for (int i = 0; i < 3; i++) {
        Tile<TileType::Vec, int32_t, 1, 16> inner;
        int32_t twos[16] = {2};
        ptog::preset(inner, twos);
        Tile<TileType::Vec, int32_t, 1, 16> copy = inner;
        ptog::peek(copy, seen);
        if (seen[0] != 2 || copy.data() != inner.data() || inner.data() == outer.data())
            return failed("placement: inner");
        if (reinterpret_cast<uintptr_t>(inner.data()) < 0x100 + 2048)
            return failed("placement: over the assigned one");
    }
    ptog::peek(outer, seen);
    return passed(seen[0] == 1, "placement: outer");
}

/* Events of both kinds, on one's own pipe and another's; TSYNC; TMOV of a full tile, and of a part of one. */
static int events()
{
    Tile<TileType::Vec, float, 16, 32> a, b;
    Tile<TileType::Vec, float, 16, 32, BLayout::RowMajor, 8, 24> part, moved;
    Tile<TileType::Vec, int32_t, 1, 16> idx;
    Packed<float, 64, 32> tableGM(table);
    Packed<int32_t, 1, 16> idxGM(ids);
    Packed<float, 16, 32> outGM(out);
    GlobalTensor<float, Shape<1, 1, 1, 8, 24>, Stride<1, 1, 1, 32, 1>> partGM(table), partOut(out + 1024);
    Event<Op::TLOAD, Op::MGATHER> loaded;
    Event<Op::TMOV, Op::TSTORE, false, EVENT_ID3> done;
    loaded = TLOAD(idx, idxGM);
    RecordEvent other = TLOAD(part, partGM);
    RecordEvent first = MGATHER<Coalesce::Row>(a, tableGM, idx, loaded);
    RecordEvent copied = TMOV(b, a, first, other);
    done = TMOV(moved, part, copied);
    TSTORE(outGM, b, copied, done);
    RecordEvent stored = TSTORE(partOut, moved);
    TSYNC(stored);
    for (int i = 0; i < 8 * 24; i++)
        if (out[1024 + i / 24 * 32 + i % 24] != table[i / 24 * 32 + i % 24])
            return failed("events: TMOV of a part");
    return passed(gathered(out, ids, 16), "events");
}

/* Five events at one instruction, and nine; a missing one is found at its line. */
static int many_events(bool all)
{
    Tile<TileType::Vec, float, 8, 8> tiles[9], sum;
    Packed<float, 8, 8> from(table), to(out);
    RecordEvent loaded[9];
    Event<Op::TLOAD, Op::VECTOR> first;
    for (int i = 0; i < 9; i++)
        loaded[i] = TLOAD(tiles[i], from);
    first.Record();
    RecordEvent added = TADD(sum, tiles[0], tiles[1], loaded[0], loaded[1], loaded[2], loaded[3], first);
    if (!all)
        first.Record();
    for (int i = 2; i < 9; i++)
        added = TADD(sum, sum, tiles[i], added, loaded[2], loaded[3], loaded[4], loaded[5], loaded[6], loaded[7],
                     loaded[8], first);
    RecordEvent none[5];
    if (all)
        TSYNC(added, loaded[0], loaded[1], loaded[2], loaded[3], loaded[4]);
    TSTORE(to, sum, none[0], none[1], none[2], none[3], none[4], all ? added : none[4]); // six events
    TSYNC(none[0], none[1], none[2], none[3], none[4]);
    for (int i = 0; i < 64; i++)
        if (all && out[i] != 9 * table[i])
            return failed("many events");
    return 0;
}

/* A pointer into nothing registered: the view is the bound. */
static int out_of_bounds(bool registered)
{
    if (registered)
        ptog::gm_register(table, sizeof table);
    ids[3] = 1000000;
    rows<64>(out, table, ids);
    return 0;
}

/* In the buffer, but outside the view. */
static int outside_view()
{
    ptog::gm_register(table, sizeof table);
    ids[3] = 60;
    rows<32>(out, table, ids);
    return 0;
}

/* The buffer that was registered is gone, and smaller when it comes back. */
static int freed()
{
    ptog::gm_register(table, sizeof table);
    rows<64>(out, table, ids);
    ptog::gm_unregister(table);
    ptog::gm_register(table, sizeof table / 64);
    rows<64>(out, table, ids);
    return 0;
}

/* Nobody registered it: what an earlier launch saw of it may be gone, and is no bound for the next. */
static int seen_before()
{
    ids[3] = 60;
    rows<64>(out, table, ids);
    ptog::sync();
    rows<32>(out, table, ids);
    return 0;
}

/* A kernel that was called as a function and does not store: what it read is not needed when its tiles are gone. */
static int unmapped()
{
    const std::size_t bytes = 16 * 32 * sizeof(float);
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return failed("mmap");
    {
        Tile<TileType::Vec, float, 16, 32> tile;
        Packed<float, 16, 32> view(static_cast<float *>(memory));
        TLOAD(tile, view);
    }
    munmap(memory, bytes);
    return 0;
}

/* More launches than could be reported after each instruction. */
static int many()
{
    for (int i = 0; i < 3000; i++)
        ptog::fn([&](auto &&...a) { rows<64>(a...); }).on(1)(out, table, ids);
    return passed(gathered(out, ids, 16), "many");
}

static int thrown()
{
    try {
        ptog::fn([&](auto &&...) { throw std::runtime_error("kernel"); }).on(2)(1);
    } catch (const std::runtime_error &) {
        ptog::fn([&](auto &&...a) { rows<64>(a...); }).on(1)(out, table, ids);
        return passed(gathered(out, ids, 16), "thrown");
    }
    return failed("thrown: no exception");
}

static int threads()
{
    std::thread other([] { rows<64>(out + 1024, table, ids + 16, false); });
    rows<64>(out, table, ids);
    other.join();
    return passed(gathered(out, ids, 16), "threads");
}

static int small_floats()
{
    const float values[] = {0.f, -0.f, 1.f, -2.5f, 65504.f, 65520.f, 6e-8f, 5.96e-8f, 1e-8f, 3.14159f, 1e30f};
    const uint16_t halves[] = {0, 0x8000, 0x3c00, 0xc100, 0x7bff, 0x7c00, 1, 1, 0, 0x4248, 0x7c00};
    for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++) {
        half h = static_cast<half>(values[i]);
        uint16_t bits;
        std::memcpy(&bits, &h, 2);
        if (bits != halves[i] || ptog::to_half(values[i]) != halves[i])
            return failed("half");
        if (values[i] < 65520.f && static_cast<float>(h) != ptog::from_half(bits))
            return failed("half to float");
    }
    for (unsigned bits = 0; bits < 0x7c00; bits++) /* every finite one comes back */
        if (ptog::to_half(ptog::from_half(static_cast<uint16_t>(bits))) != bits)
            return failed("half, there and back");
    if (bfloat16_t(1.f).bits != 0x3f80 || bfloat16_t(1.00390625f).bits != 0x3f80 || float(bfloat16_t(-3.f)) != -3.f)
        return failed("bfloat16_t");
    bfloat16_t row[4]; /* a number like others: compiled without a warning */
    std::memset(row, 0, sizeof row);
    return passed(float(row[3]) == 0.f, "bfloat16_t in memset");
}

/* The element types that static assertions accept are those of the library's targets. */
static int accepted_types()
{
    const struct {
        ptog_opcode opcode;
        ptog_form form;
        ptog::operand operand;
        const char *name;
    } all[] = {{PTOG_MGATHER, PTOG_FORM_ROW, ptog::operand::at_DST, "dst"},
               {PTOG_MGATHER, PTOG_FORM_ELEM, ptog::operand::at_IDX, "idx"},
               {PTOG_TGATHER, PTOG_FORM_INDEX, ptog::operand::at_DST, "dst"},
               {PTOG_TGATHER, PTOG_FORM_INDEX, ptog::operand::at_IDX, "idx"},
               {PTOG_TGATHER, PTOG_FORM_MASK, ptog::operand::at_SRC, "src"},
               {PTOG_TADD, PTOG_FORM_PAIRWISE, ptog::operand::at_SRC1, "src1"}};
    for (const auto &target : ptog::profiles)
        for (const auto &one : all)
            if (ptog::types_on(target, one.opcode, one.form, one.operand) !=
                ptog_target_types(ptog_target_find(target.name), one.opcode, one.form, one.name))
                return failed(target.name);
    return 0;
}

#include "launches.hpp"
#include "reductions.hpp"

#include "combinations.hpp"
#include "elementwise.hpp"
#include "broadcasts.hpp"

#include "released.hpp"

static int no_address()
{
    Tile<TileType::Vec, float, 16, 32> tile;
    Packed<float, 16, 32> nowhere(nullptr);
    TLOAD(tile, nowhere);
    TASSIGN(nowhere, table);
    TLOAD(tile, nowhere);
    return 0;
}

/* Extents that only the run knows, and that nobody gave. */
static int no_shape()
{
    Tile<TileType::Vec, float, 16, 32> tile;
    GlobalTensor<float, Shape<1, 1, 1, -1, 32>, Stride<1, 1, 1, 32, 1>> view(table);
    TLOAD(tile, view);
    return 0;
}

static int no_extents()
{
    Tile<TileType::Vec, float, 16, 32, BLayout::RowMajor, -1, -1> tile(-3, 32);
    Packed<float, 16, 32> view(table);
    TLOAD(tile, view);
    return 0;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    auto is = [&](const char *other) { return std::strcmp(name, other) == 0; };
    for (int i = 0; i < 64 * 32; i++)
        table[i] = static_cast<float>(i);
    for (int i = 0; i < 64; i++)
        ids[i] = i * 7 % 64;
    if (is("called-twice"))
        return rows<64>(out, table, ids), rows<32>(out, table, ids), passed(true, "called-twice");
    if (is("clean"))
        return rows<64>(out, table, ids), passed(gathered(out, ids, 16), "clean");
    if (is("race"))
        return rows<64>(out, table, ids, false), 0;
    if (is("race-then-7"))
        return rows<64>(out, table, ids, false), 7;
    if (is("blocks"))
        return blocks(512);
    if (is("blocks-overlap"))
        return blocks(0);
    if (is("direct"))
        return ptog::direct(by_rows)(out, table, ids), 0;
    if (is("direct-plain"))
        return ptog::direct(copy_only)(out, table), passed(!std::memcmp(out, table, 512 * sizeof(float)), "copy");
    if (is("direct-1x1"))
        return ptog::direct(one_element)(table), 0;
    if (is("direct-1x1-dynamic"))
        return ptog::direct(one_element_dynamic)(table), 0;
    if (is("off-boundary"))
        return off_boundary(argc > 2);
    if (is("direct-then-standard")) {
        ptog::direct(by_rows)(out, table, ids);
        ptog::fn([](auto... a) { by_rows(a...); }).on(1)(out, table, ids);
        return passed(gathered(out, ids, 16), "a standard launch after a direct one");
    }
    if (is("large"))
        return ptog::fn([&](auto &&...a) {
                   large_kernel<true>(a...);
               }).on(1, static_cast<uint32_t>(std::atoi(argv[2])))(table),
               0;
    if (is("large-static")) {
        auto static_kernel = ptog::fn([](auto... a) { large_kernel<false>(a...); });
        return static_kernel.on(1, static_cast<uint32_t>(std::atoi(argv[2])))(table), 0;
    }
    if (is("no-tassign"))
        return no_tassign();
    if (is("placement"))
        return placement();
    if (is("events"))
        return events();
    if (is("many-events"))
        return many_events(true);
    if (is("too-few-events"))
        return many_events(false);
    if (is("out-of-bounds"))
        return out_of_bounds(true);
    if (is("out-of-view-bounds"))
        return out_of_bounds(false);
    if (is("outside-view"))
        return outside_view();
    if (is("freed"))
        return freed();
    if (is("seen-before"))
        return seen_before();
    if (is("unmapped"))
        return unmapped();
    if (is("many"))
        return many();
    if (is("thrown"))
        return thrown();
    if (is("threads"))
        return threads();
    if (is("small-floats"))
        return small_floats();
    if (is("accepted-types"))
        return accepted_types();
    if (is("no-address"))
        return no_address();
    if (is("broadcasts"))
        return broadcasts();
    if (is("elementwise"))
        return elementwise();
    if (is("reductions"))
        return reductions();
    if (is("known-sizes"))
        return known_sizes();
    if (is("short-memory"))
        return short_memory(std::strtoul(argv[2], nullptr, 10), std::strtoul(argv[3], nullptr, 10));
    if (is("idle"))
        return mostly_idle(std::atoi(argv[2]));
    if (is("blocks-of"))
        return blocks_of(std::atoll(argv[2]));
    if (is("no-shape"))
        return no_shape();
    if (is("no-extents"))
        return no_extents();
    if (is("wider-view"))
        return wider_view();
    if (is("empty-tiles"))
        return empty_tiles();
    if (is("refused-once"))
        return refused_once();
    if (is("followed-pointer"))
        return followed_pointer();
    if (is("read-only-tiles"))
        return read_only_tiles();
    if (is("warm-up"))
        return warm_up();
    if (is("own-pads"))
        return own_pads();
    if (is("empty-part"))
        return empty_part();
    if (is("exact-remainder"))
        return exact_remainder();
    if (is("rows-behind"))
        return rows_behind();
    if (is("nothing"))
        return 0;
    return 2;
}
