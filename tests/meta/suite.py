"""The test suite itself: its tiers, its stages as CTest tests, what .ci/run adds up, and no limit that a busy machine can reach.

usage: suite.py --build DIR     a build of this project, with tests
"""

import argparse
import contextlib
import importlib.util
import io
import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, limited, run  # noqa: E402

DRIVER = ROOT / "tests" / "run.py"


def driver():
    spec = importlib.util.spec_from_file_location("driver", DRIVER)
    module = importlib.util.module_from_spec(spec)
    sys.modules["driver"] = module
    spec.loader.exec_module(module)
    return module


def listed(*words):
    return run([sys.executable, DRIVER, *words]).stdout.splitlines()


def tier_problems(stages):
    """Each tier contains the one before, `all` is every stage, and what is left after `test` is the rest of it."""
    check, test, everything = (listed("--list", tier) for tier in ("check", "test", "all"))
    found = [] if set(check) < set(test) < set(everything) else ["check, test and all do not contain each other"]
    found += [] if everything == [stage.name for stage in stages] == listed("--list") else ["--list all is not every stage"]
    rest = listed("--list", "--rest")
    found += [] if sorted(test + rest) == sorted(everything) else ["test and the rest are not all"]
    found += [f"{name} is not in `make test`" for name in ("gcc build", "unit tests", "conformance", "programs", "command line",
                                                           "sanitizer build") if name not in test]
    return found + [f"{stage.name} of tier {stage.tier} needs {stage.after().name} of {stage.after().tier}" for stage in stages
                    if stage.after() and stage.after().name not in listed("--list", stage.tier)]


def stage_problems(module):
    """Every stage has a script or a function, no name twice, and a build that there is."""
    names = [stage.name for stage in module.STAGES]
    found = [f"{name} is there twice" for name in set(names) if names.count(name) > 1]
    for stage in module.STAGES:
        word = next(word for word in stage.command.split() if "=" not in word)
        known = word[1:] in module.KINDS if word.startswith("@") else (ROOT / word).is_file()
        found += [] if known else [f"{stage.name}: there is no {word}"]
        found += [f"{stage.name}: no build {stage.build}"] if stage.build and not stage.after() else []
    folders = sorted(f"{path.parent.relative_to(ROOT)}/" for path in ROOT.glob("tests/*/run.py"))
    text = (ROOT / "tests" / "stages.txt").read_text() + DRIVER.read_text()
    return found + [f"no stage runs anything of {folder}" for folder in folders if folder not in text]


def silence_problems(module):
    """A stage that tests nothing fails, unless it says why."""
    def outcome(result):
        module.KINDS["fake"] = lambda place: result
        with contextlib.redirect_stdout(io.StringIO()):
            return module.perform(module.Stage("all", "", "fake", "@fake"), False, ROOT)
    found = [] if outcome(module.Result(0, 0)).failed else ["a stage that tests nothing passes"]
    return found + ([] if not outcome(module.Result(0, 0, skipped="no tool")).failed else ["a stage that says why is not let pass"])


def python_problems():
    """Without numpy the Python tests fail, and say which python3 that was."""
    done = run([sys.executable, "-S", "-I", ROOT / "tests" / "python" / "run.py", "--build", ROOT])
    return [] if done.returncode and "numpy" in done.stdout and done.stdout.endswith("python: 0 passed, 1 failed\n") else done.stdout + done.stderr


def ctest_problems(module, build):
    """Every stage and every case of a unit test is a CTest test, and a name finds the cases that it is about."""
    listing = lambda *words: re.findall(r"#\d+: (\S+)", run(["ctest", "--test-dir", build, "-N", *words]).stdout)  # noqa: E731
    wanted = [re.sub("[^A-Za-z0-9]+", "-", stage.name) for stage in module.STAGES
              if stage.build == "gcc" and not stage.command.startswith("@unit")]
    found = [f"CTest does not have {name}" for name in wanted if name not in listing()]
    units = listing("-L", "unit")
    for topic in ("asm_forms", "program_gather", "rules", "tune"):  # quick ones
        text = run([build / "unit" / f"test_{topic}"], env={**os.environ, "CMOCKA_MESSAGE_OUTPUT": "tap"}).stdout
        cases = re.findall(r"^ok \d+ - (\w+)", text, re.M)
        found += [f"{topic} ran no case"] * (not cases)
        found += [f"CTest does not have {topic}.{case}" for case in cases if f"{topic}.{case}" not in units]
    for preset in json.loads((ROOT / "CMakePresets.json").read_text())["testPresets"]:
        name = preset.get("filter", {}).get("include", {}).get("name", ".")
        found += [] if listing("-R", name) else [f"preset {preset['name']}: no test is called {name}"]
    about = listing("-L", "unit", "-R", "mgather")
    return found + ([] if about and all("mgather" in name for name in about) else [f"-R mgather: {about}"])


def limit_problems():
    """Nothing in the tests ends because it took long: only processor time is limited."""
    pattern = re.compile(r"\btimeout=[^N]|TimeoutExpired|--timeout\b")
    return [f"{path.relative_to(ROOT)}:{number}: {line.strip()}" for path in sorted(ROOT.glob("tests/**/*.py")) if path != Path(__file__)
            for number, line in enumerate(path.read_text().splitlines(), 1) if pattern.search(line)]


def hang_problems():
    """The limit on processor time ends what does not end."""
    done = run(limited(1, ["/bin/sh", "-c", "while :; do :; done"]))
    return [] if done.returncode < 0 else f"exit status {done.returncode}"


def check_ci(checks):
    """.ci/run with a make that pretends: its last line is the sum of both parts, and a part that broke counts as a failure."""
    for name, test, rest, last, status in (
            ("both pass", "5 passed, 0 failed", "7 passed, 0 failed", "12 passed, 0 failed", 0),
            ("the first fails", "5 passed, 2 failed", "7 passed, 0 failed", "12 passed, 2 failed", 1),
            ("the second fails", "5 passed, 0 failed", "7 passed, 1 failed", "12 passed, 1 failed", 1),
            ("nothing is built", "", "", "0 passed, 2 failed", 1)):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            (place / ".ci").mkdir()
            shutil.copy(ROOT / ".ci" / "run", place / ".ci" / "run")
            (place / "bin").mkdir()
            (place / "bin" / "make").write_text(f"""#!/bin/sh
mkdir -p build/test
case $2 in test) text='{test}' ;; test-rest) text='{rest}' ;; esac
[ -n "$text" ] || exit 2
echo "$text" | tee build/test/summary
case $text in *" 0 failed") exit 0 ;; *) exit 2 ;; esac
""")
            (place / "bin" / "make").chmod(0o755)
            done = run([place / ".ci" / "run"], env={**os.environ, "PATH": f"{place / 'bin'}:{os.environ['PATH']}"})
            good = done.stdout.splitlines()[-1:] == [last] and bool(done.returncode) == bool(status)
            checks.check(f".ci/run: {name}", [] if good else f"{done.returncode} {done.stdout}{done.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    build, module, checks = parser.parse_args().build.resolve(), driver(), Checks("suite")
    checks.check("tiers", tier_problems(module.STAGES))
    checks.check("stages", stage_problems(module))
    checks.check("stages that test nothing", silence_problems(module))
    checks.check("a python3 without numpy", python_problems())
    checks.check("CTest", ctest_problems(module, build))
    checks.check("no limit on time", limit_problems())
    checks.check("a limit on processor time", hang_problems())
    check_ci(checks)
    checks.finish()


main()
