"""Where an instruction was issued: the line of Python, and with Python 3.11 the columns of the call."""

from __future__ import annotations

import itertools
import linecache
import sys
from types import CodeType, FrameType
from typing import Any, Optional, Tuple

from ._library import HERE, ffi

_places: dict[Tuple[CodeType, int], Any] = {}
_MAX_PLACES = 65536


def _positions(frame: FrameType) -> Tuple[int, int, int]:
    """Line, first and last column of the call that the frame is at; columns are 0 before Python 3.11."""
    line = frame.f_lineno
    if not hasattr(frame.f_code, "co_positions"):
        return line, 0, 0
    first, last, start, end = next(itertools.islice(frame.f_code.co_positions(), frame.f_lasti // 2, None),
                                   (line, line, None, None))
    if first is None or start is None or end is None or first != last:
        return first or line, 0, 0
    text = linecache.getline(frame.f_code.co_filename, first).encode()
    return first, len(text[:start].decode("utf-8", "replace")) + 1, len(text[:end].decode("utf-8", "replace")) + 1


def caller() -> Optional[FrameType]:
    """The innermost frame outside this package."""
    frame: Optional[FrameType] = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(HERE):
        frame = frame.f_back
    return frame


def place(frame: Optional[FrameType]) -> Any:
    """The line of Python that a frame is at, as C wants it, and what it points to."""
    if frame is None:
        return ffi.NULL, None
    key = (frame.f_code, frame.f_lasti)
    if key not in _places:
        if len(_places) >= _MAX_PLACES:
            _places.clear()
        line, column, end = _positions(frame)
        file = frame.f_code.co_filename
        text = linecache.getline(file, line).rstrip("\n")
        keep = (ffi.new("char[]", file.encode("utf-8", "surrogateescape").replace(b"\0", b"")),
                ffi.new("char[]", text.encode("utf-8", "surrogateescape").replace(b"\0", b"")))
        where = ffi.new("struct ptog_where *", {"file": keep[0], "line": line, "column": column, "end_column": end})
        where.text = keep[1] if text and column else ffi.NULL
        _places[key] = (where, keep)
    return _places[key]
