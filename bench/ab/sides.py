"""bench/ab: the two sides. A side is a revision or a source directory, built below build/ab, and the measuring programs
compiled with its headers and linked with its library."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHE = ROOT / "build" / "ab"
PROGRAMS = sorted([*(ROOT / "bench" / "ab").glob("*.c"), *(ROOT / "bench" / "ab").glob("*.cpp")])
JOBS = str(os.cpu_count() or 1)

# Every function at the start of a cache line, on both sides. Without it, a change moves all functions behind it by some bytes,
# and works that it does not touch became up to a quarter faster or slower for good.
ALIGNED = "-falign-functions=64"


class Problem(Exception):
    """Something that ends the comparison: a message for people."""


def called(words, **options):
    """Runs a command; its output, or a Problem with the end of what it said."""
    try:
        done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", **options)
    except OSError as why:
        raise Problem(f"{words[0]}: {why.strerror}") from None
    if done.returncode != 0:
        said = "\n".join(done.stdout.strip().split("\n")[-15:])
        raise Problem(f"{pathlib.Path(words[0]).name} failed with status {done.returncode}:\n{said}")
    return done.stdout


def compilers():
    return os.environ.get("CC", "cc"), os.environ.get("CXX", "g++")


def unpacked(revision):
    """The files of a revision in the cache, which appear there when they are complete."""
    try:
        commit = called(["git", "-C", ROOT, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"]).strip()
    except Problem:
        raise Problem(f"'{revision}' is neither a directory nor a revision of {ROOT}") from None
    place = CACHE / commit[:12] / "source"
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent) as scratch:
            archive = pathlib.Path(scratch) / "source.tar"
            called(["git", "-C", ROOT, "archive", "--prefix=source/", "-o", archive, commit])
            called(["tar", "-xf", archive, "-C", scratch])
            (pathlib.Path(scratch) / "source").rename(place)
    return place, commit[:12]


class Side:
    """OLD or NEW. `programs` has the measuring programs that could be built, by name; `missing` says why others are not."""

    def __init__(self, name, given):
        self.name, self.programs, self.missing = name, {}, {}
        if pathlib.Path(given).is_dir():
            self.source = pathlib.Path(given).resolve()
            self.title = str(given)
            key = "directory-" + hashlib.sha256(str(self.source).encode()).hexdigest()[:12]
        else:
            self.source, key = unpacked(given)
            self.title = given if given == key else f"{given} ({key})"
        if not (self.source / "CMakeLists.txt").exists():
            raise Problem(f"{name}: there is no CMakeLists.txt in {self.source}")
        self.place = CACHE / key / pathlib.Path(compilers()[0]).name
        self.build = self.place / "build"
        self.ptog = self.build / "ptog"

    def make(self):
        """The library and the command, as `make` builds them but for ALIGNED."""
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
        flags = f"{os.environ.get('CFLAGS', '')} {ALIGNED}".strip()
        called(["cmake", "-S", self.source, "-B", self.build, f"-DCMAKE_C_COMPILER={compilers()[0]}",
                f"-DCMAKE_C_FLAGS={flags}", "--log-level=WARNING", *generator], env=environment)
        called(["cmake", "--build", self.build, "--parallel", JOBS], env=environment)

    def compile(self):
        """The measuring programs of this tree, with the headers of that side."""
        (self.place / "programs").mkdir(parents=True, exist_ok=True)
        c, cxx = compilers()
        for source in PROGRAMS:
            program = self.place / "programs" / source.stem
            language = [c, "-std=c11", "-D_POSIX_C_SOURCE=200809L"] if source.suffix == ".c" else [cxx, "-std=c++17"]
            try:
                called([*language, "-O2", ALIGNED, "-I", self.source / "include", source, "-o", program, "-L", self.build, "-lptog",
                        f"-Wl,-rpath,{self.build}"])
                self.programs[source.name] = program
            except Problem as why:
                self.missing[source.name] = str(why)
