"""A client of `ptog lsp` for tests: requests and their answers, notifications, and positions in UTF-16."""

import json
import os
import select
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import limited  # noqa: E402

URI = "file:///home/kernel.pto"
CPU_SECONDS = 600  # of the server: what needs more has hung


class Gone(Exception):
    """The server has ended."""


def units(text):
    return len(text.encode("utf-16-le")) // 2


class Text:
    """A document as the editor has it: lines, and positions in units of UTF-16."""

    def __init__(self, text):
        self.text = text

    def position(self, offset):
        before = self.text[:offset].replace("\r\n", " \n").replace("\r", "\n")
        line = before.count("\n")
        start = before.rfind("\n") + 1
        return {"line": line, "character": units(self.text[start:offset])}

    def lines(self):
        return self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    def offset(self, position):
        """The offset of a position; ValueError when the document has no such position."""
        at = line = 0
        while line < position["line"]:
            ends = [end for end in (self.text.find("\n", at), self.text.find("\r", at)) if end >= 0]
            if not ends:
                raise ValueError(f"no line {position['line']}")
            at = min(ends) + (2 if self.text.startswith("\r\n", min(ends)) else 1)
            line += 1
        left = position["character"]
        while left > 0:
            if at >= len(self.text) or self.text[at] in "\r\n":
                raise ValueError(f"no character {position['character']} in line {line}")
            left -= units(self.text[at])
            at += 1
        if left < 0:
            raise ValueError("a position inside a character")
        return at

    def inside(self, range_):
        """The text of a range, which must be one of the document."""
        start, end = self.offset(range_["start"]), self.offset(range_["end"])
        if end < start:
            raise ValueError("a range that ends before it starts")
        return self.text[start:end]

    def applied(self, edits):
        """The text after edits, none of which may overlap another; those at one place are in the order of the list."""
        places = sorted(((self.offset(edit["range"]["start"]), i, self.offset(edit["range"]["end"]), edit["newText"])
                         for i, edit in enumerate(edits)))
        done, parts = 0, []
        for start, _, end, new in places:
            if start < done:
                raise ValueError("edits overlap")
            parts += [self.text[done:start], new]
            done = end
        return "".join(parts) + self.text[done:]


class Client:
    """The server as a process, and what it said without being asked."""

    def __init__(self, ptog, *options, settings=None, initialize=True):
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0"}
        self.process = subprocess.Popen(limited(CPU_SECONDS, [str(ptog), "lsp", *options]), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=environment)
        self.buffer, self.told, self.number, self.version = b"", [], 0, 0
        if initialize:
            self.capabilities = self.ask("initialize", {"capabilities": {}, "initializationOptions": settings or {}})
            self.tell("initialized", {})

    def write(self, data):
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Gone from None

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def read(self, seconds=None):
        """The next message; None: nothing came for so long."""
        while True:
            header, found, rest = self.buffer.partition(b"\r\n\r\n")
            if found:
                length = int(header.split(b":")[1])
                if len(rest) >= length:
                    self.buffer = rest[length:]
                    return json.loads(rest[:length])
            if seconds is not None and not select.select([self.process.stdout], [], [], seconds)[0]:
                return None
            data = os.read(self.process.stdout.fileno(), 1 << 20)
            if not data:
                raise Gone(self.process.stderr.read().decode(errors="replace")[-2000:])
            self.buffer += data

    def answer(self, number):
        while True:
            message = self.read()
            if message.get("id") == number and "method" not in message:
                return message
            self.told.append(message)

    def ask_raw(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.answer(self.number)

    def ask(self, method, params):
        message = self.ask_raw(method, params)
        if "error" in message:
            raise AssertionError(f"{method}: {message['error']}")
        return message["result"]

    def open(self, text, uri=URI):
        self.version += 1
        self.tell("textDocument/didOpen",
                  {"textDocument": {"uri": uri, "languageId": "pto", "version": self.version, "text": text}})

    def change(self, changes, uri=URI):
        self.version += 1
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": self.version}, "contentChanges": changes})

    def about(self, method, text, word=None, after=0, uri=URI, **more):
        """Asks about the place of a word in the text, `after` characters from its start."""
        params = {"textDocument": {"uri": uri}, **more}
        if word is not None:
            params["position"] = Text(text).position(text.index(word) + after)
        return self.ask("textDocument/" + method, params)

    def diagnostics(self, count=1, uri=URI):
        """The diagnostics of the `count`-th publication for the latest version: the first is the check, the second the run."""
        found = [m for m in self.told if is_publication(m, uri, self.version)]
        while len(found) < count:
            message = self.read()
            self.told.append(message)
            if is_publication(message, uri, self.version):
                found.append(message)
        return found[count - 1]["params"]["diagnostics"]

    def close(self):
        """Shuts the server down and returns its exit status and standard error."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.process.stdin.close()
        errors = self.process.stderr.read().decode(errors="replace")
        return self.process.wait(), errors


def is_publication(message, uri, version):
    params = message.get("params", {})
    return (message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == uri and
            params.get("version", version) == version)
