/* A part of behaviour_main.cpp: memory of known and unknown size, tiles at any address, and launches that do nothing.
 */
/* Memory whose size is known, for a while. */
static int known_sizes()
{
    std::vector<float> to(16 * 32), from(table, table + 64 * 32);
    std::vector<int32_t> indices(ids, ids + 16);
    ptog::gm_known known(to, from, indices);
    rows<64>(to.data(), from.data(), indices.data());
    return passed(gathered(to.data(), ids, 16), "known sizes");
}

/* The view is larger than the memory behind it, which only AddressSanitizer knows; `from` is where it starts. */
static int short_memory(std::size_t size, std::size_t from)
{
    std::vector<float> to(size, -1.f);
    ptog::fn([](auto... a) { rows<64>(a...); }).on(1)(to.data() + from, table, ids);
    for (std::size_t i = from; i < size; i++)
        if (to[i] != table[ids[(i - from) / 32] * 32 + (i - from) % 32])
            return failed("short memory");
    return 0;
}

/* A launch whose kernel issues instructions in block `busy` only; flags alone are none. */
static int mostly_idle(int busy)
{
    auto kernel = [busy](float *to, float *from, int32_t *indices) {
        pipe_barrier(PIPE_ALL);
        if (block_idx == busy)
            rows<64>(to, from, indices);
    };
    ptog::fn(kernel).on(4)(out, table, ids); // the idle launch
    return 0;
}

static int blocks_of(long long count)
{
    ptog::fn([](auto... a) { rows<64>(a...); }).on(count)(out, table, ids); // the launch without blocks
    return passed(out[1] == 0, "blocks of a launch without any");
}

/* MGATHER Elem writes a tile that starts at no multiple of 32 bytes; a transfer does not. */
static int off_boundary(bool stored)
{
    Tile<TileType::Vec, float, 1, 8> dst;
    Tile<TileType::Vec, int32_t, 1, 8> idx;
    TASSIGN<0x410>(dst);
    TASSIGN<0>(idx);
    float result[8] = {};
    ptog::preset(idx, ids);
    Packed<float, 64, 32> tableGM(table);
    MGATHER<Coalesce::Elem>(dst, tableGM, idx);
    ptog::peek(dst, result);
    for (int i = 0; i < 8; i++)
        if (result[i] != table[ids[i]])
            return failed("off boundary");
    if (stored) {
        Packed<float, 1, 8> outGM(out);
        pipe_barrier(PIPE_ALL);
        TSTORE(outGM, dst);
    }
    return 0;
}
