"""Random edits of a document: the server must not crash, leak or hang, and every range it gives must be one of the text.

usage: edits.py --ptog BUILD/ptog [--count 10000] [--seed N] [--bytes N]

The same edits are made here and by the server, by ranges in UTF-16. After each a random question is asked; ranges of answers and
diagnostics are looked up in the text as it was then. Names are compared with the text: a definition and its references are the same
word. --bytes: besides, so many messages of random bytes. The seed is printed when something fails.
"""

import argparse
import random
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from checks import ROOT, Checks  # noqa: E402
from client import URI, Client, Gone, Text  # noqa: E402

PIECES = ["%", "%x", "%idx", "@f", "{", "}", "(", ")", "[", "<", ">", "=", ",", ":", "#", "!", "\"", "\\", "//", ";", "^bb0", "\n", "\r\n", "\r",
          "\t", "\0", "\u00e9", "\U0001f600", "\ufeff", "pto.mgather", "pto.alloc_tile", "scf.for ", "func.func @g(%a: index) {\n", "attributes {",
          " = ", "return", "4x8xf32", "-1", "0x", "1e9", "ins(", "outs(", "pto.set_flag[<PIPE_V>, ", "pto.barrier <PIPE_V>", "loc(\"a\":1:2)"]
QUESTIONS = ["hover", "definition", "references", "documentSymbol", "completion", "formatting", "codeAction", "semanticTokens/full"]


def starts():
    """Programs to begin with: examples, and some of tests/pto."""
    files = sorted((ROOT / "examples").glob("*.pto")) + sorted((ROOT / "tests" / "pto" / "machine").glob("*.pto"))[::8]
    return [path.read_text() for path in files] + ["", "\r\n\r%x = \U0001f600"]


def random_edit(rng, text):
    """(start, end, new) in characters."""
    start = rng.randrange(len(text) + 1)
    end = min(len(text), start + rng.choice((0, 0, 0, 1, 1, 2, 5, 40)))
    if rng.random() < 0.3 and text:  # lines that are moved about
        at = rng.randrange(len(text))
        return start, start, text[at:at + rng.randrange(60)]
    return start, end, "".join(rng.choices(PIECES, k=rng.choice((0, 1, 1, 1, 2, 3))))


def clean(text, start, end):
    """An editor does not cut "\\r\\n" in two: positions there are the end of the line."""
    while start > 0 and text[start - 1:start + 1] == "\r\n":
        start -= 1
    while end > 0 and text[end - 1:end + 1] == "\r\n":
        end -= 1
    return min(start, end), max(start, end)


def ranges(value):
    """All ranges in an answer."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("range", "selectionRange"):
                yield inner
            else:
                yield from ranges(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from ranges(inner)


def token_ranges(data):
    line = character = 0
    for i in range(0, len(data), 5):
        line += data[i]
        character = data[i + 1] + (character if data[i] == 0 else 0)
        yield {"start": {"line": line, "character": character}, "end": {"line": line, "character": character + data[i + 2]}}


def check_answer(question, answer, text, offset):
    """Problems of an answer about a text."""
    document = Text(text)
    for found in ranges(answer):
        document.inside(found)
    if question == "semanticTokens/full":
        for found in token_ranges(answer["data"]):
            if not document.inside(found):
                return "an empty token"
    if question == "references" and answer:
        words = {document.inside(found["range"]) for found in answer}
        if len(words) > 1:
            return f"references to several names: {words}"
    if question == "definition" and answer:
        word = document.inside(answer["range"])
        around = text[max(0, offset - len(word) - 8):offset + len(word) + 8]
        if word not in around:
            return f"definition {word!r} is not at {around!r}"
    if question in ("formatting",) and answer:
        document.applied(answer)
    return None


class Editing:
    def __init__(self, ptog, seed):
        self.rng = random.Random(seed)
        self.client = Client(ptog, settings={"delay": 20})
        self.texts = {}  # by version
        self.text = ""

    def restart(self, text):
        self.text = text
        self.client.open(text)
        self.texts = {self.client.version: text}

    def step(self):
        rng = self.rng
        if len(self.text) > 6000 or rng.random() < 0.005:
            self.restart(rng.choice(starts()))
        changes = []
        for _ in range(rng.choice((1, 1, 1, 2))):
            start, end, new = random_edit(rng, self.text)
            start, end = clean(self.text, start, end)
            place = Text(self.text)
            changes.append({"range": {"start": place.position(start), "end": place.position(end)}, "text": new})
            self.text = self.text[:start] + new + self.text[end:]
        self.client.change(changes)
        self.texts[self.client.version] = self.text
        return self.ask()

    def ask(self):
        question, offset = self.rng.choice(QUESTIONS), self.rng.randrange(len(self.text) + 1)
        offset, _ = clean(self.text, offset, offset)
        place = Text(self.text)
        params = {"textDocument": {"uri": URI}, "position": place.position(offset), "context": {"diagnostics": []},
                  "range": {"start": {"line": 0, "character": 0}, "end": place.position(len(self.text))}}
        answer = self.client.ask("textDocument/" + question, params)
        return check_answer(question, answer, self.text, offset) or self.check_told()

    def check_told(self):
        for message in self.client.told:
            params = message.get("params", {})
            if message.get("method") == "textDocument/publishDiagnostics" and params.get("version") in self.texts:
                document = Text(self.texts[params["version"]])
                for diagnostic in params["diagnostics"]:
                    for found in ranges(diagnostic):
                        document.inside(found)
        self.client.told.clear()
        self.texts = {version: text for version, text in self.texts.items() if version > self.client.version - 50}
        return None


def random_bytes(ptog, rng):
    """A message of random bytes, or of a request with random parts: the server answers, or ends with 2."""
    client = Client(ptog)
    words = [b'{"jsonrpc":"2.0",', b'"id":1,', b'"method":"textDocument/', b"hover", b"didChange", b'"', b'"params":', b"{", b"}", b"[", b"]", b":", b",",
             b'"textDocument":', b'"position":', b'"line":', b"-1", b"1e999", b"99999999999999999999", b"null", b"true", b'"contentChanges":', b"\\u0000", b"\xff"]
    for _ in range(20):
        body = b"".join(rng.choices(words, k=rng.randrange(40))) + bytes(rng.randrange(256) for _ in range(rng.randrange(5)))
        client.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    client.ask("shutdown", None)
    client.write(bytes(rng.randrange(256) for _ in range(5000)))
    client.process.stdin.close()
    client.process.stdout.read()
    errors = client.process.stderr.read().decode(errors="replace")
    status = client.process.wait()
    return f"status {status}: {errors}" if status not in (0, 1, 2) or "Sanitizer" in errors else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--bytes", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    ptog = arguments.ptog.resolve()
    checks = Checks("lsp edits", first=True)
    editing = Editing(ptog, arguments.seed)
    editing.restart(starts()[0])
    for i in range(arguments.count):
        name = f"edit {i}, seed {arguments.seed}"
        try:
            problem = editing.step()
        except (Gone, AssertionError, ValueError) as error:
            problem = f"{type(error).__name__}: {error}\n{editing.text!r}"
        checks.check(name, [problem] if problem else [])
    status, errors = editing.client.close()
    checks.check("end", [f"status {status}: {errors}"] if status or errors else [])
    for i in range(arguments.bytes):
        problem = random_bytes(ptog, random.Random(f"{arguments.seed} {i}"))
        checks.check(f"random bytes {i}, seed {arguments.seed}", [problem] if problem else [])
    checks.finish()


if __name__ == "__main__":
    main()
