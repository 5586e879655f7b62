/* tests: row and column reductions in C++. A part of behaviour_main.cpp, which has the buffers and flags that it uses.
 */
#ifndef PTOG_TESTS_CPP_REDUCTIONS_HPP
#define PTOG_TESTS_CPP_REDUCTIONS_HPP

/* Rows and columns folded, in the order of the manual. Small numbers: every order of additions gives the same. */
static int reductions()
{
    Tile<TileType::Vec, float, 16, 32> a;
    Tile<TileType::Vec, float, 16, 1, BLayout::ColMajor> sums, most;
    Tile<TileType::Vec, float, 1, 32> columns, pairs, least;
    Tile<TileType::Vec, float, 16, 64> tmp;
    TASSIGN(a, 0);
    TASSIGN(sums, 0x800);
    TASSIGN(most, 0x840);
    TASSIGN(columns, 0x880);
    TASSIGN(pairs, 0x900);
    TASSIGN(least, 0x980);
    TASSIGN(tmp, 0x1000);
    Packed<float, 16, 32> from(table);
    Packed<float, 1, 32> to(out);
    for (int i = 0; i < 16 * 32; i++)
        table[i] = static_cast<float>(i);
    TLOAD(a, from);
    after_load();
    TROWSUM(sums, a, tmp);
    TROWMAX(most, a, tmp);
    TCOLSUM(columns, a);
    TCOLMIN(least, a);
    auto summed = TCOLSUM(pairs, a, tmp, true);
    TSYNC<Op::VECTOR>();
    TSUB(columns, columns, least, summed); // waits for V itself
    TSYNC<Op::VECTOR>();
    Tile<TileType::Vec, int32_t, 16, 1, BLayout::ColMajor> where;
    Tile<TileType::Vec, float, 16, 8, BLayout::RowMajor, 16, 1> largest;
    Tile<TileType::Vec, uint32_t, 1, 32> below;
    Tile<TileType::Vec, float, 1, 256> scratch;
    TASSIGN(where, 0x2000);
    TASSIGN(largest, 0x2040);
    TASSIGN(below, 0x2240);
    TASSIGN(scratch, 0x3000);
    TROWARGMAX(largest, where, a, scratch);
    TSYNC<Op::VECTOR>();
    TROWARGMIN(where, a, scratch);
    TCOLARGMAX(below, a, scratch);
    TSYNC<Op::VECTOR>();
    Tile<TileType::Vec, half, 16, 32> small;
    Tile<TileType::Vec, half, 1, 32> lowest;
    Tile<TileType::Vec, int16_t, 1, 32> low;
    Tile<TileType::Vec, half, 1, 256> narrow;
    TASSIGN(small, 0x4000);
    TASSIGN(lowest, 0x4400);
    TASSIGN(low, 0x4440);
    TASSIGN(narrow, 0x4480);
    TCVT(small, a, RoundMode::CAST_RINT);
    TSYNC<Op::VECTOR>();
    TCOLARGMIN(lowest, low, small, narrow);
    TSYNC<Op::VECTOR>();
    int16_t at[32];
    half bottom[32];
    ptog::peek(low, at);
    ptog::peek(lowest, bottom);
    for (int i = 0; i < 32; i++)
        if (at[i] != 0 || static_cast<float>(bottom[i]) != static_cast<float>(i))
            return failed("positions and values of columns");
    int32_t first[16];
    uint32_t last[32];
    float top[16];
    ptog::peek(where, first);
    ptog::peek(below, last);
    ptog::peek(largest, top);
    for (int i = 0; i < 16; i++)
        if (first[i] != 0 || last[i] != 15 || top[i] != static_cast<float>(32 * i + 31))
            return failed("positions");
    float row[16], pair[32];
    ptog::peek(sums, row);
    ptog::peek(pairs, pair);
    before_store();
    TSTORE(to, columns);
    pipe_barrier(PIPE_ALL);
    for (int i = 0; i < 32; i++)
        if (pair[i] != static_cast<float>(16 * i + 3840) || out[i] != pair[i] - static_cast<float>(i))
            return failed("columns");
    for (int i = 0; i < 16; i++)
        if (row[i] != static_cast<float>(1024 * i + 496))
            return failed("rows");
    return 0;
}

#endif
