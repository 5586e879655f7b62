#!/usr/bin/env python3
"""Mutation test of what the documents give as formulas, chains of flags, figures and lists of types (mutants.py): each is made
wrong in one place, and the test that is named for it must notice.

usage: tests/mutate/formulas.py [--build DIR] [ID...]      only the mutants with these ids
       tests/mutate/formulas.py --list                     their ids, for tests/meta/seeds; fails when a text is gone

A mutant is a source with one text replaced; tables and headers name the sources that are compiled again because of it. The
rest comes from a build with tests (build/test/gcc of `make test`). Survivors are listed; there must be none.
"""

import argparse
import concurrent.futures
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

from mutants import MUTANTS

ROOT = pathlib.Path(__file__).resolve().parents[2]
CC = os.environ.get("CC", "gcc")
FLAGS = ["-std=c11", "-O1", "-w", "-DPTOG_THREADS=1"]
JOBS = os.cpu_count() or 1
CPU_SECONDS = 600  # of one process: a mutant that needs more never ends, which is noticed, too


def run(command, **options):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def stale(mutant):
    """Says that a mutant changes nothing: its text is not, or more than once, in its file, or nothing is compiled because of it."""
    name, file, text, other, test, *sources = mutant
    count = (ROOT / file).read_text().count(text)
    if count != 1:
        print(f"mutate: the text of {name} is {count} times in {file}", file=sys.stderr)
    compiled = file.endswith((".c", ".hpp")) or sources
    if text == other or not compiled:
        print(f"mutate: {name} changes nothing" + ("" if compiled else ": it names no source to compile"), file=sys.stderr)
    return count != 1 or text == other or not compiled


class Build:
    """What no mutant changes: a build with tests; and the tests that notice."""

    def __init__(self, place):
        self.place = place
        self.includes = ["-I", ROOT / "include", "-I", ROOT / "src", "-I", ROOT / "tests", "-I", place / "generated"]

    def compile(self, name, source, work, *more):
        """The object of a source and what the compiler says; the mutant's copies of headers and tables come first."""
        out = work / (name.replace("/", "_") + ".o")
        return out, run([CC, *FLAGS, *more, "-I", work / "src", "-I", work / "include", *self.includes, "-c", source, "-o", out])

    def link(self, program, objects, out, *more):
        """A program of the build, with the mutant's objects before those of the library."""
        own = sorted((self.place / f"CMakeFiles/{program}.dir").glob("**/*.o"))
        libraries = [self.place / f"lib{name}.a" for name in ("unit_helpers", "tool_io", "ptog")]
        done = run([CC, *own, *objects, *libraries, "-o", out, "-lcmocka", "-lm", "-ldl", "-lpthread", *more])
        if done.returncode:
            sys.exit(f"mutate: cannot build {program}:\n{done.stdout[-2000:]}")
        return out

    def tool(self, objects, work):
        return self.link("ptog", objects, work / "ptog")

    def figures(self, objects, work):
        return run([sys.executable, ROOT / "tests/figures/run.py", "--ptog", self.tool(objects, work), "--first"])

    def pto(self, objects, work):
        return run([sys.executable, ROOT / "tests/pto/run.py", "--ptog", self.tool(objects, work), "--only", "machine/race_[os]*"])

    def conform(self, objects, work):
        batch = self.link("conform_batch", objects, work / "batch")
        return run([sys.executable, ROOT / "tests/conform/run.py", "--batch", batch, "--quick", "--first"])

    def unit(self, name, objects, work, *more):
        return run([self.link(name, objects, work / name, *more)])

    def threads(self, objects, work):
        return self.unit("test_threads", objects, work, "-Wl,--wrap=pthread_create,--wrap=pthread_cond_broadcast")

    def cxx(self, objects, work):
        return run(["g++", "-std=c++17", "-fsyntax-only", "-I", work / "include", "-I", ROOT / "include", ROOT / "tests/cpp/declared.cpp"])

    def headers(self, part, work):
        return run([sys.executable, ROOT / "tests/cpp/run.py", "--build", self.place, "--headers", work / "include", "--quick", part])

    def examples(self, objects, work):
        return self.headers("seeds", work)

    def assertions(self, objects, work):
        return self.headers("static", work)

    def noticed(self, mutant, work):
        """Compiles the mutant and runs its test, a method of this class or a program of tests/unit: True when that fails. A text says
        what is wrong with the mutant."""
        _, file, text, other, test, *sources = mutant
        source = (ROOT / file).read_text()
        if text != other and source.count(text) != 1:
            return f"its text is {source.count(text)} times in {file}"
        changed = work / file
        changed.parent.mkdir(parents=True)
        changed.write_text(source.replace(text, other))
        objects = []
        for name in sources[0] if sources else [file] if file.endswith(".c") else []:
            out, done = self.compile(name, work / name if name == file else ROOT / name, work)
            objects.append(out)
            if done.returncode:
                return f"it does not compile:\n{done.stdout[-1000:]}"
        if file.endswith(".hpp"):
            done = run(["g++", "-std=c++17", "-fsyntax-only", "-I", work / "include", "-I", ROOT / "include", "-include", "pto/pto-inst.hpp",
                        "-x", "c++", os.devnull])
            if done.returncode:
                return f"it does not compile:\n{done.stdout[-1000:]}"
        by_name = getattr(self, test, None)
        return (by_name(objects, work) if by_name else self.unit(test, objects, work)).returncode != 0


def main(about, mutants, kind=Build):
    """Judges the mutants, given with the word that chooses them, and lists those that survive."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/test/gcc")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("ids", nargs="*")
    options = parser.parse_args()
    if options.list:
        print("\n".join(mutant[0] for _, mutant in mutants))
        return 1 if any([stale(mutant) for _, mutant in mutants]) else 0
    unknown = set(options.ids) - {word for word, _ in mutants}
    if unknown:
        sys.exit(f"mutate: there is no {', '.join(sorted(unknown))}")
    chosen = [mutant for word, mutant in mutants if not options.ids or word in options.ids]
    if not (options.build / "libptog.a").exists():
        sys.exit(f"mutate: {options.build} has no build with tests: run 'make test' once, or give --build")
    build, survivors = kind(options.build.resolve()), []
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))

    def judge(mutant):
        with tempfile.TemporaryDirectory() as work:
            return build.noticed(mutant, pathlib.Path(work))

    nothing = [(f"nothing, {test}", "src/sim/simt.c", "", "", test) for test in sorted({m[4] for m in chosen})]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for mutant, found in zip(nothing, pool.map(judge, nothing)):
            if found is not False:
                sys.exit(f"mutate: {mutant[4]} fails before anything is changed: {found}")
        for mutant, found in zip(chosen, pool.map(judge, chosen)):
            if found is not True:
                survivors.append(mutant[0])
                print(f"survived: {mutant[0]}, which {mutant[4]} should notice{'' if found is False else ': ' + found}", flush=True)
    print(f"mutate: {len(chosen)} mutants, {len(survivors)} survivors")
    return 1 if survivors or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(__doc__.splitlines()[0], [(mutant[0], mutant) for mutant in MUTANTS]))
