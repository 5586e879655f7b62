"""ptog scatter against loops over numpy arrays: types, policies, index types, sums, several blocks, threads, and refusals."""

import numpy as np

import safetensors

POLICIES = ("undefined", "skip", "clamp", "wrap")
ADDED = ("|u1", "|i1", "<u2", "<i2", "<f2", "<u4", "<i4", "<f4", "<u8", "<i8")
COPIED = (*ADDED, "|b1", "<f8", "<c8", "<c16", "|V3", "|S5")
INDEX_TYPES = ("|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8")
INDEX_SHAPES = ((), (0,), (1,), (7,), (3, 0, 2), (2, 3), (40,))
ROW_SHAPES = ((), (1,), (5,), (2, 3), (16,), (0,), (3, 1, 2))


def expected(table, index, rows, mode, policy, adds):
    """One lane after the other; every addition is one of the type."""
    out = np.array(table)
    flat = out.reshape(-1) if mode == "elem" else out
    lanes = rows.reshape((index.size, *flat.shape[1:]))
    for lane, number in enumerate(index.reshape(-1).tolist()):
        if number < 0:  # as it is read: widened to 32 bits, or of 64 bits
            number += 1 << max(32, 8 * index.itemsize)
        if number >= len(flat) and policy in ("undefined", "skip"):
            continue
        number = min(number, len(flat) - 1) if policy == "clamp" else number % len(flat)
        if adds and out.dtype.kind == "f":  # f16 is added in f32, and rounded once
            flat[number] = (flat[number].astype("f4") + lanes[lane].astype("f4")).astype(out.dtype)
        elif adds:
            flat[number] = np.add(flat[number], lanes[lane], dtype=out.dtype)
        else:
            flat[number] = lanes[lane]
    return out


def numbers(bench, kind, shape):
    """What is added is no NaN, so that the bits of sums are those of numpy."""
    if np.dtype(kind).kind == "f":
        return bench.random.integers(-60, 60, shape).astype(kind) / np.asarray(8, kind)
    return bench.array(kind, shape)


def one(bench, checks, same, table, index, rows, mode, policy, *more):
    for name, array in (("t", table), ("i", index), ("r", rows)):
        np.save(bench.place / f"{name}.npy", array)
    done = bench.run("--into", "t.npy", "--index", "i.npy", "--from", "r.npy", "-o", "o.npy", "--mode", mode, "--oob", policy, *more,
                     command="scatter")
    warned = "read as unsigned, as MSCATTER does" in done.stderr and done.stderr.count("\n") == 1 and policy in ("clamp", "wrap")
    wanted = expected(table, index, rows, mode, policy, "--add" in more)
    problems = [f"exit {done.returncode}: {done.stderr}"] if done.returncode or (done.stderr and not warned) else same(
        bench.place / "o.npy", wanted)
    checks.check(f"scatter {table.dtype.str} {table.shape} {index.dtype.str} {index.shape} {mode} {policy} {more}", problems)


def random_cases(bench, checks, same, count):
    for n in range(count):
        adds, mode, policy = n % 2 == 1, ("row", "elem")[n // 2 % 2], POLICIES[n // 4 % 4]
        kinds = ADDED if adds else COPIED
        pick = lambda list_: list_[bench.random.integers(len(list_))]
        kind, index_kind = kinds[n // 16 % len(kinds)], pick(INDEX_TYPES)
        table = numbers(bench, kind, (int(bench.random.integers(1, 40)), *pick(ROW_SHAPES)))
        if table.size == 0 and mode == "elem":
            table = numbers(bench, kind, (9,))
        capacity = len(table) if mode == "row" else table.size
        index = bench.indices(index_kind, pick(INDEX_SHAPES), capacity, policy == "undefined")
        rows = numbers(bench, kind, index.shape + (table.shape[1:] if mode == "row" else ()))
        one(bench, checks, same, table, index, rows, mode, policy, *(["--add"] if adds else []), *(["--threads", "3"] if n % 3 == 0 else []))


def large_cases(bench, checks, same):
    """More lanes than are looked at at once, and a table of several blocks: 300 MB of it are not made at once."""
    table, index = numbers(bench, "<f4", (5000, 2)), bench.random.integers(0, 5000, 1_100_000)
    rows = bench.random.integers(-9, 9, (1_100_000, 2)).astype("<f4")
    for name, array in (("t", table), ("i", index), ("r", rows)):
        np.save(bench.place / f"{name}.npy", array)
    for more, wanted in (([], np.array(table)), (["--add", "--threads", "2"], np.array(table))):
        if more:
            np.add.at(wanted, index, rows)
        else:
            wanted[index] = rows
        done = bench.run("--into", "t.npy", "--index", "i.npy", "--from", "r.npy", "-o", "o.npy", *more, command="scatter")
        checks.check(f"scatter of 1,100,000 rows {more}", [done.stderr] if done.returncode else same(bench.place / "o.npy", wanted))
    table = np.arange(300 * 1024 * 256, dtype=np.int32).reshape(300 * 1024, 256)
    index = np.array([0, 299 * 1024, 262143, 262144, 0])
    rows = numbers(bench, "<i4", (5, 256))
    one(bench, checks, same, table, index, rows, "row", "undefined")


def other_files(bench, checks, same):
    """A tensor of bfloat16 that is added to, a list of indices, standard input and output, other orders of bytes."""
    table = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    short = (table.view(np.uint32) >> 16).astype("<u2")
    safetensors.save(bench.place / "m.safetensors", {"embed": short}, types={"embed": "BF16"})
    safetensors.save(bench.place / "r.safetensors", {"rows": short[:1]}, types={"rows": "BF16"})
    done = bench.run("--into", "m.safetensors#embed", "--index", "1", "--from", "r.safetensors", "--add", "-o", "n.safetensors", command="scatter")
    wanted = (np.array([[1.0, 2.0], [4.0, 6.0]], np.float32).view(np.uint32) >> 16).astype("<u2")
    found = b"" if done.returncode else (bench.place / "n.safetensors").read_bytes()
    checks.check("scatter adds bfloat16", [] if found.endswith(wanted.tobytes()) and b"BF16" in found else [done.stderr or "bytes differ"])
    np.save(bench.place / "big.npy", np.asfortranarray(table.astype(">f4")))
    np.save(bench.place / "row.npy", np.array([[7.0, 8.0]], "<f4"))
    wanted = np.array([[7, 8], [3, 4]], "<f4")
    done = bench.run("--into", "big.npy", "--index", "0", "--from", "row.npy", "-o", "o.npy", command="scatter")
    found = np.load(bench.place / "o.npy") if not done.returncode else None
    checks.check("scatter into another order of bytes", [] if np.array_equal(found, wanted) else [done.stderr or f"{found}"])


def refusals(bench, checks):
    """A message, a status, and no file."""
    np.save(bench.place / "t.npy", np.zeros((10, 4), "<f4"))
    np.save(bench.place / "r.npy", np.zeros((3, 4), "<f4"))
    np.save(bench.place / "i.npy", np.array([1, 12, 2]))
    np.save(bench.place / "d.npy", np.zeros((10, 4)))
    for name in ("x1", "x2"):
        np.save(bench.place / f"{name}.npy", np.zeros((10, 4), "<f4"))
    np.save(bench.place / "none.npy", np.zeros((0, 4), "<f4"))
    basic = dict(into="t.npy", index="0,1,2", rows="r.npy", out="bad.npy")
    cases = [
        (dict(index="i.npy"), 1, "ptog scatter: i.npy: index[1] is 12; the table has 10 rows"),
        (dict(index="0,1"), 2, "ptog scatter: r.npy: is 3x4; expected 2x4, the shape of the indices, then that of a row"),
        (dict(more=["--mode", "elem"]), 2, "ptog scatter: r.npy: is 3x4; expected 3, the shape of the indices"),
        (dict(into="d.npy"), 2, "ptog scatter: r.npy: holds float32, and the table float64: types must be equal"),
        (dict(into="d.npy", rows="d.npy", index="0,1,2,3,4,5,6,7,8,9", more=["--add"]), 2,
         "ptog scatter: d.npy: holds float64, which --add does not support"),
        (dict(into="none.npy", more=["--oob", "clamp"]), 1, "ptog scatter: none.npy: has no rows to clamp to"),
        (dict(index="t.npy"), 2, "ptog scatter: t.npy: holds float32; expected whole numbers"),
        (dict(out="t.npy"), 2, "ptog scatter: t.npy: is an input and would be overwritten"),
        (dict(out="r.npy"), 2, "ptog scatter: r.npy: is an input and would be overwritten"),
        (dict(rows="no.npy"), 2, "ptog scatter: no.npy: cannot be read: No such file or directory"),
        (dict(into="x?.npy"), 2, "ptog scatter: x?.npy: not supported yet: a table in several files"),
        (dict(more=["--oob", "zero"]), 2, "ptog scatter: --oob zero: expected one of undefined, skip, clamp, wrap"),
        (dict(more=["--mode", "col"]), 2, "ptog scatter: --mode col: expected one of row, elem"),
        (dict(more=["--threads", "0"]), 2, "ptog scatter: --threads 0: expected a number from 1 to 1024"),
        (dict(into="-", rows="-"), 2, "ptog scatter: only one array can come from standard input"),
    ]
    for change, status, words in cases:
        case = {**basic, **change}
        done = bench.run("--into", case["into"], "--index", case["index"], "--from", case["rows"], "-o", case["out"], *case.get("more", []),
                         command="scatter")
        problems = [] if done.returncode == status and done.stderr.splitlines()[:1] == [words] else [f"exit {done.returncode}: {done.stderr}"]
        checks.check(f"refused: {words}", problems + ["wrote a file"] * (bench.place / "bad.npy").exists())
    for option in ("--into", "--index", "--from", "-o"):
        words = ["--into", "t.npy", "--index", "0,1,2", "--from", "r.npy", "-o", "bad.npy"]
        at = words.index(option)
        done = bench.run(*words[:at], *words[at + 2:], command="scatter")
        checks.check(f"scatter without {option}", [] if f"needs {option}\n" in done.stderr and done.returncode == 2 else [done.stderr])


def run(bench, checks, same, quick):
    random_cases(bench, checks, same, 64 if quick else 640)
    other_files(bench, checks, same)
    refusals(bench, checks)
    if not quick:
        large_cases(bench, checks, same)
