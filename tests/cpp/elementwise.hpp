/* tests: instructions element by element in C++; a part of behaviour_main.cpp, with its table and flags. */

/* Tiles and scalars in the order of the manual; flags stand where V and S meet the transfers. */
static int elementwise()
{
    Tile<TileType::Vec, float, 16, 32> a, b, c;
    Tile<TileType::Vec, float, 16, 32, BLayout::RowMajor, -1, -1> d(16, 32);
    TASSIGN(a, 0);
    TASSIGN(b, 0x800);
    TASSIGN(c, 0x1000);
    TASSIGN(d, 0x1800);
    Packed<float, 16, 32> from(table), to(out);
    for (int i = 0; i < 16 * 32; i++)
        table[i] = static_cast<float>(i) + 1;
    TLOAD(a, from);
    after_load();
    TADDS(b, a, 3);
    TSYNC<Op::VECTOR>();
    TSQRT(d, a);
    TEXPANDS(c, 2);
    TSYNC<Op::VECTOR>();
    TMUL(d, d, d);
    TDIV(b, b, c);
    TSYNC<Op::VECTOR>();
    TDIVS(c, 6.0f, a);
    TMINS(b, b, 4);
    TSYNC<Op::VECTOR>();
    TADD(b, b, c);
    TSYNC<Op::VECTOR>();
    Tile<TileType::Vec, float, 2, 256> tmp;
    Tile<TileType::Vec, float, 16, 32, BLayout::RowMajor, 8, 32> part;
    TASSIGN(tmp, 0x2000);
    TASSIGN(part, 0x2800);
    TEXPANDS(part, 1);
    TREM(d, b, a, tmp);
    TSYNC<Op::VECTOR>(); // both write tmp
    TREMS(c, b, 1000, tmp);
    TSYNC<Op::VECTOR>();
    TAXPY(c, b, 0);
    TSYNC<Op::VECTOR>();
    Tile<TileType::Vec, float, 1, 8> x, y, z;
    Tile<TileType::Vec, float, 8, 8, BLayout::ColMajor, -1, -1> upright(3, 2);
    TASSIGN(x, 0x5000);
    TASSIGN(y, 0x5020);
    TASSIGN(z, 0x5040);
    TASSIGN(upright, 0x5100);
    TEXPANDS(x, 2);
    TEXPANDS(y, 3);
    TEXPANDS(z, 5);
    TEXPANDS(upright, 1);
    TSYNC<Op::VECTOR>();
    TFUSEDMULADD(z, x, y); // 2 * 5 + 3
    TSYNC<Op::VECTOR>();
    TMULADDDST(z, x, y); // 2 * 3 + 13
    TSYNC<Op::VECTOR>();
    TSUBRELU(y, x, z);
    TSYNC<Op::VECTOR>();
    TFUSEDMULADDRELU(x, z, y); // 19 * 2 + 0
    TSYNC<Op::VECTOR>();
    float fused[8], none[8];
    ptog::peek(x, fused);
    ptog::peek(y, none);
    if (fused[7] != 38 || none[0] != 0)
        return failed("products and sums");
    if (!combines())
        return failed("tiles combined");
    TPARTMUL(b, c, part);
    TSYNC<Op::VECTOR>();
    Tile<TileType::Vec, int32_t, 16, 32> whole;
    TASSIGN(whole, 0x3000);
    TCVT(whole, b, RoundMode::CAST_TRUNC);
    TCVT(d, b, RoundMode::CAST_RINT, SaturationMode::OFF);
    TSYNC<Op::VECTOR>();
    auto converted = TCVT(d, whole, tmp, RoundMode::CAST_RINT);
    TSUB(c, b, d, converted);
    TSYNC<Op::VECTOR>();
    TADD(b, c, d);
    TSYNC<Op::VECTOR>();
    Tile<TileType::Vec, int32_t, 1, 64> numbers;
    TASSIGN(numbers, 0x4800);
    auto counted = TCI<decltype(numbers), int32_t, 1>(numbers, 100);
    TTRI<decltype(d), 0>(d, -1, counted);
    Tile<TileType::Vec, uint8_t, 16, 32> mask, room;
    TASSIGN(mask, 0x4000);
    TASSIGN(room, 0x4400);
    TCMPS(mask, b, 3, CmpMode::GT);
    TSYNC<Op::VECTOR>();
    TSELS(c, mask, b, room, 0.0f);
    TSYNC<Op::VECTOR>();
    TCMP(mask, b, c, CmpMode::EQ);
    TSYNC<Op::VECTOR>();
    TSEL(b, mask, c, b, room);
    TSYNC<Op::VECTOR>();
    auto event = TNEG(b, b);
    TABS(b, b, event); // waits for V itself
    before_store();
    TSTORE(to, b);
    pipe_barrier(PIPE_ALL);
    for (int i = 0; i < 16 * 32; i++)
        if (out[i] != std::min((table[i] + 3) / 2, 4.0f) + 6 / table[i])
            return failed("elementwise");
    return 0;
}
