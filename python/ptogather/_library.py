"""The C library, as the other modules of the package see it: `lib`, `ffi`, and what turns C values into Python's.

The declarations come from the public headers (binding.py); nothing here repeats a struct. cffi releases the GIL while
a function of the library runs, and the library keeps no state of its own, so threads may call it at the same time.
"""

from __future__ import annotations

import difflib
import functools
import operator
import os
import sys
import tempfile
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Iterable, Optional, Union, cast

try:
    from . import _api
except ImportError as error:  # the source tree has no binding: it is made when the package is built
    raise ImportError("ptogather was not built: install it with 'pip install ./python', or use 'make python'") from error

from .literals import Target

ffi: Any = _api.ffi
constants: dict[str, Any] = _api.constants

HERE = os.path.dirname(__file__) + os.sep
NATIVE = Path(__file__).resolve().parent / "native"

lib: Any = ffi.dlopen(str(NATIVE / "libptog.so"))


def other_sizes() -> list[str]:
    """The structs that the library lays out in another way than the headers of the binding: those of another version."""
    found = []
    for name in ffi.list_types()[1]:
        size = int(lib.ptog_size_of(name.encode()))
        if size and size != ffi.sizeof("struct " + name):
            found.append(name)
    return found


if other_sizes():
    raise ImportError(f"ptogather: {NATIVE / 'libptog.so'} is of another version than this package: {', '.join(other_sizes())}")

PathLike = Union[str, "os.PathLike[str]"]


# ---- words and numbers ------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def words(enum: str) -> dict[str, int]:
    """The enumerators of an enum as words, without what they all start with.

    >>> words("ptog_oob")
    {'undefined': 0, 'clamp': 1, 'wrap': 2, 'zero': 3}
    """
    elements = ffi.typeof("enum " + enum).relements
    prefix = os.path.commonprefix(list(elements))
    start = prefix.rfind("_") + 1
    numbers = sorted((number, name[start:].lower()) for name, number in elements.items())
    return {name: number for number, name in numbers}


def number_of(enum: str, word: object, argument: str) -> int:
    """The number that a word stands for; a ValueError that names the argument when there is no such word."""
    known = words(enum)
    number = known.get(word.lower()) if isinstance(word, str) else None
    if number is None:
        raise ValueError(f"{argument}: {short(word)} is not one of {', '.join(known)}{nearest(word, known)}")
    return number


def word_of(enum: str, number: int) -> str:
    for word, value in words(enum).items():
        if value == number:
            return word
    return str(number)


def nearest(word: object, known: Iterable[str]) -> str:
    """"; did you mean ...?" when one of the known words is close."""
    close = difflib.get_close_matches(word, list(known), 1) if isinstance(word, str) else []
    return f"; did you mean {close[0]!r}?" if close else ""


_LONGEST = 60  # characters of a value that a message repeats; a longer value is described instead


def short(value: object) -> str:
    """A value in a message, on one line: itself, or what it is when it is long.

    >>> short([1, 2]), short(list(range(100))), short("x" * 99)
    ('[1, 2]', 'a list of 100 entries', 'a str of 99 characters')
    """
    kind = type(value).__name__
    try:
        text = " ".join(repr(value).split())
        if len(text) <= _LONGEST:
            return text
        shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
        if isinstance(shape, tuple) and dtype is not None:
            return f"an array of {dtype} of shape {tuple(shape)}"
        if isinstance(value, (str, bytes, list, tuple, dict, set)):
            unit = "characters" if isinstance(value, str) else "bytes" if isinstance(value, bytes) else "entries"
            return f"a {kind} of {len(value):,} {unit}"
    except Exception:  # of an object of the caller
        pass
    return f"an object of type {kind}"


def one_line(error: object) -> str:
    """The whole text of another library's exception, on one line."""
    try:
        return " ".join(str(error).split()) or type(error).__name__
    except Exception:  # of an object of the caller
        return type(error).__name__


def whole(value: object, argument: str, least: int, most: int) -> int:
    """A whole number in a range; numpy's are fine, True is not."""
    try:
        number = None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except Exception:  # of an object of the caller
        number = None
    if number is None:
        raise TypeError(f"{argument}: expected a whole number, not {short(value)}")
    if not least <= number <= most:
        raise ValueError(f"{argument}: {number} is not between {least} and {most}")
    return int(number)


def switch(value: object, argument: str) -> bool:
    """True or False; numpy's are fine."""
    if isinstance(value, (bool, int)) or type(value).__name__ == "bool_":
        return bool(value)
    raise TypeError(f"{argument}: expected True or False, not {short(value)}")


# ---- warnings ---------------------------------------------------------------------------------------------------------


def warn(message: str, category: type[Warning]) -> None:
    """A warning at the line of the caller's own code, wherever in this package it comes from."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(HERE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


# ---- text -------------------------------------------------------------------------------------------------------------


def text_of(pointer: Any) -> Optional[str]:
    """A C string; None for NULL. Bytes that are no UTF-8 become U+FFFD."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def name_bytes(name: str, argument: str) -> bytes:
    """A name on its way to C, where a zero byte would end it."""
    if "\0" in name:
        raise ValueError(f"{argument}: {short(name)} has a zero byte in it")
    return name.encode("utf-8", "surrogateescape")


class Output:
    """Text that the library writes, collected in C: no callback, and the GIL stays released."""

    def __init__(self, most: int = 0) -> None:
        self._output = ffi.gc(ffi.new("struct ptog_output *"), lib.ptog_output_free)
        self._output.most = most
        self.sink = ffi.new("struct ptog_sink *", lib.ptog_output_sink(self._output))

    @property
    def cut(self) -> bool:
        return bool(self._output.cut)

    def bytes(self) -> bytes:
        if self._output.no_memory:
            raise MemoryError("the text does not fit into memory")
        return b"" if self._output.used == 0 else bytes(ffi.buffer(self._output.bytes, self._output.used))

    def __str__(self) -> str:
        return self.bytes().decode("utf-8", "replace")


def documented(where: Optional[str]) -> Optional[str]:
    """Where something is documented, with the names that people know the documents by."""
    if where is None:
        return None
    output = Output()
    lib.ptog_report_documented(where.encode(), output.sink)
    return str(output)


def write_whole(path: PathLike, data: bytes) -> None:
    """Writes a file that appears when it is complete."""
    path = Path(path)
    number, draft = tempfile.mkstemp(prefix=path.name + ".", dir=path.parent)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(draft, 0o666 & ~mask)
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise


# ---- structs ----------------------------------------------------------------------------------------------------------


def plain(value: Any, kind: Any) -> Any:
    """A C value as Python's, whatever the header says it is: numbers, words of enums, texts, structs with their fields,
    and a pointer with its `..._count` beside it as a tuple."""
    if kind.kind == "enum":
        return word_of(kind.cname.replace("enum ", ""), int(value))
    if kind.kind == "struct":
        return SimpleNamespace(**fields(value))
    if kind.kind == "pointer" and kind.item.cname == "char":
        return text_of(value)
    if kind.kind == "array":
        return tuple(plain(value[i], kind.item) for i in range(kind.length))
    return value


def fields(struct: Any) -> dict[str, Any]:
    """The fields of a struct by their names in the header; `reserved` is left out."""
    kind = ffi.typeof(struct)
    kind = kind.item if kind.kind == "pointer" else kind
    named = dict(kind.fields)
    found: dict[str, Any] = {}
    for name, field in named.items():
        if name == "reserved" or (name.endswith("_count") and name[:-6] in named):
            continue
        value = getattr(struct, name)
        if name + "_count" in named and field.type.kind == "pointer":
            count = int(getattr(struct, name + "_count"))
            found[name] = tuple(plain(value[i], field.type.item) for i in range(count))
        else:
            found[name] = plain(value, field.type)
    return found


# ---- targets ----------------------------------------------------------------------------------------------------------

_targets = [lib.ptog_target_at(i) for i in range(lib.PTOG_TARGETS)]

TARGETS: tuple[Target, ...] = cast("tuple[Target, ...]", tuple(text_of(target.name) for target in _targets))
"""The names of the targets, in the library's order."""


def target_of(name: object, argument: str = "target") -> Any:
    """The target of this name, as C knows it."""
    if isinstance(name, str) and name in TARGETS:
        return _targets[TARGETS.index(name)]
    raise ValueError(f"{argument}: {short(name)} is not one of {', '.join(TARGETS)}{nearest(name, TARGETS)}")


def targets_in(mask: int) -> tuple[Target, ...]:
    """The names of the targets in a mask of their bits."""
    return tuple(name for name, target in zip(TARGETS, _targets) if mask & target.bit)


def version() -> str:
    """The version of the C library."""
    return text_of(lib.ptog_version()) or ""


if version() != constants["PTOG_VERSION"]:
    raise ImportError(f"the library is {version()}, and the binding was made for {constants['PTOG_VERSION']}")
