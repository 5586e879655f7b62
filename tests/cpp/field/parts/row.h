/* A row to the chip, something done to it, and back. */
#pragma once

template <typename T, int Cols, typename Body> AICORE void onRow(__gm__ T *data, Body body)
{
    pto::GlobalTensor<T, pto::Shape<1, 1, 1, 1, Cols>, pto::Stride<1, 1, 1, Cols, 1>> global(data);
    pto::Tile<pto::TileType::Vec, T, 1, Cols> row;
    TASSIGN(row, 0);
    TLOAD(row, global);
    pto::PtoSetWaitFlag<PIPE_MTE2, PIPE_V>();
    body(row);
    pto::PtoSetWaitFlag<PIPE_V, PIPE_MTE3>();
    TSTORE(global, row);
}
