#!/usr/bin/env python3
"""How many pages `ptog gather` reads of a table that does not fit into memory, by the number of pages it needs.

usage: bench/cold_table.py [--ptog build/ptog] [--place build/bench]

A table of 1 GiB, rows of 256 bytes, in a file that no cache holds; the command may use 128 MiB (a memory control group, of
either version, made for it). 200,000 lanes, uniform and skewed. Pages read are what the kernel counts of the process. Where
no group can be made, as without root, it says so. The file is made once and kept in the place.
"""

import argparse
import contextlib
import os
import pathlib
import subprocess
import time

import numpy as np

ROWS, WIDTH, LANES, PAGE = 1 << 22, 64, 200_000, 4096
LIMIT = 128 << 20
WANTED = 1.3  # pages read, by pages needed
GROUPS = (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max"))  # versions 1 and 2
DATA_OFFSET = 128  # of the rows in the file: what np.save writes first


@contextlib.contextmanager
def limited():
    """A control group with little memory; None where none can be made."""
    for root, name in GROUPS:
        group = pathlib.Path(root) / f"ptog-bench-{os.getpid()}"
        try:
            group.mkdir()
            (group / name).write_text(str(LIMIT))
        except OSError:
            with contextlib.suppress(OSError):
                group.rmdir()
            continue
        try:
            yield group
        finally:
            group.rmdir()
        return
    yield None


def table_file(place):
    path = place / "cold_table.npy"
    if not path.exists() or path.stat().st_size != DATA_OFFSET + ROWS * WIDTH * 4:
        table = np.lib.format.open_memmap(path, "w+", np.float32, (ROWS, WIDTH))
        for first in range(0, ROWS, 1 << 18):
            table[first:first + (1 << 18)] = np.arange(first, first + (1 << 18), dtype=np.float32)[:, None]
        table.flush()
    return path


def forget(path):
    """Lets the kernel drop what it has of a file."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def indices():
    rng = np.random.default_rng(1)
    yield "uniform", rng.integers(0, ROWS, LANES)
    yield "Zipf 1.2", np.minimum(rng.zipf(1.2, LANES), ROWS) * 2654435761 % ROWS


def pages_of(rows):
    """How many pages the bytes of these rows lie on."""
    first = DATA_OFFSET + rows * WIDTH * 4
    return len(np.unique(np.concatenate([first // PAGE, (first + WIDTH * 4 - 1) // PAGE])))


def gather(ptog, group, table, index, out):
    """(pages read, seconds) of one command in the group."""
    forget(table)
    start = time.monotonic()
    child = subprocess.Popen([ptog, "gather", "--table", table, "--index", index, "-o", out],
                             preexec_fn=lambda: (group / "cgroup.procs").write_text(str(os.getpid())))
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = status
    if status:
        raise SystemExit(f"cold_table.py: ptog gather ended with status {status}")
    return used.ru_inblock * 512 // PAGE, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ptog", type=pathlib.Path, default=pathlib.Path("build/ptog"))
    parser.add_argument("--place", type=pathlib.Path, default=pathlib.Path("build/bench"))
    options = parser.parse_args()
    with limited() as group:
        if group is None:
            print("a table larger than memory: not measured, no memory control group can be made here")
            return
        table, index, out = table_file(options.place), options.place / "cold_index.npy", options.place / "cold_out.npy"
        for name, rows in indices():
            np.save(index, rows.astype(np.int64))
            read, seconds = gather(options.ptog, group, table, index, out)
            same = (np.load(out)[:, 0] == rows.astype(np.float32)).all()
            verdict = "held" if same and read / pages_of(rows) <= WANTED else "MISSED"
            print(f"{f'cold 1 GiB table in 128 MiB, {name}':48} {read / pages_of(rows):5.2f} "
                  f"{'times the pages needed':22} wanted {WANTED}: {verdict}")
            print(f"    {read} pages read, {pages_of(rows)} needed, {seconds:.1f} s{'' if same else ', and other bytes than the rows'}")


if __name__ == "__main__":
    main()
