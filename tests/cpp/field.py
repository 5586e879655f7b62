"""Sources in the style of those that people have, written for these tests: as they are, with no edit and no shim, they compile with
both compilers and both standards without a warning, run, and give the right numbers with nothing to report."""

from tools import COMPILERS, HERE, ROOT, at_once
from checks import run

PLACE = HERE / "field"
# source, words for ptog-cxx
SOURCES = [
    ("simulator.cpp", ["-D__CPU_SIM", "-I", str(PLACE)]),
    ("generated.cpp", ["--target=a2a3"]),
    ("generated.cpp", ["--target=a5"]),
    *(("matmul.cpp", [f"--target={target}"]) for target in ("host", "cpu", "a2a3", "a5")),
    *(("phases.cpp", [f"--target={target}"]) for target in ("host", "a2a3", "a5")),
    *(("gather_l1.cpp", [f"--target={target}"]) for target in ("host", "cpusim", "a2a3", "a5")),
    ("names.cpp", ["--target=a2a3"]),
    ("names.cpp", ["--target=host"]),
    ("toolkit.cpp", ["--target=a2a3"]),
    ("included.cpp", ["--target=a5"]),
    ("included.cpp", ["--target=a2a3"]),
]


def build(cxx, job):
    (source, words), (compiler, standard) = job
    name = "-".join([source[:-4], compiler, standard, *(word[9:] for word in words if word.startswith("--target="))])
    return name, run([cxx.build / "ptog-cxx", f"--compiler={compiler}", f"-std={standard}", "-Wall", "-Wextra", "-Werror", *words,
                      PLACE / source, "-o", cxx.work / name], cwd=ROOT)


def check_elem_without_scratch(checks, cxx):
    """Elem into L1 without its fourth operand gathers rows, and says so."""
    program = cxx.work / "gather_l1-rows"
    built = run([cxx.build / "ptog-cxx", "--target=a2a3", "-DWITHOUT_SCRATCH", PLACE / "gather_l1.cpp", "-o", program], cwd=ROOT)
    done = run([program]) if built.returncode == 0 else built
    said = "warning: MGATHER into L1 without scratch memory gathers rows, also with Coalesce::Elem [mgather-l1-row]"
    checks.check("field: Elem into L1 without scratch memory", [] if said in done.stderr else done.stderr[-2000:])


def check(checks, cxx):
    check_elem_without_scratch(checks, cxx)
    jobs = [(source, compiler) for source in SOURCES for compiler in COMPILERS]
    for name, built in at_once(lambda job: build(cxx, job), jobs):
        if built.returncode or built.stderr:
            checks.check(f"field: {name} compiles", [built.stderr[-2000:]])
            continue
        done = run([cxx.work / name])
        words = [line for line in done.stderr.splitlines() if not line.endswith("[gm-unknown-size]")]  # of main's arrays
        right = done.returncode == 0 and ("right" in done.stdout or " 0 failures" in done.stdout) and not words
        checks.check(f"field: {name}", [] if right else f"{done.returncode} {done.stdout}{done.stderr}")
