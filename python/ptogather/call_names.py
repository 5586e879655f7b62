"""What the caller's source calls the arguments of a call: `core.load(idx, words)` names the tile idx."""

from __future__ import annotations

import ast
import itertools
import linecache
import textwrap
from types import CodeType, FrameType
from typing import Any, Dict, List, Optional, Tuple, Union

from ._library import ffi

_MAX_CALLS = 65536
_LONGEST = 40
_calls: Dict[Tuple[CodeType, int, str], Dict[Union[int, str], str]] = {}
_texts: Dict[str, Any] = {}  # as C wants them; the library compares their addresses, so that none is freed


def _source(frame: FrameType) -> str:
    """The text of the call that the frame is at; before Python 3.11 its whole line. Empty: there is none."""
    code, line = frame.f_code, frame.f_lineno
    if not hasattr(code, "co_positions"):
        return textwrap.dedent(linecache.getline(code.co_filename, line))
    first, last, start, end = next(itertools.islice(code.co_positions(), frame.f_lasti // 2, None), (None,) * 4)
    if first is None or last is None or start is None or end is None:
        return ""
    lines = [linecache.getline(code.co_filename, number).encode() for number in range(first, last + 1)]
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][start:]
    return b"".join(lines).decode("utf-8", "replace")


def _name(node: ast.expr) -> Optional[str]:
    """idx, self.idx, tiles[i % 2]; None for other expressions."""
    named = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.BinOp, ast.operator, ast.expr_context)
    if isinstance(node, (ast.Constant, ast.BinOp)) or not all(isinstance(part, named) for part in ast.walk(node)):
        return None
    text = ast.unparse(node)
    return text if len(text) < _LONGEST else None


def _read(source: str, method: str) -> Dict[Union[int, str], str]:
    try:
        tree = ast.parse(source.strip())
    except (SyntaxError, ValueError):
        return {}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and
             node.func.attr == method]
    if len(calls) != 1 or any(isinstance(argument, ast.Starred) for argument in calls[0].args):
        return {}
    given: List[Tuple[Union[int, str, None], ast.expr]] = [*enumerate(calls[0].args)]
    given += [(keyword.arg, keyword.value) for keyword in calls[0].keywords]
    return {key: name for key, value in given if key is not None and (name := _name(value)) is not None}


def call_names(frame: Optional[FrameType], method: str) -> Dict[Union[int, str], str]:
    """The names of the arguments, by position and by keyword, of the call of `method` that the frame is at."""
    if frame is None:
        return {}
    key = (frame.f_code, frame.f_lasti, method)
    if key not in _calls:
        if len(_calls) >= _MAX_CALLS:
            _calls.clear()
        _calls[key] = _read(_source(frame), method)
    return _calls[key]


def kept_text(name: str) -> Any:
    """The name as C wants it, for as long as the process lives."""
    if name not in _texts:
        _texts[name] = ffi.new("char[]", name.encode("utf-8", "replace"))
    return _texts[name]
