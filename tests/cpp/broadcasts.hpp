/* tests: broadcasts in C++; a part of behaviour_main.cpp, with its table and flags. */
/* A column and a row of 1 to 16 and 1 to 32, spread over a tile. */
static int broadcasts()
{
    Tile<TileType::Vec, float, 16, 32> a, b;
    Tile<TileType::Vec, float, 16, 1, BLayout::ColMajor> column;
    Tile<TileType::Vec, float, 1, 32> row;
    Tile<TileType::Vec, float, 2, 64> tmp;
    TASSIGN(a, 0);
    TASSIGN(b, 0x800);
    TASSIGN(column, 0x1000);
    TASSIGN(row, 0x1080);
    TASSIGN(tmp, 0x1100);
    GlobalTensor<float, Shape<1, 1, 1, 16, 1>, Stride<16, 16, 16, 1, 1>, Layout::DN> down(table);
    Packed<float, 1, 32> along(table);
    Packed<float, 16, 32> to(out);
    for (int i = 0; i < 32; i++)
        table[i] = static_cast<float>(i) + 1;
    Tile<TileType::Vec, float, 1, 8> ahead;
    TASSIGN(ahead, 0x1400);
    TPREFETCH(ahead, along); // means nothing, and needs no room for all of it
    TLOAD(column, down);
    TLOAD(row, along);
    after_load();
    auto wide = TROWEXPAND(a, column);
    TCOLEXPAND(b, row, wide);
    TSYNC<Op::VECTOR>();
    TROWEXPANDMUL(a, a, column, tmp);
    TSYNC<Op::VECTOR>();
    TROWEXPANDDIV<DivAlgorithm::HIGH_PRECISION>(a, a, column);
    TSYNC<Op::VECTOR>();
    TCOLEXPANDADD(a, a, row);
    TSYNC<Op::VECTOR>();
    TCOLEXPANDDIV<DivAlgorithm::DEFAULT>(b, b, row); // all 1
    TSYNC<Op::VECTOR>();
    TADD(a, a, b);
    before_store();
    TSTORE(to, a);
    pipe_barrier(PIPE_ALL);
    TSTORE<decltype(a), decltype(to), AtomicType::AtomicAdd>(to, a); // two adds never race
    TSTORE<decltype(a), decltype(to), AtomicType::AtomicAdd>(to, a);
    pipe_barrier(PIPE_ALL);
    for (int i = 0; i < 16 * 32; i++)
        if (out[i] != 3 * static_cast<float>(i / 32 + 1 + i % 32 + 1 + 1))
            return failed("broadcasts");
    return 0;
}
