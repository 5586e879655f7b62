"""What the tests of this folder run: every command of ptog, in a directory with files for it, with and without a fault."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "gather")]
import safetensors  # noqa: E402

TIME = re.compile(r"(?<=, in )\d+\.\d+(?= s)|(?<=\"seconds\":)\d+\.\d+")
RACE = ["race.pto", "--target", "a5"]
GATHER = ["--table", "t.npy", "--index", "i.npy"]
SCATTER = ["--into", "t.npy", "--index", "6,2", "--from", "r.npy"]
COMMANDS = {
    "run": ["run", *RACE, "--in", "table=t.npy", "--in", "ids=i.npy", "--out", "out=out.npy"],
    "run, every file": ["run", *RACE, "--in", "table=t.npy", "--in", "ids=i.npy", "--out", "out=out.npy", "--trace", "trace.json",
                        "--report", "report.html", "--witness", "witness.json"],
    "run, generated data": ["run", "race.pto"],
    "run, repaired": ["run", *RACE, "--in", "table=t.npy", "--in", "ids=i.npy", "--apply-fix", "-o", "fixed.pto"],
    "run, repaired for all": ["run", "race.pto", "--apply-fix", "-o", "fixed.pto"],
    "run, SARIF": ["run", *RACE, "--format", "sarif"],
    "check": ["check", "race.pto", "loop.pto"],
    "check a directory": ["check", "programs", "--format", "json"],
    "prove": ["prove", *RACE, "--paths", "3"],
    "reduce": ["reduce", *RACE, "-o", "small.pto"],
    "compare": ["compare", "race.pto", "--in", "table=t.npy", "--in", "ids=i.npy"],
    "fmt": ["fmt", "race.pto"],
    "fmt -i": ["fmt", "-i", "loose.pto"],
    "draw": ["draw", "race.pto", "-o", "picture.svg"],
    "explain": ["explain", "race-raw"],
    "targets": ["targets"],
    "help": ["help", "gather"],
    "completion": ["completion", "bash"],
    "gather": ["gather", *GATHER, "-o", "new.npy"],
    "gather over a file": ["gather", *GATHER, "-o", "old.npy"],
    "gather to standard output": ["gather", "--table", "t.npy", "--index", "1,2", "-o", "-"],
    "gather, converted": ["gather", "--table", "big.npy", "--index", "i.npy", "-o", "new.npy", "--format", "json"],
    "gather, several files": ["gather", "--table", "s*.npy", "--index", "3,0,9", "-o", "new.safetensors"],
    "gather, io_uring": ["gather", "--table", "s*.npy", "--index", "3,0,9,3,1", "--io", "uring", "--threads", "2", "-o", "new.npy"],
    "gather, a model": ["gather", "--table", "m.index.json#embed", "--index", "i.npy", "--oob", "clamp", "-o", "new.npy"],
    "gather, refused": ["gather", "--table", "t.npy", "--index", "99", "-o", "new.npy"],
    "scatter": ["scatter", *SCATTER, "-o", "new.npy"],
    "scatter, added, over a file": ["scatter", *SCATTER, "--add", "--threads", "2", "-o", "old.npy"],
    "scatter, converted": ["scatter", "--into", "big.npy", "--index", "1,2", "--from", "r.npy", "-o", "new.safetensors"],
    "scatter, refused": ["scatter", "--into", "t.npy", "--index", "1,99", "--from", "r.npy", "-o", "new.npy"],
    "mpi-info": ["mpi-info", "--table", "s*.npy"],
}


def fill(place, programs):
    """The files of the commands."""
    table = np.arange(8 * 8, dtype="<f4").reshape(8, 8)
    np.save(place / "t.npy", table)
    np.save(place / "big.npy", np.asfortranarray(table.astype(">f4")))
    np.save(place / "i.npy", np.arange(8, dtype="<i4").reshape(1, 8))
    np.save(place / "old.npy", np.zeros(3))
    np.save(place / "r.npy", table[:2] + 100)
    for number in (2, 10):
        np.save(place / f"s{number}.npy", np.full((5, 4), number, "<f4"))
    safetensors.save(place / "m.safetensors", {"embed": table})
    (place / "m.index.json").write_text('{"weight_map": {"embed": "m.safetensors"}}')
    for name in ("race.pto", "loop.pto"):
        shutil.copy(programs / name, place / name)
    (place / "loose.pto").write_text((programs / "race.pto").read_text().replace("\n  ", "\n\t    "))
    (place / "programs" / "below").mkdir(parents=True)
    shutil.copy(programs / "race.pto", place / "programs" / "below" / "a.pto")
    shutil.copy(programs / "loop.pto", place / "programs" / "b.pto")
    (place / "kernel.cpp").write_text("__global__ void k(int *p);\nvoid f(int *p) { k<<<1, nullptr, nullptr>>>(p); }\n")


def contents(place):
    return {str(path.relative_to(place)): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}


class Outcome:
    """What a command did: status, what it printed, and the files that are there."""

    def __init__(self, status, out, err, files):
        self.status, self.out, self.err, self.files = status, out, err, files

    def __eq__(self, other):
        return vars(self) == vars(other)

    def difference(self, other):
        names = sorted(name for name in {*self.files, *other.files} if self.files.get(name) != other.files.get(name))
        return f"status {other.status} instead of {self.status}; files that differ: {names}\n{other.out[-600:]}{other.err[-600:]}"


def run(words, before, work, env):
    """Runs a command in a fresh copy of the files."""
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(before, work)
    done = subprocess.run(list(map(str, words)), cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, errors="surrogateescape", env={**os.environ, "LC_ALL": "C", **env})
    return Outcome(done.returncode, TIME.sub("N", done.stdout), TIME.sub("N", done.stderr), contents(work))


def preload(name, place):
    """Builds a library of this folder; its path."""
    library = place / f"{name}.so"
    source = Path(__file__).with_name(f"{name}.c")
    subprocess.run(["cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library
