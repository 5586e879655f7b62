"""`mpirun ptog gather` against numpy, and what it does when something goes wrong on one rank or on all."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "gather"))
import safetensors  # noqa: E402

POLICIES = ("undefined", "clamp", "wrap", "zero")
KINDS = ("<f4", "|u1", "<c16", "|V3", "<i2", "<f8")
INDEX_KINDS = ("<i8", "|u1", "<u4", "<i2", "<i4")
SHAPES = ((), (0,), (1,), (7,), (5, 3), (64, 2, 3))


class Command:
    """ptog with one MPI, in a folder."""

    def __init__(self, mpi, ptog, library, work):
        self.mpi, self.ptog, self.work = mpi, ptog, work
        self.env = {"PTOG_MPI_LIBRARY": str(library)}

    def run(self, ranks, *words, **env):
        return self.mpi.run(ranks, self.ptog, *words, seconds=120, cwd=self.work, env={**self.env, **env})

    def gather(self, ranks, *words, **env):
        return self.run(ranks, "gather", "--quiet", *words, **env)


def tell(done):
    return f"exit {done.returncode}: {done.stdout}{done.stderr}"


def ours(done):
    """The lines that ptog itself said."""
    return [line for line in done.stderr.splitlines() if line.startswith("ptog ")]


def expected(table, index, mode, policy):
    flat = table.reshape(-1) if mode == "elem" else table
    wide, capacity = index.astype(np.int64).astype(np.uint64), np.uint64(len(flat))
    if policy == "clamp":
        wide = np.minimum(wide, capacity - np.uint64(1))
    if policy == "wrap":
        wide = wide % capacity
    taken = np.array(flat[np.where(wide < capacity, wide, np.uint64(0)).astype(np.int64)])
    if policy == "zero":
        taken[wide >= capacity] = np.zeros((), table.dtype)
    return taken


def same_bytes(path, wanted):
    if not path.exists():
        return [f"there is no {path.name}"]
    found = np.load(path)
    if found.dtype != wanted.dtype or found.shape != wanted.shape:
        return [f"found {found.dtype} {found.shape}, expected {wanted.dtype} {wanted.shape}"]
    return [] if found.tobytes() == np.ascontiguousarray(wanted).tobytes() else ["bytes differ"]


def random_tables(command, checks, random, ranks_list, count):
    """Types, policies, modes, shapes; one file or several; read directly or sent."""
    for number in range(count):
        ranks, mode, policy = ranks_list[number % len(ranks_list)], ("row", "elem")[number // 2 % 2], POLICIES[number % 4]
        kind, index_kind = KINDS[number % 6], INDEX_KINDS[number % 5]
        table = random.integers(0, 256, (int(random.integers(1, 60)), 12 * np.dtype(kind).itemsize), np.uint8).view(kind)
        capacity = len(table) if mode == "row" else table.size
        most = capacity if policy == "undefined" else 3 * capacity
        index = random.integers(0, min(most, np.iinfo(index_kind).max), SHAPES[number % 6]).astype(index_kind)
        pieces = np.array_split(table, 1 + number % 3)
        for i, piece in enumerate(pieces):
            np.save(command.work / f"t{i}.npy", piece)
        np.save(command.work / "i.npy", index)
        given = [word for i in range(len(pieces)) for word in ("--table", f"t{i}.npy")]
        (command.work / "o.npy").unlink(missing_ok=True)
        done = command.gather(ranks, *given, "--index", "i.npy", "-o", "o.npy", "--mode", mode, "--oob", policy,
                              PTOG_MPI_NEIGHBOURS=str(number % 3))
        problems = same_bytes(command.work / "o.npy", expected(table, index, mode, policy)) if done.returncode == 0 else [tell(done)]
        checks.check(f"{command.mpi.name}: gather on {ranks} ranks, case {number}", problems + ours(done))


def tensors_and_shards(command, checks, random):
    """Safetensors in and out, the list of a model; a file of each rank, which together are a table again."""
    table = random.integers(0, 256, (50, 32), np.uint8).view("<f4")
    index = random.integers(0, 50, (41, 2))
    safetensors.save(command.work / "m-1.safetensors", {"other": table[:3], "embed": table})
    (command.work / "m.safetensors.index.json").write_text('{"weight_map": {"embed": "m-1.safetensors"}}')
    np.save(command.work / "i.npy", index)
    done = command.gather(3, "--table", "m.safetensors.index.json#embed", "--index", "i.npy", "-o", "s.npy", "--output-shards")
    shards = sorted(command.work.glob("s-*.npy"))
    names = [f"s-{i:05}-of-00003.npy" for i in (1, 2, 3)]
    problems = [tell(done)] if done.returncode else []
    if not problems and [path.name for path in shards] != names:
        problems = [f"found {shards}"]
    if not problems and np.concatenate([np.load(path) for path in shards]).tobytes() != table[index].tobytes():
        problems = ["bytes differ"]
    checks.check(f"{command.mpi.name}: a file of each rank", problems)
    np.save(command.work / "j.npy", np.arange(41))
    done = command.gather(2, "--table", "s-*-of-00003.npy", "--index", "j.npy", "-o", "back.safetensors#data")
    found = b"" if done.returncode else (command.work / "back.safetensors").read_bytes()
    checks.check(f"{command.mpi.name}: shards as a table", [] if found.endswith(table[index].tobytes()) else tell(done))


def refusals(command, checks):
    """One message, the status that one process has, and no output."""
    work = command.work
    np.save(work / "t.npy", np.zeros((10, 4), "<f4"))
    index = np.zeros((3, 5), "<i4")
    index[1, 2] = index[2, 4] = -1
    np.save(work / "i.npy", index)
    np.save(work / "g.npy", np.zeros(9, "<i4"))
    table, good = ("--table", "t.npy"), ("--index", "g.npy")
    wrong = [
        ((*table, "--index", "i.npy", "-o", "bad.npy"), 1, "ptog gather: i.npy: index[1,2] is -1; the table has 10 rows"),
        (("--table", "none.npy", *good, "-o", "bad.npy"), 2, "ptog gather: none.npy: cannot be read: No such file or directory"),
        ((*table, *good, "-o", "-"), 2, "ptog gather: -: several ranks cannot write standard output: name a file"),
        ((*table, *good, "-o", "no/such/bad.npy"), 2, "ptog gather: no/such/bad.npy: cannot be written: No such file or directory"),
        ((*table, *good), 2, "ptog gather: needs -o"),
        ((*table, *good, "-o", "t.npy"), 2, "ptog gather: t.npy: is an input and would be overwritten"),
    ]
    for words, status, message in wrong:
        done = command.gather(3, *words)
        found = done.returncode, ours(done)
        checks.check(f"{command.mpi.name}: {message}", [] if found == (status, [message]) else tell(done))
    done = command.gather(3, *table, "--index", "i.npy", "-o", "o.npy", "--oob", "clamp")
    warning = "ptog gather: warning: i.npy: 2 negative indices were read as unsigned, as MGATHER does"
    checks.check(f"{command.mpi.name}: one warning", [] if (done.returncode, ours(done)) == (0, [warning]) else tell(done))
    checks.check(f"{command.mpi.name}: no output of what was refused", [str(path) for path in work.glob("bad*")])


def run_each(command, *lines, name="gather"):
    """One rank for each command line, as mpirun starts different programs as one job."""
    words = [word for line in lines for word in (":", "-n", "1", command.ptog, name, "--quiet", *line)][1:]
    env = {**os.environ, **command.mpi.env, **command.env}
    return subprocess.run([*command.mpi.launch, *map(str, words)], cwd=command.work, env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")


def differences(command, checks):
    """Ranks that were given different work: one message, a status that is not 0, and nothing is written."""
    work = command.work
    table = np.arange(6_000_000, dtype="<i4").reshape(-1, 4)
    np.save(work / "t.npy", table)
    np.save(work / "copy.npy", table)
    np.save(work / "first.npy", table[:9])
    table[0, 0] = -1
    np.save(work / "other.npy", table)
    table[0, 0], table[-7, 1] = 0, -1
    np.save(work / "one.npy", table)  # one element of six million
    np.save(work / "i.npy", np.array([3, 1, 2], "<i8"))
    np.save(work / "j.npy", np.array([3, 1, 0], "<i8"))
    np.save(work / "k.npy", np.array([3, 1, 2], "<i4"))
    np.save(work / "l.npy", np.array([[3, 1, 2]], "<i8"))
    given = {"--table": "t.npy", "--index": "i.npy", "-o": "diff.npy", "--mode": "row", "--oob": "wrap"}
    other = "rank 2 has a different table ({}) than rank 0 (t.npy): give all ranks the same --table"
    index = "rank 2 has different indices ({}) than rank 0 (i.npy): give all ranks the same --index"
    settings = "rank 2 has a different --mode, --oob or --output-shards than rank 0"
    cases = [({"--table": "other.npy"}, other), ({"--table": "one.npy"}, other), ({"--table": "first.npy"}, other), ({"--index": "j.npy"}, index), ({"--index": "k.npy"}, index),
             ({"--index": "l.npy"}, index), ({"--oob": "clamp"}, settings), ({"--mode": "elem"}, settings),
             ({"-o": "diff2.npy"}, "rank 2 would write {}, but rank 0 diff.npy: give all ranks the same -o")]
    for shards in ([], ["--output-shards"]):
        for change, message in cases:
            lines = [[word for pair in {**given, **more}.items() for word in pair] + shards for more in ({}, {}, change)]
            done = run_each(command, *lines)
            wanted = f"ptog gather: {message.format(*change.values())}"
            problems = [] if done.returncode and ours(done) == [wanted] else [tell(done)]
            problems += [f"there is {path}" for path in work.glob("diff*")]
            checks.check(f"{command.mpi.name}: {change} on one of three ranks {shards}", problems)
    safetensors.save(work / "m.safetensors", {"a": table[:9], "b": table[:9] + 1})
    lines = [[word for pair in {**given, "--table": f"m.safetensors#{name}"}.items() for word in pair] for name in "aab"]
    done = run_each(command, *lines)
    wanted = "ptog gather: " + other.format("m.safetensors#b").replace("t.npy", "m.safetensors#a")
    checks.check(f"{command.mpi.name}: two tensors of one file", [] if done.returncode and ours(done) == [wanted] else tell(done))
    lines = [[word for pair in {**given, "--table": name}.items() for word in pair] for name in ("t.npy", "copy.npy")]
    done = run_each(command, *lines)
    checks.check(f"{command.mpi.name}: a copy of the table", same_bytes(work / "diff.npy", np.load(work / "t.npy")[[3, 1, 2]])
                 if done.returncode == 0 else [tell(done)])
    np.save(work / "f.npy", np.asfortranarray(table[:9]))
    done = command.gather(2, "--table", "f.npy", "--index", "i.npy", "-o", "diff3.npy")
    said = ours(done)
    right = done.returncode and len(said) == 1 and "f.npy: is in Fortran order; ranks read the file itself" in said[0]
    checks.check(f"{command.mpi.name}: a table that ranks cannot map", [] if right else tell(done))


def reports(command, checks):
    """Indices on the command line, one closing line and one note, of the first rank; a big-endian index."""
    np.save(command.work / "t1.npy", np.arange(40, dtype="<f4").reshape(10, 4))
    np.save(command.work / "t2.npy", np.arange(40, 80, dtype="<f4").reshape(10, 4))
    np.save(command.work / "i.npy", np.array([19, 0, 7], ">u4"))
    wanted = np.arange(80, dtype="<f4").reshape(20, 4)[[19, 0, 7]]
    for index in ("19,0,7", "i.npy"):
        done = command.run(3, "gather", "--table", "t[12].npy", "--index", index, "-o", "o.npy")
        said = [re.sub(r"\d+\.\d+ s$", "N s", line) for line in ours(done)]
        notes = ["ptog gather: note: the table is 2 files, in this order: t1.npy, t2.npy"]
        notes += ["ptog gather: note: i.npy: has big-endian elements, which were converted"] * (index == "i.npy")
        problems = [] if said == notes + ["ptog gather: wrote 3 rows, 48 bytes, in N s"] else [tell(done)]
        checks.check(f"{command.mpi.name}: notes and closing line, --index {index}", problems + same_bytes(command.work / "o.npy", wanted))
    done = command.run(1, "gather", "--quiet", "--table", "t[12].npy", "--index", "19,0,7", "-o", "one.npy", "--output-shards")
    checks.check(f"{command.mpi.name}: shards of one rank", same_bytes(command.work / "one-00001-of-00001.npy", wanted) + ours(done))


def cut_before(command, checks, mappings):
    """A file is cut by one rank while the others look at it: it is too short for some of them, and one says so."""
    library = command.work / "cut.so"
    source = Path(__file__).resolve().parents[1] / "gather" / "cut.c"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    for at in mappings:
        np.save(command.work / "t.npy", np.zeros((20_000, 64), "<f4"))
        np.save(command.work / "i.npy", np.arange(19_999, -1, -1))
        preload = {"CUT_FILE": "t.npy", "CUT_TO": "4096", "CUT_AT": str(at), "PTOG_MPI_NEIGHBOURS": "1",
                   "UCX_MEM_EVENTS": "no"}  # UCX would put an mmap of its own before ours
        words = ["env", f"LD_PRELOAD={library}", command.ptog, "gather", "--table", "t.npy", "--index", "i.npy", "-o", "late.npy"]
        done = command.mpi.run(3, *words, seconds=60, cwd=command.work, env={**command.env, **preload})
        said = ours(done)
        right = done.returncode != 0 and len(said) == 1 and re.search("short", said[0])
        checks.check(f"{command.mpi.name}: cut at mapping {at}", [] if right else tell(done))
        checks.check(f"{command.mpi.name}: no output of what was cut", [str(p) for p in command.work.glob("late.npy")])


def rank_of(pid):
    try:
        words = Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace").split("\0")
        name = Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return None
    found = [int(word.split("=")[1]) for word in words if re.match(r"(OMPI_COMM_WORLD_RANK|PMI_RANK)=\d+$", word)]
    return found[0] if found and name == "ptog" else None


def descendants(pid):
    """All processes that a process started, and those that they started."""
    children = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, parent = int(path.parent.name), int(path.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(number)
    found, todo = [], [pid]
    while todo:
        for child in children.get(todo.pop(), []):
            found.append(child)
            todo.append(child)
    return found


def disturb(command, checks, title, what):
    """Something happens to a job that has started to write; what it said. The output does not appear."""
    np.save(command.work / "t.npy", np.zeros((1000, 4096), "<f4"))
    np.save(command.work / "i.npy", np.arange(30_000) % 1000)
    words = command.mpi.command(3, command.ptog, "gather", "--table", "t.npy", "--index", "i.npy", "-o", "late.npy")
    env = {**os.environ, **command.mpi.env, **command.env, "PTOG_MPI_NEIGHBOURS": "1"}
    job = subprocess.Popen(words, cwd=command.work, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, text=True, errors="replace")
    while job.poll() is None and not any(command.work.glob("late.npy*~")):
        time.sleep(0.002)
    what(job)
    said = job.communicate()[1]
    problems = [] if job.returncode else [f"exit {job.returncode}: {said}"]
    problems += [f"there is {path}" for path in command.work.glob("late.npy")]
    checks.check(f"{command.mpi.name}: {title}", problems)
    for path in command.work.glob("late.npy*"):
        path.unlink(missing_ok=True)
    return [line for line in said.splitlines() if line.startswith("ptog ")]


def disturbed(command, checks):
    def kill(job):
        for pid in descendants(job.pid):
            if rank_of(pid) == 1:
                os.kill(pid, signal.SIGKILL)

    disturb(command, checks, "a killed rank", kill)
    said = disturb(command, checks, "a table that is cut", lambda job: os.truncate(command.work / "t.npy", 4096))
    wanted = ["ptog gather: a file was truncated while it was read, or its device failed"]
    checks.check(f"{command.mpi.name}: one message about the cut table", [] if said == wanted else f"{said}")


def info(command, checks):
    np.save(command.work / "t.npy", np.zeros((10, 4), "<f4"))
    done = command.run(4, "mpi-info", "--table", "t.npy")
    rows = [re.search(r"\d+\.\.\d+", line)[0] for line in done.stdout.splitlines() if re.match(r" +\d+ ", line)]
    checks.check(f"{command.mpi.name}: mpi-info", [] if rows == ["0..2", "3..5", "6..7", "8..9"] else tell(done))


def cases(mpi, checks, ptog, library, work, seed, quick):
    command = Command(mpi, ptog, library, work)
    random = np.random.default_rng(seed)
    random_tables(command, checks, random, (3,) if quick else (2, 3, 4, 7), 4 if quick else 48)
    tensors_and_shards(command, checks, random)
    refusals(command, checks)
    differences(command, checks)
    reports(command, checks)
    info(command, checks)
    cut_before(command, checks, (2,) if quick else (1, 2))
    disturbed(command, checks)
