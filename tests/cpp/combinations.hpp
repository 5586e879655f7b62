/* tests: instructions that combine several tiles in C++; a part of behaviour_main.cpp. */

template <class Tile_> static float first_of(Tile_ &tile)
{
    typename Tile_::DType elements[Tile_::Rows * Tile_::Cols];
    TSYNC<Op::VECTOR>();
    ptog::peek(tile, elements);
    return static_cast<float>(elements[0]);
}

/* Every intrinsic once, with its operands in the order of the manual; the first element tells which tile went where. */
static bool combines()
{
    Tile<TileType::Vec, float, 1, 8> two, five, sum, found;
    Tile<TileType::Vec, int32_t, 1, 16> ten, tmp, at, first, second;
    Tile<TileType::Vec, half, 1, 16> narrow;
    Tile<TileType::Vec, int16_t, 1, 32> whole;
    Tile<TileType::Vec, float, 1, 32> real;
    TASSIGN(two, 0x6000);
    TASSIGN(five, 0x6020);
    TASSIGN(sum, 0x6040);
    TASSIGN(found, 0x6060);
    TASSIGN(ten, 0x6080);
    TASSIGN(tmp, 0x60c0);
    TASSIGN(at, 0x6100);
    TASSIGN(first, 0x6140);
    TASSIGN(second, 0x6180);
    TASSIGN(narrow, 0x61c0);
    TASSIGN(whole, 0x6200);
    TASSIGN(real, 0x6240);
    TEXPANDS(two, 2);
    TEXPANDS(five, 5);
    TEXPANDS(ten, 10);
    TEXPANDS(first, 1);
    TEXPANDS(second, 2);
    TEXPANDS(whole, 7);
    TSYNC<Op::VECTOR>();
    TADDC(sum, two, five, five);
    bool right = first_of(sum) == 12;
    TSUBC(sum, two, five, two);
    right = right && first_of(sum) == -1;
    TADDSC(sum, two, 100.0f, five);
    right = right && first_of(sum) == 107;
    TSUBSC(sum, two, 100.0f, five);
    right = right && first_of(sum) == -93;
    TPAIRREDUCESUM(sum, five);
    right = right && first_of(sum) == 10;
    Tile<TileType::Vec, int32_t, 1, 8> where, of_two, of_five;
    TASSIGN(where, 0x6300);
    TASSIGN(of_two, 0x6320);
    TASSIGN(of_five, 0x6340);
    TEXPANDS(of_two, 22);
    TEXPANDS(of_five, 55);
    TSYNC<Op::VECTOR>();
    TPARTARGMAX(found, two, five, where, of_two, of_five);
    right = right && first_of(found) == 5 && first_of(where) == 55;
    TPARTARGMIN(found, two, five, where, of_two, of_five);
    right = right && first_of(found) == 2 && first_of(where) == 22;
    Tile<TileType::Vec, float, 1, 8, BLayout::RowMajor, -1, -1> nothing(1, 0);
    Tile<TileType::Vec, int32_t, 1, 8, BLayout::RowMajor, -1, -1> of_nothing(1, 0);
    TASSIGN(nothing, 0x6360);
    TASSIGN(of_nothing, 0x6380);
    TPARTARGMIN(found, nothing, five, where, of_nothing, of_five);
    right = right && first_of(found) == 5 && first_of(where) == 55;
    TDEQUANT(real, whole, two, five);
    right = right && first_of(real) == 4;
    TADDDEQRELU(narrow, ten, first, 0.5f, tmp);
    right = right && first_of(narrow) == 5.5f;
    Tile<TileType::Vec, int8_t, 1, 32> byte;
    Tile<TileType::Vec, uint8_t, 1, 32> unsigned_byte, mask;
    Tile<TileType::Vec, float, 1, 32> source, other, scratch;
    Tile<TileType::Vec, float, 8, 1, BLayout::ColMajor, 1, 1> scale, offset;
    TASSIGN(byte, 0x6480);
    TASSIGN(unsigned_byte, 0x64a0);
    TASSIGN(mask, 0x64c0);
    TASSIGN(source, 0x6500);
    TASSIGN(other, 0x6580);
    TASSIGN(scratch, 0x6600);
    TASSIGN(scale, 0x6680);
    TASSIGN(offset, 0x66a0);
    Tile<TileType::Vec, float, 1, 8> pair;
    TASSIGN(pair, 0x6680);
    TEXPANDS(pair, 3);
    TASSIGN(pair, 0x66a0);
    TEXPANDS(pair, 100);
    TEXPANDS(source, 2.5f);
    TEXPANDS(other, -7);
    TSYNC<Op::VECTOR>();
    TQUANT<QuantType::INT8_SYM>(byte, source, scale);
    right = right && first_of(byte) == 8;
    TEXPANDS(source, 2.5f);
    TSYNC<Op::VECTOR>();
    TQUANT<QuantType::INT8_ASYM>(unsigned_byte, source, scale, scratch, &offset);
    right = right && first_of(unsigned_byte) == 108;
    TQUANT<QuantType::INT8_ASYM>(unsigned_byte, other, scale, &offset);
    right = right && first_of(unsigned_byte) == 79;
    Tile<TileType::Vec, float, 1, 16> high, low;
    TASSIGN(high, 0x63a0);
    TASSIGN(low, 0x6400);
    TEXPANDS(high, 9);
    TEXPANDS(low, 4);
    TSYNC<Op::VECTOR>();
    TADDRELUCONV(narrow, high, low);
    right = right && first_of(narrow) == 13;
    TSUBRELUCONV(narrow, high, low);
    return right && first_of(narrow) == 5;
}
