"""`python -m ptogather watch DIR`: runs the programs that a compiler writes into a directory, as they appear."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, TextIO, Tuple

from ._library import TARGETS
from .diagnostics import Diagnostics, Error, Refused
from .program import Program
from .running import run

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
                    continue  # it was removed in between
                yield path, (about.st_mtime_ns, about.st_size)


def _counted(verdict: str, found: Diagnostics) -> str:
    """A verdict in words: "clean", "2 errors", "not judged"."""
    errors = sum(item.severity == "error" and not item.unjudged for item in found)
    if verdict == "failed":
        return f"{errors} error{'' if errors == 1 else 's'}"
    suppressed = f", {found.suppressed} suppressed" if found.suppressed else ""
    return ("clean" if verdict == "passed" else verdict) + suppressed


class Watch:
    """What was seen, and what was run. A file is run when it is the same in two looks: a compiler may still be writing
    it in the first. `options` go to `run`."""

    def __init__(self, place: Path, target: Any, out: TextIO, **options: Any) -> None:
        self.place, self.target, self.out, self.options = place, target, out, options
        self._seen: Dict[Path, Stamp] = {}
        self._judged: Dict[Path, Stamp] = {}
        self.failed = 0

    def look(self, settled: bool = False) -> int:
        """Runs what is new and has settled; gives the number of these files."""
        count, found = 0, dict(_files(self.place))
        for path, stamp in found.items():
            if self._judged.get(path) != stamp and (settled or self._seen.get(path) == stamp):
                self._judged[path] = stamp
                self._judge(path)
                count += 1
        self._seen = found
        return count

    def _judge(self, path: Path) -> None:
        try:
            program = Program(path)
            for function in [program.entry] if program.entry is not None else program.functions or [None]:
                name = f"{path} @{function}" if program.entry is None and function else str(path)
                if self.target == "all":
                    self._run_everywhere(name, program, function)
                else:
                    self._run(name, program, function)
        except OSError as error:
            self._say(path, str(error.strerror), "", True)
        except Error as error:
            self._say(path, _counted("failed", error.diagnostics), error.report or f"{error}\n", False)
        except (TypeError, ValueError, MemoryError) as error:  # arguments that cannot be generated
            self._say(path, f"not judged: {error}", "", False)

    def _run(self, name: str, program: Program, function: Optional[str]) -> None:
        """Runs one function on the targets that it is judged on, with generated inputs."""
        result = run(program, self.target, function=function, trace=False, **self.options)
        verdict = f"{_counted(result.verdict, result.diagnostics)} on {' and '.join(result.judged)}"
        report = "" if result.clean else str(result.diagnostics)
        self._say(name, verdict, report, result.clean)

    def _run_everywhere(self, name: str, program: Program, function: Optional[str]) -> None:
        """Runs one function on every target that accepts it."""
        verdicts: Dict[str, List[str]] = {}
        report, good = "", True
        for target in TARGETS:
            try:
                result = run(program, target, function=function, trace=False, **self.options)
                verdicts.setdefault(_counted(result.verdict, result.diagnostics), []).append(target)
                report, good = report + ("" if result.clean else f"on {target}:\n{result.diagnostics}"), good and result.clean
            except Refused:
                verdicts.setdefault("refused", []).append(target)
        said = "; ".join(f"{verdict} on {', '.join(targets)}" for verdict, targets in verdicts.items())
        self._say(name, said, report, good and list(verdicts) != ["refused"])

    def _say(self, name: Any, verdict: str, report: str, good: bool) -> None:
        self.failed += not good
        print(f"{name}: {verdict}", file=self.out)
        print(report, end="", file=self.out, flush=True)


def main(arguments: List[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m ptogather watch", description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--target", choices=[*TARGETS, "all"],
                        help="default: the target that the program names, or a2a3 and a5; all: every target that accepts it")
    parser.add_argument("--once", action="store_true", help="run every program once, and exit with 1 unless all are clean")
    parser.add_argument("--allow-empty", action="store_true", help="accept programs that execute nothing")
    parser.add_argument("--allow-unjudged", action="store_true", help="accept programs that were not judged to the end")
    parser.add_argument("--interval", type=float, default=0.2, metavar="S", help="seconds between scans (default 0.2)")
    parser.add_argument("--seconds", type=float, metavar="S", help="stop after S seconds")
    options = parser.parse_args(arguments)
    if not options.directory.is_dir():
        parser.error(f"{options.directory} is not a directory")
    watch = Watch(options.directory, options.target, sys.stdout, allow_empty=options.allow_empty,
                  allow_unjudged=options.allow_unjudged)
    end = None if options.seconds is None else time.monotonic() + options.seconds
    try:
        watch.look(settled=options.once)
        while not options.once and (end is None or time.monotonic() < end):
            time.sleep(max(options.interval, 0.01))
            watch.look()
    except KeyboardInterrupt:
        pass
    return 1 if watch.failed else 0
