"""Writes safetensors files, byte by byte, so that a file can also be wrong on purpose."""

import json
import struct

NAMES = {"b1": "BOOL", "u1": "U8", "i1": "I8", "u2": "U16", "i2": "I16", "f2": "F16", "u4": "U32", "i4": "I32", "f4": "F32",
         "u8": "U64", "i8": "I64", "f8": "F64", "c8": "C64"}


def dump(path, header, data):
    """`header` is bytes, JSON text, or what json.dumps takes."""
    text = header if isinstance(header, bytes) else (header if isinstance(header, str) else json.dumps(header)).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def save(path, tensors, types=None):
    """`types`: the format's names for tensors that numpy has no type for."""
    header, data = {"__metadata__": {"format": "np", "note": "\u00e9 \\ \" {"}}, b""
    for name, array in tensors.items():
        raw = array.tobytes()
        header[name] = {"dtype": (types or {}).get(name, NAMES[array.dtype.str[1:]]), "shape": list(array.shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    dump(path, header, data)


def load(path):
    """The header and the data."""
    raw = path.read_bytes()
    length = struct.unpack("<Q", raw[:8])[0]
    return json.loads(raw[8:8 + length]), raw[8 + length:]
