"""Arrays for the transcripts.

npy make FILE TYPE SHAPE [VALUE...]   an array of these values, or of 0, 1, 2, ...: npy make t.npy f4 6x8
npy rows FILE TYPE ROWSxCOLS          row r holds r.0, r.1, r.2, ...
npy show FILE                         type, shape and elements
npy raw FILE HEADER DATA-BYTES        a version 1.0 file with that header, whatever it says, and zeros
"""

import struct
import sys

import numpy


def shape_of(text):
    return tuple(int(extent) for extent in text.split("x")) if text != "()" else ()


def make(path, kind, shape, *values):
    shape = shape_of(shape)
    numbers = [float(value) for value in values] or range(int(numpy.prod(shape)))
    numpy.save(path, numpy.array(list(numbers)).astype(kind).reshape(shape))


def rows(path, kind, shape):
    row_count, column_count = shape_of(shape)
    table = numpy.arange(row_count)[:, None] + numpy.arange(column_count)[None, :] / 10
    numpy.save(path, table.astype(kind))


def show(path):
    array = numpy.load(path)
    print(array.dtype, "x".join(str(extent) for extent in array.shape) or "()")
    for row in array.reshape(-1, array.shape[-1]) if array.ndim else [[array]]:
        print("", *(f"{element:g}" for element in row))


def raw(path, header, data):
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + bytes(int(data)))


{"make": make, "rows": rows, "show": show, "raw": raw}[sys.argv[1]](*sys.argv[2:])
