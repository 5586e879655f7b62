"""The words of messages: every message that a test prints is made of templates of tests/messages.py, and neither templates nor
help nor documents use the wording that was given up."""

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, run, tracked  # noqa: E402
from messages import reported, templates  # noqa: E402

# The messages of the left column of "Messages: before and after", as patterns: not in templates, help, reports or documents.
GIVEN_UP = [
    r"made up\b", r"'s (read|write) on \w+ is ordered", r"changes nothing: (none|all)", r"is set again, and nothing orders",
    r"clamped or wrapped as the unsigned", r"leaves the [\d,]+ bytes", r"not made of whole blocks", r"newest compiler",
    r"is read, but (not|no)\b", r"which starts nothing", r"\bcycle: \w+ ->", r"\d+x\d+ of the tile is valid", r"the program needs it: ",
    r"is no element type", r"\d+ right, \d+ wrong", r"no such target, so", r"own walk left a tile", r"published practice",
    r"said to be valid", r"= documented: ",
]
# The whole left column, which the patterns above must find.
LEFT_COLUMN = """\
made up: %table, %words (indices below 64)
race: mgather reads idx (UB 0x0..0xf) on S before tload's write on MTE2 is ordered
changes nothing: none of V's work is left for MTE3 to wait for
flag (MTE3, V, 2) is set again, and nothing orders this after the wait for the set before
a negative index was clamped or wrapped as the unsigned number it is
leaves the 196608 bytes of UB that a2a3 has
not made of whole blocks, which the newest compiler asks
'hello' is read, but not modelled
found '/', which starts nothing
cycle: MTE3 -> V -> the end of the program
16x30 of the tile is valid
table: the program needs it: memory 'table'
float64 is no element type
19 right, 13 wrong
no such target, so a2a3 is taken
the instruction's own walk left a tile
documented: this project: published practice
""".splitlines()
# Words that messages and help do not use: say checked, reported, assumed, transposed, passed, failed, requires.
HOUSE_WORDS = [r"\basks?\b", r"\basked\b", r"\btold\b", r"\btaken\b", r"\bturned\b", r"\b(?:is|are) (?:right|wrong)\b", r"\bmends?\b",
               r"(?<!here )\bis no [a-z]+\b(?! more)", r"\bwants\b", r"\blodge\w*", r"\brooms\b", r"\bhouse\b", r"\bcarr(?:y|ied) out\b",
               r"\b[Nn]othing orders\b", r"\bma(?:de|kes?) up\b", r"\bfor ever\b", r"\btakes? (?:no|one|any|other|another|all)\b",
               r"\bthe like\b", r"\b[Nn]obody\b", r"\bhave one (?:element|type|size|shape)\b"]
# A role may not stand where the verifier knows the operand's name.
ROLES = re.compile(r"(?<![{.\w-])(?:dst|src|idx|src0|src1|cdst)(?![}.\w-])")


def found(patterns, text):
    return [pattern for pattern in patterns if re.search(pattern, text)]


def wording(every):
    problems = []
    for template in every:
        for pattern in found(GIVEN_UP + HOUSE_WORDS, template.text):
            problems.append(f"{template.place()}: {pattern}: {template.text!r}")
    return problems


def style(every):
    """Of the rule table: messages and fixes start small, end without a full stop, and name operands by placeholders."""
    problems = []
    for template in every:
        is_message = template.path.name == "rules.def" and ("{" in template.text)
        if is_message and (template.text[0].isupper() or template.text.endswith(".")):
            problems.append(f"{template.place()}: starts large or ends with a full stop: {template.text!r}")
        if is_message and ROLES.search(template.text):
            problems.append(f"{template.place()}: names a role instead of the operand: {template.text!r}")
    return problems


def unlisted(every):
    """Messages of reports of which less than a quarter is text of templates; names, numbers and targets do not count."""
    problems = []
    parts = [[part for part in template.parts() if len(part.strip()) > 2] for template in every]
    for message, path in reported().items():
        letters = [False] * len(message)
        for template, pieces in zip(every, parts):
            if not pieces or not template.prints(message):
                continue
            at = 0
            for piece in pieces:
                at = message.find(piece, at)
                letters[at:at + len(piece)] = [True] * len(piece)
                at += len(piece)
        if sum(letters) * 4 < len(re.sub(r"[%@'][\w.%!-]+|[\d,x]{3,}|\(on [^)]*\)", "", message)):
            problems.append(f"{path.relative_to(ROOT)}: {message}")
    return problems


def in_documents(build):
    problems = []
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for pattern in ("*.md", "*.1", "*.report", "*.test", "*.expected")
             for path in tracked(pattern)}
    for name, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            problems += [f"{name}:{number}: {pattern}: {line.strip()[:120]}" for pattern in found(GIVEN_UP, line)]
    commands = re.findall(r"^  ptog ([a-z]+)", run([build / "ptog", "help"]).stdout, re.M)
    for command in ["", *commands]:
        text = run([build / "ptog", "help", *([command] if command else [])]).stdout
        problems += [f"ptog help {command}: {pattern}" for pattern in found(GIVEN_UP + HOUSE_WORDS, text)]
    return problems


def instructions():
    return re.findall(r'^INSN\(\w+, "(\w+)"', (ROOT / "include/ptog/spec/insns.def").read_text(), re.M)


def pages(build):
    """`ptog explain` has a page for every instruction, target and pipe, with all its parts."""
    problems = []
    for name in instructions():
        page = run([build / "ptog", "explain", name])
        missing = [part for part in ("  meaning ", "  operands ", "  constraints", "  example\n") if part not in page.stdout]
        if "  cost " not in page.stdout and name != "tfillpad_inplace":  # its two tiles have one address, which a small program lacks
            missing.append("cost")
        if page.returncode or page.stderr or missing:
            problems.append(f"{name}: lacks {missing}; {page.stderr}")
    for name in ("host", "cpu", "a2a3", "a5", "a5-custom", "cpusim", "910b", "S", "V", "MTE2", "MTE3", "PIPE_V", "FIX"):
        page = run([build / "ptog", "explain", name])
        if page.returncode or "  meaning " not in page.stdout:
            problems.append(f"{name}: {page.stdout}{page.stderr}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    build = parser.parse_args().build
    every = templates()
    checks = Checks("messages")
    checks.check("the left column is found", [message for message in LEFT_COLUMN if not found(GIVEN_UP, message)])
    checks.check("the list is long", [] if len(every) > 2500 else [f"only {len(every)} templates"])
    checks.check("no template has wording that was given up", wording(every))
    checks.check("messages of rules name operands", style(every))
    checks.check("every reported message is in the list", unlisted(every))
    checks.check("no document, report or help has wording that was given up", in_documents(build))
    checks.check("every instruction, target and pipe has a page", pages(build))
    checks.finish()


if __name__ == "__main__":
    main()
