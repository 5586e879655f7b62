#!/usr/bin/env python3
"""Advice is what the repair does: a wrong program is repaired by following its report, and by --apply-fix, in the same way.

  advice.py --ptog PATH [-v]

Every run in advice/ and machine/, and the wrong kernels of examples/, that report faults of order alone. Of each:

- the first error of the report is the first ERROR line of the file: the cause (advice/ only);
- it has the id and names the operand that FIRST, below, or NAMES in the file says; of a flag, the operand of the work before its set
  or behind its wait, and the flag itself only where there is no such work;
- the edits of the JSON report, applied by their fields, give a program without errors;
- so do the `fixes` of SARIF, applied by their regions: the same text, letter for letter;
- every step stands in the report that people read;
- --apply-fix writes the same text;
- without a target, the command in the last line of the report works as typed, and gives a program that is clean on every
  target that accepts it.

A run with HELP is about data, places or counters between cores, which no edit of flags repairs. Its first finding is that of the file, names what
NAMES says, and has the words of HELP for a fix; no command is suggested, and --apply-fix writes the
program as it was, or nothing.

The last line is "advice: N passed, M failed", counted in programs, of which there must be 30. Exit status: 0 all passed,
1 not, 2 the test could not run.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy  # noqa: F401
except ImportError:
    sys.exit(f"advice.py: needs numpy, and {sys.executable} has none")

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "conform"))
import data  # noqa: E402
from directives import read  # noqa: E402
from edits import Overlap, Text, of_sarif, of_step  # noqa: E402

ENOUGH = 30
KERNELS = HERE.parent.parent / "examples" / "kernels"
OF_ORDER = re.compile(r"race-(raw|war|waw)|scalar-(stale|unflushed)|same-pipe-hazard|order-reversed|flag-(never-set|left-set|double-set|id-clash)")


# Of programs without NAMES: the id of the first error, which is the cause, and what it names.
FIRST = dict(line.split(": ") for line in """\
advice/double_buffer_wrong_id.pto, run 1: flag-never-set tstore of %d1
advice/embedding_wait_late.pto, run 1: race-raw %ids
advice/gate_two_mistakes.pto, run 1: flag-never-set MTE3->V 1
advice/kv_cache_missing_wait.pto, run 1: flag-left-set mgather of %k
advice/loop_reused_buffer.pto, run 1: race-war %t
advice/moe_routing_swapped.pto, run 1: flag-never-set tstore of %x
advice/rope_missing_set.pto, run 1: flag-never-set tmul of %a
advice/softmax_two_mistakes.pto, run 1: flag-never-set texp of %t
advice/store_before_compute.pto, run 1: race-raw %a
advice/topk_wrong_barrier.pto, run 1: same-pipe-hazard %k
machine/compare_own_flags.pto, run 2: flag-id-clash tgather of %d
machine/flag_double_set.pto, run 1: flag-double-set tload of %i
machine/flag_double_set_loop.pto, run 1: flag-double-set tload of %t
machine/flag_id_clash.pto, run 1: flag-id-clash mgather of %d
machine/flag_left_set.pto, run 1: flag-left-set MTE3->MTE2 1
machine/flag_never_set.pto, run 1: flag-never-set mgather of %d
machine/flag_never_set_barrier.pto, run 1: flag-never-set tload of %t
machine/flag_never_set_loop.pto, run 1: flag-never-set mgather of %d
machine/gm_race_raw.pto, run 1: race-raw %mem
machine/gm_race_war.pto, run 1: race-war %mem
machine/gm_race_waw.pto, run 1: race-waw %p
machine/gm_same_pipe.pto, run 1: same-pipe-hazard %out
machine/order_reversed.pto, run 1: order-reversed %i
machine/order_reversed.pto, run 3: order-reversed %d
machine/race_held.pto, run 1: race-war %d
machine/race_held_between.pto, run 1: race-raw %old
machine/race_held_loop.pto, run 1: race-war %t
machine/race_one_element.pto, run 1: race-raw %d
machine/race_over_lines.pto, run 1: race-raw %o
machine/race_raw_a5_store.pto, run 1: race-raw %d
machine/race_raw_loop.pto, run 1: race-war %i
machine/race_raw_row.pto, run 1: race-raw %i
machine/race_raw_vec.pto, run 1: race-raw %i
machine/race_scalar_store.pto, run 1: race-raw %view
machine/race_war.pto, run 1: race-war %i
machine/race_waw.pto, run 1: race-waw %d
machine/race_waw_self.pto, run 1: race-waw %d
machine/reduce_own_flags.pto, run 3: race-raw %d
machine/reduce_own_flags.pto, run 4: race-raw %d
machine/same_pipe_hazard.pto, run 1: same-pipe-hazard %d
machine/same_pipe_vector.pto, run 1: same-pipe-hazard %b
machine/scatter_after_store.pto, run 1: same-pipe-hazard %table
machine/scatter_conflict.pto, run 1: scatter-conflict %src
machine/scatter_conflict_clamp.pto, run 1: scatter-conflict %src
machine/scatter_not_atomic.pto, run 1: scatter-not-atomic %table
machine/schedules.pto, run 1: race-raw %i
machine/schedules.pto, run 2: race-raw %i
machine/single_elements.pto, run 1: race-raw %a
machine/tconcat_split.pto, run 1: race-raw %z
machine/tdivs_integers.pto, run 1: race-raw %y
machine/tfillpad_bytes.pto, run 1: race-raw %z
machine/cube_races.pto, run 2: race-raw %m
machine/cube_races.pto, run 3: race-raw %l
machine/cube_races.pto, run 4: race-raw %c
machine/cube_races.pto, run 5: race-war %l
machine/cube_races.pto, run 6: race-war %c
machine/fifo_local.pto, run 7: race-raw %t
machine/mgather_l1.pto, run 1: race-raw %a
machine/mgather_l1.pto, run 2: race-war %s
machine/gatherb_misaligned.pto, run 1: gatherb-misaligned %off
machine/gatherb_overrun.pto, run 1: tile-overrun %dst
machine/merge_unsorted.pto, run 1: sort-unsorted %b
machine/tile_scatter_conflict.pto, run 1: scatter-conflict %src
machine/tile_scatter_outside.pto, run 1: ub-outside-tile %dst
embedding/wrong.pto on a5: race-raw %pos1
softmax/wrong.pto on a2a3: race-war %row0
softmax/wrong.pto on a5: race-war %row0
topk/wrong.pto on a2a3: same-pipe-hazard %p
kvcache/wrong.pto on a5: race-war %idx0
matmul/wrong.pto on a2a3: race-war %acc
matmul/wrong.pto on a5: race-war %acc
projection/wrong.pto on a2a3: race-raw %rp0
projection/wrong.pto on a5: race-raw %rp0
attention/wrong.pto on a2a3: race-raw %sv
attention/wrong.pto on a5: race-raw %sv
""".splitlines())

# The wrong kernels of both cores, and what helps: a counter, which no edit of flags adds.
HELP = {"projection": "after the first, set a counter on pipe MTE3 (pto.sync.set), and wait for it before the second (pto.sync.wait)",
        "attention": "on the vector cores, wait for counter 1 before tload (pto.sync.wait)"}


class Wrong(Exception):
    """What a program does not do."""


# ---- one program ----

COMMAND = re.compile(r"^ptog run: .*: (ptog run .* --apply-fix -o )FIXED$", re.MULTILINE)


class Program:
    def __init__(self, ptog, name, path, command, place, first=None, names=None, help=None):
        self.ptog, self.name, self.path, self.command, self.place, self.first = ptog, name, path, command, place, first
        self.names, self.help = names, help

    def run(self, path, *more):
        return self.shell(self.command.replace("%s", str(path)) + " " + " ".join(more))

    def shell(self, words):
        return subprocess.run(["/bin/sh", "-c", 'ptog() { "$PTOG" "$@"; }\n' + words], capture_output=True, text=True, cwd=HERE,
                              env={**os.environ, "PTOG": self.ptog, "LC_ALL": "C.UTF-8"})

    def found(self, path, *severities):
        found = self.run(path, "--format json")
        try:
            return [diag for diag in json.loads(found.stdout)["diagnostics"] if diag["severity"] in severities]
        except (ValueError, KeyError):
            raise Wrong(f"there is no report:\n{found.stdout}{found.stderr}") from None

    def errors(self, path):
        return self.found(path, "error")

    def is_wrong(self):
        """Does it have faults of order and no others? Or is it said what helps?"""
        errors = self.errors(self.path)
        return self.help is not None or (bool(errors) and all(OF_ORDER.fullmatch(diag["id"]) for diag in errors))

    def check_first(self, first):
        """The first finding is the cause, and named as the text names it."""
        if self.first and (first["id"], first["line"], first["column"]) != self.first:
            raise Wrong(f"the first finding is {first['id']} at line {first['line']}")
        cause, names = FIRST[self.name].split(" ", 1) if self.name in FIRST else (first["id"], self.names)
        if not names:
            raise Wrong("NAMES in the file, or FIRST here, has to say what the first error names")
        if first["id"] != cause or not re.search(re.escape(names) + r"\b", first["message"]):
            raise Wrong(f"{cause} and {names} were expected: {first['id']}: {first['message']}")

    def check_help(self):
        first = self.found(self.path, "error", "warning")[0]
        self.check_first(first)
        steps = [step["text"] for step in first["fix"]]
        if self.help not in steps:
            raise Wrong(f"its fix is {steps}")
        shown = self.run(self.path)
        if COMMAND.search(shown.stderr):
            raise Wrong(f"a repair is suggested:\n{shown.stderr}")
        fixed = self.place / "fixed.pto"
        fixed.unlink(missing_ok=True)
        self.run(self.path, f"--apply-fix -o {fixed}")
        if fixed.exists() and fixed.read_text() != self.path.read_text():
            raise Wrong(f"--apply-fix writes\n{fixed.read_text()}")

    def check_command(self):
        """The last line of a report without a target is a command."""
        fixed, command = self.place / "suggested.pto", re.sub(r" --target \w+", "", self.command).replace("%s", str(self.path))
        shown = self.shell(command).stderr
        suggested = COMMAND.search(shown)
        if not suggested:
            raise Wrong(f"no command is suggested:\n{shown}")
        fixed.unlink(missing_ok=True)
        done = self.shell(suggested[1] + str(fixed))
        if done.returncode != 0 or not fixed.exists():
            raise Wrong(f"{suggested[0]}: exit status {done.returncode}\n{done.stderr}")
        again = self.shell(command.replace(str(self.path), str(fixed)))
        if again.returncode != 0:
            raise Wrong(f"{suggested[0]} leaves\n{again.stderr}")

    def check_clean(self, how, text):
        path = self.place / "followed.pto"
        path.write_text(text)
        left = self.errors(path)
        if left:
            raise Wrong(f"{how}: {[(diag['id'], diag['line']) for diag in left]} is left in\n{text}")

    def judge(self):
        """Raises Wrong."""
        if self.help:
            self.check_help()
            return
        errors, text = self.errors(self.path), Text(self.path.read_text())
        self.check_first(errors[0])
        self.check_command()
        fixed = self.place / "fixed.pto"
        fixed.unlink(missing_ok=True)
        repair = self.run(self.path, f"--apply-fix -o {fixed}")
        if not fixed.exists():
            raise Wrong(f"not repaired: {repair.stderr}")
        steps = [step for diag in errors for step in diag["fix"]]
        followed = text.applied([edit for step in steps for edit in of_step(text, step)])
        self.check_clean("following the report", followed)
        sarif = json.loads(self.run(self.path, "--format sarif").stdout)
        errors = [result for result in sarif["runs"][0]["results"] if result["level"] == "error"]
        if text.applied([edit for result in errors for edit in of_sarif(text, result.get("fixes", []))]) != followed:
            raise Wrong("SARIF has other edits than JSON")
        shown = self.run(self.path)
        missing = [step["text"] for step in steps if step["text"] not in shown.stdout + shown.stderr]
        if missing:
            raise Wrong(f"not shown: {missing}")
        if fixed.read_text() != followed:
            raise Wrong(f"--apply-fix writes\n{fixed.read_text()}\nand following the report gives\n{followed}")


# ---- all programs ----

def of_files(ptog, place):
    for path in [*sorted((HERE / "advice").glob("*.pto")), *sorted((HERE / "machine").glob("*.pto"))]:
        test = read(path.read_text())
        prefix = place / path.stem
        for name, words in test.data:
            data.save(f"{prefix}.{name}" + ("" if name.endswith(".bin") else ".npy"), data.make(words))
        for number, run in enumerate(test.runs, 1):
            wrong = [diag for diag in run.diags if diag[0] == "error" or run.help]
            if not wrong or not re.search(r"ptog run .*--target (a2a3|a5)\b", run.command):
                continue
            first = wrong[0][1:] if path.parent.name == "advice" else None
            yield Program(ptog, f"{path.parent.name}/{path.name}, run {number}", path, run.command.replace("%t", str(prefix)), place,
                          first, run.names, run.help)


def of_kernels(ptog, place):
    for path in sorted(KERNELS.glob("*/wrong.pto")):
        for target in ("a2a3", "a5"):
            yield Program(ptog, f"{path.parent.name}/{path.name} on {target}", path, f"ptog run %s --target {target}", place,
                          help=HELP.get(path.parent.name))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--ptog", required=True)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        place, ptog = Path(folder), os.path.abspath(options.ptog)
        for program in [*of_files(ptog, place), *of_kernels(ptog, place)]:
            try:
                wrong = program.is_wrong()
                if wrong:
                    program.judge()
                passed += wrong
                if options.verbose:
                    print("passed" if wrong else "no fault of order alone:", program.name)
            except (Wrong, Overlap) as wrong:
                failed += 1
                print(f"FAILED {program.name}: {wrong}")
    if passed + failed < ENOUGH:
        failed += 1
        print(f"{ENOUGH} programs are wanted")
    print(f"advice: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
