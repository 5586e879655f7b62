#!/usr/bin/env python3
"""The test driver: builds, runs the stages of tests/stages.txt, two at a time, and ends with `N passed, N failed`.

usage: tests/run.py [--tier check|test|all] [--rest] [--list] [WORD...]
       tests/run.py --build DIR --stage NAME     one stage with a build that is there: what CTest calls

WORD: only the stages whose name contains one of the words, and the builds they need. --rest: those that `--tier test` leaves out.
--list, alone or with a tier after it, names the stages instead of running them.

A stage prints one line, with its processor time; its output is shown when something failed. Programs and scripts are counted by their own
last line (`...: N passed, M failed`), cmocka programs by their TAP output. A stage that tests nothing fails, unless it says why in a line
with `skipped: `. There is no limit on time, only on the processor time of one process. All builds are in build/test.
"""

import argparse
import concurrent.futures
import importlib.util
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

from checks import ROOT

JOBS = 2
SHOWN = 80  # lines of a failed command
CPU_SECONDS = 1800  # of one process: what needs more has hung
MODULES = ("numpy", "cffi", "pytest", "setuptools", "wheel", "pip")  # what stages import; numpy is needed, the others are skipped
TIERS = ("check", "test", "all")

BUILDS = ROOT / "build" / "test"
COUNT = re.compile(r"(\d+) passed, (\d+) failed$")
TAP = re.compile(r"^(not ok|ok) \d+(?: # (SKIP))?", re.MULTILINE)
SKIPPED = re.compile(r"\bskipped: (.*)")


class Result(NamedTuple):
    passed: int
    failed: int
    text: str = ""
    skipped: str = ""


class Stage(NamedTuple):
    tier: str
    build: str                  # a preset; "": it needs no build
    name: str
    command: str

    def after(self):
        """The stage that makes the build; None: it needs none."""
        return next((stage for stage in STAGES if stage.command == f"@build {self.build}"), None)


def read_stages():
    lines = [line for line in (ROOT / "tests" / "stages.txt").read_text().splitlines() if not line.startswith("#")]
    rows = [[part.strip() for part in line.split("|", 3)] for line in lines]
    return [Stage(tier, build.strip("-"), name, command) for tier, build, name, command in rows]


STAGES = read_stages()


# ---- running things --------------------------------------------------------------------------------------------------


spent = threading.local()  # .seconds: processor time of the commands of this thread's stage


def call(command, **env):
    """Runs a command from the project root and returns its exit status and output, stderr included."""
    words = [str(word) for word in command]
    environment = {"ASAN_OPTIONS": "detect_stack_use_after_return=1", **os.environ, **env}
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):  # of the make that started this
        environment.pop(name, None)
    with tempfile.TemporaryFile() as output:
        try:
            process = subprocess.Popen(words, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        except OSError as error:
            return 127, f"{words[0]}: {error}\n"
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        spent.seconds = getattr(spent, "seconds", 0) + usage.ru_utime + usage.ru_stime
        output.seek(0)
        return process.returncode, output.read().decode(errors="replace")


def tail(text):
    lines = text.rstrip().split("\n")
    return "\n".join(["..."] * (len(lines) > SHOWN) + lines[-SHOWN:])


def total(results):
    results = list(results)
    text = "\n".join(result.text for result in results if result.text)
    return Result(sum(r.passed for r in results), sum(r.failed for r in results), text, "; ".join(r.skipped for r in results if r.skipped))


def counted(command, **env):
    """A program whose last line says what it counted."""
    status, text = call(command, **env)
    found = COUNT.search(text.rstrip())
    if not found:
        return Result(0, 1, tail(text) + f"\n{command[0]}: exit status {status}, and no count at the end")
    passed, failed = int(found[1]), int(found[2])
    if status != 0 and failed == 0:
        return Result(passed, 1, tail(text) + f"\n{command[0]}: exit status {status}")
    return Result(passed, failed, tail(text) if failed else "", "; ".join(SKIPPED.findall(text)))


def script(path, *arguments, **env):
    return counted([sys.executable, path, *arguments], **env)


# ---- kinds of tests: the functions that stages.txt names with @. `place` is the folder of the build ------------------------


def preset_options(name):
    """What CMakePresets.json gives a build: read here, because CMake itself reads it from 3.21 on only."""
    presets = {preset["name"]: preset for preset in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}
    options = {}
    while name:
        options = {**presets[name]["cacheVariables"], **options}
        name = presets[name].get("inherits")
    return [f"-D{key}={value}" for key, value in options.items()]


build_jobs = 1  # with several builds, two of them are made at a time


def build(place, name):
    """Configures and builds one preset: one test. Warnings are errors."""
    targets = next(preset for preset in json.loads((ROOT / "CMakePresets.json").read_text())["buildPresets"] if preset["name"] == name)
    commands = [["cmake", "-S", ".", "-B", BUILDS / name, "-G", "Ninja", "--log-level=WARNING", *preset_options(name)],
                ["cmake", "--build", BUILDS / name, "--parallel", build_jobs, "--target", *targets.get("targets", ["all"])]]
    for command in commands:
        status, text = call(command)
        if status != 0:
            return Result(0, 1, tail(text))
    return Result(1, 0)


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


def unit(place, programs, kernels, refusal_step="1", without=""):
    """`programs`: how many random texts go through parser and printer; `kernels`: ... through the machine; `refusal_step`: of
    so many allocations one is refused in turn, where repairs run out of memory; `without`: names of programs that are left out."""
    counts = {"PTOG_RANDOM_PROGRAMS": programs, "PTOG_RANDOM_KERNELS": kernels, "PTOG_REFUSAL_STEP": refusal_step}
    sources = [source for source in sorted(ROOT.glob("tests/unit/**/test_*.c")) if source.stem not in without.split(",")]
    return total(unit_program(place / "unit" / source.stem, **counts) for source in sources)


def threads(place):
    return unit_program(place / "unit" / "test_threads", TSAN_OPTIONS="halt_on_error=1")


def arm(place):
    """The NEON kernels, where there is a cross compiler and an emulator."""
    if not shutil.which("aarch64-linux-gnu-gcc") or not shutil.which("qemu-aarch64"):
        return Result(0, 0, skipped="aarch64-linux-gnu-gcc and qemu-aarch64 are not installed")
    return script("tests/neon/run.py", "--place", BUILDS / "neon")


def inputs_of(target):
    """The corpus; and for the targets that read programs, every program under tests/ and examples/."""
    programs = [] if target in ("npy", "plan", "safetensors", "cxx", "core") else [*ROOT.glob("tests/**/*.pto"), *ROOT.glob("examples/*.pto")]
    return sorted(ROOT.glob(f"fuzz/corpus/{target}/*")) + sorted(programs)


def replay(place):
    return total(counted([place / "replay" / source.stem, *inputs_of(source.stem)]) for source in sorted(ROOT.glob("fuzz/*.c")))


def mpi(place):
    """Tables over MPI, where there is an mpirun."""
    if not shutil.which("mpicc") or not shutil.which("mpirun"):
        return Result(0, 0, skipped="there is no mpicc or no mpirun")
    return script("tests/mpi/run.py", "--build", place, "--quick")


def example(place, source):
    expected = source.with_suffix(".expected")
    status, text = call([place / "examples" / source.stem])
    if not expected.exists():
        return Result(0, 1, f"{source.name} has no {expected.name}")
    if status == 0 and text == expected.read_text():
        return Result(1, 0)
    return Result(0, 1, f"{source.name}: exit status {status}, or the output is not {expected.name}:\n{tail(text)}")


def examples(place):
    return total(example(place, source) for source in sorted(ROOT.glob("examples/*.c")))


def meta(place):
    return total(script(path, "--build", place) for path in sorted(ROOT.glob("tests/meta/*.py")))


def cxx(place, *options):
    return total([script("tests/cxx/rewrite.py", "--batch", place / "cxx_batch", *options),
                  script("tests/cxx/run.py", "--cxx", place / "ptog-cxx", *options)])


KINDS = {kind.__name__: kind for kind in (build, unit, threads, arm, replay, mpi, examples, meta, cxx)}


# ---- the order of things ---------------------------------------------------------------------------------------------


def execute(stage, place):
    """What a stage counted; `place` is the folder of its build."""
    words = stage.command.format(build=place, builds=BUILDS).split()
    if words[0].startswith("@"):
        return KINDS[words[0][1:]](place, *words[1:])
    env = dict([words.pop(0).split("=", 1)]) if "=" in words[0] else {}
    return script(*words, **env)


def perform(stage, broken, place=None):
    """Runs one stage and prints its line. `broken`: the build failed."""
    start, spent.seconds = time.monotonic(), 0
    if broken:
        result, line = Result(0, 1), f"not run ({stage.after().name} failed)"
    else:
        result = execute(stage, place or BUILDS / stage.build)
        if not result.passed and not result.failed and not result.skipped:
            result = Result(0, 1, "it tested nothing, and did not say why")
        line = f"{result.passed} passed, {result.failed} failed ({time.monotonic() - start:.1f} s, processor {spent.seconds:.1f} s)"
        line += f", skipped: {result.skipped}" if result.skipped else ""
    details = "\n    " + result.text.replace("\n", "\n    ") if result.failed and result.text else ""
    print(f"{stage.name}: {line}{details}", flush=True)
    return result


def in_tier(tier):
    return [stage for stage in STAGES if TIERS.index(stage.tier) <= TIERS.index(tier)]


def chosen(arguments):
    """The stages that were asked for; with a word, of all tiers."""
    stages = in_tier("all" if arguments.words and not arguments.tier else arguments.tier or "all")
    stages = [stage for stage in stages if not arguments.rest or stage not in in_tier("test")]
    return [stage for stage in stages if not arguments.words or any(word in stage.name for word in arguments.words)]


def run_stages(asked):
    """Runs the stages, and the builds they need, as soon as those are there. Builds that nobody asked for count only if they fail."""
    global build_jobs
    needed = {stage.after() for stage in asked}
    build_jobs = JOBS if len({*asked, *needed} & {*map(Stage.after, STAGES)} - {None}) == 1 else 1
    waiting, running, results = [stage for stage in STAGES if stage in asked or stage in needed], {}, {}
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        while waiting or running:
            ready = [stage for stage in waiting if stage.after() in results or not stage.after()]
            for stage in ready[:JOBS - len(running)]:
                waiting.remove(stage)
                running[pool.submit(perform, stage, stage.after() and results[stage.after()].failed)] = stage
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                results[running.pop(future)] = future.result()
    return total(result for stage, result in results.items() if stage in asked or result.failed)


def use_best_python():
    """Starts again with the python3 that has what the stages import, where this one does not."""
    missing = [name for name in MODULES if importlib.util.find_spec(name) is None]
    if not missing:
        return
    found = subprocess.run([ROOT / "cmake" / "setup.sh", "--check", "test"], stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
    if found and os.path.realpath(found) != os.path.realpath(sys.executable):
        os.execv(found, [found, *sys.argv])
    if "numpy" in missing:
        sys.exit(f"run.py: {sys.executable} has no numpy, and no other python3 was found: 'make test' installs it (as root)")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tier", choices=TIERS)
    parser.add_argument("--rest", action="store_true")
    parser.add_argument("--list", nargs="?", const="all", choices=TIERS)
    parser.add_argument("--build", type=Path)
    parser.add_argument("--stage")
    parser.add_argument("words", nargs="*")
    return parser.parse_args()


def main():
    arguments = parse()
    if arguments.list:
        arguments.tier = arguments.list
        print("\n".join(stage.name for stage in chosen(arguments)))
        return
    use_best_python()
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    if arguments.stage:
        stage = next((stage for stage in STAGES if stage.name == arguments.stage), None)
        sys.exit(perform(stage, False, arguments.build.resolve()).failed > 0 if stage else f"run.py: no stage is called '{arguments.stage}'")
    asked = chosen(arguments)
    if not asked:
        sys.exit("run.py: no stage has such a name; they are: " + "; ".join(stage.name for stage in STAGES))
    everything = run_stages(asked)
    summary = f"{everything.passed} passed, {everything.failed} failed"
    BUILDS.mkdir(parents=True, exist_ok=True)
    (BUILDS / "summary").write_text(summary + "\n")
    print(summary)
    sys.exit(1 if everything.failed or not everything.passed else 0)


if __name__ == "__main__":
    main()
