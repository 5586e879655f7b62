"""Meta test: macros of a program that includes a public header, such as -DK=128, do not reach the tables that the header reads.

hide_macros.def of include/ptog/spec hides the words of the tables and of the row macros; show_macros.def brings the program's macros back.
Checked: both list the same names, and these are the words in capitals that stand in the tables and after #define between the two. Names of
instructions are public names of the C++ headers, and belong to no program.
"""

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks  # noqa: E402

SPEC = ROOT / "include/ptog/spec"
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"', re.S)
WORD = re.compile(r"(?<!\w)(?!PTOG_|UINT64_C\b)[A-Z][A-Z0-9_]*\b")
BETWEEN = re.compile(r"hide_macros\.def>(.*?)show_macros\.def>", re.S)


def code_of(path):
    return NOT_CODE.sub(" ", path.read_text())


def table_words():
    """The words in capitals of each table, without the names of instructions and the parameters of macros."""
    tables = {path.name: code_of(path) for path in sorted(SPEC.glob("*.def")) if not path.name.endswith("_macros.def")}
    instructions = set(re.findall(r"^INSN\w*\((\w+),", tables["insns.def"], re.M))
    found = {}
    for name, text in tables.items():
        parameters = {word for list_ in re.findall(r"^#\s*define \w+\(([^)]*)\)", text, re.M) for word in WORD.findall(list_)}
        found[name] = set(WORD.findall(text)) - instructions - parameters
    return found


def row_macros():
    """What the headers define for the rows of a table."""
    found = {}
    for path in sorted((ROOT / "include").rglob("*.h*")):
        for part in BETWEEN.findall(NOT_CODE.sub(" ", path.read_text())):
            names = re.findall(r"^\s*#\s*define (\w+)", part, re.M)
            found.setdefault(path.name, set()).update(name for name in names if not name.startswith("PTOG_"))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build")
    parser.parse_args()
    checks = Checks("macros")
    hidden = re.findall(r'^#pragma push_macro\("(\w+)"\)\n#undef \1$', (SPEC / "hide_macros.def").read_text(), re.M)
    shown = re.findall(r'^#pragma pop_macro\("(\w+)"\)$', (SPEC / "show_macros.def").read_text(), re.M)
    checks.check("the macros that are hidden come back", [] if sorted(hidden) == sorted(shown) else sorted(set(hidden) ^ set(shown)))
    checks.check("they are listed by the alphabet, once each", [] if hidden == sorted(set(hidden)) else "they are not")
    sources = {**table_words(), **row_macros()}
    for name, words in sources.items():
        checks.check(f"{name}: its words are hidden", sorted(words - set(hidden)))
    checks.check("what is hidden is used", sorted(set(hidden) - set().union(*sources.values())))
    checks.finish()


if __name__ == "__main__":
    main()
