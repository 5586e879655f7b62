#!/usr/bin/env python3
"""The test driver: builds, runs every kind of test, two jobs at a time, and ends with `N passed, N failed`.

usage: tests/run.py [STAGE...]     only the stages whose name contains one of the words, and what they need

A stage prints one line; its output is shown when something failed. Programs and scripts are counted by their own last
line (`...: N passed, M failed`), cmocka programs by their TAP output. All builds are in build/test.
"""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import time
from typing import Callable, NamedTuple

from checks import ROOT

JOBS = 2
LIMIT = 900  # seconds for one command; the build with sanitizers takes a third of that on two quiet cores
SHOWN = 80   # lines of a failed command
MISSING_IS_FAILURE = True  # a stage without its files fails

BUILDS = ROOT / "build" / "test"
COUNT = re.compile(r"(\d+) passed, (\d+) failed$")
TAP = re.compile(r"^(not ok|ok) \d+(?: # (SKIP))?", re.MULTILINE)


class Result(NamedTuple):
    passed: int
    failed: int
    text: str = ""


class Stage(NamedTuple):
    name: str
    needs: str                  # a glob: without such a file the stage is skipped
    after: tuple                # stages that must have passed
    run: Callable[[], Result]


# ---- running things --------------------------------------------------------------------------------------------------


def call(command, **env):
    """Runs a command from the project root and returns its exit status and output, stderr included."""
    words = [str(word) for word in command]
    environment = {**os.environ, **env}
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):  # of the make that started this
        environment.pop(name, None)
    try:
        done = subprocess.run(words, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=LIMIT)
    except subprocess.TimeoutExpired as late:
        return 124, (late.stdout or b"").decode(errors="replace") + f"\nno end after {LIMIT} seconds: {words[0]}\n"
    except OSError as error:
        return 127, f"{words[0]}: {error}\n"
    return done.returncode, done.stdout.decode(errors="replace")


def tail(text):
    lines = text.rstrip().split("\n")
    return "\n".join(["..."] * (len(lines) > SHOWN) + lines[-SHOWN:])


def total(results):
    results = list(results)
    text = "\n".join(result.text for result in results if result.text)
    return Result(sum(r.passed for r in results), sum(r.failed for r in results), text)


def build(name, *options, targets=("all",)):
    """Configures and builds one variant: one test. Warnings are errors."""
    place = BUILDS / name
    commands = [["cmake", "-S", ".", "-B", place, "-G", "Ninja", "-DPTOG_WERROR=ON", "-DPTOG_TESTS=ON",
                 "--log-level=WARNING", *options],
                ["cmake", "--build", place, "--parallel", "1", "--target", *targets]]
    for command in commands:
        status, text = call(command)
        if status != 0:
            return Result(0, 1, tail(text))
    return Result(1, 0)


def counted(command, **env):
    """A program whose last line says what it counted."""
    status, text = call(command, **env)
    found = COUNT.search(text.rstrip())
    if not found:
        return Result(0, 1, tail(text) + f"\n{command[0]}: exit status {status}, and no count at the end")
    passed, failed = int(found[1]), int(found[2])
    if status != 0 and failed == 0:
        return Result(passed, 1, tail(text) + f"\n{command[0]}: exit status {status}")
    return Result(passed, failed, tail(text) if failed else "")


def script(path, *arguments, **env):
    return counted([sys.executable, path, *arguments], **env)


# ---- kinds of tests --------------------------------------------------------------------------------------------------


def unit_program(program, **env):
    status, text = call([program], CMOCKA_MESSAGE_OUTPUT="tap", **env)
    lines = [found[1] for found in TAP.finditer(text) if not found[2]]
    failed = lines.count("not ok")
    problem = "" if failed == 0 else tail(text)
    if status != 0 and failed == 0:
        failed, problem = 1, tail(text) + f"\nexit status {status}"
    if not lines:
        failed, problem = 1, tail(text) + "\nno test was run"
    return Result(lines.count("ok"), failed, problem and f"{program.name}\n{problem}")


def unit(variant, programs, kernels):
    """`programs`: how many random texts go through parser and printer; `kernels`: ... through the machine."""
    counts = {"PTOG_RANDOM_PROGRAMS": str(programs), "PTOG_RANDOM_KERNELS": str(kernels)}
    return total(unit_program(BUILDS / variant / "unit" / source.stem, **counts)
                 for source in sorted(ROOT.glob("tests/unit/**/test_*.c")))


def threads(variant):
    return unit_program(BUILDS / variant / "unit" / "test_threads", TSAN_OPTIONS="halt_on_error=1")


def arm():
    """The NEON kernels, where there is a cross compiler and an emulator; nothing otherwise."""
    if not shutil.which("aarch64-linux-gnu-gcc") or not shutil.which("qemu-aarch64"):
        return Result(0, 0)
    return script("tests/neon/run.py", "--place", BUILDS / "neon")


def inputs_of(target):
    """The corpus; and for the targets that read programs, every program under tests/ and examples/."""
    programs = [] if target in ("npy", "plan", "safetensors", "cxx", "core") else [*ROOT.glob("tests/**/*.pto"), *ROOT.glob("examples/*.pto")]
    return sorted(ROOT.glob(f"fuzz/corpus/{target}/*")) + sorted(programs)


def replay(variant):
    return total(counted([BUILDS / variant / "replay" / source.stem, *inputs_of(source.stem)])
                 for source in sorted(ROOT.glob("fuzz/*.c")))


def example(variant, source):
    expected = source.with_suffix(".expected")
    status, text = call([BUILDS / variant / "examples" / source.stem])
    if not expected.exists():
        return Result(0, 1, f"{source.name} has no {expected.name}")
    if status == 0 and text == expected.read_text():
        return Result(1, 0)
    return Result(0, 1, f"{source.name}: exit status {status}, or the output is not {expected.name}:\n{tail(text)}")


def mpi():
    """Tables over MPI, where there is an mpirun; nothing otherwise."""
    if not shutil.which("mpicc") or not shutil.which("mpirun"):
        return Result(0, 0)
    return script("tests/mpi/run.py", "--build", BUILDS / "gcc", "--quick")


def examples(variant):
    return total(example(variant, source) for source in sorted(ROOT.glob("examples/*.c")))


def meta():
    return total(script(path, "--build", BUILDS / "gcc") for path in sorted(ROOT.glob("tests/meta/*.py")))


def conform(variant, *options, **env):
    return script("tests/conform/run.py", "--batch", BUILDS / variant / "conform_batch", *options, **env)


def tiles(variant, *options):
    return script("tests/conform/tiles.py", "--batch", BUILDS / variant / "tiles_batch", *options)


def auto_mode(build_name, *options):
    return script("tests/pto/auto.py", "--batch", BUILDS / build_name / "auto_batch",
                  "--ptog", BUILDS / build_name / "ptog", *options)


def pto_files(variant):
    return script("tests/pto/run.py", "--ptog", BUILDS / variant / "ptog")


def pto_schedules(variant):
    return script("tests/pto/schedules.py", "--ptog", BUILDS / variant / "ptog")


def pto_programs(variant, *options):
    return script("tests/pto/programs.py", "--batch", BUILDS / variant / "pto_batch", *options)


def unrolled(variant, *options):
    return script("tests/pto/unrolled.py", "--ptog", BUILDS / variant / "ptog", *options)


def flag_pairs(variant, *options, script_of="pairs.py"):
    return script(f"tests/pto/{script_of}", "--ptog", BUILDS / variant / "ptog", "--batch", BUILDS / variant / "pto_batch",
                  *options)


def python(variant, *options):
    """The Python package; nothing where what it needs is not installed."""
    return script("tests/python/run.py", "--build", BUILDS / variant, *options)


def mutants(variant, *options):
    return script("tests/oracle/run.py", "--batch", BUILDS / variant / "oracle_batch", *options)


def cxx(variant, *options):
    return total([script("tests/cxx/rewrite.py", "--batch", BUILDS / variant / "cxx_batch", *options),
                  script("tests/cxx/run.py", "--cxx", BUILDS / variant / "ptog-cxx", *options)])


# In this order as far as `after` allows: long ones first.
STAGES = [
    Stage("gcc build", "src/*/*.c", (), lambda: build("gcc", "-DCMAKE_C_COMPILER=gcc")),
    Stage("sanitizer build", "src/*/*.c", (),
          lambda: build("asan", "-DCMAKE_C_COMPILER=clang", "-DPTOG_SANITIZE=ON", "-DCMAKE_BUILD_TYPE=Debug",
                        "-DCMAKE_C_FLAGS_DEBUG=-O1 -g")),
    Stage("conformance", "tests/conform/run.py", ("gcc build",), lambda: conform("gcc")),
    Stage("clang build", "src/*/*.c", (), lambda: build("clang", "-DCMAKE_C_COMPILER=clang")),
    Stage("conformance, sanitizers", "tests/conform/run.py", ("sanitizer build",), lambda: conform("asan", "--quick")),
    Stage("elementwise", "tests/conform/tiles.py", ("gcc build",), lambda: tiles("gcc")),
    Stage("elementwise, sanitizers", "tests/conform/tiles.py", ("sanitizer build",), lambda: tiles("asan", "--count", "2")),
    Stage("programs", "tests/pto/programs.py", ("gcc build",), lambda: pto_programs("gcc")),
    Stage("programs, sanitizers", "tests/pto/programs.py", ("sanitizer build",), lambda: pto_programs("asan", "--quick")),
    Stage("mutants", "tests/oracle/run.py", ("gcc build",), lambda: mutants("gcc")),
    Stage("mutants, sanitizers", "tests/oracle/run.py", ("sanitizer build",), lambda: mutants("asan", "--quick")),
    Stage("mutants, the oracle itself", "tests/oracle/teeth.py", ("gcc build",),
          lambda: script("tests/oracle/teeth.py", "--batch", BUILDS / "gcc" / "oracle_batch")),
    Stage("auto mode", "tests/pto/auto.py", ("gcc build",), lambda: auto_mode("gcc")),
    Stage("auto mode, sanitizers", "tests/pto/auto.py", ("sanitizer build",), lambda: auto_mode("asan", "--quick")),
    Stage("pto files", "tests/pto/run.py", ("gcc build",), lambda: pto_files("gcc")),
    Stage("pto files, sanitizers", "tests/pto/run.py", ("sanitizer build",), lambda: pto_files("asan")),
    Stage("meanings", "tests/pto/meanings.py", ("gcc build",),
          lambda: script("tests/pto/meanings.py", "--ptog", BUILDS / "gcc" / "ptog")),
    Stage("loops written out", "tests/pto/unrolled.py", ("gcc build",), lambda: unrolled("gcc")),
    Stage("loops written out, sanitizers", "tests/pto/unrolled.py", ("sanitizer build",),
          lambda: unrolled("asan", "--quick")),
    Stage("lifetimes", "tests/pto/lifetimes.py", ("gcc build",),
          lambda: script("tests/pto/lifetimes.py", "--ptog", BUILDS / "gcc" / "ptog")),
    Stage("lifetimes, sanitizers", "tests/pto/lifetimes.py", ("sanitizer build",),
          lambda: script("tests/pto/lifetimes.py", "--ptog", BUILDS / "asan" / "ptog", "--count", "10")),
    Stage("transfers", "tests/pto/transfers.py", ("gcc build",),
          lambda: script("tests/pto/transfers.py", "--ptog", BUILDS / "gcc" / "ptog")),
    Stage("transfers, sanitizers", "tests/pto/transfers.py", ("sanitizer build",),
          lambda: script("tests/pto/transfers.py", "--ptog", BUILDS / "asan" / "ptog", "--count", "50")),
    Stage("pairs of flags", "tests/pto/pairs.py", ("gcc build",), lambda: flag_pairs("gcc")),
    Stage("half pairs", "tests/pto/halves.py", ("gcc build",),
          lambda: script("tests/pto/halves.py", "--ptog", BUILDS / "gcc" / "ptog")),
    Stage("half pairs, sanitizers", "tests/pto/halves.py", ("sanitizer build",),
          lambda: script("tests/pto/halves.py", "--ptog", BUILDS / "asan" / "ptog", "--quick")),
    Stage("computed event ids", "tests/pto/dynamic.py", ("gcc build",),
          lambda: script("tests/pto/dynamic.py", "--ptog", BUILDS / "gcc" / "ptog")),
    Stage("computed event ids, sanitizers", "tests/pto/dynamic.py", ("sanitizer build",),
          lambda: script("tests/pto/dynamic.py", "--ptog", BUILDS / "asan" / "ptog", "--quick")),
    Stage("enumerator", "tests/enumerate/run.py", ("gcc build",),
          lambda: script("tests/enumerate/run.py", "--build", BUILDS / "gcc")),
    Stage("enumerator, sanitizers", "tests/enumerate/run.py", ("sanitizer build",),
          lambda: script("tests/enumerate/run.py", "--build", BUILDS / "asan", "--count", "30", "--seed", "2")),
    Stage("enumerator, the test itself", "tests/enumerate/teeth.py", ("gcc build",),
          lambda: script("tests/enumerate/teeth.py", "--build", BUILDS / "gcc")),
    Stage("pairs of flags, sanitizers", "tests/pto/pairs.py", ("sanitizer build",),
          lambda: flag_pairs("asan", "--quick")),
    Stage("python", "tests/python/run.py", ("gcc build",), lambda: python("gcc")),
    Stage("python, sanitizers", "tests/python/run.py", ("sanitizer build",), lambda: python("asan", "--sanitized")),
    Stage("figures", "tests/figures/run.py", ("gcc build",),
          lambda: script("tests/figures/run.py", "--ptog", BUILDS / "gcc" / "ptog")),
    Stage("traces", "tests/trace/run.py", ("gcc build",),
          lambda: script("tests/trace/run.py", "--ptog", BUILDS / "gcc" / "ptog")),
    Stage("traces, sanitizers", "tests/trace/run.py", ("sanitizer build",),
          lambda: script("tests/trace/run.py", "--ptog", BUILDS / "asan" / "ptog", "--kernels", "60", "--quick")),
    Stage("drawings", "tests/draw/run.py", ("gcc build",),
          lambda: script("tests/draw/run.py", "--ptog", BUILDS / "gcc" / "ptog")),
    Stage("drawings, sanitizers", "tests/draw/run.py", ("sanitizer build",),
          lambda: script("tests/draw/run.py", "--ptog", BUILDS / "asan" / "ptog", "--quick")),
    Stage("pages", "tests/page/run.py", ("gcc build",),
          lambda: script("tests/page/run.py", "--ptog", BUILDS / "gcc" / "ptog")),
    Stage("pages, sanitizers", "tests/page/run.py", ("sanitizer build",),
          lambda: script("tests/page/run.py", "--ptog", BUILDS / "asan" / "ptog", "--quick")),
    Stage("compare", "tests/compare/run.py", ("gcc build",),
          lambda: script("tests/compare/run.py", "--ptog", BUILDS / "gcc" / "ptog")),
    Stage("pto schedules", "tests/pto/schedules.py", ("gcc build",), lambda: pto_schedules("gcc")),
    Stage("witnesses", "tests/pto/witnesses.py", ("gcc build",), lambda: flag_pairs("gcc", script_of="witnesses.py")),
    Stage("witnesses, sanitizers", "tests/pto/witnesses.py", ("sanitizer build",),
          lambda: flag_pairs("asan", "--quick", script_of="witnesses.py")),
    Stage("pto tables", "tests/pto/meta.py", ("gcc build",), lambda: script("tests/pto/meta.py")),
    Stage("unit tests", "tests/unit/**/test_*.c", ("gcc build",), lambda: unit("gcc", 20000, 10000)),
    Stage("unit tests, sanitizers", "tests/unit/**/test_*.c", ("sanitizer build",), lambda: unit("asan", 2000, 500)),
    Stage("thread sanitizer build", "src/*/*.c", (),
          lambda: build("tsan", "-DCMAKE_C_COMPILER=clang", "-DPTOG_SANITIZE_THREADS=ON", "-DCMAKE_BUILD_TYPE=Debug",
                        "-DCMAKE_C_FLAGS_DEBUG=-O1 -g", targets=("test_threads",))),
    Stage("threads", "tests/unit/test_threads.c", ("thread sanitizer build",), lambda: threads("tsan")),
    Stage("build without threads", "src/*/*.c", (),
          lambda: build("alone", "-DPTOG_THREADS=OFF", "-DCMAKE_BUILD_TYPE=Debug", targets=("test_threads",))),
    Stage("threads, without them", "tests/unit/test_threads.c", ("build without threads",), lambda: threads("alone")),
    Stage("scalar conformance", "tests/conform/run.py", ("gcc build",), lambda: conform("gcc", "--quick", PTOG_ISA="scalar")),
    Stage("neon", "tests/neon/run.py", ("gcc build",), arm),
    Stage("field", "tests/field/self.py", ("gcc build",),
          lambda: script("tests/field/self.py", "--ptog", BUILDS / "gcc" / "ptog")),
    Stage("command line", "tests/cli/*.test", ("gcc build",),
          lambda: script("tests/cli/run.py", "--ptog", BUILDS / "gcc" / "ptog")),
    Stage("command line, sanitizers", "tests/cli/*.test", ("sanitizer build",),
          lambda: script("tests/cli/run.py", "--ptog", BUILDS / "asan" / "ptog")),
    Stage("options of run, sanitizers", "tests/fuzz_options.py", ("sanitizer build",),
          lambda: script("tests/fuzz_options.py", "--ptog", BUILDS / "asan" / "ptog")),
    Stage("reports", "tests/schema/run.py", ("gcc build",),
          lambda: script("tests/schema/run.py", "--ptog", BUILDS / "gcc" / "ptog")),
    Stage("reports, sanitizers", "tests/schema/run.py", ("sanitizer build",),
          lambda: script("tests/schema/run.py", "--ptog", BUILDS / "asan" / "ptog", "--quick")),
    Stage("shells", "tests/shells/run.py", ("gcc build",),
          lambda: script("tests/shells/run.py", "--ptog", BUILDS / "gcc" / "ptog")),
    Stage("gather on files", "tests/gather/run.py", ("gcc build",),
          lambda: script("tests/gather/run.py", "--ptog", BUILDS / "gcc" / "ptog")),
    Stage("gather on files, sanitizers", "tests/gather/run.py", ("sanitizer build",),
          lambda: script("tests/gather/run.py", "--ptog", BUILDS / "asan" / "ptog", "--quick")),
    Stage("faults of input and output", "tests/faults/io.py", ("gcc build",),
          lambda: script("tests/faults/io.py", "--ptog", BUILDS / "gcc" / "ptog", "--cxx", BUILDS / "gcc" / "ptog-cxx")),
    Stage("faults of memory", "tests/faults/memory.py", ("gcc build",),
          lambda: script("tests/faults/memory.py", "--ptog", BUILDS / "gcc" / "ptog")),
    Stage("mpi", "tests/mpi/run.py", ("gcc build",), mpi),
    Stage("ptog-cxx", "tests/cxx/run.py", ("gcc build",), lambda: cxx("gcc")),
    Stage("ptog-cxx, sanitizers", "tests/cxx/run.py", ("sanitizer build",), lambda: cxx("asan", "--quick")),
    Stage("fuzz replay", "fuzz/*.c", ("gcc build",), lambda: replay("gcc")),
    Stage("fuzz replay, sanitizers", "fuzz/*.c", ("sanitizer build",), lambda: replay("asan")),
    Stage("C++ headers", "tests/cpp/run.py", ("gcc build",),
          lambda: script("tests/cpp/run.py", "--build", BUILDS / "gcc")),
    Stage("kernels", "tests/kernels/run.py", ("gcc build",),
          lambda: script("tests/kernels/run.py", "--ptog", BUILDS / "gcc" / "ptog", "--cxx", BUILDS / "gcc" / "ptog-cxx")),
    Stage("extensions", "tests/extend/run.py", ("gcc build",), lambda: script("tests/extend/run.py")),
    Stage("examples", "examples/*.c", ("gcc build",), lambda: examples("gcc")),
    Stage("examples, sanitizers", "examples/*.c", ("sanitizer build",), lambda: examples("asan")),
    Stage("comparison of builds", "tests/bench/run.py", ("gcc build",),
          lambda: script("tests/bench/run.py", "--build", BUILDS / "gcc")),
    Stage("install", "tests/install/run.py", ("gcc build",),
          lambda: script("tests/install/run.py", "--build", BUILDS / "gcc")),
    Stage("CI files", "tests/ci/run.py", ("gcc build",),
          lambda: script("tests/ci/run.py", "--build", BUILDS / "gcc")),
    Stage("docs site", "tests/site/run.py", ("gcc build",),
          lambda: script("tests/site/run.py", "--build", BUILDS / "gcc", "--out", BUILDS / "site")),
    Stage("README", "tests/readme/run.py", ("gcc build",),
          lambda: script("tests/readme/run.py", "--build", BUILDS / "gcc")),
    Stage("meta", "tests/meta/*.py", ("gcc build",), meta),
    Stage("ABI", "tests/abi/run.py", (), lambda: script("tests/abi/run.py")),
    Stage("seeds", "tests/meta/seeds/check_seeds.py", ("gcc build",), lambda: script("tests/meta/seeds/check_seeds.py")),
    Stage("seeds, the check itself", "tests/meta/seeds/test_check_seeds.py", ("gcc build",),
          lambda: script("tests/meta/seeds/test_check_seeds.py")),
]


# ---- the order of things ---------------------------------------------------------------------------------------------


def perform(stage, results):
    """Runs one stage and prints its line."""
    start = time.monotonic()
    broken = [name for name in stage.after if results[name].failed]
    if not any(ROOT.glob(stage.needs)):
        result, line = Result(0, int(MISSING_IS_FAILURE), ""), f"skipped (there is no {stage.needs})"
    elif broken:
        result, line = Result(0, 1), f"not run ({broken[0]} failed)"
    else:
        result = stage.run()
        line = f"{result.passed} passed, {result.failed} failed ({time.monotonic() - start:.1f} s)"
    details = "\n    " + result.text.replace("\n", "\n    ") if result.failed and result.text else ""
    print(f"{stage.name}: {line}{details}", flush=True)
    return result


def wanted(words):
    """The stages that were asked for, and those they need."""
    names = {stage.name for stage in STAGES if not words or any(word in stage.name for word in words)}
    for stage in reversed(STAGES):
        if stage.name in names:
            names |= set(stage.after)
    return [stage for stage in STAGES if stage.name in names]


def main():
    waiting, running, results = wanted(sys.argv[1:]), {}, {}
    if not waiting:
        sys.exit("run.py: no stage has such a name; they are: " + "; ".join(stage.name for stage in STAGES))
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        while waiting or running:
            ready = [stage for stage in waiting if all(name in results for name in stage.after)]
            for stage in ready[:JOBS - len(running)]:
                waiting.remove(stage)
                running[pool.submit(perform, stage, dict(results))] = stage
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                results[running.pop(future).name] = future.result()
    everything = total(results.values())
    summary = f"{everything.passed} passed, {everything.failed} failed"
    BUILDS.mkdir(parents=True, exist_ok=True)
    (BUILDS / "summary").write_text(summary + "\n")
    print(summary)
    sys.exit(1 if everything.failed or not everything.passed else 0)


if __name__ == "__main__":
    main()
