"""Which module of the tree may include which: the architecture, checked on every #include."""

import argparse
import collections
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, tracked  # noqa: E402

# module of src/ -> the other modules whose headers it may include. Every module may include <ptog/...> and libc.
MODULES = {
    "base": set(),
    "spec": set(),
    "model": {"base", "spec"},
    "diag": {"base", "model", "spec"},
    "verify": {"base", "model", "spec", "diag"},
    "ref": {"base", "model"},
    "report": {"base", "model"},
    "draw": {"base", "model", "ref"},
    "kernel": {"base", "spec"},
    "exec": {"base", "model", "verify", "kernel", "ref"},
    "core": {"base", "diag", "model", "verify", "auto", "exec", "sim", "sanitize", "draw", "report"},
    "asm": {"base", "diag", "model", "spec"},
    "lower": {"base", "diag", "model", "spec", "asm", "verify", "auto", "core", "lint"},
    "interp": {"base", "diag", "model", "asm", "lower", "verify", "auto", "core"},
    "lint": {"base", "diag", "model", "spec", "asm", "lower"},
    "repair": {"base", "diag", "model", "asm", "auto", "core", "lower", "interp"},
    "inputs": {"base", "diag", "model", "lower", "interp", "repair"},
    "explore": {"base", "asm", "diag", "model", "lower", "interp", "inputs", "repair"},
    "reduce": {"base", "lower", "interp", "explore", "repair"},
    "api": {"base", "diag", "model", "asm", "lint", "lower", "interp", "core", "repair"},
    "sim": {"base", "model", "spec"},
    "sanitize": {"base", "diag", "model", "spec"},
    "auto": {"base", "model"},
    "mpi": set(),
}
# Of these pairs, only these headers: lower reaches lint by its entry, and lint sees values and functions, not the walk.
ONLY = {
    ("lower", "lint"): {"lint/lint.h"},
    ("lint", "lower"): {"lower/program.h", "lower/values.h"},
}
# Files that one folder of src/ may hold: more are two modules.
MAX_FILES = 40
MORE_FILES = {"model": 70}
C11 = set("""ctype.h errno.h float.h inttypes.h limits.h math.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h
             stdlib.h string.h""".split())
POSIX = set("dirent.h dlfcn.h fcntl.h ftw.h glob.h poll.h pthread.h signal.h spawn.h sys/mman.h sys/resource.h sys/stat.h sys/types.h sys/wait.h time.h unistd.h".split())
CXX = set("cstddef cstdint cstdlib cstring iterator map mutex set sys/mman.h".split())  # for acl/acl.h, which is C++
SIMD = {"immintrin.h", "arm_neon.h"}
THREADS = {"pthread.h", "signal.h"}
SYSTEM = {"fcntl.h", "sys/mman.h", "sys/stat.h", "time.h", "unistd.h"}  # the file of PTOG_TUNE, ptog_alloc, timing candidates

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)


def system_ok(area, name):
    if name in C11:
        return True
    return ((name in SIMD and area == "kernel") or (name in THREADS | SYSTEM and area == "exec") or
            (name == "sys/mman.h" and area == "inputs") or
            (name in POSIX and area in ("tool", "examples", "mpi")) or (name == "mpi.h" and area == "include") or
            (name == "liburing.h" and area == "tool"))  # where it is there: cmake/uring.cmake


def quoted_problem(area, name):
    """A "quoted" include: of a module by src/, of a neighbour by tool/ and examples/, never by a public header."""
    if area in ("tool", "examples"):
        neighbour = "/" not in name or (area == "tool" and name.startswith("io/"))
        return "" if neighbour else "may include <ptog/...> and its neighbours only"
    if area == "include":
        return "public headers include <ptog/...>"
    module = name.split("/")[0]
    if "/" not in name:
        return "name the module: \"module/file.h\""
    if module != area and module not in MODULES[area]:
        return f"{area} may not include {module}"
    if name not in ONLY.get((area, module), {name}):
        return f"{area} may include only {', '.join(sorted(ONLY[area, module]))} of {module}"
    return ""


def problems_of(path):
    relative = path.relative_to(ROOT)
    area = relative.parts[1] if relative.parts[0] == "src" else relative.parts[0]
    if relative.parts[0] == "src" and area not in MODULES:
        return [f"{relative}: src/{area} is not a module; tests/meta/arrows.py lists them"]
    found = []
    for quote, name in INCLUDE.findall(path.read_text()):
        if quote == '"':
            problem = quoted_problem(area, name)
        else:
            cxx = relative.parts[:2] in (("include", "acl"), ("include", "pto")) and (name in CXX or name.startswith("pto/"))
            problem = "" if cxx or name.startswith("ptog/") or system_ok(area, name) else f"{area} may not include <{name}>"
        if problem:
            found.append(f"{relative}: #include {name}: {problem}")
    return found


def crowded_folders():
    """Folders of src/ with too many files."""
    count = collections.Counter(path.relative_to(ROOT / "src").parent for path in tracked("*") if (ROOT / "src") in path.parents)
    return [f"src/{folder}: {files} files" for folder, files in sorted(count.items())
            if files > MORE_FILES.get(str(folder), MAX_FILES)]


def cycles_of(headers):
    """Headers of src/ that include themselves through others, each as the way around."""
    includes = {str(path.relative_to(ROOT / "src")): [name for quote, name in INCLUDE.findall(path.read_text()) if quote == '"']
                for path in headers}
    found, done = [], set()

    def visit(name, way):
        if name in way:
            found.append(" -> ".join(way[way.index(name):] + [name]))
        elif name not in done:
            for other in includes.get(name, []):
                visit(other, way + [name])
            done.add(name)

    for name in includes:
        visit(name, [])
    return found


def main():
    argparse.ArgumentParser(description=__doc__).parse_known_args()
    checks = Checks("arrows")
    for place in ("include", "src", "tool", "examples"):
        files = [path for path in tracked("*.c", "*.h", "*.def") if path.relative_to(ROOT).parts[0] == place]
        checks.check(f"includes of {place}", [] if files else f"there is no file in {place}/")
        checks.check(f"arrows from {place}", [problem for path in files for problem in problems_of(path)])
    headers = [path for path in tracked("*.h") if path.relative_to(ROOT).parts[0] == "src"]
    checks.check("files in a folder", crowded_folders())
    checks.check("cycles of headers", cycles_of(headers))
    checks.finish()


main()
