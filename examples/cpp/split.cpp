/* TGATHER as a splitter: pairs (x, y) that lie side by side become all x and all y. Tiles have no TASSIGN, and events
 * stand where flags would. */
#include <pto/pto-inst.hpp>

#include <cstdio>
#include <vector>

using namespace pto;

constexpr int R = 4, C = 64;

AICORE void split(__gm__ float *xs, __gm__ float *ys, __gm__ float *pairs)
{
    using PairTile = Tile<TileType::Vec, float, R, C>;
    using HalfTile = Tile<TileType::Vec, float, R, C / 2>;
    using HalfTensor = GlobalTensor<float, Shape<1, 1, 1, R, C / 2>, Stride<1, 1, 1, C / 2, 1>>;
    GlobalTensor<float, Shape<1, 1, 1, R, C>, Stride<1, 1, 1, C, 1>> pairsGM(pairs);
    HalfTensor xGM(xs), yGM(ys);
    PairTile both;
    HalfTile x, y;
    Event<Op::TLOAD, Op::TGATHER> loaded;

    loaded = TLOAD(both, pairsGM);
    RecordEvent x_done = TGATHER<HalfTile, PairTile, MaskPattern::P0101>(x, both, loaded);
    RecordEvent y_done = TGATHER<HalfTile, PairTile, MaskPattern::P1010>(y, both);
    TSTORE(xGM, x, x_done);
    TSTORE(yGM, y, y_done);
}

int main()
{
    std::vector<float> pairs(R * C), xs(R * C / 2), ys(R * C / 2);
    for (int i = 0; i < R * C; i++)
        pairs[i] = static_cast<float>(i % 2 ? -i / 2 : i / 2);

    ptog::gm_known known(xs, ys, pairs); /* so that accesses past their ends are reported */
    split(xs.data(), ys.data(), pairs.data());

    std::printf("x %.0f %.0f %.0f .. %.0f\n", xs[0], xs[1], xs[2], xs[R * C / 2 - 1]);
    std::printf("y %.0f %.0f %.0f .. %.0f\n", ys[0], ys[1], ys[2], ys[R * C / 2 - 1]);
    return 0;
}
