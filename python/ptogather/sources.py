"""Files that a program names with loc(...). A program can name any file: only regular ones below the working directory
are opened, without "..", symbolic links, pipes or devices on the way."""

from __future__ import annotations

import os
import stat
from typing import Optional

_MOST = 16 << 20  # bytes of a file


def _open_below(path: bytes) -> int:
    """A descriptor of the file; OSError when it may not be opened. Goes down step by step: between a look at the whole
    path and an open, a step could become a link."""
    if path.startswith(b"/"):
        here = os.getcwdb().rstrip(b"/") + b"/"
        if not path.startswith(here):
            raise PermissionError("outside of the working directory")
        path = path[len(here):]
    steps = [step for step in path.split(b"/") if step not in (b"", b".")]
    if not steps or b".." in steps:
        raise PermissionError("not below the working directory")
    at = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    for left, step in zip(range(len(steps) - 1, -1, -1), steps):
        kind = os.O_DIRECTORY if left else os.O_NONBLOCK | os.O_NOCTTY
        try:
            below = os.open(step, os.O_RDONLY | os.O_NOFOLLOW | kind, dir_fd=at)
        finally:
            os.close(at)
        at = below
    return at


def read_below(path: bytes) -> Optional[bytes]:
    """The bytes of a file below the working directory; None: it is not there, too long, or may not be opened."""
    try:
        with os.fdopen(_open_below(path), "rb") as file:
            about = os.fstat(file.fileno())
            return file.read(_MOST) if stat.S_ISREG(about.st_mode) and about.st_size <= _MOST else None
    except OSError:
        return None
