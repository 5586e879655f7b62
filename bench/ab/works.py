"""bench/ab: the works. Each can do one turn on a side: it runs for about so many milliseconds in a process of its own, so
that the luck of one process (addresses, pages) is not taken for the speed of a side, and gives the nanoseconds of one call.
And each can count the instructions of a call with valgrind, which other work on the machine does not change."""

import os
import re
import struct
import subprocess
import sys

from sides import CACHE, PROGRAMS, ROOT, Problem, called, compilers

sys.path.insert(0, str(ROOT / "bench"))
import check_speed  # noqa: E402

LIMIT = 300  # seconds that a turn of a measuring program may take
COUNTED = 2e6  # nanoseconds of calls whose instructions are counted; valgrind takes some fifty times as long


class Missing(Exception):
    """This side does not have the work: its program cannot be built there."""


# A string instruction counts once for each byte under valgrind, so memset and memcpy are to go without.
WITHOUT_REP = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-ERMS,-FSRM"}


def instructions(words, *options, status=0):
    """How many instructions valgrind's callgrind collects while a command runs."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *options, *[str(word) for word in words]]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              errors="replace", timeout=LIMIT, env={**os.environ, **WITHOUT_REP})
    except FileNotFoundError:
        raise Problem("instructions are counted with valgrind, which is not installed") from None
    except subprocess.TimeoutExpired:
        raise Problem(f"no end under valgrind after {LIMIT} seconds") from None
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != status or not collected:
        raise Problem(f"status {done.returncode} under valgrind, expected {status}:\n{done.stderr[-2000:]}")
    return int(collected.group(1))


class ProgramWork:
    """One work of a measuring program, which has its own clock."""

    slow = False

    def __init__(self, program, name):
        self.program, self.name = program, name

    def turn(self, side, milliseconds):
        if self.program not in side.programs:
            raise Missing(side.missing[self.program])
        try:
            return float(called([side.programs[self.program], self.name, milliseconds], timeout=LIMIT).split()[-1])
        except subprocess.TimeoutExpired:
            raise Problem(f"no end after {LIMIT} seconds") from None

    def count(self, side):
        calls = max(1, min(1000, int(COUNTED / self.turn(side, 1))))
        words = [side.programs[self.program], self.name, "calls", calls]
        return instructions(words, "--toggle-collect=turn_counted*") / calls


class CommandWork:
    """A whole command: the processor time of the process and of those that it started and waited for."""

    def __init__(self, name, words, status=0, slow=False):
        self.name, self.words, self.status, self.slow = name, words, status, slow

    def once(self, words):
        null = os.open(os.devnull, os.O_RDWR)
        try:
            quiet = [(os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)]
            _, status, used = os.wait4(os.posix_spawnp(words[0], words, os.environ, file_actions=quiet), 0)
        finally:
            os.close(null)
        if os.waitstatus_to_exitcode(status) != self.status:
            raise Problem(f"status {os.waitstatus_to_exitcode(status)}, expected {self.status}: {' '.join(words)}")
        return (used.ru_utime + used.ru_stime) * 1e9

    def turn(self, side, milliseconds):
        words = [str(word) for word in self.words(side)]
        best = spent = self.once(words)
        while spent < milliseconds * 1e6:
            took = self.once(words)
            best, spent = min(best, took), spent + took
        return best

    def count(self, side):
        return instructions(self.words(side), status=self.status)


def program_works(sides):
    """Every work that a program names on one of the sides. A program that no side can build is a mistake in it."""
    for source in PROGRAMS:
        able = [side for side in sides if source.name in side.programs]
        if not able:
            raise Problem(f"{source.name} cannot be built on either side: {sides[-1].missing[source.name]}")
        for name in called([able[-1].programs[source.name]]).splitlines():
            yield ProgramWork(source.name, name)


def input_files():
    """What the commands read, and where they write: the same files for both sides."""
    place = CACHE / "data"
    place.mkdir(parents=True, exist_ok=True)
    (place / "kernels.pto").write_text(check_speed.program(1))
    (place / "table.bin").write_bytes(struct.pack("<65536f", *(n % 1000 for n in range(65536))))
    (place / "words.bin").write_bytes(struct.pack("<32i", *(n * 37 % 64 for n in range(32))))
    return place


def command_works():
    data = input_files()
    example = ROOT / "examples" / "double_buffer.pto"
    bound = ["--in", f"table={data / 'table.bin'}", "--in", f"words={data / 'words.bin'}",
             "--out", f"out=32x1024:{data / 'out.bin'}"]

    def run(target):
        return lambda side: [side.ptog, "run", example, "--target", target, *bound]

    yield CommandWork("ptog check 1 MB, a2a3", lambda side: [side.ptog, "check", data / "kernels.pto", "--target", "a2a3"])
    yield CommandWork("ptog fmt 1 MB", lambda side: [side.ptog, "fmt", data / "kernels.pto"])
    yield CommandWork("ptog check, refused", lambda side: [side.ptog, "check", ROOT / "examples" / "transposed.pto"], status=1)
    for target in ("host", "a2a3", "a5"):
        yield CommandWork(f"ptog run double_buffer, {target}", run(target))
    yield CommandWork("ptog compare double_buffer",
                      lambda side: [side.ptog, "compare", example, "--targets", "host,a2a3,a5", *bound[:4], "--out", "out=32x1024"])
    yield CommandWork("compile a C++ kernel", slow=True, words=lambda side: [
        compilers()[1], "-std=c++17", "-O1", "-c", "-I", side.source / "include", ROOT / "examples" / "cpp" / "racy.cpp",
        "-o", data / "racy.o"])


def all_works(sides):
    return [*program_works(sides), *command_works()]
