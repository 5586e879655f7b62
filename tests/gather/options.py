"""How ptog gather is asked and what it reports: patterns of names, indices on the command line, files in other orders than memory,
names of outputs, the closing line and JSON."""

import json
import os
import re

import numpy as np

import safetensors

CLOSING = re.compile(r"^ptog gather: wrote ([\d,]+) (rows?|elements?), ([\d,]+) bytes, in \d+\.\d{3} s$")


def lines(done):
    return done.stderr.splitlines()


def tell(done):
    return f"exit {done.returncode}: {done.stdout}{done.stderr}"


def patterns(bench, checks, same):
    """Numbers in names count as numbers, and the order is reported; a pattern that the shell expanded explains itself."""
    names = ["p", "p-x", "p0", "p1", "p01", "p2", "p2a3", "p2a20", "p10", "p18446744073709551616", "p18446744073709551617"]
    for value, name in enumerate(names):
        np.save(bench.place / f"{name}.npy", np.full((1, 2), value, "<i4"))
    wanted = ["p-x", "p.npy", "p0", "p01", "p1", "p2.npy", "p2a3", "p2a20", "p10", "p18446744073709551616", "p18446744073709551617"]
    order = [names.index(name.removesuffix(".npy")) for name in wanted]
    done = bench.speak("--table", "p*.npy", "--index", ",".join(map(str, range(len(names)))), "-o", "o.npy")
    checks.check("the order of a pattern", [tell(done)] if done.returncode else
                 same(bench.place / "o.npy", np.array([[n, n] for n in order], "<i4")))
    note = "ptog gather: note: the table is 11 files, in this order: p-x.npy, p.npy, p0.npy, p01.npy, p1.npy, p2.npy, ..., " \
           "p18446744073709551617.npy"
    checks.check("the order is reported", [] if lines(done)[0] == note else tell(done))
    done = bench.speak("--table", "p2.npy", "--table", "p10.npy", "--index", "0", "-o", "o.npy")
    note = "ptog gather: note: the table is 2 files, in this order: p2.npy, p10.npy"
    checks.check("the order of repeated tables", [] if lines(done)[0] == note else tell(done))
    done = bench.speak("--table", "p2.npy", "--index", "0", "-o", "o.npy")
    checks.check("one file has no order", [] if len(lines(done)) == 1 else tell(done))
    for command in ("gather", "mpi-info"):
        words = ["--index", "0", "-o", "o.npy"] if command == "gather" else []
        done = bench.speak("--table", "p0.npy", "p1.npy", "p10.npy", *words, command=command)
        wanted = [f"ptog {command}: unexpected argument 'p1.npy': if the shell expanded a pattern, quote the pattern: --table 'p*.npy'",
                  f"try 'ptog help {command}'"]
        checks.check(f"{command}: a pattern without quotes", [] if (done.returncode, lines(done)) == (2, wanted) else tell(done))
    for name in names:
        (bench.place / f"{name}.npy").unlink()


def other_orders(bench, checks, same):
    """Big-endian and Fortran files give what numpy gives, and say so once."""
    for number in range(24):
        kind = ("<f4", ">f4", ">i2", ">f8", ">c8", ">c16", "|u1", ">f2")[number % 8]
        fortran = number % 3 > 0
        table = bench.array(kind, (int(bench.random.integers(2, 20)), *((3,), (2, 5), ())[number % 3 if not fortran else number % 2]))
        index = bench.indices((">i4", "<i8", ">u2")[number % 3], (4, 2), len(table), True)
        np.save(bench.place / "t.npy", np.asfortranarray(table) if fortran else table)
        np.save(bench.place / "i.npy", np.asfortranarray(index))
        done = bench.speak("--table", "t.npy", "--index", "i.npy", "-o", "o.npy")
        problems = [tell(done)] if done.returncode else same(bench.place / "o.npy", table[index].astype(np.dtype(kind).newbyteorder("<")))
        notes = ["t.npy: has big-endian elements, which were converted"] * (kind[0] == ">") + \
                ["t.npy: is in Fortran order, which was converted"] * (fortran and table.ndim > 1) + \
                ["i.npy: has big-endian elements, which were converted"] * (index.dtype.str[0] == ">") + \
                ["i.npy: is in Fortran order, which was converted"]
        found = lines(done)[:-1]
        problems += [] if found == [f"ptog gather: note: {note}" for note in notes] else [f"{found}, expected {notes}"]
        checks.check(f"{kind} {table.shape}{', Fortran order' * fortran}", problems)
    done = bench.run("--table", "t.npy", "--index", "i.npy", "-o", "o.npy")
    checks.check("--quiet says nothing of it", [done.stderr] if done.stderr or done.returncode else [])


def lists(bench, checks, same):
    table = bench.array("<f4", (10, 3))
    np.save(bench.place / "t.npy", table)
    for text, numbers in (("1,2,3", [1, 2, 3]), ("7", [7]), ("0, 9,0", [0, 9, 0])):
        done = bench.run("--table", "t.npy", "--index", text, "-o", "o.npy")
        checks.check(f"--index {text}", [tell(done)] if done.returncode else same(bench.place / "o.npy", table[numbers]))
    wrong = "expected 64-bit integers separated by commas, or a file"
    for text, status, message in (("1,2,10", 1, "--index: index[2] is 10; the table has 10 rows"),
                                  ("-1", 1, "--index: index[0] is -1; the table has 10 rows"),
                                  ("1,,2", 2, f"--index 1,,2: {wrong}"), ("1,2,", 2, f"--index 1,2,: {wrong}"),
                                  ("1 2", 2, f"--index 1 2: {wrong}"),
                                  ("9223372036854775808", 2, f"--index 9223372036854775808: {wrong}"),
                                  ("1,x", 2, "1,x: cannot be read: No such file or directory")):
        done = bench.run("--table", "t.npy", "--index", text, "-o", "bad.npy")
        found = done.returncode, lines(done)[0]
        checks.check(f"--index {text}", [] if found == (status, f"ptog gather: {message}") else f"{found}")
    with open(bench.place / "4,5", "wb") as file:
        np.save(file, np.array([8]))
    done = bench.run("--table", "t.npy", "--index", "4,5", "-o", "o.npy")
    checks.check("a file that is called as a list", [tell(done)] if done.returncode else same(bench.place / "o.npy", table[[8]]))


def outputs(bench, checks, same):
    """Suffixes, one shard of one process."""
    table = bench.array("<f4", (10, 3))
    np.save(bench.place / "t.npy", table)
    for name in ("o.txt", "o.npz", "o.npy.gz", "o.bin", "dir.npy/o.raw", "o."):
        done = bench.run("--table", "t.npy", "--index", "1", "-o", name)
        suffix = "." + name.rpartition(".")[2]
        wanted = [f"ptog gather: {name}: unknown suffix '{suffix}': name the output .npy or .safetensors"]
        checks.check(f"-o {name}", [] if (done.returncode, lines(done)) == (2, wanted) else tell(done))
    os.mkfifo(bench.place / "pipe")
    for name in ("o.npy", "o.safetensors", "safetensors:o.raw", "o", "./dir.d/o", "/dev/null", ".o"):
        (bench.place / "dir.d").mkdir(exist_ok=True)
        done = bench.run("--table", "t.npy", "--index", "1", "-o", name)
        checks.check(f"-o {name}", [] if done.returncode == 0 else tell(done))
    done = bench.run("--table", "t.npy", "--index", "1,2", "-o", "s.npy", "--output-shards")
    checks.check("--output-shards of one process", [tell(done)] if done.returncode else
                 same(bench.place / "s-00001-of-00001.npy", table[[1, 2]]) + ["s.npy is there"] * (bench.place / "s.npy").exists())
    done = bench.run("--table", "s-00001-of-00001.npy", "--index", "1", "-o", "s.npy", "--output-shards")
    wanted = ["ptog gather: s-00001-of-00001.npy: is an input and would be overwritten"]
    checks.check("a shard that is read", [] if (done.returncode, lines(done)) == (2, wanted) else tell(done))


def closing(bench, checks):
    """One line with rows, bytes and seconds; the same as JSON; --quiet silences it, an error has none."""
    np.save(bench.place / "t.npy", bench.array("<f4", (10, 300)))
    np.save(bench.place / "i.npy", np.zeros(1024, "<i4"))
    for words, figures in (([], ("1,024", "rows", "1,228,800")), (["--mode", "elem"], ("1,024", "elements", "4,096"))):
        done = bench.speak("--table", "t.npy", "--index", "i.npy", "-o", "o.npy", *words)
        found = CLOSING.match(done.stderr.rstrip("\n"))
        checks.check(f"the closing line {words}", [] if found and found.groups() == figures else tell(done))
    done = bench.speak("--table", "t.npy", "--index", "3", "-o", "o.npy")
    checks.check("one row", [] if "wrote 1 row, 1,200 bytes, in " in done.stderr else tell(done))
    done = bench.speak("--table", "t.npy", "--index", "i.npy", "-o", "-")
    checks.check("the closing line is not in the output", [] if "wrote" in done.stderr and "wrote" not in done.stdout else tell(done))
    done = bench.run("--table", "t.npy", "--index", "i.npy", "-o", "o.npy")
    checks.check("--quiet", [] if (done.returncode, done.stdout, done.stderr) == (0, "", "") else tell(done))
    done = bench.speak("--table", "t.npy", "--index", "99", "-o", "o.npy")
    checks.check("no closing line of an error", [] if done.returncode == 1 and "wrote" not in done.stderr else tell(done))
    done = bench.speak("--table", "t.npy", "--table", "t.npy", "--index", "-1", "--oob", "clamp", "-o", "o.npy", "--format", "json")
    report = json.loads(done.stdout)
    seconds = report.pop("seconds")
    wanted = {"version": 1, "output": "o.npy", "table": [{"file": "t.npy", "converted": False}] * 2, "rows": 1, "bytes": 1200,
              "negative_indices": 1}
    checks.check("the figures as JSON", [] if report == wanted and 0 <= seconds < 3600 and len(lines(done)) == 1 else tell(done))
    done = bench.speak("--table", "t.npy", "--index", "1", "-o", "-", "--format", "json")
    checks.check("two things on standard output", [] if done.returncode == 2 else tell(done))


def lists_of_models(bench, checks, same):
    """A file that the list of a model names is a regular one near the list; caches have both as links into one directory."""
    embed = bench.array("<f4", (6, 2))
    cache, outside = bench.place / "cache", bench.place / "outside"
    for path in (cache / "blobs", cache / "snapshot", outside):
        path.mkdir(parents=True)
    for path in (cache / "blobs" / "weights", cache / "snapshot" / "own.safetensors", outside / "m.safetensors"):
        safetensors.save(path, {"embed": embed})
    (cache / "blobs" / "list").write_text(json.dumps({"weight_map": {"embed": "linked.safetensors"}}))
    (cache / "snapshot" / "m.index.json").symlink_to("../blobs/list")
    (cache / "snapshot" / "linked.safetensors").symlink_to("../blobs/weights")
    done = bench.run("--table", "cache/snapshot/m.index.json#embed", "--index", "3", "-o", "o.npy")
    checks.check("a cache of links", [tell(done)] if done.returncode else same(bench.place / "o.npy", embed[[3]]))
    where = cache / "snapshot" / "n.index.json"
    (cache / "snapshot" / "inner.safetensors").symlink_to("own.safetensors")
    (cache / "snapshot" / "far.safetensors").symlink_to(outside / "m.safetensors")
    (cache / "snapshot" / "folder").symlink_to(outside)
    os.mkfifo(cache / "snapshot" / "pipe.safetensors")
    (cache / "snapshot" / "loop.safetensors").symlink_to("loop.safetensors")
    def out(to):
        return f"leads to '{os.path.realpath(to)}', which is outside the list's directory"

    for file, message in (("own.safetensors", None), ("inner.safetensors", None), ("far.safetensors", out(outside / "m.safetensors")),
                          ("folder/m.safetensors", out(outside / "m.safetensors")),
                          ("linked.safetensors", out(cache / "blobs" / "weights")),
                          ("pipe.safetensors", "which is not a regular file"), (".", "which is not a regular file"),
                          ("loop.safetensors", "which cannot be read: Too many levels of symbolic links")):
        where.write_text(json.dumps({"weight_map": {"embed": file}}))
        done = bench.run("--table", "n.index.json#embed", "--index", "3", "-o", "../../o.npy", cwd=cache / "snapshot")
        found = done.returncode, lines(done)
        said = message if message and message.startswith("leads") else f"names '{file}', {message}"
        wanted = (2, [f"ptog gather: n.index.json#embed: {said}"]) if message else (0, [])
        checks.check(f"a list that names {file}", [] if found == wanted else f"{found}, expected {wanted}")


def cases(bench, checks, same):
    patterns(bench, checks, same)
    other_orders(bench, checks, same)
    lists(bench, checks, same)
    outputs(bench, checks, same)
    closing(bench, checks)
    lists_of_models(bench, checks, same)
