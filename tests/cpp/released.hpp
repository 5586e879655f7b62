/* A part of behaviour_main.cpp: what the released device libraries do where their debug builds stop, and forms of
 * calls that device sources use. */

/* A view that is wider than what is valid: A2/A3 reads row r at r * (128 - 32 + 16), the others at r * 128. */
static int wider_view()
{
    static float wide[16 * 128], got[16 * 16];
    for (int i = 0; i < 16 * 128; i++)
        wide[i] = static_cast<float>(i);
    ptog::gm_known known(wide, got);
    Tile<TileType::Vec, float, 16, 32, BLayout::RowMajor, -1, -1> tile(16, 16);
    GlobalTensor<float, Shape<1, 1, 1, 16, 32>, Stride<1, 1, 1, 128, 1>> view(wide);
    Packed<float, 16, 16> out(got);
    TASSIGN(tile, 0);
    TLOAD(tile, view);
    set_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID1);
    wait_flag(PIPE_MTE2, PIPE_MTE3, EVENT_ID1);
    TSTORE(out, tile);
    ptog::sync();
    int pitch = std::strcmp(ptog::process_settings().target->name, "a2a3") == 0 ? 112 : 128;
    for (int i = 0; i < 16 * 16; i++)
        if (got[i] != static_cast<float>(i / 16 * pitch + i % 16))
            return passed(false, "a wider view");
    return 0;
}

/* Nothing is valid: nothing happens, and nothing is wrong. */
static int empty_tiles()
{
    using Some = Tile<TileType::Vec, float, 16, 32, BLayout::RowMajor, -1, -1>;
    Some none(0, 32), two(0, 32);
    Tile<TileType::Vec, float, 16, 32, BLayout::RowMajor, 0, 0> marker;
    Packed<float, 16, 32> view(table);
    TASSIGN(none, 0);
    TASSIGN(two, 0x4000);
    TASSIGN(marker, 0x8000);
    TLOAD(none, view);
    TADD(two, none, none);
    TADD(marker, marker, marker);
    TSTORE(view, two);
    return 0;
}

/* Of a refused instruction only the refusal is reported. */
static int refused_once()
{
    Tile<TileType::Vec, float, 16, 32, BLayout::RowMajor, -1, -1> a(17, 32), b(16, 32);
    Packed<float, 16, 32> view(table);
    TASSIGN(a, 0);
    TASSIGN(b, 0x4000);
    TADD(b, a, a);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
    TSTORE(view, b);
    return 0;
}

/* Scalar code follows data() where there is no machine; the window starts there, too. */
static int followed_pointer()
{
    Tile<TileType::Vec, float, 4, 8> whole, row;
    TASSIGN(whole, 0x100);
    whole.data()[9] = 2.5f;
    TASSIGN(row, whole.data() + 8);
    row.data()[0] = 1.5f;
    return passed(whole.GetValue(8) == 1.5f && row.GetValue(1) == 2.5f, "a pointer to a tile");
}

/* Tiles that are const, and a precision. */
static int read_only_tiles()
{
    Tile<TileType::Vec, float, 1, 8> a, b;
    TASSIGN(a, 0);
    TASSIGN(b, 0x100);
    TEXPANDS(a, 4.0f);
    pipe_barrier(PIPE_ALL);
    const auto &source = a;
    TADD(b, source, source);
    pipe_barrier(PIPE_ALL);
    TDIV<DivAlgorithm::HIGH_PRECISION>(b, b, source);
    pipe_barrier(PIPE_ALL);
    TSQRT<SqrtAlgorithm::HIGH_PRECISION>(a, source);
    float got[8];
    ptog::peek(b, got);
    return passed(got[0] == 2.0f && got[7] == 2.0f, "const tiles");
}
