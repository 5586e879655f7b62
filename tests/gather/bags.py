"""ptog gather --bag against a loop in numpy, of f32 in float32 and of other types in float64, and what it refuses."""

import numpy as np

import safetensors


def by_numpy(table, idx, offsets, mode, weights=None, scales=None):
    """Row after row in the type of the table: float64, or float32."""
    out, number = np.zeros((len(offsets), table.shape[1]), table.dtype), table.dtype.type
    ends = [*offsets[1:], len(idx)]
    for b, (first, last) in enumerate(zip(offsets, ends)):
        for k in range(first, last):
            factor = np.float64(1 if scales is None else scales[idx[k] if len(scales) > 1 else 0])
            row = table[idx[k]] * number(factor * np.float64(1 if weights is None else weights[k]))
            out[b] = row if mode == "max" and k == first else np.maximum(out[b], row) if mode == "max" else out[b] + row
        if mode == "mean" and last > first:
            out[b] /= number(last - first)
    return out


def results(bench, checks, same):
    """Every mode and type that numpy has, with and without factors, by offsets and by rows of indices."""
    for kind in ("<f4", "<f2", "|i1"):
        table = bench.random.normal(0, 20, (30, 19)).astype(kind)
        numbers = table.astype("<f4" if kind == "<f4" else "<f8")
        idx, offsets = bench.random.integers(0, 30, 60), np.array([0, 7, 7, 20, 59])
        weights, scales = bench.random.normal(0, 1, 60).astype("<f4"), bench.random.uniform(0, 1, 30).astype("<f4")
        for name, array in (("t", table), ("i", idx.astype("<i4")), ("f", offsets), ("w", weights), ("s", scales)):
            np.save(bench.place / f"{name}.npy", array)
        for mode in ("sum", "mean", "max"):
            more = ("--weights", "w.npy") if mode == "sum" else ()
            done = bench.run("--table", "t.npy", "--index", "i.npy", "--offsets", "f.npy", "--bag", mode, "--scales", "s.npy",
                             "-o", "o.npy", "--threads", "2", *more)
            want = by_numpy(numbers, idx, offsets, mode, weights if more else None, scales)
            checks.check(f"bag {mode} of {kind}", [done.stderr] if done.returncode else
                         same(bench.place / "o.npy", want.astype("<f4" if kind == "|i1" else kind)))
        np.save(bench.place / "i.npy", idx.reshape(12, 5))
        done = bench.run("--table", "t.npy", "--index", "i.npy", "--bag", "sum", "-o", "o.npy")
        want = by_numpy(numbers, idx, np.arange(0, 60, 5), "sum")
        checks.check(f"bags of rows of {kind}", [done.stderr] if done.returncode else
                     same(bench.place / "o.npy", want.astype("<f4" if kind == "|i1" else kind)))


def tensors(bench, checks):
    """bf16 stays what it is; a 1-byte float becomes F32."""
    bits = np.array([[0x3f80, 0x4000], [0x4040, 0x4080]], "<u2")  # 1 2, 3 4
    small = np.array([[0x38, 0x40], [0x44, 0x48]], "|u1")  # the same in E4M3
    safetensors.save(bench.place / "t.safetensors", {"b": bits, "e": small}, {"b": "BF16", "e": "F8_E4M3"})
    for name, kind, want in (("b", "BF16", np.array([[0x4080, 0x40c0]], "<u2")), ("e", "F32", np.array([[4, 6]], "<f4"))):
        done = bench.run("--table", f"t.safetensors#{name}", "--index", "0,1", "--offsets", "0", "--bag", "sum", "-o", "o.safetensors")
        header, data = safetensors.load(bench.place / "o.safetensors") if done.returncode == 0 else ({}, b"")
        right = header.get(name, {}).get("dtype") == kind and header[name]["shape"] == [1, 2] and data == want.tobytes()
        checks.check(f"bag of {kind}", [] if right else f"{done.stderr} {header}")


def refusals(bench, checks):
    np.save(bench.place / "t.npy", np.zeros((4, 3), "<f4"))
    np.save(bench.place / "d.npy", np.zeros((4, 3), "<f8"))
    np.save(bench.place / "w.npy", np.zeros(2, "<f4"))
    usage = "\ntry 'ptog help gather'\n"
    common = ("--index", "0,1", "-o", "o.npy")
    for status, message, *arguments in (
            (2, f"--offsets needs --bag sum, --bag mean or --bag max{usage}", "--table", "t.npy", "--offsets", "0", *common),
            (2, f"--bag all: expected one of sum, mean, max{usage}", "--table", "t.npy", "--bag", "all", *common),
            (2, f"--bag has no --mode elem, no --oob and no --output-shards{usage}", "--table", "t.npy", "--bag", "sum", "--oob", "zero", *common),
            (2, "--index: --bag needs --offsets, or indices of two dimensions, a bag in each row\n", "--table", "t.npy", "--bag", "sum", *common),
            (2, "d.npy: --bag needs rows of float32, float16, bfloat16, int8 or 1-byte floats\n",
             "--table", "d.npy", "--bag", "sum", "--offsets", "0", *common),
            (2, "w.npy: --bag needs a table of two dimensions\n", "--table", "w.npy", "--bag", "sum", "--offsets", "0", *common),
            (2, "w.npy: --weights are for --bag sum\n", "--table", "t.npy", "--bag", "mean", "--offsets", "0", "--weights", "w.npy", *common),
            (2, "w.npy: has neither one number nor one for every row\n", "--table", "t.npy", "--bag", "mean", "--offsets", "0", "--scales", "w.npy", *common),
            (2, "d.npy: is not an array of float32\n", "--table", "t.npy", "--bag", "mean", "--offsets", "0", "--scales", "d.npy", *common),
            (2, "w.npy: is an input and would be overwritten\n",
             "--table", "t.npy", "--bag", "sum", "--offsets", "0", "--weights", "w.npy", "--index", "0,1", "-o", "w.npy"),
            (1, "--offsets: offset 1 is 3; offsets start at 0, do not decrease, and end at 2, the number of indices, at most\n",
             "--table", "t.npy", "--bag", "sum", "--offsets", "0,3", *common),
            (1, "--index: index[1] is -1; the table has 4 rows\n", "--table", "t.npy", "--bag", "sum", "--offsets", "0", "--index", "0,-1", "-o", "o.npy")):
        (bench.place / "o.npy").unlink(missing_ok=True)
        done = bench.run(*arguments)
        right = (done.returncode, done.stderr) == (status, f"ptog gather: {message}") and not (bench.place / "o.npy").exists()
        checks.check(f"bag: {message.splitlines()[0]}", [] if right else f"exit {done.returncode}: {done.stderr}")


def cases(bench, checks, same):
    results(bench, checks, same)
    tensors(bench, checks)
    refusals(bench, checks)
