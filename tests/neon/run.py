#!/usr/bin/env python3
"""The NEON kernels: tests/unit/test_kernel_calls.c, compiled with aarch64-linux-gnu-gcc and run under qemu-aarch64.

usage: tests/neon/run.py --place DIR
"""

import argparse
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks  # noqa: E402

SOURCES = [*(ROOT / "src" / "kernel").glob("*.c"), ROOT / "src" / "base" / "small_float.c",
           ROOT / "tests" / "unit" / "test_kernel_calls.c", ROOT / "tests" / "unit" / "guard.c"]
FLAGS = ["-std=c11", "-O3", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-static", "-Iinclude", "-Isrc", "-Itests",
         "-Itests/neon"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--place", type=Path, required=True)
    place = parser.parse_args().place.resolve()
    place.mkdir(parents=True, exist_ok=True)
    checks = Checks("neon")
    program = place / "calls"
    built = subprocess.run(["aarch64-linux-gnu-gcc", *FLAGS, *map(str, SOURCES), "-o", str(program), "-lm"], cwd=ROOT,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    checks.check("the kernels compile for 64-bit Arm", built.stdout if built.returncode else [])
    if built.returncode == 0:
        ran = subprocess.run(["qemu-aarch64", str(program)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        checks.check("the kernels gather what plain loops gather", ran.stdout if ran.returncode else [])
        checks.check("the NEON set was called", [] if "fastest set: neon" in ran.stdout else ran.stdout)
    checks.finish()


main()
