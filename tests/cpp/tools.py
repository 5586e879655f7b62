"""What the tests of the C++ headers share: compiling with our headers, running with an environment, reading reports."""

import concurrent.futures
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from checks import ROOT, run  # noqa: E402

JOBS = 2
COMPILERS = [(compiler, standard) for compiler in ("g++", "clang++") for standard in ("c++17", "c++20")]
FLAGS = ["-O1", "-Wall", "-Wextra", "-Wpedantic"]


def at_once(function, items):
    """The results of function(item), two at a time, in order."""
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        return list(pool.map(function, items))


class Cxx:
    """Compiles against the headers of this tree and the library of a build."""

    def __init__(self, build, work, headers=None):
        self.build = build.resolve()
        self.linking = ["-L", build, "-lptog", f"-Wl,-rpath,{build.resolve()}"]
        self.work = work
        self.headers = ["-I", headers] if headers else []

    def compile(self, source, name, compiler="g++", standard="c++17", defines=(), link=True, place=ROOT, flags=()):
        """(the program or None, what the compiler said)"""
        out = self.work / name
        words = [compiler, f"-std={standard}", *FLAGS, *flags, *(f"-D{define}" for define in defines), *self.headers, "-I", ROOT / "include",
                 "-I", HERE, source]
        words += ["-o", out, *self.linking] if link else ["-fsyntax-only", "-ferror-limit=0" if compiler == "clang++" else "-fmax-errors=0"]
        done = run(words, cwd=place)
        return (out if done.returncode == 0 else None), done.stderr

    def report(self, program, *arguments, tag="", **env):
        """(exit status, diagnostics, everything printed) of a run."""
        place = self.work / f"{Path(program).name}{tag}.json"
        place.unlink(missing_ok=True)
        done = run([program, *arguments], env={"PTOG_REPORT": str(place), **env})
        found = json.loads(place.read_text())["diagnostics"] if place.exists() else []
        return done.returncode, found, done.stdout + done.stderr


def ids(diagnostics, *severities):
    """Their ids, each once, in order."""
    return list(dict.fromkeys(d["id"] for d in diagnostics if d["severity"] in (severities or ("error", "warning"))))
