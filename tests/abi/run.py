"""The ABI of the public headers against the one that is kept, libptog.abi: what a program that was built with older headers
relies on. It is taken from the headers alone, by a library whose calls do nothing, so that it does not depend on how
libptog itself is built; tests/meta/symbols.py sees to it that libptog exports just these calls.

usage: run.py [--update]     --update writes libptog.abi anew: for a change that is meant, and is in CHANGELOG.md
"""

import argparse
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, SONAME, Checks, run  # noqa: E402

KEPT = ROOT / "tests/abi/libptog.abi"
DECLARED = re.compile(r"PTOG_API\s+([^;{}]*?\bptog_\w+\s*\([^;]*\))\s*;")
OPTIONS = ("--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--drop-undefined-syms")


def headers():
    return sorted(path for path in (ROOT / "include/ptog").glob("*.h") if not path.name.startswith("mpi"))


def source():
    """A C file that defines every public call."""
    text = ["#include <ptog/ptog.h>\n"]
    for header in headers():
        code = re.sub(r"/\*.*?\*/", " ", header.read_text(encoding="utf-8"), flags=re.DOTALL)
        text += [f"{' '.join(call.split())} {{ for (;;) {{ }} }}\n" for call in DECLARED.findall(code)]
    return "".join(text)


def dump(place, text, name="now"):
    """The ABI of a C file with the public headers, as a file of libabigail; or what went wrong."""
    path, library, abi = place / f"{name}.c", place / SONAME, place / f"{name}.abi"
    path.write_text(text, encoding="utf-8")
    built = run([shutil.which("cc") or "gcc", "-std=c11", "-g", "-O0", "-w", "-fPIC", "-shared", "-fvisibility=hidden",
                 f"-Wl,-soname,{SONAME}", "-nostdlib", f"-I{ROOT / 'include'}", "-o", library, path])
    if built.returncode != 0:
        raise SystemExit(f"abi: the headers do not compile:\n{built.stderr}")
    made = run(["abidw", *OPTIONS, "--out-file", abi, library])
    if made.returncode != 0:
        raise SystemExit(f"abi: abidw failed:\n{made.stderr}")
    # units are named after the file and the compiler
    clean = re.sub(r" (path|comp-dir-path)='[^']*'", "", abi.read_text(encoding="utf-8"))
    abi.write_text(clean + ("" if clean.endswith("\n") else "\n"), encoding="utf-8")
    return abi


def differences(old, new):
    """abidiff's status and words; new calls are no difference."""
    found = run(["abidiff", "--no-added-syms", old, new])
    return found.returncode, found.stdout.strip()


def is_open():
    """Whether the version of the headers is not released yet: until then the ABI may change."""
    version = re.search(r'PTOG_VERSION "(.*)"', (ROOT / "include/ptog/version.h").read_text(encoding="utf-8"))[1]
    return f"## {version}, not released" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def check_itself(checks, place, text):
    """A call that is gone, a field that moves and the number of an enum or an opcode that changes are all noticed."""
    now = dump(place, text)
    others = {"a call that is gone": re.sub(r"(?m)^size_t ptog_size_of\(.*\n", "", text),
              "a field that moves": "#define mhz another, mhz\n" + text,
              "a number that changes": "#define PTOG_ERROR PTOG_ERROR = 3, PTOG_OTHER\n" + text,
              "an instruction that is not appended": "#define PTOG_TADD PTOG_INSERTED, PTOG_TADD\n" + text}
    for what, other in others.items():
        status, _ = differences(now, dump(place, other, "other"))
        checks.check(f"{what} is noticed", [] if status else ["abidiff says nothing"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    update = parser.parse_args().update
    checks = Checks("abi")
    if not shutil.which("abidw") or not shutil.which("abidiff"):
        print("abi: skipped: libabigail (Debian's abigail-tools) is not installed")
        checks.finish()
    with tempfile.TemporaryDirectory() as name:
        place, text = Path(name), source()
        now = dump(place, text)
        if update:
            KEPT.write_text(now.read_text(encoding="utf-8"), encoding="utf-8")
        status, words = differences(KEPT, now)
        if status and is_open():
            print(f"{words}\nabi: the ABI differs from the one that is kept; this version is not released, so it may.\n"
                  "abi: a line in CHANGELOG.md, and tests/abi/run.py --update keeps the new one")
            status = 0
        checks.check("the headers have the ABI of tests/abi/libptog.abi, and perhaps more",
                     f"{words}\nwhen that is meant: a line in CHANGELOG.md, and tests/abi/run.py --update" if status else [])
        check_itself(checks, place, text)
    checks.finish()


main()
