"""libptog_mpi, `mpirun ptog gather` and `mpirun ptog scatter`, with every MPI that is installed: random cases against plain loops and against numpy, what
goes wrong on one rank, large tables. Nothing is tested where there is no mpicc.

usage: run.py --build BUILD [--quick] [--seed N] [--only openmpi|mpich]
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from checks import ROOT, Checks, limited, run  # noqa: E402

import command  # noqa: E402
import scattered  # noqa: E402

RANKS = (1, 2, 3, 4, 7)
FAULT_SECONDS = 10  # of processor time, in which all ranks have to know what is wrong on one of them; a rank that waits is busy
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-O1"]


class Mpi:
    """One MPI: its compiler and its mpirun, with more ranks than processors and as root."""

    def __init__(self, name, cc, launch, env):
        self.name, self.cc, self.launch, self.env = name, cc, launch, env

    def command(self, ranks, *words):
        return [*self.launch, "-n", str(ranks), *map(str, words)]

    def run(self, ranks, *words, seconds=300, **options):
        """`seconds`: processor time of a rank."""
        env = {**os.environ, **self.env, **options.pop("env", {})}
        return subprocess.run(limited(seconds, self.command(ranks, *words)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, errors="replace", env=env, **options)


def installed(place):
    """The MPIs that are here, best known first. MPICH's ranks keep their processor while they wait: see patient.c."""
    found = []
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    if shutil.which("mpicc.openmpi") and shutil.which("mpirun.openmpi"):
        found.append(Mpi("openmpi", "mpicc.openmpi", ["mpirun.openmpi", "--oversubscribe"], root))
    if shutil.which("mpicc.mpich") and shutil.which("mpiexec.mpich"):
        patient = place / "patient.so"
        run(["gcc", "-O2", "-shared", "-fPIC", "-o", patient, ROOT / "tests/mpi/patient.c", "-ldl"])
        found.append(Mpi("mpich", "mpicc.mpich", ["mpiexec.mpich", "-genv", "LD_PRELOAD", str(patient)], {}))
    if not found and shutil.which("mpicc") and shutil.which("mpirun"):
        found.append(Mpi("mpi", "mpicc", ["mpirun"], root))
    return found


def build(mpi, checks, build_dir, place):
    """The library and the test programs for one MPI, in a folder of its own."""
    place.mkdir()
    flags = [*WARNINGS, "-I", ROOT / "include"]
    link = ["-L", build_dir, "-lptog", f"-Wl,-rpath,{build_dir}"]
    done = [run([mpi.cc, *flags, "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-I", ROOT / "src",
                 *sorted((ROOT / "src/mpi").glob("*.c")), *link, "-o", place / "libptog_mpi.so"])]
    for name in ("cases", "faults", "large"):
        done.append(run([mpi.cc, *flags, ROOT / f"tests/mpi/{name}.c", "-L", place, "-lptog_mpi", f"-Wl,-rpath,{place}", *link,
                         "-ldl", "-o", place / name]))
    return checks.check(f"{mpi.name}: builds without a warning", [each.stderr for each in done if each.returncode])


def counts(mpi, checks, title, done):
    """What a program of ours counted: one check for each, and its words when one is wrong."""
    found = re.search(r"(\d+) right, (\d+) wrong", done.stdout)
    if not found or done.returncode or int(found[2]):
        checks.check(f"{mpi.name}: {title}", f"exit {done.returncode}\n{done.stdout}{done.stderr[-3000:]}")
    checks.passed += int(found[1]) if found else 0


def random_cases(mpi, checks, place, seed, count, work, all_ranks):
    for ranks in all_ranks:
        done = mpi.run(ranks, place / "cases", seed + ranks, count, work)
        counts(mpi, checks, f"{ranks} ranks, cases of seed {seed + ranks}", done)


def wrong_on_one_rank(mpi, checks, place, work, all_ranks):
    for ranks in all_ranks:
        done = mpi.run(ranks, place / "faults", work, seconds=6 * FAULT_SECONDS)
        counts(mpi, checks, f"{ranks} ranks, wrong on one", done)


def large_tables(mpi, checks, place, work, quick):
    """5 GiB of sparse file; in full length 2.2 GB in one call."""
    done = mpi.run(2, place / "large", work / "large", 1310720, 3000 if quick else 540_000)
    (work / "large").unlink(missing_ok=True)
    counts(mpi, checks, "a table of 5 GiB", done)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    checks = Checks("mpi")
    with tempfile.TemporaryDirectory(prefix="ptog-mpi-") as folder:
        place = Path(folder)
        work = place / "work"
        work.mkdir()
        for number, mpi in enumerate(installed(place)):
            if arguments.only not in mpi.name or not build(mpi, checks, arguments.build.resolve(), place / mpi.name):
                continue
            brief = arguments.quick and number > 0  # one MPI is enough to see most things
            random_cases(mpi, checks, place / mpi.name, arguments.seed, 14 if arguments.quick else 224, work,
                         (3,) if brief else RANKS)
            wrong_on_one_rank(mpi, checks, place / mpi.name, work, (3,) if arguments.quick else RANKS)
            for part in (command, scattered):
                part.cases(mpi, checks, arguments.build.resolve() / "ptog", place / mpi.name / "libptog_mpi.so", work, arguments.seed,
                           arguments.quick)
            large_tables(mpi, checks, place / mpi.name, work, arguments.quick)
    checks.finish()


main()
