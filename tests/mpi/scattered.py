"""`mpirun ptog scatter` against one process, byte by byte, and ranks that were given different work."""

import subprocess
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "gather"))
import scatter  # noqa: E402
from command import Command, ours, run_each, same_bytes, tell  # noqa: E402

POLICIES = ("skip", "clamp", "wrap", "undefined")
OPTIONS = ("--into", "t.npy", "--index", "i.npy", "--from", "r.npy")


def save(command, table, index, rows):
    for name, array in (("t", table), ("i", index), ("r", rows)):
        np.save(command.work / f"{name}.npy", array)


def random_tables(command, checks, random, ranks_list, count):
    """Sums of f32, which depend on their order, are those of one process, bit by bit."""
    for number in range(count):
        ranks, mode, policy = ranks_list[number % len(ranks_list)], ("row", "elem")[number // 2 % 2], POLICIES[number % 4]
        adds = number // 4 % 2 == 1
        table = random.standard_normal((int(random.integers(1, 60)), 12)).astype("<f4")
        capacity = len(table) if mode == "row" else table.size
        index = random.integers(0, capacity if policy == "undefined" else 2 * capacity, ((0,), (7,), (50, 3), (400,))[number % 4])
        rows = random.standard_normal(index.shape + (table.shape[1:] if mode == "row" else ())).astype("<f4")
        save(command, table, index, rows)
        words = [*OPTIONS, "--mode", mode, "--oob", policy, *(["--add"] if adds else [])]
        alone = subprocess.run([command.ptog, "scatter", "--quiet", *words, "-o", "alone.npy"], cwd=command.work)
        done = command.run(ranks, "scatter", "--quiet", *words, "-o", "o.npy")
        problems = [tell(done)] if done.returncode or alone.returncode else same_bytes(command.work / "o.npy", np.load(command.work / "alone.npy"))
        problems += same_bytes(command.work / "alone.npy", scatter.expected(table, index, rows, mode, policy, adds))
        checks.check(f"{command.mpi.name}: scatter on {ranks} ranks, case {number}", problems + ours(done))
        (command.work / "o.npy").unlink(missing_ok=True)


def refusals(command, checks):
    save(command, np.zeros((10, 4), "<f4"), np.array([3, 10]), np.ones((2, 4), "<f4"))
    wrong = [(("-o", "bad.npy"), 1, "ptog scatter: i.npy: index[1] is 10; the table has 10 rows"),
             (("-o", "-", "--oob", "skip"), 2, "ptog scatter: -: several ranks cannot write standard output: name a file"),
             (("-o", "no/such/bad.npy", "--oob", "skip"), 2, "ptog scatter: no/such/bad.npy: cannot be written: No such file or directory")]
    for words, status, message in wrong:
        done = command.run(3, "scatter", "--quiet", *OPTIONS, *words)
        checks.check(f"{command.mpi.name}: {message}", [] if (done.returncode, ours(done)) == (status, [message]) else tell(done))
    checks.check(f"{command.mpi.name}: no output of a scatter that was refused", [str(path) for path in command.work.glob("bad*")])


def differences(command, checks):
    """Ranks that were given different work: one message, and nothing is written."""
    save(command, np.zeros((10, 4), "<f4"), np.array([3, 1]), np.ones((2, 4), "<f4"))
    np.save(command.work / "r2.npy", np.array([[1, 1, 1, 1], [1, 1, 1, 2]], "<f4"))
    given = [*OPTIONS, "-o", "apart.npy"]
    other = [word if word != "r.npy" else "r2.npy" for word in given]
    cases = [(other, "rank 2 has different rows (r2.npy) than rank 0 (r.npy): give all ranks the same --from"),
             ([*given, "--add"], "rank 2 has a different --mode, --oob or --add than rank 0")]
    for words, message in cases:
        done = run_each(command, given, given, words, name="scatter")
        problems = [] if done.returncode and ours(done) == [f"ptog scatter: {message}"] else [tell(done)]
        checks.check(f"{command.mpi.name}: {message}", problems + [f"there is {path}" for path in command.work.glob("apart.npy*")])


def cases(mpi, checks, ptog, library, work, seed, quick):
    command = Command(mpi, ptog, library, work)
    random_tables(command, checks, np.random.default_rng(seed), (3,) if quick else (2, 3, 4, 7), 4 if quick else 32)
    refusals(command, checks)
    differences(command, checks)
