"""Rewrites everything that is kept and generated: transcripts, reports, outputs of examples, pages and screens. Read the difference.

  update.py --build DIR     the build of `make`
"""
import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def call(command, **env):
    """Runs a command from the project root; its last line is shown, and all of it when it fails."""
    print("+", *command[1:] if command[0] == sys.executable else command, flush=True)
    done = subprocess.run([str(word) for word in command], cwd=ROOT, env={**os.environ, **env}, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        print(done.stdout)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    build = parser.parse_args().build
    tests = ROOT / "build" / "test" / "gcc"
    ptog = build / "ptog"
    python = sys.executable
    good = [
        call(["cmake", "-S", ".", "-B", tests, "-G", "Ninja", "-DPTOG_WERROR=ON", "-DPTOG_TESTS=ON", "-DCMAKE_C_COMPILER=gcc",
              "--log-level=WARNING"]),
        call(["cmake", "--build", tests, "--parallel", "2", "--target", "test_machine_reports", "ptog_shared", "ptog-cxx"]),
        call([python, "tests/cli/run.py", "--ptog", ptog, "--update"]),
        call([python, "tests/pto/run.py", "--ptog", ptog, "--update"]),
        call([tests / "unit" / "test_machine_reports"], PTOG_UPDATE="1"),
        call([python, "tests/cpp/run.py", "--build", tests], PTOG_UPDATE_EXPECTED="1"),
        call([python, "tests/kernels/run.py", "--ptog", ptog, "--cxx", tests / "ptog-cxx", "--schedules", "3", "--update"]),
        call([python, "tests/meta/docs.py", "--build", build, "--update"]),
        call([python, "docs/site/pictures.py", "--ptog", ptog, "--if-possible"]),
        call([python, "tests/readme/run.py", "--build", build, "--update"]),
        call([python, "tests/trace/run.py", "--ptog", ptog, "--pictures"]),
    ]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
