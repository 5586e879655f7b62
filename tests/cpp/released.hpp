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

/* A kernel without arguments only starts the cores; one that moves a view, or reads the time, is there. */
static int warm_up()
{
    GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<64, 64, 64, 8, 1>> view(table);
    std::int64_t before = 0, after = 0;
    ptog::fn([] {}).on(4)();
    ptog::fn([&view](float *from) { TASSIGN(view, from + 8); }).on(1)(table);
    ptog::fn([&before, &after](float *) { before = get_sys_cnt(), after = get_sys_cnt(); }).on(1)(table);
    return passed(view.data() == table + 8 && before < after, "kernels that issue nothing");
}

/* A pad value of the kernel's own: around what a load brings, and where tfillpad fills. */
static int own_pads()
{
    constexpr PadValue Five = PadValueCustom(5.0f);
    static_assert(isCustomPadValue(Five) && !isCustomPadValue(PadValue::Min) && getCustomPadBits(Five) == 0x40a00000);
    static_assert(PadValueCustom(std::int8_t{-1}) == static_cast<PadValue>(0x1000000ff) && PadValueCustom16(0x3c00) == PadValueCustom(half(1.0f)));
    Tile<TileType::Vec, float, 1, 8, BLayout::RowMajor, 1, 3, SLayout::NoneBox, 512, Five> loaded;
    Tile<TileType::Vec, float, 1, 8, BLayout::RowMajor, 1, 2> some;
    Tile<TileType::Vec, float, 1, 8, BLayout::RowMajor, 1, 8, SLayout::NoneBox, 512, PadCustom<7u>> filled;
    Tile<TileType::Vec, float, 1, 8> whole;
    TASSIGN(loaded, 0);
    TASSIGN(whole, 0);
    TASSIGN(some, 0);
    TASSIGN(filled, 0x100);
    Packed<float, 1, 3> view(table);
    TLOAD(loaded, view);
    pipe_barrier(PIPE_ALL);
    TFILLPAD(filled, some);
    pipe_barrier(PIPE_ALL);
    float got[8], more[8];
    ptog::peek(whole, got);
    ptog::peek(filled, more);
    std::uint32_t bits;
    std::memcpy(&bits, &more[2], sizeof bits);
    return passed(got[2] == table[2] && got[3] == 5.0f && got[7] == 5.0f && more[1] == table[1] && bits == 7, "pad values of one's own");
}

/* Of two parts one has no element: dst gets the other. */
static int empty_part()
{
    Tile<TileType::Vec, float, 2, 8> a, dst;
    Tile<TileType::Vec, float, 2, 8, BLayout::RowMajor, -1, -1> none(2, 0);
    TASSIGN(a, 0);
    TASSIGN(none, 0x100);
    TASSIGN(dst, 0x200);
    TEXPANDS(a, 4.0f);
    pipe_barrier(PIPE_ALL);
    TPARTMAX(dst, none, a);
    pipe_barrier(PIPE_ALL);
    TPARTADD(dst, dst, none);
    pipe_barrier(PIPE_ALL);
    float got[16];
    ptog::peek(dst, got);
    return passed(got[0] == 4.0f && got[15] == 4.0f, "an empty part");
}

/* The exact remainder where a kernel asks for it, and the machine has it. */
static int exact_remainder()
{
    Tile<TileType::Vec, float, 1, 8> a, b, dst, rest;
    TASSIGN(a, 0);
    TASSIGN(b, 0x100);
    TASSIGN(dst, 0x200);
    TASSIGN(rest, 0x300);
    TEXPANDS(a, -1e30f);
    TEXPANDS(b, 7.0f);
    pipe_barrier(PIPE_ALL);
    TFMOD<FmodAlgorithm::HIGH_PRECISION>(dst, a, b);
    TREMS<RemSAlgorithm::HIGH_PRECISION>(rest, a, 7.0f);
    pipe_barrier(PIPE_ALL);
    float exact[8], up[8];
    ptog::peek(dst, exact);
    ptog::peek(rest, up);
    float expected = std::fmod(-1e30f, 7.0f);
    return passed(exact[3] == expected && up[3] == expected + 7.0f, "an exact remainder");
}

/* Rows behind the valid region are not touched, and may be another tile's. */
static int rows_behind()
{
    Tile<TileType::Vec, float, 4, 8, BLayout::RowMajor, 2, 8> source;
    Tile<TileType::Vec, float, 2, 8> dst;
    TASSIGN(source, 0);
    TASSIGN(dst, 64);
    TEXPANDS(source, 3.0f);
    pipe_barrier(PIPE_ALL);
    TMAXS(dst, source, 5.0f);
    pipe_barrier(PIPE_ALL);
    float got[16];
    ptog::peek(dst, got);
    return passed(got[0] == 5.0f && got[15] == 5.0f, "rows behind the valid region");
}
