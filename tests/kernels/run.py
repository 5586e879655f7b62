#!/usr/bin/env python3
"""The kernels of examples/kernels: right on every target, for every timing, and their mistakes reported.

  run.py [--ptog PATH] [--cxx PATH] [--only NAME] [--schedules N] [--update]

Each kernel's two programs and its C++ source, where it has one, give numpy's numbers on host, a2a3 and a5; on the machines the programs give the
same bytes under N schedules (100), and no report. With nothing bound
they run, too. wrong.pto gives exactly the reports that are kept beside it, and is wrong on one
of the machines at least; and so does wrong.cpp, where there is one, with wrong-cpp.expected. --update
rewrites those reports. The last line is "kernels: N passed, M failed".
"""

import argparse
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / "examples" / "kernels")]
from checks import ROOT, Checks, run  # noqa: E402
import data  # noqa: E402

KERNELS = ROOT / "examples" / "kernels"
TARGETS = ("host", "a2a3", "a5")
PROGRAMS = ("automatic", "pipelined")


def arguments():
    parser = argparse.ArgumentParser(description="The example kernels on every target, under many schedules.")
    parser.add_argument("--ptog", default=str(ROOT / "build" / "ptog"))
    parser.add_argument("--cxx", default=str(ROOT / "build" / "ptog-cxx"))
    parser.add_argument("--only", default="", metavar="NAME", help="only kernels whose name contains this")
    parser.add_argument("--schedules", type=int, default=100, metavar="N", help="per program and machine (default 100)")
    parser.add_argument("--update", action="store_true", help="rewrite the reports of the wrong programs")
    return parser.parse_args()


class Kernel:
    def __init__(self, name, place):
        self.name, self.place = name, place / name
        self.inputs, self.outputs = data.make(name)
        self.place.mkdir()
        for key, array in self.inputs.items():
            np.save(self.place / f"{key}.npy", array)

    def options(self, out):
        ins = [f"--in={key}={self.place / key}.npy" for key in self.inputs if key not in self.outputs]
        ins += [f"--inout={key}={self.place / key}.npy:{out / key}.npy" for key in self.inputs if key in self.outputs]
        shapes = {key: "x".join(map(str, array.shape)) for key, array in self.outputs.items()}
        return ins + [f"--out={key}={shapes[key]}:{out / key}.npy" for key in self.outputs if key not in self.inputs]

    def differences(self, out):
        """What in this folder is not as numpy says."""
        wrong = []
        for key, wanted in self.outputs.items():
            got = np.load(out / f"{key}.npy").reshape(wanted.shape)
            room = data.TOLERANCE * np.abs(wanted).max() if wanted.dtype.kind == "f" else 0
            far = np.argwhere(~(np.abs(got.astype("<f8") - wanted) <= room))
            if len(far):
                at = tuple(far[0])
                wrong.append(f"{key}: {len(far)} of {wanted.size} differ, first at {at}: {got[at]!r} instead of {wanted[at]!r}")
        return wrong


def run_program(args, kernel, program, target, schedule):
    """The bytes that a program leaves, and what is wrong with it."""
    out = Path(tempfile.mkdtemp(dir=kernel.place))
    options = [f"--target={target}", "--quiet"] + ([f"--schedule={schedule}"] if schedule else [])
    done = run([args.ptog, "run", KERNELS / kernel.name / f"{program}.pto", *options, *kernel.options(out)])
    wrong = [f"exit status {done.returncode}"] if done.returncode else []
    if done.stdout or done.stderr:
        wrong.append(done.stdout + done.stderr)
    if done.returncode:
        return {}, wrong
    return {key: (out / f"{key}.npy").read_bytes() for key in kernel.outputs}, wrong + kernel.differences(out)


def check_program(args, checks, kernel, program, target):
    first, wrong = run_program(args, kernel, program, target, None)
    checks.check(f"{kernel.name}: {program} on {target} gives numpy's numbers", wrong)
    if target == "host" or wrong:
        return
    schedules = ["fast", "slow", *(f"random:{seed}" for seed in range(args.schedules - 3))]
    wrong = []
    for schedule in schedules:
        found, said = run_program(args, kernel, program, target, schedule)
        if said or found != first:
            wrong.append(f"--schedule {schedule}: " + ("; ".join(said) or "other bytes"))
    checks.check(f"{kernel.name}: {program} on {target} under {args.schedules} schedules", wrong[:5])


def check_unbound(args, checks, kernel):
    """With nothing bound the data is made up, and the program runs all the same."""
    for target in TARGETS:
        done = run([args.ptog, "run", KERNELS / kernel.name / "automatic.pto", f"--target={target}", "--quiet"])
        checks.check(f"{kernel.name}: made-up data on {target}", [done.stderr] if done.returncode or done.stderr else [])


def check_cxx(args, checks, kernel, target):
    program, out = kernel.place / f"kernel-{target}", kernel.place / f"cxx-{target}"
    out.mkdir()
    done = run([args.cxx, f"--target={target}", "-Wall", "-Wextra", "-Werror", KERNELS / kernel.name / "kernel.cpp", "-o", program])
    wrong = [done.stderr] if done.returncode else []
    if not wrong:
        done = run([program, kernel.place, out], env={**os.environ, "NO_COLOR": "1"})
        wrong = [f"exit status {done.returncode}\n{done.stderr}"] if done.returncode or done.stderr else kernel.differences(out)
    checks.check(f"{kernel.name}: kernel.cpp on {target} gives numpy's numbers", wrong)


def check_wrong_cxx(args, checks, kernel):
    source, kept, program = KERNELS / kernel.name / "wrong.cpp", KERNELS / kernel.name / "wrong-cpp.expected", kernel.place / "wrong-cpp"
    text, worst = "", 0
    for target in TARGETS[1:]:
        done = run([args.cxx, f"--target={target}", "-Wall", "-Wextra", "-Werror", source.name, "-o", program], cwd=source.parent)
        if not done.returncode:
            done = run([program, kernel.place, kernel.place], env={**os.environ, "NO_COLOR": "1"}, cwd=source.parent)
        text += f"$ ptog-cxx --target={target} wrong.cpp -o wrong && ./wrong ...\n{done.stderr}exit status {done.returncode}\n"
        worst = max(worst, done.returncode)
    if args.update:
        kept.write_text(text)
    wanted = kept.read_text() if kept.exists() else "nothing is kept"
    checks.check(f"{kernel.name}: the reports of wrong.cpp", [] if text == wanted and worst == 1 else f"expected\n{wanted}\nfound\n{text}")


def check_wrong(args, checks, kernel):
    source, kept = KERNELS / kernel.name / "wrong.pto", KERNELS / kernel.name / "wrong.expected"
    out = kernel.place / "wrong"
    out.mkdir()
    text, worst = "", 0
    for target in TARGETS[1:]:
        done = run([args.ptog, "run", source.name, f"--target={target}", "--quiet", *kernel.options(out)], cwd=source.parent)
        text += f"$ ptog run wrong.pto --target {target} --quiet ...\n{done.stderr}exit status {done.returncode}\n"
        worst = max(worst, done.returncode)
    if args.update:
        kept.write_text(text)
    wanted = kept.read_text() if kept.exists() else "nothing is kept"
    checks.check(f"{kernel.name}: the reports of wrong.pto", [] if text == wanted and worst == 1 else
                 f"expected\n{wanted}\nfound\n{text}")


def main():
    args = arguments()
    args.ptog, args.cxx = str(Path(args.ptog).resolve()), str(Path(args.cxx).resolve())
    checks = Checks("kernels")
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(2) as pool:
        kernels = [Kernel(name, Path(place)) for name in data.KERNELS if args.only in name]
        checks.check("every folder has its data", [] if args.only or {path.parent.name for path in KERNELS.glob("*/*.pto")} ==
                     set(data.KERNELS) else "examples/kernels and data.py differ")
        jobs = [pool.submit(check, args, checks, kernel) for kernel in kernels for check in (check_wrong, check_unbound)]
        jobs += [pool.submit(check_wrong_cxx, args, checks, kernel) for kernel in kernels if (KERNELS / kernel.name / "wrong.cpp").exists()]
        for target in TARGETS:
            jobs += [pool.submit(check_cxx, args, checks, kernel, target) for kernel in kernels
                     if (KERNELS / kernel.name / "kernel.cpp").exists()]
            jobs += [pool.submit(check_program, args, checks, kernel, program, target) for kernel in kernels for program in PROGRAMS]
        for job in jobs:
            job.result()
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
