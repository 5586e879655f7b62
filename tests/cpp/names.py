"""Messages name the operands as the kernel's source does: names.expected has the report of each kernel of names_main.cpp. Where the
source cannot be read, only the names differ."""

import os
import re
import shutil

from tools import COMPILERS, HERE
from checks import run

SOURCE, EXPECTED = HERE / "names_main.cpp", HERE / "names.expected"
KERNELS = 9
ROLES = re.compile(r"\bthe (destination|index|source|first|second|table|tile)|\bgm\d")


def messages(cxx, program, tag, **env):
    lines = []
    for number in range(KERNELS):
        _, found, _ = cxx.report(program, str(number), tag=f".{tag}{number}", PTOG_TARGET="a2a3", **env)
        lines += [f"{number}: {diag['message']} [{diag['id']}]\n" for diag in found if diag["severity"] != "note"]
    return "".join(lines)


def check(checks, cxx):
    for compiler, standard in COMPILERS:
        program, said = cxx.compile(SOURCE, f"names-{compiler}-{standard}", compiler, standard, ["PTOG_TARGET=a2a3"])
        found = messages(cxx, program, "names") if program else said
        if os.environ.get("PTOG_UPDATE_EXPECTED"):
            EXPECTED.write_text(found)
        checks.check(f"names: as written, {compiler} {standard}", [] if found == EXPECTED.read_text() else found)
    copy = cxx.work / "gone.cpp"
    shutil.copy(SOURCE, copy)
    program, said = cxx.compile(copy, "gone", defines=["PTOG_TARGET=a2a3"])
    copy.unlink()
    found = messages(cxx, program, "gone") if program else said
    checks.check("names: roles without the source", [] if found and all(ROLES.search(line) for line in found.splitlines()) and
                 found.count("\n") == EXPECTED.read_text().count("\n") else found)
    other = cxx.work / "names.txt"  # neither a C++ source nor below the working directory
    other.write_text('#line 2 "%s"\n%s' % (other, SOURCE.read_text()))
    program, said = cxx.compile(other, "other", defines=["PTOG_TARGET=a2a3"], flags=["-x", "c++"])
    checks.check("names: no other file is read", [] if program and messages(cxx, program, "other") == found else said)
    here = run([program, "0"], cwd=cxx.work).stderr if program else said
    checks.check("names: one below the working directory is", [] if "may read ids before" in here else here)
