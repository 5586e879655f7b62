"""Types what a page of the documents tells its reader to type, and writes the files that it shows.

A block is handled by what stands after its three backticks:

    sh                a reader types it: every command must succeed (in README.md, tutorials and how-to guides)
    console           '$ command', and what it prints, which is compared, or written anew
    text examples/X   what the example X prints: examples/X.expected
    LANGUAGE FILE     the file FILE, as in 'mlir first.pto': it is written, and later blocks use it

Other blocks only show something. A page is typed from top to bottom in the project's folder; one that says `<!-- typed in: an empty
folder -->` in a folder of its own. One that says `<!-- needs: python -->` wants the Python package, and tests/python types it.
"""

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT  # noqa: E402

BLOCK = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = "::typed:: "
FILE = re.compile(r"\w+ ([\w.-]+\.\w+|[\w/-]+/[\w.-]+)")


def pages():
    """Every page, README.md first: it installs what the others use."""
    return [ROOT / "README.md", *sorted(ROOT.glob("docs/*/*.md"))]


def needs_python(text):
    return "<!-- needs: python -->" in text


def commands(text):
    """The commands of a block: a line, with those that it is continued by."""
    command = ""
    for line in text.splitlines():
        command += line + "\n"
        if not line.endswith(("\\", "|", "&&")):
            yield command.rstrip("\n")
            command = ""


def script(block):
    """What types a block, and says before each command that it comes. `make test` is left out, since this is a part of it."""
    lines = ["set -e"]
    for number, command in enumerate(commands(block)):
        if not command.startswith("make test"):
            lines += [f"printf '%s%s\\n' '{MARK}' {number} >&2", command]
    return "\n".join(lines)


def transcript(block):
    """The commands of a console block, without the prompt; a command goes on in lines that begin with '> '."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(line[2:])
        elif line.startswith("> ") and found and found[-1].endswith("\\"):
            found[-1] += "\n" + line[2:]
    return found


class Reader:
    """Somebody who types a page in a folder, with an environment; what `export` sets lasts to the end of the page."""

    def __init__(self, place, env, types=True):
        self.place, self.env, self.types, self.exported = place, env, types, ""

    def shell(self, text, both=False):
        return subprocess.run(["sh", "-c", self.exported + text], cwd=self.place, env=self.env, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT if both else subprocess.PIPE)

    def type_block(self, body):
        """What went wrong with a block of commands."""
        done = self.shell(script(body))
        self.exported += "".join(f"{line}\n" for line in re.findall(r"^export .*$", body, re.MULTILINE))
        if done.returncode == 0:
            return []
        said = done.stderr.rpartition(MARK)[2]
        return [f"exit status {done.returncode} at command {said}\n{body}\n{done.stdout[-2000:]}"]

    def answer(self, body, problems):
        """A console block as it would be now. Commands may fail there, since some show that, but they have to start."""
        lines = []
        for command in transcript(body):
            done = self.shell(command, both=True)
            said = done.stdout.replace(self.env["HOME"], "/home/me")
            if done.returncode >= 126:
                problems += [f"exit status {done.returncode} at command {command}\n{said[-2000:]}"]
            lines += ["$ " + command.replace("\n", "\n> "), *said.splitlines()]
        return "".join(f"{line}\n" for line in lines)

    def block(self, tag, body, problems):
        """Does what a block says, and returns its body as it would be now."""
        if tag == "sh" and self.types:
            problems += self.type_block(body)
        elif tag == "console":
            return self.answer(body, problems)
        elif tag.startswith("text examples/"):
            return (ROOT / f"{tag[5:]}.expected").read_text()
        elif FILE.fullmatch(tag):
            (self.place / FILE.fullmatch(tag)[1]).write_text(body)
        return body

    def read(self, text):
        """Types a whole page: the page as it would be now, and what went wrong."""
        problems = []
        now = BLOCK.sub(lambda match: f"```{match[1]}\n{self.block(match[1], match[2], problems)}```", text)
        return now, problems
