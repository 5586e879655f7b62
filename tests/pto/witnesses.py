#!/usr/bin/env python3
"""Witnesses of races: each is run again, and must show the bytes that it states.

  witnesses.py --ptog PATH --batch PATH [--count N] [--seed S] [--quick]

The races (errors, not warnings) of every .pto file, and of random programs with random flags from which a needed pair was taken, or most. A run writes
its witnesses to a file; then each is replayed with --schedule witness:FILE#N, and #0 shows the run in order. The last line
is "witnesses: N passed, M failed". Exit status: 0 all passed, 1 not, 2 the test could not run.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

try:
    import numpy as np
except ImportError:
    sys.exit(f"witnesses.py: needs numpy, and {sys.executable} has none")

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "conform"))
import data  # noqa: E402
from directives import BadTest, read  # noqa: E402
from draw_steps import rng_of  # noqa: E402
from facts import SIZE  # noqa: E402
from pairs import draw_program, errors_of, next_pairs, synchronised, without  # noqa: E402
from program_text import SPELLINGS  # noqa: E402
from programs import Batch  # noqa: E402

DEFAULT_SEED = 20250312
SHOWN = 5
RACES = {"race-raw", "race-war", "race-waw", "same-pipe-hazard"}
STATED = re.compile(r"comes first, and (byte )?([\w$.-]+)\[([\d, ]+)\] is (\S+) instead of (\S+)$")
SAME = re.compile(r"comes first, but the bytes are the same for this data$")
NAMES = {word: name for name, words in SPELLINGS.items() for word in words}
TYPES = (re.compile(r"%(\w+): !pto\.ptr<([^>]+)>"),
         re.compile(r"%(\w+) = pto\.alloc_tile.*: !pto\.tile_buf<(?:vec, [\dx?]+x|loc=vec, dtype=)([!\w.]+)"))
NO_VALUE = ("f8", "hif8")  # this test has no numbers for them


# ---- values as the tool writes them ----

def value(bits, dtype):
    size = bits.itemsize
    raw = int(bits)
    if raw == int.from_bytes(b"\xaa" * size, "little"):
        return f"0x{raw:x}"
    if dtype == "bf16":
        return "%.9g" % np.uint32(raw << 16).view(np.float32)
    if dtype[0] == "f":
        return "%.9g" % bits.view(f"f{size}")
    return str(int(bits.view(f"i{size}")) if dtype[0] == "i" else raw)


def agrees(stated, bits, dtype):
    return dtype.startswith(NO_VALUE) or stated.replace("-nan", "nan") == value(bits, dtype)


# ---- one program ----

class Replay:
    def __init__(self, ptog):
        self.ptog, self.passed, self.failed, self.kinds, self.in_order = ptog, 0, 0, Counter(), None

    def call(self, words):
        done = subprocess.run([self.ptog, "run", *words, "--format", "json"], capture_output=True, cwd=HERE)
        try:
            return json.loads(done.stdout)["diagnostics"]
        except (ValueError, KeyError):
            raise AssertionError(f"no diagnostics: {done.stdout.decode()}{done.stderr.decode()}") from None

    def complain(self, title, words, text):
        self.failed += 1
        if self.failed <= SHOWN:
            print(f"FAILED {title}: {text}\n  ptog run {' '.join(words)}")

    def program(self, title, words, outputs, dtype_of, place):
        """outputs: name: path; dtype_of(name): the element type of raw files."""
        path = os.path.join(place, "witness")
        races = [diag for diag in self.call([*words, "--witness", path]) if diag["id"] in RACES and diag["severity"] == "error"]
        stated = [diag for diag in races if "witness" in diag]
        blocks = [diag for diag in races if re.search("another block|no counter orders the two", diag["message"])]  # between cores
        of_both_cores = re.search(r"pto\.section\.cube|kernel_kind<cube>", Path(words[0]).read_text())
        if not of_both_cores and len(stated) != len(races) - len(blocks):
            self.complain(title, words, "a race without a witness")
        written = [line for line in Path(path).read_text().split("\n") if line and line[0].isdigit()]
        if len(written) != len(stated):
            self.complain(title, words, f"{len(written)} witnesses in the file, {len(stated)} in the report")
        self.in_order = None
        for number, diag in enumerate(stated, 1):
            self.witness(title, [*words, "--schedule", f"witness:{path}#"], number, diag, outputs, dtype_of)

    def witness(self, title, words, number, diag, outputs, dtype_of):
        message = diag["witness"]["message"]
        match, seen = STATED.search(message), []
        tile = match and match[2] not in outputs
        dump = ["--dump", f"{match[2]}={outputs['']}/tile.npy"] if tile else []
        for which in (number, 0):
            if which == 0 and not tile and self.in_order:
                seen.append(self.in_order)
                continue
            self.call([*words[:-1], words[-1] + str(which), "--no-sanitize", *dump])
            seen.append({name: Path(to).read_bytes() for name, to in outputs.items() if name})
            if tile:
                seen[-1][match[2]] = Path(f"{outputs['']}/tile.npy").read_bytes()
        self.in_order = {name: seen[1][name] for name in outputs if name}  # without the tile, which is of this witness
        self.kinds["stated" if match else "the same"] += 1
        if not match and (not SAME.search(message) or seen[0] != seen[1]):
            self.complain(title, words, f"{message}: but they differ")
            return
        if match and not self.holds(match, seen, outputs, dtype_of):
            self.complain(title, words, f"{message}: but that is not what {number} and 0 show")
            return
        self.passed += 1

    def holds(self, match, seen, outputs, dtype_of):
        name, index = match[2], tuple(map(int, match[3].split(", ")))
        raw = outputs.get(name, "tile.npy").endswith(".bin")
        for stated, files in zip((match[4], match[5]), seen):
            path = f"{outputs['']}/element"
            Path(path).write_bytes(files[name])
            dtype = dtype_of(name)
            if match[1]:
                array, dtype = np.frombuffer(files[name], np.uint8), "u8"
            elif raw:
                array = np.frombuffer(files[name], f"u{SIZE[dtype]}")
            else:
                array = np.load(path)
                dtype = dtype or {"f": "f", "i": "i", "u": "u"}[array.dtype.kind] + str(8 * array.itemsize)
                array = array.view(f"u{array.itemsize}")
            if not agrees(stated, array[index], dtype):
                return False
        return True


# ---- files ----

def files(replay, place):
    for path in sorted(HERE.rglob("*.pto")):
        try:
            test = read(path.read_text(errors="surrogateescape"))
        except BadTest:
            continue
        prefix = os.path.join(place, path.stem)
        for run in test.runs:
            if not any(diag[1] in RACES for diag in run.diags) or re.search("--format|--no-sanitize", run.command):
                continue
            for name, words in test.data:
                data.save(f"{prefix}.{name}" + ("" if name.endswith(".bin") else ".npy"), data.make(words))
            words = run.command.replace("%s", str(path)).replace("%t", prefix).split()[2:]
            if "--schedule" in words:
                at = words.index("--schedule")
                del words[at:at + 2]
            outputs = {name: to for name, to in re.findall(r"--(?:out|inout) (\w+)=(?:[^\s:]*:)?(\S+)", " ".join(words))}
            replay.program(str(path.relative_to(HERE)), words, {**outputs, "": place}, lambda name: None, place)


# ---- random programs ----

def arguments_of(program, place):
    source = os.path.join(place, "program.pto")
    Path(source).write_text(program.text)
    words, outputs = [source, "--target", program.target, "--blocks", str(program.blocks)], {"": place}
    for binding in program.bindings:
        if binding.number is not None:
            words += ["--set", f"{binding.name}={binding.number}"]
            continue
        path = os.path.join(place, binding.name + ".bin")
        Path(path).write_bytes(binding.data)
        if binding.name.startswith("out_") or binding.name in ("floats", "words", "sums"):
            outputs[binding.name] = os.path.join(place, binding.name + "_after.bin")
            words += ["--inout", f"{binding.name}={path}:{outputs[binding.name]}"]
        else:
            words += ["--in", f"{binding.name}={path}"]
    return words, outputs


def random_programs(options, replay, place, count):
    """Clean programs with flags, without one needed pair, and without most of them, until so many witnesses were replayed."""
    batch, number, end = Batch(options.batch), 0, replay.passed + count
    while replay.passed < end and replay.failed <= SHOWN:
        rng = rng_of(options.seed, number)
        program = draw_program(rng, number)
        number += 1
        program = replace(program, text=synchronised(program.text, rng, 0.95 if number % 4 else 1), dumps={})
        lines, result = program.text.split("\n"), batch.run(program)
        if not result.read or errors_of(result) or result.run_status not in (0, 1):
            continue
        noted = {diag.line for diag in result.run_diags if diag.id == "flag-redundant"}
        pairs = next_pairs(lines)
        needed = [pair for pair in pairs if pair[0] + 1 not in noted]
        wholesale = [sum(rng.sample(pairs, len(pairs) * 2 // 3), []) for _ in range(4)]
        for pair in rng.sample(needed, min(len(needed), 6)) + wholesale:
            mutant = replace(program, text=without(lines, pair))
            words, outputs = arguments_of(mutant, place)
            types = {name: NAMES[word] for pattern in TYPES for name, word in pattern.findall(program.text)}
            title = f"program {number - 1}, seed {options.seed}, without the lines {[line + 1 for line in pair]}"
            replay.program(title, words, outputs, types.get, place)
    replay.failed += batch.close() != 0
    return number


def main():
    parser = argparse.ArgumentParser(description="Witnesses of races, replayed.")
    parser.add_argument("--ptog", required=True)
    parser.add_argument("--batch", required=True)
    parser.add_argument("--count", type=int, default=300, help="so many witnesses of random programs (default 300)")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    parser.add_argument("--quick", action="store_true", help="20 witnesses, for slow builds")
    options = parser.parse_args()
    if not os.access(options.ptog, os.X_OK) or not os.access(options.batch, os.X_OK):
        print(f"witnesses.py: cannot run {options.ptog} or {options.batch}", file=sys.stderr)
        return 2
    start, replay = time.monotonic(), Replay(os.path.abspath(options.ptog))
    print(f"witnesses: seed {options.seed}")
    with tempfile.TemporaryDirectory() as place:
        files(replay, place)
        print(f"files: {dict(replay.kinds)}")
        tried = random_programs(options, replay, place, 20 if options.quick else options.count)
    print(f"with programs, {tried} tried: {dict(replay.kinds)}, {time.monotonic() - start:.1f} s")
    print(f"witnesses: {replay.passed} passed, {replay.failed} failed")
    return 1 if replay.failed else 0


if __name__ == "__main__":
    sys.exit(main())
