"""Kernels in C++ for forms, targets and element types, from one table: their bytes are those of the numpy oracle, their
reports are clean, and leaving out a pair of flags is reported at its place, unless the pair had been noted redundant."""

import re
import sys

import numpy as np

from tools import HERE, at_once, ids
from checks import ROOT

sys.path.insert(0, str(ROOT / "tests" / "conform"))
import facts  # noqa: E402
from facts import SIZE, Case, Tensor, Tile  # noqa: E402
from legal import notices  # noqa: E402
from oracle import expect  # noqa: E402

SEED = 20240601
CXX = dict(i8="int8_t", u8="uint8_t", i16="int16_t", u16="uint16_t", i32="int32_t", u32="uint32_t", i64="int64_t",
           u64="uint64_t", f16="half", bf16="bfloat16_t", f32="float", f8e4m3="float8_e4m3_t", f8e5m2="float8_e5m2_t",
           hif8="hifloat8_t")
POLICIES = ("undefined", "clamp", "wrap", "zero")
PATTERNS = tuple(facts.PATTERN)
MACHINES = ("a2a3", "a5", "a5-custom")
KERNELS = HERE / "kernels.hpp"
R, C, VR, VC, ROWS = 16, 32, 13, 27, 40


# ---- one case: a name, an expression of C++, its inputs, and what the oracle wants ----

class Kernel:
    def __init__(self, name, function, arguments, case, in0, in1, want):
        self.name, self.function, self.case = name, function, case
        self.code = f"{function}<{', '.join(map(str, arguments))}>"
        self.in0, self.in1, self.want = in0, in1, want


def draw(rng, count, dtype):
    """Any bits."""
    return rng.integers(0, 256, count * SIZE[dtype], np.uint8).tobytes()


def stored(tile, values):
    """A tile's storage with these values in its valid region."""
    storage = np.zeros(tile.rows * tile.cols, values.dtype)
    storage[tile.offsets()] = values.reshape(tile.vrow, tile.vcol)
    return storage.tobytes()


def fetched(tile, storage):
    """The valid region of a tile, packed."""
    return np.frombuffer(storage, f"u{tile.size}")[tile.offsets()].tobytes()


def indices(rng, count, capacity, oob, dtype):
    """In range; where a policy answers for the others, some that are not."""
    values = rng.integers(0, capacity, count)
    if oob != "undefined":
        values[::3] = rng.integers(capacity, 5 * capacity, len(values[::3]))
    return values.astype(f"{'i' if dtype in facts.SIGNED else 'u'}{SIZE[dtype]}")


def enum(kind, value):
    return f"{kind}::{value.capitalize() if kind in ('GatherOOB', 'Coalesce') else value}"


def mgather(rng, name, target, function, arguments, form, dst, idx, table, oob, out_order="row"):
    elements = table.shape[3] * table.shape[4] * table.shape[0] * table.shape[1] * table.shape[2]
    span = 1 + sum((extent - 1) * stride for extent, stride in zip(table.shape, table.stride))
    case = Case(target, form, name, dst, idx, table, coalesce=form, oob=oob)
    capacity = table.shape[3] if table.layout == "nd" else table.shape[2] * 16
    values = indices(rng, idx.vrow * idx.vcol, capacity if form == "row" else elements, oob, idx.dtype)
    case.buffers = {"dst": bytes(dst.bytes), "src": draw(rng, span, dst.dtype), "idx": stored(idx, values)}
    want = expect(case)
    assert want.status == facts.OK, (name, want.faults)
    whole = Tile(dst.dtype, dst.vrow, dst.vcol, dst.vrow, dst.vcol, out_order)
    packed = stored(whole, np.frombuffer(fetched(dst, want.dst), f"u{dst.size}"))
    return Kernel(name, function, arguments, case, case.buffers["src"], values.tobytes(), packed)


def flat(dtype, rows, cols, pitch=None):
    return Tensor(dtype, "nd", [1, 1, 1, rows, cols], [1, 1, 1, pitch or cols, 1])


def rows(rng, target, t, oob, ti, function="runRow", pitch=None):
    name = f"{function[3:]}_{target}_{t}_{ti}_{oob}" + (f"_{pitch}" if pitch else "")
    wide, policy = (VR, VC) if function in ("runRow", "runRowDynamic") else (R, C), enum("GatherOOB", oob)
    vr, vc = wide
    dst, idx = Tile(t, R, C, vr, vc), Tile(ti, 1, R, 1, vr)
    arguments = {"runRow": [R, C, vr, vc, ROWS, pitch or vc], "runRowDynamic": [R, C, vr, vc, ROWS]}.get(function, [R, C, ROWS])
    if function == "runRowColumn":
        idx = Tile(ti, R, 1, R, 1, "col")
    return mgather(rng, name, target, function, [CXX[t], CXX[ti], *arguments, policy], "row", dst, idx,
                   flat(t, ROWS, vc, pitch), oob)


def elems(rng, target, t, oob, ti, function="runElem"):
    name, policy = f"{function[3:]}_{target}_{t}_{ti}_{oob}", enum("GatherOOB", oob)
    if function == "runElemColumns": # 32 rows: a column is 32 bytes of any type
        dst, idx = Tile(t, 32, 16, 32, 16, "col"), Tile(ti, 32, 16, 32, 16)
        return mgather(rng, name, target, function, [CXX[t], CXX[ti], 32, 16, 256, policy], "elem", dst, idx,
                       flat(t, 1, 256), oob, "col")
    dst, idx = Tile(t, R, C, VR, VC), Tile(ti, R, C, VR, VC)
    return mgather(rng, name, target, function, [CXX[t], CXX[ti], R, C, VR, VC, 256, policy], "elem", dst, idx,
                   flat(t, 1, 256), oob)


def nz(rng, target, t, oob, form):
    c0, block_rows = 32 // SIZE[t], 3
    columns, name = C // c0, f"Nz_{form}_{target}_{t}_{oob}"
    table = Tensor(t, "nz", [1, columns, block_rows, 16, c0],
                   [columns * block_rows * 16 * c0, block_rows * 16 * c0, 16 * c0, c0, 1])
    idx = Tile("i32", 1, R, 1, R) if form == "row" else Tile("i32", R, C, R, C)
    return mgather(rng, name, target, "runNz",
                   [enum("Coalesce", form), CXX[t], "int32_t", R, C, block_rows, enum("GatherOOB", oob)], form,
                   Tile(t, R, C, R, C, "nz"), idx, table, oob, "nz")


def custom(rng, t, oob, form):
    columns = 1 if form == "row" else C
    return mgather(rng, f"Custom_{form}_{t}_{oob}", "a5-custom", "runCustom",
                   [CXX[t], "int32_t", R, C, columns, ROWS, enum("GatherOOB", oob)], form, Tile(t, R, C, R, C),
                   Tile("i32", R, columns, R, columns), flat(t, ROWS, C), oob)


def base(rng, t):
    return mgather(rng, f"Base_{t}", "cpu", "runBase", [CXX[t], "int32_t", R, C, ROWS], "elem", Tile(t, R, C, R, C),
                   Tile("i32", R, C, R, C), flat(t, ROWS, C), "undefined")


def by_index(rng, target, t, ti, tmp=False):
    src, dst, idx = Tile(t, 8, C, 8, C), Tile(t, R, C, R, C), Tile(ti, R, C, R, C)
    values = indices(rng, R * C, 8 * C, "undefined", ti)
    case = Case(target, "index", "", dst, idx, src=src)
    case.buffers = {"dst": bytes(dst.bytes), "src": draw(rng, 8 * C, t), "idx": values.tobytes()}
    want = expect(case)
    assert want.status == facts.OK
    return Kernel(f"Index_{target}_{t}_{ti}" + "_tmp" * tmp, "runIndex", [CXX[t], CXX[ti], 8, C, R, C, str(tmp).lower()], case,
                  case.buffers["src"], values.tobytes(), want.dst)


def by_mask(rng, target, t, pattern):
    """A whole number of 32-byte blocks remains of each row."""
    step = facts.keeps(pattern)[0]
    width = 128 // SIZE[t]
    src, dst = Tile(t, 4, width, 4, width), Tile(t, 4, width // step, 4, width // step)
    case = Case(target, "mask", "", dst, src=src, pattern=pattern)
    case.buffers = {"dst": bytes(dst.bytes), "src": draw(rng, 4 * width, t)}
    want = expect(case)
    assert want.status == facts.OK
    return Kernel(f"Mask_{target}_{t}_{pattern}", "runMask", [CXX[t], 4, width, width // step, enum("MaskPattern", pattern)],
                  case, case.buffers["src"], b"", want.dst)


def by_compare(rng, target, t, cmp):
    """Small numbers, so that some are equal."""
    kind = {"f16": np.float16, "f32": np.float32}.get(t) or np.dtype(f"{t[0]}{SIZE[t]}")
    n = 32 // SIZE[t]
    values, k = (rng.integers(0, 9, count).astype(kind) for count in (n * C, n))
    src, dst = Tile(t, n, C, n, C), Tile("i32", n, C, n, C)
    case = Case(target, "compare", "", dst, src=src, k=Tile(t, 1, n, 1, n), cdst=Tile("i32", 1, n, 1, n), cmp=cmp, offset=7)
    case.buffers = {"dst": bytes(dst.bytes), "src": values.tobytes(), "k": k.tobytes(), "cdst": bytes(4 * n)}
    want = expect(case)
    assert want.status == facts.OK
    return Kernel(f"Compare_{target}_{t}_{cmp}", "runCompare", [CXX[t], n, C, enum("CmpMode", cmp.upper()), 7], case,
                  values.tobytes(), k.tobytes(), want.dst + want.cdst)


# ---- the table ----

def table():
    rng, made = np.random.default_rng(SEED), []
    policy = lambda i: POLICIES[i % 4]  # noqa: E731
    for target in ("host", "a2a3", "a5"):
        for i, t in enumerate(facts.MGATHER_DTYPES[target]):
            made.append(rows(rng, target, t, policy(i), ("i32", "u32")[i % 2]))
            made.append(elems(rng, target, t, policy(i + 1), ("i32", "u32")[i // 2 % 2]))
        for i, t in enumerate(("i8", "f16", "f32")):
            made.append(rows(rng, target, t, policy(i), "i32", "runRowDynamic"))
            made.append(rows(rng, target, t, policy(i + 2), "u32", "runRowTwice"))
            made.append(rows(rng, target, t, policy(i + 3), "i32", "runRowEvents"))
    for i, t in enumerate(("u8", "bf16", "i32")):
        for target in ("host", "a2a3"):
            made.append(rows(rng, target, t, policy(i + 1), "i32", pitch=VC + 5))
            made.append(nz(rng, target, t, policy(i), "row"))
            made.append(nz(rng, target, t, policy(i + 1), "elem"))
        for target in ("host", "a5"):
            made.append(rows(rng, target, t, policy(i), "i32", "runRowColumn"))
            made.append(elems(rng, target, t, policy(i), "i32", "runElemColumns"))
    for i, t in enumerate(facts.MGATHER_DTYPES["a5-custom"]):
        made.append(custom(rng, t, policy(i), "row"))
        made.append(custom(rng, t, policy(i + 1), "elem"))
    made += [base(rng, t) for t in facts.MGATHER_DTYPES["cpu"]]
    for target in facts.TARGETS:
        for i, t in enumerate(facts.tgather_dtypes(target)):
            ti = "i16" if SIZE[t] == 1 and target in facts.A5 else ("i32", "u32")[i % 2]
            made.append(by_index(rng, target, t, ti))
        for i, t in enumerate(facts.MASK_DTYPES[target][:9]):
            made.append(by_mask(rng, target, t, PATTERNS[i % 7]))
        made.append(by_compare(rng, target, "f32", "gt"))
        made.append(by_compare(rng, target, "i32", "eq"))
    made += [by_index(rng, "a2a3", t, "i32", True) for t in ("f16", "f32")]
    return made


# ---- building and running ----

def source_of(kernels):
    lines = [f'    CASE("{k.name}", {len(k.want)}, {k.code})' for k in kernels]
    return '\n'.join(['#include "matrix_main.hpp"', "", "static const Case cases[] = {", *lines, "};", "",
                      "int main(int argc, char **argv)", "{",
                      "    return runCases(cases, sizeof cases / sizeof cases[0], argc, argv);", "}", ""])


def units(kernels):
    """(target, its kernels): a target's are split in two, by what they gather from."""
    for target in facts.TARGETS:
        for m in (True, False):
            of_both = [k for k in kernels if k.case.target == target and k.case.is_mgather == m]
            if of_both:
                yield target, of_both


def pairs_of(function):
    """The lines of each set_flag and the wait_flag after it, in a run function of kernels.hpp."""
    lines = KERNELS.read_text().split("\n")
    first = next(i for i, line in enumerate(lines) if re.search(rf"\bvoid {function}\(", line))
    last = next(i for i in range(first, len(lines)) if lines[i] == "}")
    return [(i + 1, i + 2) for i in range(first, last) if "set_flag(" in lines[i]]


def notes_of(found):
    return {d["line"] for d in found if d["id"] == "flag-redundant"}


def check_kernel(checks, cxx, program, kernel, place, can_note):
    """Clean and right; then without each pair."""
    status, found, text = cxx.report(program, place, kernel.name, tag=f".{kernel.name}")
    out = place / f"{kernel.name}.out.bin"
    got = out.read_bytes() if out.exists() else b""
    expected = sorted(notices(kernel.case))
    problems = [f"{status} {ids(found)} {text}, expected {expected}"] if status or sorted(ids(found)) != expected else []
    if got != kernel.want:
        differ = [i for i, (a, b) in enumerate(zip(got, kernel.want)) if a != b]
        problems.append(f"seed {SEED}: {len(got)} bytes, expected {len(kernel.want)}, {len(differ)} differ, first at {differ[:1]}")
    checks.check(f"{kernel.name}", problems)
    if kernel.case.target not in MACHINES:
        return
    for pair in pairs_of(kernel.function):
        check_without(checks, cxx, program, kernel, place, pair, notes_of(found), can_note)


def check_without(checks, cxx, program, kernel, place, pair, noted, can_note):
    drop = ",".join(map(str, pair))
    _, found, _ = cxx.report(program, place, kernel.name, tag=f".{kernel.name}.{pair[0]}", PTOG_DROP_FLAGS=drop)
    errors = [d for d in found if d["severity"] == "error"]
    reported = any(encloses(d, pair) for d in errors)
    is_noted = bool(noted & set(pair))
    problem = []
    if errors and not reported:
        problem = f"reported elsewhere: {errors}"
    elif reported and is_noted:
        problem = "reported, and had been noted as redundant"
    elif not reported and not is_noted and can_note:
        problem = "neither reported nor noted as redundant"
    checks.check(f"{kernel.name} without the flags of lines {drop}", problem)


def encloses(diagnostic, pair):
    """The two places of the report lie on both sides of the pair, or around the loop that it closes."""
    lines = [diagnostic["line"], *(r["line"] for r in diagnostic["related"])]
    return min(lines) < pair[0] and max(lines) > pair[1] or max(lines) < pair[0]


def notes_exist(cxx, built, place):
    """Whether the sanitizer notes redundant pairs: the first one of an Elem gather on A2/A3 is. Until it does, a pair
    that nobody misses passes."""
    for program, part in built:
        for kernel in part:
            if program and kernel.function == "runElem" and kernel.case.target == "a2a3":
                return bool(notes_of(cxx.report(program, place, kernel.name)[1]))
    return False


def check(checks, cxx):
    print(f"seed {SEED}")
    kernels = table()
    names = [k.name for k in kernels]
    checks.check(f"{len(kernels)} kernels, at least 120, each with its own name",
                 [] if len(kernels) >= 120 and len(set(names)) == len(names) else "too few, or a name twice")
    place = cxx.work / "matrix"
    place.mkdir()
    for k in kernels:
        (place / f"{k.name}.in0.bin").write_bytes(k.in0)
        (place / f"{k.name}.in1.bin").write_bytes(k.in1)
    jobs = []
    for number, (target, part) in enumerate(units(kernels)):
        source = cxx.work / f"matrix{number}.cpp"
        source.write_text(source_of(part))
        jobs.append((source, f"matrix{number}", target, part))
    compiled = at_once(lambda job: cxx.compile(job[0], job[1], defines=[f"PTOG_TARGET={job[2]}"]), jobs)
    can_note = notes_exist(cxx, [(program, part) for (_, _, _, part), (program, _) in zip(jobs, compiled)], place)
    for (source, name, target, part), (program, said) in zip(jobs, compiled):
        if checks.check(f"{name} ({target}) compiles without a word", [said] if said or not program else []):
            at_once(lambda kernel: check_kernel(checks, cxx, program, kernel, place, can_note), part)

