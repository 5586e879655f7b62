"""The command as WebAssembly, which the playground runs: for every program of tests/pto it gives the JSON that the command gives.

usage: run.py --ptog BUILD/ptog --out DIR [--wasm FILE]     DIR: where ptog.wasm is built; kept for the next time

Skipped where clang, lld and wasi-libc, or Node.js, are not installed: 'make playground' installs them.
"""

import argparse
import base64
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from checks import ROOT, Checks  # noqa: E402
sys.path.insert(0, str(ROOT / "playground"))
from make import build_wasm  # noqa: E402

# The commands that are compared, with their options.
COMMANDS = {"check": ["--format", "json"], "run": ["--format", "json", "--stats"]}


def missing():
    """What is needed and not there."""
    found = subprocess.run([ROOT / "cmake" / "setup.sh", "--check", "wasm"], capture_output=True, text=True)
    return found.stderr.split("\n")[0] if found.returncode else ""


def native(ptog, args, cwd):
    done = subprocess.run([ptog, *args], cwd=cwd, capture_output=True)
    return {"status": done.returncode, "stdout": done.stdout.decode(errors="replace"), "stderr": done.stderr.decode(errors="replace")}


def as_wasm(wasm, jobs):
    """The results of jobs, (arguments, files) each, in order."""
    lines = [json.dumps({"args": args, "files": {name: base64.b64encode(path.read_bytes()).decode() for name, path in files.items()}})
             for args, files in jobs]
    done = subprocess.run(["node", HERE / "batch.mjs", wasm], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def first_difference(ours, wanted):
    if "trap" in ours:
        return f"trapped: {ours['trap']}"
    for key in ("status", "stdout", "stderr"):
        if ours[key] != wanted[key]:
            a, b = str(wanted[key]).splitlines(), str(ours[key]).splitlines()
            at = next((i for i, pair in enumerate(zip(a, b)) if pair[0] != pair[1]), min(len(a), len(b)))
            return f"{key}, line {at + 1}:\n  command     {''.join(a[at:at + 1])[:300]}\n  WebAssembly {''.join(b[at:at + 1])[:300]}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--wasm", type=Path)
    arguments = parser.parse_args()
    why = missing()
    if why:
        print(f"wasm: skipped: {why.removeprefix('setup: ')}")
        return
    wasm = (arguments.wasm or build_wasm(arguments.out)).resolve()
    ptog = arguments.ptog.resolve()
    checks = Checks("wasm")
    files = sorted((ROOT / "tests" / "pto").rglob("*.pto"))
    checks.check("there are programs", [] if len(files) > 500 else f"only {len(files)}")
    for command, options in COMMANDS.items():
        jobs = [([command, path.name, *options], {path.name: path}) for path in files]
        halves = [jobs[0::2], jobs[1::2]]
        with ThreadPoolExecutor(2) as pool:
            ours = [result for pair in pool.map(lambda half: as_wasm(wasm, half), halves) for result in pair]
            wanted = pool.map(lambda path: native(ptog, [command, path.name, *options], path.parent), files[0::2] + files[1::2])
        for path, mine, other in zip(files[0::2] + files[1::2], ours, wanted):
            checks.check(f"{command} {path.relative_to(ROOT)}", first_difference(mine, other) or [])
    checks.finish()


if __name__ == "__main__":
    main()
