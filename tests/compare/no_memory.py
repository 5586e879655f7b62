#!/usr/bin/env python3
"""ptog compare when memory runs out, at one allocation after another: it never ends with status 2 and without a word.

  no_memory.py --ptog PATH

A small library that refuses an allocation, and all that follow or none of them, is put before the C library. Without a C
compiler or where that cannot be done, nothing is tested. The last line is "no memory: N passed, M failed".
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REFUSING = """
#include <stdlib.h>
void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
static long left = -2;
static int once;
static int refused(void)
{
    if (left == -2) {
        left = atol(getenv("REFUSE"));
        once = getenv("ONCE") != 0;
    }
    if (left < 0 || left-- > 0)
        return 0;
    left = once ? -1 : 0;
    return 1;
}
void *malloc(size_t n) { return refused() ? 0 : __libc_malloc(n); }
void *calloc(size_t n, size_t m) { return refused() ? 0 : __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { return refused() ? 0 : __libc_realloc(p, n); }
"""
PROGRAM = """func.func @f(%a: !pto.partition_tensor_view<1x8xf32>, %o: !pto.partition_tensor_view<1x8xf32>) {
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
  pto.tload ins(%a : !pto.partition_tensor_view<1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 1x8xf32>) outs(%o : !pto.partition_tensor_view<1x8xf32>)
  return
}
"""


def problem_of(ptog, place, number, once):
    env = {**os.environ, "LD_PRELOAD": str(place / "refusing.so"), "REFUSE": str(number), **({"ONCE": "1"} if once else {})}
    done = subprocess.run([ptog, "compare", place / "f.pto", "--in", f"a={place}/a.bin", "--in", f"o={place}/o.bin"],
                          capture_output=True, env=env, timeout=60)
    if done.returncode not in (0, 1, 2):
        return f"status {done.returncode}: {done.stderr[-300:]}"
    if done.returncode == 2 and not done.stderr.strip():
        return "status 2, and not a word"
    return None


def main():
    parser = argparse.ArgumentParser(description="ptog compare without memory.")
    parser.add_argument("--ptog", required=True)
    options = parser.parse_args()
    compiler, passed, failed = shutil.which("cc"), 0, 0
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        (place / "refusing.c").write_text(REFUSING)
        (place / "f.pto").write_text(PROGRAM)
        for buffer in ("a", "o"):
            (place / f"{buffer}.bin").write_bytes(bytes(32))
        built = compiler and subprocess.run([compiler, "-shared", "-fPIC", "-o", place / "refusing.so", place / "refusing.c"],
                                            capture_output=True).returncode == 0
        numbers = [*range(60), *range(60, 400, 9), *range(400, 2000, 61)] if built else []
        for once in (False, True):
            for number in numbers:
                problem = problem_of(os.path.abspath(options.ptog), place, number, once)
                passed, failed = passed + (not problem), failed + bool(problem)
                if problem:
                    print(f"allocation {number}{', once' * once}: {problem}")
    print(f"no memory: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
