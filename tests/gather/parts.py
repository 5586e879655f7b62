"""Tables in several files: --table repeated, patterns, and the list of a model in several safetensors files."""

import json

import numpy as np

import safetensors


def save(bench, name, array):
    np.save(bench.place / name, array)
    return name


def tell(done):
    return f"exit {done.returncode}: {done.stdout}{done.stderr}"


def matches(bench, checks, same, expected):
    """Random splits of a table, every policy and mode, by repetition and by pattern; elements of odd sizes, empty files."""
    for number in range(24):
        mode, policy = ("row", "elem")[number % 2], ("undefined", "clamp", "wrap", "zero")[number % 4]
        kind = ("<f4", "|u1", "<c16", "|V3", "<i2")[number % 5]
        table = bench.array(kind, (int(bench.random.integers(1, 40)), *((), (3,), (2, 5))[number % 3]))
        cuts = np.sort(bench.random.integers(0, len(table) + 1, int(bench.random.integers(0, 5))))
        names = [save(bench, f"part-{i:02}.npy", part) for i, part in enumerate(np.split(table, cuts))]
        capacity = len(table) if mode == "row" else table.size
        index = bench.indices(("<i8", "|u1", "<u4")[number % 3], (50,), capacity, policy == "undefined")
        save(bench, "i.npy", index)
        given = [word for name in names for word in ("--table", name)] if number % 3 else ["--table", "part-*.npy"]
        done = bench.run(*given, "--index", "i.npy", "-o", "o.npy", "--mode", mode, "--oob", policy)
        problems = same(bench.place / "o.npy", expected(table, index, mode, policy)) if done.returncode == 0 else [tell(done)]
        checks.check(f"{len(names)} files of {kind} {table.shape}, {mode} {policy}", problems)
        for name in names:
            (bench.place / name).unlink()


def refused(bench, checks):
    save(bench, "a.npy", np.zeros((3, 4), "<f4"))
    save(bench, "b.npy", np.zeros((3, 5), "<f4"))
    save(bench, "c.npy", np.zeros((3, 4), "<i4"))
    save(bench, "i.npy", np.array([0, 5, 6], "<i4"))
    wrong = [
        (("a.npy", "b.npy"), 2, "b.npy: holds rows of float32 5, but a.npy holds float32 4: they cannot be concatenated"),
        (("a.npy", "c.npy"), 2, "c.npy: holds rows of int32 4, but a.npy holds float32 4: they cannot be concatenated"),
        (("a.npy", "a.npy"), 1, "i.npy: index[2] is 6; the table has 6 rows"),
        (("none*.npy",), 2, "none*.npy: no file matches"),
    ]
    for names, status, message in wrong:
        given = [word for name in names for word in ("--table", name)]
        done = bench.run(*given, "--index", "i.npy", "-o", "bad.npy")
        found = done.returncode, done.stderr
        checks.check(message, [] if found == (status, f"ptog gather: {message}\n") else f"{found}")
    checks.check("no output of refused tables", [str(path) for path in bench.place.glob("bad.npy*")])
    done = bench.run("--table", "a.npy", "--table", "a.npy", "--index", "i.npy", "-o", "b.npy", "--oob", "clamp")
    checks.check("an input among several is not written over", [] if done.returncode == 0 else tell(done))
    done = bench.run("--table", "a.npy", "--table", "c.npy", "--index", "i.npy", "-o", "c.npy")
    checks.check("an input that differs", [] if done.returncode == 2 else tell(done))


def models(bench, checks, same):
    """The weight_map is obeyed; what leaves the directory is refused, and so is what is no list."""
    model = bench.place / "model"
    model.mkdir()
    embed, other = bench.array("<f4", (30, 6)), bench.array("<f4", (4, 4))
    safetensors.save(model / "m-1.safetensors", {"embed.weight": embed, "x#y": other})
    safetensors.save(model / "m-2.safetensors", {"embed.weight": other, "head": other})
    save(bench, "i.npy", np.array([3, 29, 0], "<i4"))
    where = model / "m.safetensors.index.json"

    def gather(text, tensor="embed.weight"):
        where.write_text(text)
        return bench.run("--table", f"model/m.safetensors.index.json#{tensor}", "--index", "i.npy", "-o", "o.npy")

    sound = {"metadata": {"total_size": 1}, "weight_map": {"embed.weight": "m-1.safetensors", "x#y": "m-1.safetensors",
                                                          "head": "m-2.safetensors"}}
    done = gather(json.dumps(sound))
    checks.check("a model in several files", [tell(done)] if done.returncode else same(bench.place / "o.npy", embed[[3, 29, 0]]))
    wrong = [(json.dumps({"weight_map": {"embed.weight": file}}), "embed.weight",
              f"says that 'embed.weight' is in '{file}', which is not in the list's directory")
             for file in ("../m-1.safetensors", "/etc/passwd", "a/../../b", "..", "")]
    wrong += [(json.dumps(sound), "nothing", "has no tensor 'nothing'; it has "), ("{}", "head", "has no 'weight_map'"),
              ('{"weight_map": {"head": 3}}', "head", "a string was expected"), ("", "head", "expected"),
              ('{"weight_map": {"head": "gone.safetensors"}}', "head", "No such file")]
    for text, tensor, message in wrong:
        done = gather(text, tensor)
        checks.check(f"list: {message}", [] if done.returncode == 2 and message in done.stderr else tell(done))
    done = bench.run("--table", "model/m.safetensors.index.json", "--index", "i.npy", "-o", "o.npy")
    checks.check("a list without a tensor", [] if done.returncode == 2 and "choose a tensor" in done.stderr else tell(done))


def cases(bench, checks, same, expected):
    matches(bench, checks, same, expected)
    refused(bench, checks)
    models(bench, checks, same)
