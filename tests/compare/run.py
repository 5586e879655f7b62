#!/usr/bin/env python3
"""ptog compare against ptog run: every program of tests/pto that runs with data is compared on all targets, and what is said is
held against the bytes that single runs write. Each difference must have its reason.

  run.py [--ptog PATH] [--only GLOB]
"""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "pto")]
import data  # noqa: E402
from checks import Checks, run  # noqa: E402
from directives import read  # noqa: E402

PTO = HERE.parent / "pto"
TARGETS = ["host", "cpu", "a2a3", "a5", "a5-custom", "cpusim"]
KEPT = {"--in", "--set", "--func", "--blocks", "--max-steps"}
MACHINE_ERRORS = re.compile(r"^(order|race|flag|same-pipe|uninit|pad-read|dma|ub|barrier|no-simt|gm-block|tconcat|reduce-unwritten|deadlock|fifo)-?")

RELEASED = {"transfer-shape"}  # warnings of rules after which a release does something else than host

# (file and function, target): a difference that compare does not explain
UNEXPLAINED = {("late_extents.pto few", "a2a3"): "tadds does nothing where the run alone knows that regions differ (target_quirks.def)",
               **{("tmrgsort_rest.pto", target): "behind a merge that ended early dst is undefined: old tmp, where a merge goes through it"
                  for target in ("a2a3", "a5", "a5-custom")},
               ("fifo_faults.pto more_cube", "a5-custom"): "a FIFO in the memory of a core leaves the ring in global memory as it is"}
# ... and one that lies within a tolerance: tdivs in place multiplies by the inverse
TOLERATED = {("elementwise_scalars.pto", "a2a3")}


class Case:
    """One RUN line: what goes in, and what comes out of it."""

    def __init__(self, path, command, prefix):
        function = re.search(r"--func (\S+)", command)
        self.name = path.name
        self.function = f"{path.name} {function[1]}" if function else path.name
        words = command.replace("%s", str(path.relative_to(PTO))).replace("%t", prefix).split()[2:]
        self.file, self.words, self.shapes, self.outs, self.dumps = words[0], [], [], [], []
        for option, value in zip(words[1::2], words[2::2]):
            name, _, rest = value.partition("=")
            if option in KEPT:
                self.words += [option, value]
            elif option == "--out":
                self.outs.append((name, rest))
                self.shapes += ["--out", f"{name}={rest.split(':')[0]}"] if re.match(r"[\dx]+:", rest) else []
            elif option == "--dump":
                self.dumps.append(name)


def bytes_of(ptog, case, target, place):
    """The outputs of a single run by name; None when the target refuses the program."""
    files, words = {}, []
    for name, rest in case.outs:
        files[name] = f"{place}.{target}.{name}.npy"
        words += ["--out", f"{name}={rest.split(':')[0] + ':' if ':' in rest else ''}{files[name]}"]
    for name in case.dumps:
        files[name] = f"{place}.{target}.{name}.npy"
        words += ["--dump", f"{name}={files[name]}"]
    done = run([ptog, "run", case.file, "--target", target, *case.words, *words], cwd=PTO)
    if done.returncode == 2:
        return done.stderr
    found = {name: Path(path).read_bytes() if os.path.exists(path) else None for name, path in files.items()}
    return None if files and None in found.values() else found


def result_problems(case, result, mine, base, names, base_ids):
    outcome = result["outcome"]
    ids = {d["id"] for d in result["diagnostics"] if d["severity"] == "error"}
    if names and (outcome == "refused") != (mine is None):
        yield f"{result['target']}: {outcome}, and ptog run " + ("refuses it" if mine is None else "runs it")
    elif outcome in ("equal", "differs") and base is not None:
        other = [name for name in names if mine[name] != base[name]]
        if outcome == "equal" and other and "tolerance" not in result:
            yield f"{result['target']}: equal, and {other} differ"
        if outcome == "differs" and not other and result["output"] in names:
            yield f"{result['target']}: differs in {result['output']}, and ptog run writes the same"
    if ("tolerance" in result) != ((case.function, result["target"]) in TOLERATED):
        yield f"{result['target']}: {outcome}, and the tolerance is another than in TOLERATED: {result}"
    stopped = any(d["id"].startswith("limit-") for d in result["diagnostics"])  # a note: there is no verdict
    if outcome == "refused" and not ids and not stopped:
        yield f"{result['target']}: refused without a reason"
    warned = {d["id"] for d in result["diagnostics"] if d["severity"] == "warning"}
    explained = result["errata"] or warned & RELEASED or any(MACHINE_ERRORS.match(name) for name in ids | base_ids)
    if (case.function, result["target"]) in UNEXPLAINED:
        if outcome != "differs" or explained:
            yield f"{result['target']}: {outcome}, or explained, against UNEXPLAINED: {result}"
    elif outcome == "differs" and not explained:
        yield f"{result['target']}: differs without a reason: {result}"
    if outcome == "differs" and "lane" in result and result["baseline_lane_value"] == result["lane_value"]:
        yield f"{result['target']}: a lane that is equal: {result}"


def judge(ptog, path, command, prefix):
    case = Case(path, command, prefix)
    done = run([ptog, "compare", case.file, *case.words, *case.shapes, "--targets", ",".join(TARGETS), "--format", "json"],
               cwd=PTO)
    if done.returncode == 2:
        return [f"exit 2: {done.stderr}"] if not re.search("is not (given|bound)", done.stderr) else []
    try:
        results = json.loads(done.stdout)["targets"]
    except ValueError as error:
        return [f"not JSON: {error}: {done.stdout[:300]}"]
    bad = any(r["outcome"] in ("differs", "refused") for r in results)
    found = [f"exit {done.returncode}"] if done.returncode != int(bad) else []
    single = {target: bytes_of(ptog, case, target, f"{prefix}.{abs(hash(command))}") for target in TARGETS}
    if any(isinstance(value, str) for value in single.values()):
        return found  # a tile to dump that is only there on some
    base = next((single[r["target"]] for r in results if r["outcome"] == "baseline"), None)
    base_ids = {d["id"] for r in results if r["outcome"] == "baseline" for d in r["diagnostics"] if d["severity"] == "error"}
    names = [name for name, _ in case.outs] or case.dumps
    return found + [p for r in results for p in result_problems(case, r, single[r["target"]], base, names, base_ids)]


def cases(place, only):
    for number, path in enumerate(sorted(PTO.rglob("*.pto"))):
        if not fnmatch.fnmatch(str(path.relative_to(PTO)), only):
            continue
        test = read(path.read_text(encoding="utf-8", errors="surrogateescape"))
        prefix = os.path.join(place, str(number))
        seen = set()
        for name, words in test.data:
            data.save(f"{prefix}.{name}" + ("" if name.endswith(".bin") else ".npy"), data.make(words))
        for line in test.runs:
            command = re.sub(r" --(target|schedule|launch|dyn-ub) \S+| --(no-sanitize|stats|ub-map)", "", line.command)
            if (command.startswith("ptog run %s ") and line.status != 2 and command not in seen
                    and not re.search(r"[|<>;&]|--format|--inout", command)):
                seen.add(command)
                yield path, command, prefix


def main():
    parser = argparse.ArgumentParser(description="Holds ptog compare against ptog run.")
    parser.add_argument("--ptog", default=str(HERE.parent.parent / "build" / "ptog"))
    parser.add_argument("--only", default="*")
    options = parser.parse_args()
    ptog, checks = os.path.abspath(options.ptog), Checks("compare")
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(2) as pool:
        work = list(cases(place, options.only))
        jobs = [pool.submit(judge, ptog, path, command, f"{prefix}") for path, command, prefix in work]
        for (path, command, _), job in zip(work, jobs):
            checks.check(f"{path.name}: {command}", job.result())
    checks.finish()


if __name__ == "__main__":
    main()
