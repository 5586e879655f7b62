"""ptog gather, and ptog scatter, against numpy: every element type, policy, index type and shape; safetensors; tables larger than they should
be in memory.

usage: run.py --ptog BUILD/ptog [--quick] [--seed N]
"""

import argparse
import itertools
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from checks import Checks  # noqa: E402

import bags  # noqa: E402
import options as options_of_gather  # noqa: E402
import parts  # noqa: E402
import reading  # noqa: E402
import safetensors  # noqa: E402
import scatter  # noqa: E402

TYPES = ["|b1", "|u1", "|i1", "<u2", "<i2", "<f2", "<u4", "<i4", "<f4", "<u8", "<i8", "<f8", "<c8", "<c16", "|V3", "|S5"]
INDEX_TYPES = ["|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8"]
INDEX_SHAPES = [(), (0,), (1,), (7,), (3, 0, 2), (2, 3), (2, 1, 3, 1, 2, 1, 1)]
ROW_SHAPES = [(), (1,), (5,), (2, 3), (16,), (64,), (0,), (3, 1, 2)]
SAFETENSORS = dict(BOOL="|b1", U8="|u1", I8="|i1", F8_E4M3="|u1", F8_E5M2="|u1", F8_E8M0="|u1", U16="<u2", I16="<i2", F16="<f2",
                   BF16="<u2", U32="<u4", I32="<i4", F32="<f4", U64="<u8", I64="<i8", F64="<f8", C64="<c8")
POLICIES = ["undefined", "clamp", "wrap", "zero"]


class Bench:
    """A directory, the command, and random arrays."""

    def __init__(self, ptog, place, seed):
        self.ptog, self.place = ptog, place
        self.random = np.random.default_rng(seed)

    def speak(self, *arguments, command="gather", **options):
        """The command with its notes and its closing line."""
        return subprocess.run([self.ptog, command, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, errors="replace", **{"cwd": self.place, **options})

    def run(self, *arguments, **options):
        return self.speak(*arguments, "--quiet", **options)

    def array(self, kind, shape):
        dtype = np.dtype(kind)
        raw = self.random.integers(0, 2 if kind == "|b1" else 256, int(np.prod(shape)) * dtype.itemsize, np.uint8)
        return raw.view(dtype).reshape(shape)

    def indices(self, kind, shape, capacity, inside):
        most = min(capacity if inside else 4 * capacity + 3, np.iinfo(kind).max + 1)
        return self.random.integers(0, most, shape).astype(kind)


def expected(table, index, mode, policy):
    """numpy's answer: its modes are the policies, and zero is a mask."""
    flat = table.reshape(-1) if mode == "elem" else table
    wide = index.astype(np.uint64)
    capacity = np.uint64(len(flat))
    if policy == "clamp":
        return np.asarray(flat[np.minimum(wide, capacity - np.uint64(1)).astype(np.int64)])
    if policy == "wrap":
        return np.asarray(flat[(wide % capacity).astype(np.int64)])
    taken = flat[np.where(wide < capacity, wide, np.uint64(0)).astype(np.int64)]
    if policy == "zero":
        taken = np.array(taken)
        taken[wide >= capacity] = np.zeros((), table.dtype)
    return np.asarray(taken)


def same(path, wanted):
    """What is different, or nothing. Compared by bytes: NaNs are numbers like others."""
    found = np.load(path)
    if found.dtype != wanted.dtype or found.shape != wanted.shape:
        return [f"found {found.dtype} {found.shape}, expected {wanted.dtype} {wanted.shape}"]
    return [] if found.tobytes() == np.ascontiguousarray(wanted).tobytes() else ["bytes differ"]


def one(bench, checks, table, index, mode, policy, *more):
    np.save(bench.place / "t.npy", table)
    np.save(bench.place / "i.npy", index)
    done = bench.run("--table", "t.npy", "--index", "i.npy", "-o", "o.npy", "--mode", mode, "--oob", policy, *more)
    problems = [f"exit {done.returncode}: {done.stderr}"] if done.returncode or done.stderr else same(
        bench.place / "o.npy", expected(table, index, mode, policy))
    checks.check(f"{table.dtype.str} {table.shape} {index.dtype.str} {index.shape} {mode} {policy} {more}", problems)


def random_cases(bench, checks, count):
    """Every type with every policy; the rest is drawn."""
    cases = list(itertools.product(TYPES, POLICIES, ("row", "elem")))
    for n in range(count):
        kind, policy, mode = cases[n % len(cases)]
        pick = lambda list_: list_[bench.random.integers(len(list_))]
        index_kind = pick(INDEX_TYPES)
        table = bench.array(kind, (int(bench.random.integers(1, 40)), *pick(ROW_SHAPES)))
        capacity = len(table) if mode == "row" else table.size
        if capacity == 0:
            table = bench.array(kind, (9,))
            capacity = 9
        one(bench, checks, table, bench.indices(index_kind, pick(INDEX_SHAPES), capacity, policy == "undefined"), mode, policy)


def large_cases(bench, checks):
    """More than one piece, one and two threads."""
    table = bench.array("<f4", (1000, 64))
    index = bench.indices("<i8", (100_000,), 1000, True)
    for threads in (1, 2):
        one(bench, checks, table, index, "row", "undefined", "--threads", threads)
    flat = bench.array("<i2", (3000,))
    one(bench, checks, flat, bench.indices("<u2", (3000, 999), 3000, False), "elem", "wrap")
    one(bench, checks, bench.array("|u1", (3, 9_000_001)), np.array([2, 0], "<i4"), "row", "undefined")


def few_threads(bench, checks):
    """Where the system starts no more threads, those that are there do the work."""
    table, index = bench.array("<f4", (1000, 64)), bench.indices("<i8", (100_000,), 1000, True)
    np.save(bench.place / "t.npy", table)
    np.save(bench.place / "i.npy", index)
    room = 400 << 20  # bytes of addresses: not enough for 1000 stacks
    done = bench.run("--table", "t.npy", "--index", "i.npy", "-o", "o.npy", "--threads", 1000,
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (room, room)))
    problems = [f"exit {done.returncode}: {done.stderr}"] if done.returncode or done.stderr else same(
        bench.place / "o.npy", table[index])
    checks.check("threads that cannot be started", problems)


def bad_indices(bench, checks):
    """Under undefined: exit 1, no file, and the first bad lane by its place."""
    wrong = (("<i4", 10), ("<i8", 1 << 40), ("<u8", (1 << 64) - 1), ("|i1", -1), ("<i8", -5), ("<u2", 65535))
    for (kind, value), width in itertools.product(wrong, (4, 0)):
        table = bench.array("<f4", (10, width))
        index = np.zeros((3, 5), kind)
        index[1, 2] = index[2, 0] = value
        np.save(bench.place / "t.npy", table)
        np.save(bench.place / "i.npy", index)
        done = bench.run("--table", "t.npy", "--index", "i.npy", "-o", "bad.npy")
        wanted = f"ptog gather: i.npy: index[1,2] is {value}; the table has 10 rows\n"
        problems = [] if (done.returncode, done.stderr) == (1, wanted) else [f"exit {done.returncode}: {done.stderr}", wanted]
        left = [path.name for path in bench.place.glob("bad.npy*")]
        checks.check(f"bad index {kind} {value}, rows of {width}", problems + [f"left behind: {name}" for name in left])


ENDLESS = """func.func @endless() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000000000000 : index
  scf.for %i = %c0 to %n step %c1 {
    pto.barrier <PIPE_ALL>
  }
  return
}
"""


def left(bench):
    """What a command left behind, removed."""
    names = sorted(path.name for path in bench.place.glob("late*"))
    for name in names:
        (bench.place / name).unlink()
    return names


def start_endless(bench, before):
    """A run that writes a trace for ever, with its draft there; `before` says what its process does with signals."""
    (bench.place / "endless.pto").write_text(ENDLESS)
    words = [bench.ptog, "run", "endless.pto", "--target", "a2a3", "--trace", "late.json", "--max-steps", "1000000000000"]
    process = subprocess.Popen(words, cwd=bench.place, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=before)
    while process.poll() is None and not any(bench.place.glob("late*~")):
        time.sleep(0.001)
    return process


def signals(bench, checks):
    """A signal that ends a command leaves nothing; one that is ignored, as by nohup, does not end it."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGPIPE"):
        number = getattr(signal, name)
        process = start_endless(bench, lambda: signal.signal(number, signal.SIG_DFL))
        process.send_signal(number)
        found = process.wait(60), left(bench)
        checks.check(f"{name} ends a run", [] if found == (-number, []) else f"{found}")
    process = start_endless(bench, lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    process.send_signal(signal.SIGHUP)
    time.sleep(0.1)
    alive = process.poll() is None
    process.terminate()
    found = alive, process.wait(60), left(bench)
    checks.check("SIGHUP that is ignored", [] if found == (True, -signal.SIGTERM, []) else f"{found}")


def too_large(bench, checks):
    """The system ends a gather whose output grows too large; nothing is left of it."""
    np.save(bench.place / "t.npy", np.zeros((3, 4096), "<f4"))
    np.save(bench.place / "i.npy", np.zeros(100, "<i4"))

    def limited():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    done = bench.run("--table", "t.npy", "--index", "i.npy", "-o", "late.npy", preexec_fn=limited)
    found = done.returncode, left(bench)
    checks.check("an output that may not be so large", [] if found == (-signal.SIGXFSZ, []) else f"{found}")


def cut_short(bench, checks, times):
    """A mapped file becomes shorter: in its header, and in its data under several threads at once. A message, no draft."""
    library = bench.place / "cut.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, Path(__file__).with_name("cut.c"), "-ldl"], check=True)
    for name, left_over, threads in [("t.npy", 0, 1), ("i.npy", 0, 1), ("t.npy", 4096, 1)] + [("t.npy", 4096, 8)] * times:
        np.save(bench.place / "t.npy", np.zeros((100_000, 64), "<f4"))
        np.save(bench.place / "i.npy", np.arange(99_999, -1, -1))
        cut = {"LD_PRELOAD": str(library), "CUT_FILE": name, "CUT_TO": str(left_over)}
        done = bench.run("--table", "t.npy", "--index", "i.npy", "-o", "late.npy", "--threads", threads, env={**os.environ, **cut})
        found = done.returncode, done.stderr, left(bench)
        wanted = 2, "ptog gather: a file was truncated while it was read, or its device failed\n", []
        checks.check(f"{name} cut to {left_over} bytes, {threads} threads", [] if found == wanted else f"{found}")


def tensors(bench, checks):
    """Tables and indices from safetensors files."""
    path = bench.place / "model.safetensors"
    table, index = bench.array("<f4", (50, 6)), bench.indices("<i4", (2, 3), 50, True)
    half = bench.array("<u2", (20, 8))
    safetensors.save(path, {"layer.0/embed": table, "ids": index, "half": half, "odd": bench.array("|u1", (3,)),
                            "late": bench.array("<f8", (7, 3))}, {"half": "BF16"})
    for name, wanted in (("layer.0/embed", table[index]), ("half", half[index % 20])):
        done = bench.run("--table", f"safetensors:model.safetensors#{name}", "--index",
                         "safetensors:model.safetensors#ids", "-o", "o.npy", "--oob", "wrap")
        checks.check(f"safetensors {name}", [done.stderr] if done.returncode else same(bench.place / "o.npy", wanted))
    for name, kind in SAFETENSORS.items():  # from odd places, too
        data, where = bench.array(kind, (13, 3)), bench.indices("<i8", (2, 2), 13, True)
        safetensors.save(path, {"odd": bench.array("|u1", (3,)), "data": data, "where": where}, {"data": name})
        done = bench.run("--table", "safetensors:model.safetensors#data", "--index", "safetensors:model.safetensors#where",
                         "-o", "o.npy")
        checks.check(f"safetensors of {name}", [done.stderr] if done.returncode else same(bench.place / "o.npy", data[where]))
    safetensors.save(path, {"only": table})
    np.save(bench.place / "i.npy", index)
    done = bench.run("--table", "safetensors:model.safetensors", "--index", "i.npy", "-o", "o.npy")
    checks.check("the only tensor", [done.stderr] if done.returncode else same(bench.place / "o.npy", table[index]))


def header_of(*entries):
    """The text of a header: keys may be repeated, and values are as given."""
    return "{" + ",".join(f'"{name}":{value}' for name, value in entries) + "}"


def tensor(begin, end, more=""):
    return f'{{"dtype":"U8","shape":[{end - begin}],"data_offsets":[{begin},{end}]{more}}}'


def strictness(bench, checks):
    """What the format forbids is refused, whichever tensor is asked for; what it allows is not."""
    path, a = bench.place / "s.safetensors", ("a", tensor(0, 4))
    np.save(bench.place / "i.npy", np.array([3, 0], "<i4"))
    wrong = [
        (header_of(a, ("b", tensor(2, 8))), 8, "has a tensor 'b' at byte 2 of its data, which belongs to 'a'"),
        (header_of(a, ("b", tensor(0, 4))), 4, "has a tensor 'b' at byte 0 of its data, which belongs to 'a'"),
        (header_of(a, ("b", tensor(6, 8))), 8, "has a hole: byte 4 of the 8 of its data belongs to no tensor"),
        (header_of(("a", tensor(1, 4))), 4, "has a hole: byte 0 of the 4 of its data belongs to no tensor"),
        (header_of(a), 5, "has a hole: byte 4 of the 5 of its data belongs to no tensor"),
        (header_of(a, ("a", tensor(4, 8))), 8, "has a tensor 'a' twice"),
        (header_of(a, ("\\u0061", tensor(4, 8))), 8, "has a tensor 'a' twice"),
        (header_of(("a", tensor(0, 4, ',"shape":[4]'))), 4, "has a tensor with 'shape' twice in its header"),
        (header_of(a, ("__metadata__", '{"k":"v","k":"w"}')), 4, "has a key of its metadata 'k' twice"),
        (header_of(a, ("__metadata__", "{}"), ("__metadata__", "{}")), 4, "has '__metadata__' twice"),
        (header_of(a, ("__metadata__", '{"k":1}')), 4, "has a header with '1' at byte 73, where a string was expected"),
        (header_of(a).encode() + b" \xff", 4, "has a header with '?' at byte 54, where its end was expected"),
        (header_of(a, ("b", tensor(4, 8))).encode().replace(b'"b"', b'"\xc3("'), 8, "has a header that is not UTF-8: byte 54 of it is 0xc3"),
        (header_of(a, ("b", tensor(4, 8))).encode().replace(b'"b"', b'"\xed\xa0\x80"'), 8,
         "has a header that is not UTF-8: byte 54 of it is 0xed"),
        (header_of(a, ("\\ud800", tensor(4, 8))), 8, "has a header with half of a surrogate pair before byte 60"),
        (header_of(("a", tensor(0, 4, ',"x":nul'))), 4, "has a header with 'n' at byte 56, where a value was expected"),
        (" " + header_of(a), 4, "has a header that does not start with '{'"),
        (header_of(("a", tensor(0, 4).replace("[4]", "[04]"))), 4, "has a header with a number at byte 28 that starts with 0"),
    ]
    for header, data, message in wrong:
        safetensors.dump(path, header, bytes(data))
        done = bench.run("--table", "s.safetensors#a", "--index", "i.npy", "-o", "o.npy")
        found = done.returncode, done.stderr
        checks.check(f"safetensors: {message}", [] if found == (2, f"ptog gather: s.safetensors#a: {message}\n") else f"{header} {found}")
    right = [
        header_of(a, ("e", tensor(4, 4)), ("b", tensor(4, 8))) + "   ",
        header_of(("b", tensor(4, 8)), a, ("__metadata__", '{"k":"v"}')),
        header_of(a, ("b", '{"dtype":"F4","shape":[8],"data_offsets":[4,8]}')),
        header_of(("a", tensor(0, 4, ',"x":[1.5e-3,null,{"y":-0}]')), ("\\ud83d\\ude00", tensor(4, 8))),
    ]
    for header in right:
        safetensors.dump(path, header, bytes(range(8)))
        done = bench.run("--table", "s.safetensors#a", "--index", "i.npy", "-o", "o.npy")
        problems = [done.stderr] if done.returncode else same(bench.place / "o.npy", np.array([3, 0], "|u1"))
        checks.check(f"safetensors: {header}", problems)


def tensors_out(bench, checks):
    """Outputs as safetensors: types that numpy lacks are kept, and the file can be read again."""
    path = bench.place / "model.safetensors"
    for name, kind in SAFETENSORS.items():
        data, index = bench.array(kind, (13, 3)), bench.indices("<i8", (2, 2), 13, True)
        safetensors.save(path, {"odd": bench.array("|u1", (3,)), "da\"ta": data}, {"da\"ta": name})
        np.save(bench.place / "i.npy", index)
        done = bench.run("--table", 'model.safetensors#da"ta', "--index", "i.npy", "-o", "o.safetensors")
        header, found = safetensors.load(bench.place / "o.safetensors") if done.returncode == 0 else ({}, b"")
        wanted = {'da"ta': {"dtype": name, "shape": [2, 2, 3], "data_offsets": [0, len(found)]}}
        right = header == wanted and found == data[index].tobytes() and (bench.place / "o.safetensors").stat().st_size % 4 == len(found) % 4
        checks.check(f"safetensors of {name}, written", [] if right else f"{done.stderr} {header}")
        done = bench.run("--table", "o.safetensors", "--index", "i.npy", "-o", "again.npy", "--oob", "wrap")
        checks.check(f"safetensors of {name}, read again", [done.stderr] if done.returncode else
                     same(bench.place / "again.npy", data[index][index % 2]))


def sparse_file(path, kind, shape):
    """An npy file that is one hole; returns its elements as they lie in the file."""
    header = np.lib.format.header_data_from_array_1_0(np.empty(0, kind)) | {"shape": shape}
    with open(path, "wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        start = file.tell()
        file.truncate(start + int(np.prod(shape, dtype=np.int64)) * np.dtype(kind).itemsize)
    return np.memmap(path, kind, "r+", start, shape)


def measured(bench, *arguments):
    """(what is wrong, KiB of resident memory at most) of a run."""
    command = [sys.executable, "-c", "import resource, subprocess, sys\ncode = subprocess.run(sys.argv[1:]).returncode\n"
               "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)", bench.ptog, "gather", "--quiet", *arguments]
    done = subprocess.run(command, cwd=bench.place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    words = done.stdout.split()
    return ([], int(words[1])) if words[:1] == ["0"] else ([done.stdout], 0)


def sparse(bench, checks, lanes):
    """Tables of 4 GiB, nearly all of them a hole, in less than 200 MB of memory; offsets beyond 32 bits."""
    rows, bytes_ = ("<f4", (1 << 22, 256), "row"), ("|u1", (1 << 32,), "elem")
    for kind, shape, mode, io in ((*rows, "auto"), (*rows, "mmap"), (*bytes_, "auto")):
        table = sparse_file(bench.place / "sparse.npy", kind, shape)
        index = np.unique(bench.random.integers(0, shape[0], lanes))
        bench.random.shuffle(index)
        marked = index[::100]
        table.reshape(shape[0], -1)[marked, 0] = (np.arange(len(marked)) % 200 + 1).astype(kind)
        table.flush()
        np.save(bench.place / "i.npy", index)
        problems, kib = measured(bench, "--table", "sparse.npy", "--index", "i.npy", "-o", "o.npy", "--mode", mode, "--io", io)
        if not problems:
            out = np.load(bench.place / "o.npy", mmap_mode="r").reshape(len(index), -1)
            problems += [f"{kib} KiB of resident memory"] if kib > 200_000 else []
            right = np.array_equal(out[::100, 0], table.reshape(shape[0], -1)[marked, 0]) and not out[1::100].any()
            problems += [] if right else ["wrong rows"]
        checks.check(f"sparse 4 GiB table, {mode}, --io {io}", problems)
        for name in ("sparse.npy", "o.npy"):
            (bench.place / name).unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("--quick", action="store_true", help="a tenth of the random cases")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "little"))
    options = parser.parse_args()
    print(f"gather: seed {options.seed}")
    checks = Checks("gather")
    with tempfile.TemporaryDirectory(prefix="ptog-gather-") as place:
        bench = Bench(options.ptog.resolve(), Path(place), options.seed)
        random_cases(bench, checks, 128 if options.quick else 640)
        large_cases(bench, checks)
        bad_indices(bench, checks)
        signals(bench, checks)
        too_large(bench, checks)
        tensors(bench, checks)
        parts.cases(bench, checks, same, expected)
        reading.cases(bench, checks, same, expected)
        options_of_gather.cases(bench, checks, same)
        bags.cases(bench, checks, same)
        strictness(bench, checks)
        tensors_out(bench, checks)
        scatter.run(bench, checks, same, options.quick)
        if not options.quick:  # sanitizers need more addresses, and more time
            few_threads(bench, checks)
            cut_short(bench, checks, 30)
            sparse(bench, checks, 50_000)
    checks.finish()


if __name__ == "__main__":
    main()
