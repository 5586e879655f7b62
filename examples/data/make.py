"""Makes the arrays of this folder, which the commands in README.md read; needs numpy.

table.npy          64x32 float16, row r is r, r + 1/32, ...          rows.npy    1x16 int32, rows of it
words_table.npy    6x8 float32, row r is r.0, r.1, ... r.7           words.npy   1x4 int32: rows 2, 5, 0, 3
model.safetensors  one tensor, embed.weight: 16x8 float32            tokens.npy  2x3 int64, rows of it
"""

import json
import struct
import sys
from pathlib import Path

import numpy as np


def safetensors(name, array):
    header = json.dumps({name: {"dtype": "F32", "shape": list(array.shape), "data_offsets": [0, array.nbytes]}}).encode()
    header += b" " * (-len(header) % 8)
    return struct.pack("<Q", len(header)) + header + array.tobytes()


def main():
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent
    row, col = np.mgrid[0:64, 0:32]
    np.save(place / "table.npy", (row + col / 32).astype("<f2"))
    np.save(place / "rows.npy", np.array([[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 63]], "<i4"))
    np.save(place / "words_table.npy", (row[:6, :8] + col[:6, :8] / 10).astype("<f4"))
    np.save(place / "words.npy", np.array([[2, 5, 0, 3]], "<i4"))
    weights = (row[:16, :8] + col[:16, :8] / 8).astype("<f4")
    (place / "model.safetensors").write_bytes(safetensors("embed.weight", weights))
    np.save(place / "tokens.npy", np.array([[1, 0, 15], [7, 7, 2]], "<i8"))


main()
