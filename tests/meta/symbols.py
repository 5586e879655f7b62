"""What the libraries export and need: the public functions and nothing else; no printing, no exit, no global state."""

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, SONAME, Checks, run  # noqa: E402

# What the library may ask of libc and libm. It does not print, exit or abort, and reads two variables of the environment,
# PTOG_ISA and PTOG_TUNE, when it plans. Matrix products add with fmaf, which rounds once as the cube unit does.
LIBC = set("""malloc aligned_alloc calloc realloc free memcpy memmove memset memcmp memchr strlen strcmp strncmp strchr strcspn strspn strstr
              snprintf vsnprintf exp fmaf fmax fmin fmod pow round log sqrt sqrtf strcat strcpy strtod strtof strtol strtoll qsort getenv frexp ldexp ldexpf nearbyintf rintf roundf truncf floorf lrintf llrintf lrint nearbyint rint""".split())
SYSTEM = set("open fstat read close sysconf mmap munmap mprotect madvise clock_gettime".split())  # src/exec: tune.c, memory.c, choice.c
COMPILER = set("""_GLOBAL_OFFSET_TABLE_ __cpu_model __cpu_features2 __cpu_indicator_init __stack_chk_fail __snprintf_chk __vsnprintf_chk __memcpy_chk __memset_chk
                  __memmove_chk __strcat_chk __strcpy_chk""".split())

THREADS = re.compile(r"pthread_\w+$|sig(fill|del)set$")  # in src/exec/threads.c and pool.c
RUNTIMES = {"libc.so.6", "libm.so.6"}

DECLARED = re.compile(r"^PTOG_API\s[^;(]*?\b(\w+)\s*\(", re.MULTILINE)
SECTION = re.compile(r"^\s*\[ *\d+\]\s+(\.\S+)\s+\S+\s+[0-9a-f]+\s+[0-9a-f]+\s+([0-9a-f]+)", re.MULTILINE)


def declared_names(mpi=False):
    """Of libptog, or of libptog_mpi."""
    headers = [path for path in (ROOT / "include" / "ptog").glob("*.h") if path.name.startswith("mpi") == mpi]
    return {name for header in headers for name in DECLARED.findall(header.read_text())}


def nm(*arguments):
    """Pairs (kind, name) from nm."""
    rows = (line.split() for line in run(["nm", *arguments]).stdout.splitlines())
    return {(row[-2], row[-1]) for row in rows if len(row) >= 2}


def without_version(name):
    return name.split("@")[0]


def exported_problems(library, mpi=False):
    exported = {name for _, name in nm("-D", "--defined-only", library)}
    declared = declared_names(mpi)
    return ([f"exported, but not declared PTOG_API: {name}" for name in sorted(exported - declared)] +
            [f"declared PTOG_API, but not exported: {name}" for name in sorted(declared - exported)])


def archive_problems(archive):
    external = {name for _, name in nm("--extern-only", "--defined-only", archive)}
    return [f"does not start with ptog_: {name}" for name in sorted(external) if not name.startswith("ptog_")]


def needed_problems(archive):
    defined = {name for _, name in nm("--extern-only", "--defined-only", archive)}
    needed = {without_version(name) for kind, name in nm("-u", archive) if kind in "Uwv"}
    return [f"needs {name}, which is not on the list in tests/meta/symbols.py"
            for name in sorted(needed - defined - LIBC - SYSTEM - COMPILER) if not THREADS.match(name)]


def state_problems(archive):
    """Sections of writable data; tables with addresses in them (.data.rel.ro) are read-only once loaded."""
    found = []
    for part in re.split(r"^File: ", run(["readelf", "-SW", archive]).stdout, flags=re.MULTILINE)[1:]:
        for section, size in SECTION.findall(part):
            writable = re.match(r"\.(data|bss|tdata|tbss|common)\b", section) and not section.startswith(".data.rel.ro")
            if writable and int(size, 16) > 0:
                found.append(f"{part.splitlines()[0]}: {int(size, 16)} bytes in {section}")
    return found + [f"common symbol {name}" for kind, name in nm(archive) if kind == "C"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True)
    build = parser.parse_args().build.resolve()
    shared, archive = build / "libptog.so", build / "libptog.a"
    checks = Checks("symbols")
    checks.check("there are public functions", [] if len(declared_names()) > 40 else "PTOG_API was not found in the headers")
    checks.check("libptog.so exports what the headers declare", exported_problems(shared))
    checks.check("libptog.a defines only ptog_ names", archive_problems(archive))
    checks.check("libptog.a needs only what it may", needed_problems(archive))
    checks.check("libptog.a has no writable data", state_problems(archive))
    dynamic = run(["readelf", "-dW", shared]).stdout
    checks.check("soname", [] if f"[{SONAME}]" in dynamic else dynamic)
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", dynamic)) - RUNTIMES
    checks.check("libptog.so needs libc and libm only", [f"needs {name}" for name in sorted(needed)])
    if (build / "libptog_mpi.so").exists():
        checks.check("libptog_mpi.so exports what its headers declare", exported_problems(build / "libptog_mpi.so", mpi=True))
    needed = run(["readelf", "-dW", build / "ptog"]).stdout
    checks.check("ptog is linked without MPI", [line for line in needed.splitlines() if "NEEDED" in line and "mpi" in line])
    checks.finish()


main()
