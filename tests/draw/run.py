#!/usr/bin/env python3
"""The pictures of ptog draw: of every tile instruction of tests/pto and examples, of every type, of operands that are empty, tiny,
huge or all out of range. Each is a good picture (svg.py) or a clear message and no file. Random gathers are held against numpy
(oracle.py), and the checker against pictures that are wrong.

  run.py [--ptog PATH] [--quick] [--seed N] [--count N]
"""
import argparse
import concurrent.futures
import random
import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import numpy as np  # noqa: E402
import oracle  # noqa: E402
from checks import ROOT, Checks, run  # noqa: E402
from svg import problems as picture_problems  # noqa: E402

JOBS = 2
WIDEST = 140  # columns of a drawing with characters
INSTRUCTION = re.compile(r"\b(?:pto\.)?(?:mgather|tgather|tload|tstore|t[a-z]{2,9})\b")
TYPES = "i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f8E4M3FN f8E5M2 hif8".split()
HUGE = {"tensor_size.pto", "product_overflow.pto"}  # a gigabyte of data would be made up
SIZES = {"8": 1, "6": 2, "2": 4, "4": 8}  # by the last digit of a name


def draw(ptog, path, picture, *options, cwd=ROOT):
    return run([ptog, "draw", path, "-o", picture, "--quiet", *options], cwd=cwd)


def judge(ptog, path, place, *options, must=False, text=True):
    """What is wrong with the picture of a program, and with its drawing with characters if that is asked for."""
    picture = place / f"{random.getrandbits(64):x}.svg"
    done = draw(ptog, path, picture, *options)
    if done.returncode != 0:
        if must or done.returncode not in (1, 2) or not done.stderr.strip():
            return [f"exit {done.returncode}\n{done.stderr}"]
        return ["it failed, and there is a picture"] if picture.exists() else []
    found = picture_problems(picture.read_text(encoding="utf-8"))
    picture.unlink()
    drawn = draw(ptog, path, "-", "--text", *options).stdout if text else "-"
    if not drawn.isascii() or max(len(line) for line in drawn.splitlines()) > WIDEST:
        found.append("with characters it is too wide, or not of plain characters")
    return found


# ---- programs


def lines_of(path):
    """A line that may have a tile instruction, if there is one."""
    text = path.read_text(encoding="utf-8", errors="replace").splitlines()
    found = [number for number, line in enumerate(text, 1) if INSTRUCTION.search(line.split("//")[0]) and "alloc_tile" not in line]
    return random.Random(path.name).sample(found, min(1, len(found)))


def check_programs(checks, ptog, place, step):
    paths = sorted([*(ROOT / "tests" / "pto").rglob("*.pto"), *(ROOT / "examples").glob("*.pto")])[::step]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        work = {pool.submit(judge, ptog, path, place, *options, text=not options): (path, options) for path in paths
                for options in [("--data", "none") if path.name in HUGE else (), *(("--line", number) for number in lines_of(path))]
                if path.name not in HUGE or options[0] == "--data"}
        for done in concurrent.futures.as_completed(work):
            path, options = work[done]
            checks.check(f"{path.relative_to(ROOT)} {' '.join(map(str, options))}", done.result())


# ---- odd operands


def gather(rows, cols, dst_rows, dst_cols, dtype="f32", more="", valid=""):
    return (f"pto.mgather ins(%table, %idx : !pto.partition_tensor_view<{rows}x{cols}x{dtype}>, !pto.tile_buf<vec, 1x{dst_rows}xi32>) "
            f"outs(%dst : !pto.tile_buf<vec, {dst_rows}x{dst_cols}x{dtype}{valid}>) {{coalesce = #pto<coalesce row>{more}}}\n")


def odd_programs(place):
    """(name, text, options): all of them can be drawn."""
    clamp, zero = (f", gatherOob = #pto<gather_oob {policy}>" for policy in ("clamp", "zero"))
    yield "1x1", gather(1, 1, 1, 1), []
    yield "4096 columns", gather(64, 4096, 16, 4096), []
    yield "a million rows", gather(1000000, 8, 512, 8), []
    yield "all out of range, undefined", gather(4, 8, 16, 8), ["--in", "idx=full:77"]
    yield "all out of range, clamp", gather(4, 8, 16, 8, more=clamp), ["--in", "idx=full:-1"]
    yield "all out of range, zero", gather(4, 8, 16, 8, more=zero), ["--in", "idx=full:77"]
    yield "one valid element", gather(4, 8, 16, 8, valid=", valid=1x1").replace("1x16xi32", "1x16xi32, valid=1x1"), []
    yield "a long name", gather(4, 8, 4, 8).replace("%table", "%" + "t" * 500), []
    for dtype in TYPES:
        data = place / f"{dtype}.bin"
        size = SIZES["8" if "8" in dtype else dtype[-1]]
        data.write_bytes(np.random.default_rng(5).integers(0, 256, 12 * 8 * size).astype(np.uint8).tobytes())
        yield f"{dtype}, any bits", gather(12, 8, 9, 8, dtype), ["--in", f"table={data}"]


def check_odd(checks, ptog, place):
    for name, text, options in odd_programs(place):
        program = place / "odd.pto"
        program.write_text(text)
        checks.check(name, judge(ptog, program, place, *options, must=True))
    empty = place / "empty.pto"
    for valid in ("0x8", "0x0", "4x0"):
        empty.write_text(gather(4, 8, 4, 8, valid=f", valid={valid}"))
        checks.check(f"an empty valid region, {valid}", judge(ptog, empty, place))
    for name, bytes_ in (("nothing", b""), ("zeros", bytes(100)), ("noise", np.random.default_rng(3).bytes(1000))):
        empty.write_bytes(bytes_)
        checks.check(f"{name} as a program", judge(ptog, empty, place))


# ---- against numpy


def check_meaning(checks, ptog, place, seed, count):
    for number in range(seed, seed + count):
        for name, case in oracle.cases(np.random.default_rng(number)):
            program, picture = place / "case.pto", place / "case.svg"
            program.write_text(case.text)
            options = []
            for operand, data in case.files.items():
                np.save(place / f"{operand}.npy", data)
                options += ["--in", f"{operand}={place / operand}.npy"]
            done = draw(ptog, program, picture, *options)
            text = picture.read_text() if done.returncode == 0 else ""
            found = oracle.problems(case, text) + picture_problems(text) if text else [done.stderr]
            checks.check(f"{name}, seed {number}", found and [*found[:5], case.text])


# ---- the checker itself


def check_teeth(checks, ptog):
    good = run([ptog, "draw", "--example", "mgather-row-clamp"]).stdout
    wrong = {"XML that is none": good.replace("</svg>", ""),
             "a label on another": re.sub(r'(<text x=")24(" y="38")', r'\g<1>30\g<2>', good.replace('y="62"', 'y="42"')),
             "a label outside": good.replace('<text x="24" y="38"', '<text x="-4" y="38"'),
             "a value wider than its cell": good.replace(">17</text>", ">17171717</text>"),
             "an arrow outside": good.replace("M147", "M-147"),
             "one colour for both grounds": good.replace("#0d1117", "#ffffff"),
             "text nobody can read": good.replace("text{fill:#e6edf3}", "text{fill:#30363d}")}
    checks.check("a good picture", picture_problems(good))
    for name, text in wrong.items():
        checks.check(name, [] if text != good and picture_problems(text) else ["is not noticed"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ptog", type=Path, default=ROOT / "build" / "ptog")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=12)
    arguments = parser.parse_args()
    ptog, checks = arguments.ptog.resolve(), Checks("drawings")
    with tempfile.TemporaryDirectory(prefix="ptog-draw-") as name:
        place = Path(name)
        check_teeth(checks, ptog)
        check_odd(checks, ptog, place)
        check_meaning(checks, ptog, place, arguments.seed, 2 if arguments.quick else arguments.count)
        check_programs(checks, ptog, place, 5 if arguments.quick else 1)
    checks.finish()


main()
