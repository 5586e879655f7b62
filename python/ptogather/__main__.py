"""`python -m ptogather` is the ptog command; `python -m ptogather watch DIR` runs programs as they are written."""

from __future__ import annotations

import os
import sys


def main() -> int:
    arguments = sys.argv[1:]
    if arguments[:1] == ["watch"]:
        from .watch import main as watch
        return watch(arguments[1:])
    from ._library import NATIVE
    program = str(NATIVE / "ptog")
    sys.stdout.flush()
    try:
        os.execv(program, [program, *arguments])
    except OSError as error:
        print(f"ptogather: {program}: {error.strerror}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
