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
import subprocess
import sys
import tempfile

from mutants import MUTANTS

ROOT = pathlib.Path(__file__).resolve().parents[2]
CC = os.environ.get("CC", "gcc")
FLAGS = ["-std=c11", "-O1", "-w"]
JOBS = os.cpu_count() or 1


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

    def link(self, sources, objects, out, *more):
        """A program from sources, with the mutant's objects before those of the library."""
        libraries = [self.place / f"lib{name}.a" for name in ("unit_helpers", "tool_io", "ptog")]
        done = run([CC, *FLAGS, "-DPTOG_THREADS=1", *self.includes, *sources, *objects, *libraries, "-o", out, "-lcmocka", "-lm", "-ldl",
                    "-lpthread", *more])
        if done.returncode:
            sys.exit(f"mutate: cannot build {out.name}:\n{done.stdout[-2000:]}")
        return out

    def tool(self, objects, work):
        places = [self.place / "CMakeFiles/ptog.dir/tool", *(self.place / "CMakeFiles/ptog.dir").glob("generated*")]
        return self.link([o for place in places for o in sorted(place.glob("*.o"))], objects, work / "ptog")

    def figures(self, objects, work):
        return run([sys.executable, ROOT / "tests/figures/run.py", "--ptog", self.tool(objects, work), "--first"])

    def pto(self, objects, work):
        return run([sys.executable, ROOT / "tests/pto/run.py", "--ptog", self.tool(objects, work), "--only", "machine/race_[os]*"])

    def conform(self, objects, work):
        batch = self.link([ROOT / "tests/conform/batch.c"], objects, work / "batch")
        return run([sys.executable, ROOT / "tests/conform/run.py", "--batch", batch, "--quick", "--first"])

    def unit(self, name, objects, work, *more):
        return run([self.link([ROOT / f"tests/unit/{name}.c"], objects, work / name, *more)])

    def threads(self, objects, work):
        return self.unit("test_threads", objects, work, "-Wl,--wrap=pthread_create")

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
            objects.append(work / (name.replace("/", "_") + ".o"))
            done = run([CC, *FLAGS, "-DPTOG_THREADS=1", "-I", work / "src", "-I", work / "include", *self.includes, "-c",
                        work / name if name == file else ROOT / name, "-o", objects[-1]])
            if done.returncode:
                return f"it does not compile:\n{done.stdout[-1000:]}"
        if file.endswith(".hpp"):
            done = run(["g++", "-std=c++17", "-fsyntax-only", "-I", work / "include", "-I", ROOT / "include", "-include", "pto/pto-inst.hpp",
                        "-x", "c++", os.devnull])
            if done.returncode:
                return f"it does not compile:\n{done.stdout[-1000:]}"
        by_name = getattr(self, test, None)
        return (by_name(objects, work) if by_name else self.unit(test, objects, work)).returncode != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/test/gcc")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("ids", nargs="*")
    options = parser.parse_args()
    if options.list:
        print("\n".join(mutant[0] for mutant in MUTANTS))
        return 1 if any([stale(mutant) for mutant in MUTANTS]) else 0
    chosen = [mutant for mutant in MUTANTS if not options.ids or mutant[0] in options.ids]
    if not (options.build / "libptog.a").exists():
        sys.exit(f"mutate: {options.build} has no build with tests: run 'make test' once, or give --build")
    build, survivors = Build(options.build.resolve()), []

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
    print(f"mutate: {len(chosen)} mutants of formulas, {len(survivors)} survivors")
    return 1 if survivors or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
