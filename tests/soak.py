#!/usr/bin/env python3
"""The random tests at length: a million texts through parser and printer, and new seeds for the other generators.

usage: tests/soak.py [--texts N] [--programs N] [--mutants N] [--small N] [--branches N] [--seeds N]

Builds the tests in build/soak and stops at the first failure. Seeds are printed; each test says how to run a case again.
"""

import argparse
import os
import secrets
import subprocess
import sys

from checks import ROOT

BUILD = ROOT / "build" / "soak"


def run(*command, **env):
    words = [str(word) for word in command]
    print("+", *words, flush=True)
    if subprocess.run(words, cwd=ROOT, env={**os.environ, **env}).returncode != 0:
        sys.exit(f"soak: failed: {' '.join(words)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--texts", type=int, default=1_000_000)
    parser.add_argument("--programs", type=int, default=50_000)
    parser.add_argument("--mutants", type=int, default=100_000)
    parser.add_argument("--small", type=int, default=10_000, help="programs of the enumerator")
    parser.add_argument("--branches", type=int, default=1_000, help="programs with branches and loops, for ptog prove")
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    run("cmake", "-S", ".", "-B", BUILD, "-DPTOG_TESTS=ON", "--log-level=WARNING")
    run("cmake", "--build", BUILD, "--parallel", os.cpu_count() or 1)
    seed = str(secrets.randbits(31))
    run(BUILD / "unit" / "test_asm_random", PTOG_RANDOM_PROGRAMS=str(options.texts), PTOG_RANDOM_SEED=seed)
    run(sys.executable, "tests/pto/programs.py", "--batch", BUILD / "pto_batch", "--count", options.programs,
        "--seed", secrets.randbits(31))
    run(sys.executable, "tests/oracle/run.py", "--batch", BUILD / "oracle_batch", "--count", options.mutants,
        "--seed", secrets.randbits(31))
    run(sys.executable, "tests/enumerate/run.py", "--build", BUILD, "--count", options.small, "--seed", secrets.randbits(31))
    run(sys.executable, "tests/prove/brute.py", "--build", BUILD, "--count", options.branches, "--seed", secrets.randbits(31))
    run(sys.executable, "tests/conform/tiles.py", "--batch", BUILD / "tiles_batch", "--soak", "--seed", secrets.randbits(31))
    for _ in range(options.seeds):
        run(sys.executable, "tests/conform/run.py", "--batch", BUILD / "conform_batch", "--seed", secrets.randbits(31))
    print("soak: done")


if __name__ == "__main__":
    main()
