/* Wrong kernels, each with its operands written in another way: names.py prints what messages call them. */
#include <pto/pto-inst.hpp>

#include <cstdlib>

using namespace pto;

using Rows = Tile<TileType::Vec, float, 8, 8>;
using Ids = Tile<TileType::Vec, int32_t, 1, 8>;
using Words = Tile<TileType::Vec, int32_t, 8, 8>;
using Numbers = GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<64, 64, 64, 8, 1>>;
using Indices = GlobalTensor<int32_t, Shape<1, 1, 1, 1, 8>, Stride<8, 8, 8, 8, 1>>;

static float numbers[64];
static int32_t indices[8] = {0, 1, 2, 3, 4, 5, 6, 99};

struct buffers {
    Rows rows;
    Ids ids[2];
};

template <class Dst, class Table, class Index> void gather_rows(Dst &to, Table &embedding, Index &wanted)
{
    MGATHER<Coalesce::Row, GatherOOB::Clamp>(to, embedding, wanted);
}

#define GATHER_ROWS(to, from, by) MGATHER<Coalesce::Row, GatherOOB::Clamp>(to, from, by)

static void race_of(int number)
{
    Numbers table(numbers), out(numbers);
    Indices tokens(indices);
    Rows rows, more;
    Ids ids;
    buffers in, *there = &in;
    TASSIGN(rows, 0x0);
    TASSIGN(ids, 0x400);
    TASSIGN(in.rows, 0x800);
    TASSIGN(in.ids[0], 0xC00);
    TASSIGN(in.ids[1], 0x1000);
    TASSIGN(more, 0x1400);
    int turn = 1;
    if (number == 0) { /* variables */
        TLOAD(ids, tokens);
        MGATHER<Coalesce::Row, GatherOOB::Clamp>(rows, table, ids);
    } else if (number == 1) { /* members and elements, over several lines, with comments, and an event */
        auto loaded = TLOAD(in.ids[turn % 2], tokens);
        pto::MGATHER<Coalesce::Row, GatherOOB::Clamp>(there->rows, /* the embedding, */ table, in.ids[turn % 2]);
        (void)loaded;
    } else if (number == 2) { /* the parameters of a function */
        TLOAD(ids, tokens);
        gather_rows(rows, table, ids);
    } else if (number == 3) { /* a macro has no names */
        TLOAD(ids, tokens);
        GATHER_ROWS(rows, table, ids);
    } else if (number == 4) { /* which of two calls on a line it is, nobody knows */
        // clang-format off
        TLOAD(rows, table); TSTORE(out, rows); TSTORE(table, more);
        // clang-format on
    } else if (number == 5) { /* neither has a name that is an expression */
        TLOAD(ids, tokens);
        MGATHER<Coalesce::Row, GatherOOB::Clamp>(rows, table, true ? ids : in.ids[0]);
    } else if (number == 6) { /* a single element */
        TLOAD(rows, table);
        numbers[0] = rows.GetValue(0);
    }
}

/* Of an instruction whose call has its operands in another order. */
static void compare()
{
    Rows scores, limits;
    Words positions;
    Tile<TileType::Vec, int32_t, 1, 8> counts;
    Tile<TileType::Vec, float, 1, 8> scratch;
    TASSIGN(scores, 0x0);
    TASSIGN(limits, 0x400);
    TASSIGN(positions, 0x800);
    TASSIGN(counts, 0xC00);
    TASSIGN(scratch, 0x1000);
    TGATHER<Words, Rows, Rows, Ids, Tile<TileType::Vec, float, 1, 8>, CmpMode::GT>(positions, scores, limits, counts,
                                                                                   scratch, 0);
}

/* An index that is too large, and sums that nobody wrote. */
static void lanes()
{
    Numbers table(numbers), out(numbers);
    Indices tokens(indices);
    Rows rows, sums;
    Ids ids;
    TASSIGN(rows, 0x0);
    TASSIGN(ids, 0x400);
    TASSIGN(sums, 0x800);
    TLOAD(ids, tokens);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
    MGATHER<Coalesce::Row>(rows, table, ids);
    TADD(rows, rows, sums);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
    TSTORE(out, rows);
}

int main(int argc, char **argv)
{
    int number = argc > 1 ? std::atoi(argv[1]) : 0;
    ptog::gm_known known(numbers, indices);
    if (number == 7)
        compare();
    else if (number == 8)
        lanes();
    else
        race_of(number);
    return 0;
}
