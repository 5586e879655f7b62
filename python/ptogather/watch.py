"""`python -m ptogather watch DIR`: checks the programs that a compiler writes into a directory, as they appear."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, TextIO, Tuple

from ._library import TARGETS
from .program import Checked, check

Stamp = Tuple[int, int]


def _files(place: Path) -> Iterator[Tuple[Path, Stamp]]:
    """The programs below a directory, with what changes when one is written."""
    for folder, _, names in os.walk(place):
        for name in sorted(names):
            if name.endswith((".pto", ".mlir")):
                path = Path(folder) / name
                try:
                    about = path.stat()
                except OSError:
                    continue  # it went between the two
                yield path, (about.st_mtime_ns, about.st_size)


class Watch:
    """What was seen, what was checked. A file is checked when it is the same in two looks: a compiler may still write
    the first time."""

    def __init__(self, place: Path, target: Any, out: TextIO) -> None:
        self.place, self.target, self.out = place, target, out
        self._seen: Dict[Path, Stamp] = {}
        self._checked: Dict[Path, Stamp] = {}
        self.wrong = 0

    def look(self, settled: bool = False) -> int:
        """Checks what is new and has settled; says how many files that were."""
        count, found = 0, dict(_files(self.place))
        for path, stamp in found.items():
            if self._checked.get(path) != stamp and (settled or self._seen.get(path) == stamp):
                self._checked[path] = stamp
                self._check(path)
                count += 1
        self._seen = found
        return count

    def _check(self, path: Path) -> None:
        try:
            found = check(path, self.target)
        except OSError as error:
            print(f"{path}: {error.strerror}", file=self.out, flush=True)
            return
        if isinstance(found, Checked):
            taken = found.accepted_by
            self.wrong += not taken
            print(f"{path}: accepted by {', '.join(taken) or 'no target'}", file=self.out, flush=True)
            return
        self.wrong += not found.clean
        errors = len(found.errors)
        verdict = "clean" if errors == 0 else f"{errors} error{'' if errors == 1 else 's'}"
        print(f"{path}: {verdict}", file=self.out)
        print(str(found), end="", file=self.out, flush=True)


def main(arguments: List[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m ptogather watch", description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--target", choices=[*TARGETS, "all"], help="without it, each program's own, or host")
    parser.add_argument("--once", action="store_true", help="check what is there, and end: 1 when something is wrong")
    parser.add_argument("--interval", type=float, default=0.2, metavar="S", help="seconds between looks (0.2)")
    parser.add_argument("--seconds", type=float, metavar="S", help="end after so many seconds")
    options = parser.parse_args(arguments)
    if not options.directory.is_dir():
        parser.error(f"{options.directory} is no directory")
    watch = Watch(options.directory, options.target, sys.stdout)
    end = None if options.seconds is None else time.monotonic() + options.seconds
    try:
        watch.look(settled=options.once)
        while not options.once and (end is None or time.monotonic() < end):
            time.sleep(max(options.interval, 0.01))
            watch.look()
    except KeyboardInterrupt:
        pass
    return 1 if watch.wrong else 0
