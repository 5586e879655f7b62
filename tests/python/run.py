#!/usr/bin/env python3
"""The tests of the Python package: a wheel of it, installed in an environment of its own, and pytest there.

usage: run.py --build DIR [--sanitized | --install] [PYTEST...]

DIR is a CMake build of this tree. Its library goes into the wheel; the tests run in an empty directory, so that
nothing of the source tree is found by accident. --sanitized: the build has the address sanitizer, and only the tests
that call the library most are run with it. Without pytest, cffi, setuptools and wheel nothing is tested, and that is
said; without numpy it fails, since the whole suite needs that. --install only installs the package, and prints the python3 of its environment.
"""

import argparse
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NEEDED = ("numpy", "cffi", "pytest", "setuptools", "wheel", "pip", "venv")
SANITIZED = ("test_fuzz.py", "test_arrays.py", "test_device.py", "test_run.py", "test_inputs.py", "test_verdict.py", "test_threads.py")
COUNT = re.compile(r"(\d+) (passed|failed|error|errors)\b")


def call(command, **options):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", **options)
    return done.returncode, done.stdout


def step(command, **options):
    status, text = call(command, **options)
    if status != 0:
        print(text)
        print(f"{' '.join(str(word) for word in command)}: exit status {status}")
        print("python: 0 passed, 1 failed")
        sys.exit(1)


def install(build, venv):
    """The wheel, built offline from this tree, in an environment that sees the system's packages."""
    environment = {**os.environ, "PTOG_BUILD_DIR": str(build), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    python = venv / "bin" / "python3"
    step([sys.executable, "-m", "venv", "--clear", "--system-site-packages", "--without-pip", venv])
    step([python, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--no-index", "--force-reinstall",
          ROOT / "python"], env=environment)
    return python


def sanitizer():
    """The environment in which a Python that was built without the sanitizer loads a library that was built with it."""
    _, runtime = call(["clang", f"-print-file-name=libclang_rt.asan-{platform.machine()}.so"])
    return {"LD_PRELOAD": runtime.strip(), "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
            "UBSAN_OPTIONS": "print_stacktrace=1", "PTOG_TEST_SANITIZED": "1"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--install", action="store_true")
    parser.add_argument("pytest", nargs="*")
    arguments = parser.parse_args()
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        print(f"python: skipped: {sys.executable} has no {', '.join(missing)}")
        print(f"python: 0 passed, {int('numpy' in missing)} failed")
        sys.exit("numpy" in missing)
    build = arguments.build.resolve()
    python = install(build, build.parent / (build.name + "-venv"))
    if arguments.install:
        print(python)
        return
    environment = {**os.environ, **(sanitizer() if arguments.sanitized else {}), "PTOG_TEST_ROOT": str(ROOT),
                   "PTOG_TEST_BUILD": str(build)}
    environment.pop("PYTHONPATH", None)
    here = Path(__file__).resolve().parent
    tests = arguments.pytest or [here / name for name in (SANITIZED if arguments.sanitized else [""])]
    empty = tempfile.mkdtemp(prefix="ptogather-")
    status, text = call([python, "-m", "pytest", "-q", "--import-mode=importlib", "-p", "no:cacheprovider", "--tb=short",
                         "--rootdir", here, *tests], cwd=empty, env=environment)
    shutil.rmtree(empty)
    counts = {"passed": 0, "failed": 0, "error": 0}
    summary = [line for line in text.splitlines() if re.search(r"\d+ \w+ in [\d.]+s", line)]
    for number, word in COUNT.findall(summary[-1] if summary else ""):
        counts[word.rstrip("s") if word.startswith("error") else word] += int(number)
    failed = counts["failed"] + counts["error"]
    if status != 0 or failed or not summary:
        print(text)
        failed = max(failed, 1)
    print(f"python: {counts['passed']} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
