/* A part of behaviour_main.cpp: memory of known and unknown size, and launches that do nothing. */
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
