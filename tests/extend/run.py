"""Is the house still open? Adds an instruction, a reduction, a target and a rule to copies of the tree, builds each, and uses what was added
from text, C and C++. CONTRIBUTING.md shows the same edits; they may not grow."""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, run  # noqa: E402

import numpy as np  # noqa: E402

HERE = Path(__file__).resolve().parent
COPIED = ("CMakeLists.txt", "cmake", "include", "src", "tool", "tests", "examples", "fuzz", "bench")
TARGETS = ("host", "a2a3", "a5")
LIMITS = {"instruction": (4, 40), "reduction": (4, 40), "target": (2, 40), "clone": (1, 40), "rule": (1, 40)}  # files, lines


# ---- edits: `file F`, then `before TEXT`, `after TEXT` or `end`, then the lines to put there


def read_edit(name):
    """Pairs of (file, where, anchor, lines)."""
    edits, place = [], None
    for line in (HERE / f"{name}.edit").read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "file" and rest:
            place = rest
            edits.append([place, None, None, []])
        elif place and word in ("before", "after", "end") and edits[-1][1] is None:
            edits[-1][1:3] = word, rest
        elif place and edits[-1][1] and line:
            edits[-1][3].append(line)
    return edits


def apply_edit(tree, edit):
    """Puts the lines in; the problem, or ''."""
    path, where, anchor, lines = edit
    text = (tree / path).read_text().splitlines()
    hits = [i for i, line in enumerate(text) if where != "end" and line.startswith(anchor)]
    if where != "end" and len(hits) != 1:
        return f"{path}: {len(hits)} lines start with '{anchor}'"
    at = {"end": len(text), "before": hits[0] if hits else 0, "after": hits[0] + 1 if hits else 0}[where]
    text[at:at] = lines
    (tree / path).write_text("\n".join(text) + "\n")
    return ""


def check_size(checks, name):
    edits = read_edit(name)
    files, lines = len({edit[0] for edit in edits}), sum(len(edit[3]) for edit in edits)
    most_files, most_lines = LIMITS[name]
    problem = f"{files} files and {lines} lines" if files > most_files or lines > most_lines else ()
    checks.check(f"{name}: at most {most_files} files and {most_lines} lines", problem)


# ---- a copy of the tree


class Copy:
    """With the edits of these names in it."""

    def __init__(self, checks, place, name, *more):
        self.checks, self.name, self.tree, self.build = checks, name, place / name, place / name / "build"
        self.tree.mkdir()
        for part in COPIED:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, self.tree / part)
        edits = [edit for edited in (name, *more) for edit in read_edit(edited)]
        problems = [problem for problem in (apply_edit(self.tree, edit) for edit in edits) if problem]
        self.good = checks.check(f"{name}: the edit applies", problems)

    def make(self, *targets, options=()):
        """Without optimisation: it is built once and used a little."""
        commands = (["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_C_FLAGS=-O0",
                     "--log-level=WARNING", *options],
                    ["cmake", "--build", self.build, "--parallel", "1", "--target", *targets])
        for command in commands:
            done = run(command)
            if done.returncode != 0:
                return self.checks.check(f"{self.name}: it builds", (done.stdout + done.stderr)[-2000:])
        return self.checks.check(f"{self.name}: it builds")

    def write(self, file, **words):
        text = (HERE / f"{file}.in").read_text()
        for word, value in words.items():
            text = text.replace(f"@{word}@", value)
        path = self.build / file
        path.write_text(text)
        return path

    def command(self, what, words, status=0, **options):
        done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        if done.returncode != status:
            self.checks.check(what, f"exit status {done.returncode}, not {status}\n{done.stderr.decode(errors='replace')}")
            return None
        return done


class Data:
    """Tensors by name, the program of this folder that takes them, and what should come of them."""

    def __init__(self, place, program, inputs, expected):
        self.place, self.program, self.inputs, self.expected = place, program, inputs, expected
        for name, array in inputs.items():
            np.save(place / f"{name}.npy", array)

    def differs(self, got):
        return () if np.array_equal(got, self.expected) else "the result is another"


def two_tensors(place, reference):
    random = np.random.default_rng(7)
    a, b = (random.integers(-8, 9, (16, 32)).astype("f4") for _ in range(2))
    return Data(place, "pairwise", {"a": a, "b": b}, reference(a, b))


def rows_of_one(place, reference):
    a = np.random.default_rng(7).integers(-2**31, 2**31, (16, 32)).astype("i4")
    return Data(place, "reduction", {"a": a}, reference(a))


def run_text(copy, data, name, target):
    path = copy.write(f"{data.program}.pto", name=name)
    out = copy.build / "out.npy"
    inputs = [word for tensor in data.inputs for word in ("--in", f"{tensor}={data.place}/{tensor}.npy")]
    done = copy.command(f"{name} on {target}, text", [copy.build / "ptog", "run", path, "--target", target, *inputs, "--out", f"out={out}"])
    if done:
        copy.checks.check(f"{name} on {target}, text", data.differs(np.load(out)))


def run_piped(copy, data, what, words, **options):
    done = copy.command(what, words, input=b"".join(array.tobytes() for array in data.inputs.values()), **options)
    if done:
        got = np.frombuffer(done.stdout, data.expected.dtype)
        copy.checks.check(what, data.differs(got.reshape(data.expected.shape) if got.size == data.expected.size else got))


def use(copy, data, name, targets):
    """Through text, C and C++, with automatic flags."""
    program, kernel = copy.build / f"{data.program}_c", copy.build / f"{data.program}_cpp"
    copy.command(f"{name}: C compiles", ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{copy.tree}/include",
                                       copy.write(f"{data.program}.c", NAME=name.upper()), copy.build / "libptog.a", "-lm", "-pthread",
                                       "-o", program])
    for target in targets:
        run_text(copy, data, name, target)
        run_piped(copy, data, f"{name} on {target}, C", [program, target])
        built = copy.command(f"{name} on {target}: C++ compiles",
                             [copy.build / "ptog-cxx", f"--target={target}", "-Wall", "-Wextra", "-Werror",
                              copy.write(f"{data.program}.cpp", NAME=name.upper()), "-o", kernel])
        if built:
            run_piped(copy, data, f"{name} on {target}, C++", [kernel], env={**os.environ, "LD_LIBRARY_PATH": str(copy.build)})


# ---- what each edit promises


def try_instruction(checks, place):
    copy = Copy(checks, place, "instruction", "reduction")
    if not copy.good or not copy.make("ptog", "ptog-cxx", "ptog_static", "test_rules", options=["-DPTOG_TESTS=ON"]):
        return
    use(copy, two_tensors(copy.build, lambda a, b: (a - b) * (a - b)), "tsqdiff", TARGETS)
    use(copy, rows_of_one(copy.build, lambda a: np.bitwise_xor.reduce(a, axis=1, keepdims=True)), "trowxor", TARGETS)
    copy.command("the examples of its rule", [copy.build / "unit" / "test_rules"]) and checks.check("the examples of its rule")
    text = copy.write("pairwise.pto", name="tsqdiff").read_text().replace("16x32xf32", "16x20xf32")
    (copy.build / "narrow.pto").write_text(text)
    done = copy.command("its rule", [copy.build / "ptog", "check", "--target", "a2a3", copy.build / "narrow.pto"], status=1)
    if done:
        checks.check("its rule", () if b"[tsqdiff-align]" in done.stderr + done.stdout else done.stderr.decode())


def try_target(checks, place):
    copy = Copy(checks, place, "target", "clone")
    if not copy.good or not copy.make("ptog", "ptog-cxx", "ptog_static"):
        return
    compare_clone(copy)
    use(copy, two_tensors(copy.build, np.add), "tadd", ("a5-half", "a5"))
    text = copy.write("pairwise.pto", name="tadd").read_text()
    (copy.build / "large.pto").write_text(text.replace("16x32xf32", "256x96xf32"))
    for target, status in (("a5", 0), ("a5-half", 1)):
        done = copy.command(f"196,608 bytes of tiles on {target}", [copy.build / "ptog", "run", copy.build / "large.pto", "--target",
                            target, "--in", f"a={copy.build}/z.npy", "--in", f"b={copy.build}/z.npy", "--out", f"out={copy.build}/o.npy"],
                            status) if write_zeros(copy) else None
        if done:
            found = b"[ub-overflow]" in done.stderr
            checks.check(f"196,608 bytes of tiles on {target}", () if found == bool(status) else done.stderr.decode())
    done = copy.command("ptog targets", [copy.build / "ptog", "targets"])
    if done:
        rows = [line.split()[1:] for line in done.stdout.decode().splitlines() if line.split()[:1] == ["hif8"]]
        row = [word for part in rows for word in part]
        checks.check("its types are its own", () if len(row) > 7 and row[3].startswith("G") and row[6].startswith("-") and row[7] == row[3] else " ".join(row))


def report_on(copy, program, target):
    """What check and run say of a program, with a5 for the name of its clone, and how they end."""
    said = []
    for command in (("check",), ("run", "--stats")):
        done = subprocess.run([str(copy.build / "ptog"), *command, str(program), "--target", target], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, cwd=program.parent)
        said.append((done.returncode, re.sub(r"(?<![\w-])z5(?![\w-])", "a5", done.stdout.decode(errors="replace"))))
    return said


def compare_clone(copy):
    """Nothing but its name tells z5, a clone of a5, from a5: every program of tests/pto gets the same report."""
    programs = sorted((copy.tree / "tests" / "pto").rglob("*.pto"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        both = pool.map(lambda program: (report_on(copy, program, "a5"), report_on(copy, program, "z5")), programs)
        differ = [f"{program.name}: {one} is not {other}"[:2000] for program, (one, other) in zip(programs, both) if one != other]
    copy.checks.check(f"reports of {len(programs)} programs on a clone of a5", differ if programs else "there is no program")


def write_zeros(copy):
    np.save(copy.build / "z.npy", np.zeros((256, 96), "f4"))
    return True


def try_rule(checks, place):
    copy = Copy(checks, place, "rule")
    if not copy.good or not copy.make("ptog", "test_rules", options=["-DPTOG_TESTS=ON"]):
        return
    copy.command("the examples of every rule", [copy.build / "unit" / "test_rules"]) and checks.check("the examples of every rule")
    done = copy.command("ptog explain", [copy.build / "ptog", "explain", "elementwise-padding"])
    if done:
        checks.check("ptog explain", () if b"All columns of dst are valid" in done.stdout else done.stdout.decode())


def main():
    parser = argparse.ArgumentParser()
    tries = {"instruction": try_instruction, "target": try_target, "rule": try_rule}
    parser.add_argument("--only", choices=sorted(tries))
    arguments = parser.parse_args()
    checks = Checks("extend")
    for name in LIMITS:
        check_size(checks, name)
    with tempfile.TemporaryDirectory() as place:
        for name, attempt in tries.items():
            if arguments.only in (None, name):
                attempt(checks, Path(place))
    checks.finish()


if __name__ == "__main__":
    main()
