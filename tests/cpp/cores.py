"""Kernels of both kinds of core, compiled with ptog-cxx: what they compute, and what is said of wrong ones."""

import re
import sys

import numpy as np

from checks import ROOT, run
from tools import HERE, at_once, ids

sys.path.append(str(ROOT / "examples" / "kernels"))
import data  # noqa: E402

PLACE = HERE / "cores"
RIGHT = "constructed 1\nwrong 0\n"


def build(cxx, name, *words, sources=("main.cpp",)):
    """(the program or None, what ptog-cxx said)"""
    out = cxx.work / name
    done = run([cxx.build / "ptog-cxx", "-O1", "-Wall", "-Wextra", *words, *sources, "-o", out], cwd=PLACE)
    return (out if done.returncode == 0 else None), done.stderr


def check_program(checks, cxx, name, words, wanted_ids, wanted_text, sources=("main.cpp",), printed=None, **env):
    """A program has exactly these errors and warnings, and its report has these pieces of text."""
    tag = "cores-" + "".join(c if c.isalnum() else "-" for c in name)
    program, said = build(cxx, tag, *words, sources=sources)
    if not program:
        checks.check(f"cores: {name}", said)
        return
    status, found, output = cxx.report(program, tag=tag, **env)
    problems = [] if ids(found) == list(wanted_ids) else [f"found {ids(found)}, expected {wanted_ids}"]
    problems += [] if status == (1 if any(d["severity"] == "error" for d in found) else 0) else [f"exit status {status}"]
    problems += [] if printed is None or output.startswith(printed) else [f"printed {output!r}"]
    everything = str(found)
    problems += [f"{text!r} is not in {everything}" for text in wanted_text if text not in everything]
    checks.check(f"cores: {name}", problems)


def right(checks, cxx):
    cases = [(f"{target}, {compiler}", [f"--target={target}", f"--compiler={compiler}", *more], {})
             for target in ("a2a3", "a5", "host") for compiler, more in (("g++", []), ("clang++", ["-O2"]))]
    cases += [("8 slots", ["--target=a2a3", "-DSLOTS=8", "-DTILES=20"], {}), ("1 slot", ["--target=a2a3", "-DSLOTS=1"], {}),
              ("8 slots on a5", ["--target=a5", "-DSLOTS=8", "-DTILES=20"], {}), ("no debug, static", ["--target=a2a3", "-static"], {}),
              ("without rtti", ["--target=a2a3", "-fno-rtti"], {}), ("position independent", ["--target=a5", "-fPIC", "-O3", "-g"], {}),
              ("address sanitizer", ["--target=a2a3", "-fsanitize=address,undefined", "-g"], {})]
    cases += [(f"schedule {schedule}", ["--target=a2a3"], {"PTOG_SCHEDULE": schedule}) for schedule in ("slow", "fast", "random:3")]
    at_once(lambda case: check_program(checks, cxx, case[0], case[1], [], [], printed=RIGHT, **case[2]), cases)
    check_program(checks, cxx, "two sources", ["--target=a2a3", "-DSECOND_FILE"], [], [], sources=("main.cpp", "second.cpp"), printed=RIGHT)
    check_program(checks, cxx, "an exception of the cube core", ["--target=a2a3", "-DTHROWS"], [], [], printed="constructed 1\ncaught 7\nwrong 0\n")


def waits(checks, cxx):
    """SYNCALL between blocks, and the flags of single vector cores."""
    lines = (PLACE / "syncall.cpp").read_text().split("\n")
    meeting = str(1 + next(i for i, line in enumerate(lines) if "SYNCALL();" in line))
    for target in ("a2a3", "a5", "host"):
        check_program(checks, cxx, f"syncall on {target}", [f"--target={target}"], [], [], sources=("syncall.cpp",), printed="wrong 0\n")
    check_program(checks, cxx, "no syncall", ["--target=a2a3"], ["race-raw"], ["of block 1", "of block 0"], sources=("syncall.cpp",),
                  PTOG_DROP_FLAGS=meeting)
    for target in ("a5", "host"):
        check_program(checks, cxx, f"flags on {target}", [f"--target={target}"], [], [], sources=("flags.cpp",), printed="wrong 0\n")
    check_program(checks, cxx, "one flag only", ["--target=a5", "-DONLY_ONE"], ["deadlock"],
                  ["vector core 1 waits for flag 3 of the cube core"], sources=("flags.cpp",))
    check_program(checks, cxx, "one vector core", ["--target=a5", "-DONLY_ONE"], [], [], sources=("flags.cpp",), printed="wrong 8\n", PTOG_SUBBLOCKS="1")


def apart(checks, cxx):
    """Objects that are made one by one, with rules of dependencies, and linked by the compiler alone; and as a shared library."""
    objects = []
    for source in ("main", "second"):
        out = cxx.work / f"apart-{source}.o"
        done = run([cxx.build / "ptog-cxx", "--target=a5", "-DSECOND_FILE", "-fPIC", "-MMD", "-c", f"{source}.cpp", "-o", out], cwd=PLACE)
        rules = out.with_suffix(".d")
        text = rules.read_text() if rules.exists() else ""
        good = done.returncode == 0 and out.exists() and text.startswith(f"{out}:") and "kernel.hpp" in text and "/tmp/ptog-cxx" not in text
        checks.check(f"cores: {source}.o", [] if good else f"{done.stderr}{text}")
        objects.append(out)
    for more in ([], ["-o", cxx.work / "main.ii"]):
        done = run([cxx.build / "ptog-cxx", "--target=a5", "-E", "main.cpp", *more], cwd=PLACE)
        text = (cxx.work / "main.ii").read_text() if more else done.stdout
        halves = [text.count(f"constexpr bool DAV_{core} = true") for core in ("VEC", "CUBE")]
        checks.check(f"cores: -E shows both halves{', to a file' if more else ''}", [] if halves == [1, 1] else f"{halves} {done.stderr}")
    program = cxx.work / "apart"
    done = run(["g++", *objects, "-o", program, *cxx.linking])
    checks.check("cores: linked by g++", done.stderr if done.returncode else [])
    if done.returncode == 0:
        done = run([program])
        checks.check("cores: what g++ linked runs", [] if done.stdout == RIGHT and done.returncode == 0 else f"{done.stdout}{done.stderr}")


def wrong(checks, cxx):
    cases = [
        ("a flag is missing before a push", ["--target=a2a3", "-DNO_FIX"], ["race-raw"], ["tpush_to_aiv", "set_flag(PIPE_M, PIPE_FIX"]),
        ("a pop is missing", ["--target=a2a3", "-DPOPS=5"], ["fifo-mismatch"], ["is pushed here, but never popped"]),
        ("a push is missing", ["--target=a2a3", "-DTILES=6", "-DPOPS=7"], ["deadlock"], ["vector core 0 waits for", "FIFO 0"]),
        ("entries are not freed", ["--target=a5", "-DNO_FREE"], ["deadlock"], ["the cube core waits for"]),
        ("an entry is freed too early", ["--target=a5", "-DEARLY_FREE"], ["fifo-unfreed"], ["is read after its slot of FIFO 0 was given back"]),
        ("slots are overrun", ["--target=a2a3", "-DSLOTS=5", "-DTILES=12"], ["fifo-overrun"], ["tpop", "tpush"]),
        ("waits are crossed", ["--target=a2a3", "-DCROSSED"], ["deadlock"],
         ["the cube core waits for counter 8", "vector core 0 waits for counter 9", "vector core 1 waits for counter 9"]),
        ("one vector core only", ["--target=a5", "-DCROSSED"], ["deadlock"], ["vector core 0 waits for counter 9"]),
    ]
    at_once(lambda case: check_program(checks, cxx, *case), cases)


def mutants(checks, cxx):
    """Each call of the example kernels that sets or waits for a flag or a counter, left out: an error or a warning."""
    for name in ("projection", "attention"):
        source, place = ROOT / "examples" / "kernels" / name / "kernel.cpp", cxx.work / f"mutants-{name}"
        place.mkdir()
        for key, array in data.make(name)[0].items():
            np.save(place / f"{key}.npy", array)
        text = re.sub(r"#ifdef WRONG\n.*?#(else|endif)", lambda part: "\n" * part.group().count("\n"), source.read_text(), flags=re.S)
        lines = [i for i, line in enumerate(text.split("\n"), 1)
                 if re.match(r"\s*(set_flag|wait_flag|wait_flag_dev|ffts_cross_core_sync)\(", line)]
        for target in ("a2a3", "a5"):
            program = cxx.work / f"mutants-{name}-{target}"
            done = run([cxx.build / "ptog-cxx", f"--target={target}", "-O1", source, "-o", program])
            found = at_once(lambda line: (line, cxx.report(program, place, place, tag=f"-{line}", PTOG_DROP_FLAGS=str(line))),
                            lines if done.returncode == 0 else [])
            missed = [line for line, (status, diagnostics, said) in found if not ids(diagnostics)]
            checks.check(f"cores: {len(found)} mutants of {name} on {target}", missed if found else done.stderr)


def check(checks, cxx):
    mutants(checks, cxx)
    right(checks, cxx)
    waits(checks, cxx)
    apart(checks, cxx)
    wrong(checks, cxx)
