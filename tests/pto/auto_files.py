"""The .pto files of this folder through --print-placement and --apply-fix: auto.py runs this.

A clean run on a machine must print a program that is as clean, to the same data; without any one of the pairs and barriers
that were put in, it must not be, and the fix of every race must mend it, as all of them together mend all. A run in which all errors are races, or flags
set twice for want of the same order, must become clean when they are repaired."""
import concurrent.futures
import json
import os
import re
import tempfile
from collections import Counter
from pathlib import Path

import data
from directives import read
from edits import Text, of_sarif, of_step
from shell import HERE, JOBS, Failure, Shell

RACES = {"race-raw", "race-war", "race-waw", "same-pipe-hazard"}
MENDED = RACES | {"flag-double-set"}
ORDER = RACES | {"flag-double-set", "flag-id-clash", "flag-left-set", "flag-never-set"}
MACHINE = re.compile(r"^ptog run %s (?!.*--print-placement)(?!.*--apply-fix).*--target (a2a3|a5-custom|a5)\b")
SYNC = re.compile(r"^ *(?:pto\.set_flag\[.*\n *pto\.wait_flag\[.*|pto\.barrier <PIPE_.*)$", re.MULTILINE)
NOTHING = "pto.barrier <PIPE_M>"  # order of its own, so that nothing is put in, and no effect


def call(shell, command, path, status=0):
    got, stdout, stderr = shell.call(command.replace("%s", path, 1))
    if got != status:
        raise Failure(f"{shell.expand(command)}\n{path}: exit status {got}, expected {status}\n{stdout}{stderr}")
    return stdout


def check_data(run, shell, arrays):
    for name, expression in run.expects:
        wrong = data.compare(expression, arrays, f"{shell.prefix}.{name}" + ("" if name.endswith(".bin") else ".npy"))
        if wrong:
            raise Failure(f"expected {name} = {expression}\n{wrong}")


def errors_of(said):
    return [(diag["id"], *sorted(place["line"] for place in diag.get("related", []))) for diag in said["diagnostics"]
            if diag["severity"] == "error"]


def apply(text, fix):
    """The text with the edits of a fix."""
    before = Text(text)
    return before.applied([edit for step in fix for edit in of_step(before, step)])


def apply_sarif(text, fixes):
    """The same with those of a SARIF log."""
    before = Text(text)
    return before.applied(of_sarif(before, fixes))


def check_fixes(run, shell, text, counts):
    """Each race's own fix makes it go away, and brings nothing new."""
    wrong, mended = f"{shell.prefix}.wrong.pto", f"{shell.prefix}.mended.pto"
    Path(wrong).write_text(text)
    said = json.loads(call(shell, run.command + " --format json", wrong, 1))
    sarif = json.loads(call(shell, run.command + " --format sarif", wrong, 1))["runs"][0]["results"]
    once = {json.dumps(diag, sort_keys=True): diag for diag in said["diagnostics"]}  # SARIF has what is alike once
    for diag, result in zip(once.values(), sarif):
        if diag["id"] not in RACES or all(step["kind"] == "words" for step in diag.get("fix", ())):
            continue  # races between cores have words only
        Path(mended).write_text(apply(text, diag["fix"]))
        if apply_sarif(text, result["fixes"]) != apply(text, diag["fix"]):
            raise Failure(f"SARIF edits otherwise: {result['fixes']} for {diag['fix']} in\n{text}")
        _, stdout, stderr = shell.call(run.command.replace("%s", mended, 1) + " --format json")
        if len(errors_of(json.loads(stdout))) >= len(errors_of(said)):
            raise Failure(f"{diag['id']} at line {diag['line']} is still there after {diag['fix']} in\n{text}\n{stderr}")
        counts["fixes"] += 1


def check_together(run, shell, text, counts):
    """Who follows the fixes of all races at once has a clean program: places that differ have flags of their own."""
    wrong, mended = f"{shell.prefix}.wrong.pto", f"{shell.prefix}.mended.pto"
    Path(wrong).write_text(text)
    said = [diag for diag in json.loads(call(shell, run.command + " --format json", wrong, 1))["diagnostics"]
            if diag["severity"] == "error"]
    if len(said) < 2 or any(diag["id"] not in RACES or not diag.get("fix") for diag in said):
        return
    steps = {json.dumps(step, sort_keys=True): step for diag in said for step in diag["fix"]}
    Path(mended).write_text(apply(text, steps.values()))
    _, stdout, stderr = shell.call(run.command.replace("%s", mended, 1) + " --format json")
    if errors_of(json.loads(stdout)):
        raise Failure(f"all fixes together leave errors: {list(steps.values())} in\n{text}\n{stderr}")
    check_suggestion(run, shell, wrong, len({json.dumps(diag["fix"], sort_keys=True) for diag in said}))
    counts["together"] += 1


def check_suggestion(run, shell, wrong, changes):
    """The last line of the report says how many changes fix the errors, and the command it names does that."""
    _, _, stderr = shell.call(run.command.replace("%s", wrong, 1))
    fix = "1 change fixes" if changes == 1 else f"{changes} changes fix"
    if not re.search(rf"^ptog run: {fix} (the error|both errors|all \d+ errors): ptog run .* --apply-fix -o FIXED$", stderr, re.M):
        raise Failure(f"expected '{fix} ...', found:\n{stderr}")
    call(shell, f"{run.command} --apply-fix -o {shell.prefix}.suggested.pto", wrong)


def complete(run, shell, arrays, counts):
    printed = f"{shell.prefix}.auto.pto"
    call(shell, f"{run.command} --print-placement -o {printed}", "%s")
    call(shell, run.command, printed)
    check_data(run, shell, arrays)
    counts["completed"] += 1
    text = Path(printed).read_text()
    if SYNC.search((HERE / shell.path).read_text()) or "event[" in text or "_flag" in (HERE / shell.path).read_text():
        return
    for found in SYNC.finditer(text):
        less = f"{shell.prefix}.less.pto"
        Path(less).write_text(text[:found.start()] + NOTHING + text[found.end():])
        said = json.loads(call(shell, run.command + " --format json", less, 1))
        if not {diag["id"] for diag in said["diagnostics"]} & ORDER:
            raise Failure(f"not needed: {found[0]} in\n{text}")
        check_fixes(run, shell, Path(less).read_text(), counts)
        check_together(run, shell, Path(less).read_text(), counts)
        counts["removals"] += 1


def repair(run, shell, counts):
    repaired = f"{shell.prefix}.repaired.pto"
    check_fixes(run, shell, (HERE / shell.path).read_text(), counts)
    check_together(run, shell, (HERE / shell.path).read_text(), counts)
    call(shell, f"{run.command} --apply-fix -o {repaired}", "%s")
    call(shell, run.command, repaired)
    outputs = [Path(shell.expand(path)) for path in re.findall(r"--out \S+:(\S+)", run.command)]
    got = [path.read_bytes() for path in outputs]
    call(shell, MACHINE.sub(lambda found: found[0].removesuffix(found[1]) + "host", run.command), repaired)
    if got != [path.read_bytes() for path in outputs]:
        raise Failure(f"{run.command}: repaired, it leaves other bytes than on host")
    counts["repairs"] += 1


def run_file(path, ptog, place):
    counts = Counter()
    test = read(path.read_text(encoding="utf-8", errors="surrogateescape"))
    prefix = os.path.join(place, str(path.relative_to(HERE)).replace("/", "_").removesuffix(".pto"))
    shell, arrays = Shell(ptog, str(path.relative_to(HERE)), prefix), {}
    for name, words in test.data:
        arrays[name.removesuffix(".bin")] = data.make(words)
        data.save(f"{prefix}.{name}" + ("" if name.endswith(".bin") else ".npy"), arrays[name.removesuffix(".bin")])
    for run in test.runs:
        errors = {diag[1] for diag in run.diags if diag[0] == "error"}
        try:
            if "text-no-coalesce" in {diag[1] for diag in run.diags}:
                continue  # the printed program says its types, and then compilers want the mode as well
            if MACHINE.search(run.command) and "|" not in run.command and run.status == 0 and not errors:
                complete(run, shell, arrays, counts)
            elif MACHINE.search(run.command) and errors & RACES and errors <= MENDED and not run.help:  # HELP: words, no edit
                repair(run, shell, counts)
        except Failure as failure:
            print(f"FAILED {path.relative_to(HERE)}\n{failure}")
            counts["failed"] += 1
    counts["passed"] = counts["completed"] + counts["repairs"]
    return counts


def run_all(ptog, step):
    files = sorted(HERE.rglob("*.pto"))[::step]
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        return sum(pool.map(lambda path: run_file(path, os.path.abspath(ptog), place), files), Counter())
