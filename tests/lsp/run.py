"""The language server, one scripted session of an editor for each thing it does.

usage: run.py --ptog BUILD/ptog

Expected values are written here by hand, or are what the command says of the same program: --apply-fix, fmt, explain.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from checks import ROOT, Checks  # noqa: E402
from client import URI, Client, Gone, Text  # noqa: E402

EMBED = (ROOT / "examples" / "embed.pto").read_text()
ALL = {"start": {"line": 0, "character": 0}, "end": {"line": 1000, "character": 0}}
ODD = ("// caf\u00e9 \U0001f600\nfunc.func @f(%a: !pto.ptr<f32>) {\n  /* */ return // \U0001f600 %a\n}\r\n"
       "func.func @g() {\n  func.call @f() : () -> () // \u00e9\n  return\n}\n")


class Session:
    """Problems of one session; the server must end well."""

    def __init__(self, ptog, *options, **settings):
        self.client = Client(ptog, *options, settings={"target": "a2a3", "delay": 0, **settings})
        self.problems = []

    def expect(self, what, got, wanted):
        if got != wanted:
            self.problems.append(f"{what}: expected {wanted!r}, got {got!r}")

    def expect_in(self, what, part, whole):
        if part not in whole:
            self.problems.append(f"{what}: expected {part!r} in {whole!r}")

    def finish(self):
        status, errors = self.client.close()
        self.expect("exit status", status, 0)
        self.expect("standard error", errors, "")
        return self.problems


def messages(found):
    return [(item["code"], item["range"]["start"]["line"] + 1) for item in found]


# ---- sessions --------------------------------------------------------------------------------------------------------


def lifecycle(ptog):
    problems = []
    client = Client(ptog, initialize=False)
    early = client.ask_raw("textDocument/hover", {})
    if early.get("error", {}).get("code") != -32002:
        problems.append(f"a request before initialize: {early}")
    client.ask("initialize", {"capabilities": {}})
    if client.ask_raw("no/suchMethod", {}).get("error", {}).get("code") != -32601:
        problems.append("an unknown request is not refused")
    client.tell("no/suchNotification", {})
    if client.about("hover", "x", "x") is not None:
        problems.append("hover over a document that is not open is not null")
    client.ask("shutdown", None)
    if client.ask_raw("textDocument/hover", {}).get("error", {}).get("code") != -32600:
        problems.append("a request after shutdown is not refused")
    client.tell("exit", None)
    if client.process.wait() != 0:
        problems.append("exit after shutdown is not 0")
    client = Client(ptog)
    client.tell("exit", None)
    if client.process.wait() != 1:
        problems.append("exit without shutdown is not 1")
    return problems


def framing(ptog):
    problems = []
    client = Client(ptog)
    for body in (b"", b"{", b'{"a":01}', b"\xff", b'"\\ud800"', b"[" * 100 + b"]" * 100, b"[]", b"1"):
        client.write(b"content-length: %d\r\nContent-Type: x\r\n\r\n" % len(body) + body)
        code = client.read().get("error", {}).get("code")
        if code not in (-32700, -32600):
            problems.append(f"{body[:20]!r}: {code}")
    client.write(b"Content-Length: 99999999\r\n\r\n" + b" " * 99999999)
    if client.read().get("error", {}).get("code") != -32700:
        problems.append("a message that is too large is not refused")
    client.open("x")
    if not client.diagnostics():
        problems.append("no diagnostics after broken messages")
    client.close()
    client = Client(ptog)
    client.write(b"GET / HTTP/1.1\r\n\r\n")
    client.process.stdin.close()
    if client.process.wait() != 2:
        problems.append("what is no header does not end the server with 2")
    return problems


def diagnostics(ptog):
    session = Session(ptog)
    client = session.client
    client.open(EMBED)
    session.expect("check", client.diagnostics(1), [])
    found = client.diagnostics(2)
    session.expect("run", messages(found), [("race-raw", 8)])
    text = Text(EMBED)
    session.expect("range", text.inside(found[0]["range"]), "pto.mgather")
    session.expect("related", text.inside(found[0]["relatedInformation"][0]["location"]["range"]), "pto.tload")
    session.expect_in("message", "may read %idx before tload", found[0]["message"])
    wrong = EMBED.replace("ins(%words)", "ins(%word)")
    client.change([{"text": wrong}])
    found = client.diagnostics(1)
    session.expect("undefined name", Text(wrong).inside(found[0]["range"]), "%word")
    session.expect("severity", found[0]["severity"], 1)
    client.tell("textDocument/didClose", {"textDocument": {"uri": URI}})
    client.ask_raw("textDocument/hover", {})
    session.expect("closed", client.told[-1]["params"], {"uri": URI, "diagnostics": []})
    return session.finish()


def settings(ptog):
    session = Session(ptog, "--no-run", target="")
    client = session.client
    text = "%d = mgather.row %t, %i : (memref<4x8xf32>, tile<1x8xi32>) -> tile<8x8xf32>\n"
    client.open(EMBED)
    session.expect("check", client.diagnostics(1), [])
    client.ask("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}})
    session.expect("nothing is run with --no-run", client.read(0.5), None)
    client.open(text)
    client.diagnostics(1)
    before = len(client.told)
    client.tell("workspace/didChangeConfiguration", {"settings": {"ptog": {"target": "a5", "strict": True}}})
    while len(client.told) == before:
        client.told.append(client.read())
    session.expect("documents are checked again", client.told[-1]["params"]["uri"], URI)
    return session.finish()


def synchronisation(ptog):
    """Edits by ranges, in UTF-16, in any order; the server's text shows in the ranges of its answers."""
    session = Session(ptog, run=False)
    client = session.client
    client.open("")
    text = ""
    for start, end, new in ((0, 0, ODD), (3, 8, "\U0001f600x"), (0, 2, ""), (40, 40, "\r\n// \u00e9"), (5, 5, "\r"), (2, 30, "y"),
                            (0, 0, ODD)):
        place = Text(text)
        client.change([{"range": {"start": place.position(start), "end": place.position(end)}, "text": new}])
        text = text[:start] + new + text[end:]
    data = client.about("semanticTokens/full", text)["data"]
    line = character = 0
    words = []
    for i in range(0, len(data), 5):
        line += data[i]
        character = data[i + 1] + (character if data[i] == 0 else 0)
        words.append(Text(text).inside({"start": {"line": line, "character": character},
                                        "end": {"line": line, "character": character + data[i + 2]}}))
    session.expect("tokens", [word for word in words if word.startswith("@")][-3:], ["@f", "@g", "@f"])
    client.change([{"text": "a"}, {"range": {"start": {"line": 0, "character": 9}, "end": {"line": 7, "character": 0}}, "text": "b c"}])
    session.expect("several changes", len(client.about("semanticTokens/full", "ab c")["data"]), 10)
    return session.finish()


def hover(ptog):
    session = Session(ptog)
    client = session.client
    client.open(EMBED)
    client.diagnostics(2)
    over = client.about("hover", EMBED, "pto.mgather", 5)
    said = subprocess.run([ptog, "explain", "mgather"], capture_output=True, text=True).stdout
    session.expect_in("meaning", "gathers rows (dst[r,j] = table[idx[r], j])", over["contents"]["value"])
    session.expect_in("meaning, as explain", "gathers rows (dst[r,j] = table[idx[r], j])", " ".join(said.split()))
    session.expect_in("operands", "idx: the index tile, read", over["contents"]["value"])
    session.expect_in("attributes", "`#pto<gather_oob clamp>`", over["contents"]["value"])
    session.expect_in("cycles", "on a2a3: about ", over["contents"]["value"])
    session.expect_in("finding", "**race-raw**", over["contents"]["value"])
    session.expect("range", Text(EMBED).inside(over["range"]), "pto.mgather")
    tile = client.about("hover", EMBED, "%dst)", 2)["contents"]["value"]
    session.expect_in("definition", "%dst = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>", tile)
    session.expect_in("shape and address", "on a2a3: 4x8 f32, UB 0x20..0x9f", tile)
    session.expect("comment", client.about("hover", EMBED, "embedding"), None)
    product = (ROOT / "examples" / "product.pto").read_text()
    client.open(product)
    session.expect("the product is clean", client.diagnostics(2), [])
    for word, wanted in (("%mb =", "3072 bytes, L1 0xc00..0x17ff"), ("%l =", "3072 bytes, L0A 0x0..0xbff"), ("%r =", "3072 bytes, L0B 0x0..0xbff"),
                         ("%s =", "4096 bytes, L0C 0x0..0xfff")):
        session.expect_in(f"memory of {word}", wanted, client.about("hover", product, word, 1)["contents"]["value"])
    over = client.about("hover", product, "pto.tmatmul", 5)["contents"]["value"]
    session.expect_in("a product", "on a2a3: about ", over)
    session.expect_in("its operands", "src0: ", over)
    return session.finish()


def navigation(ptog):
    session = Session(ptog, run=False)
    client = session.client
    text = """func.func @f(%a: index, %n: index) {
  scf.for %i = %a to %n step %a {
    %x = arith.addi %i, %a : index
  }
  scf.for %i = %a to %n step %a {
    %x = arith.addi %i, %i : index
  }
  return
}
func.func @g(%a: index) {
  func.call @f(%a, %a) : (index, index) -> ()
  return
}
"""
    client.open(text)
    lines = lambda found: [item["range"]["start"]["line"] + 1 for item in found]  # noqa: E731
    session.expect("argument", client.about("definition", text, "%a to")["range"]["start"], {"line": 0, "character": 13})
    session.expect("second loop", client.about("definition", text, "%i, %i")["range"]["start"]["line"], 4)
    session.expect("call", client.about("definition", text, "@f(%a, %a)")["range"]["start"], {"line": 0, "character": 10})
    session.expect("references", lines(client.about("references", text, "%i = ", context={"includeDeclaration": True})), [2, 3])
    session.expect("uses", lines(client.about("references", text, "%a: index, ", context={"includeDeclaration": False})),
                   [2, 2, 3, 5, 5])
    session.expect("a word is no name", client.about("definition", text, "scf.for"), None)
    symbols = client.about("documentSymbol", text)
    session.expect("symbols", [(item["name"], item["range"]["start"]["line"], item["range"]["end"]["line"]) for item in symbols],
                   [("@f", 0, 8), ("@g", 9, 12)])
    session.expect("children", [child["name"] for child in symbols[0]["children"]], ["%a", "%n", "%i", "%x", "%i", "%x"])
    snippet = "pto.tload ins(%v) outs(%t)\npto.tstore ins(%t) outs(%v)\n"
    client.change([{"text": snippet}])
    session.expect("free operand", client.about("definition", snippet, "%t) outs(%v)")["range"]["start"], {"line": 0, "character": 23})
    return session.finish()


def completion(ptog):
    session = Session(ptog, run=False)
    client = session.client

    def offered(text, **_):
        """What is offered at the mark | of a text."""
        client.open(text.replace("|", ""))
        return client.about("completion", text, "|")["items"]

    def labels(text):
        return [item["label"] for item in offered(text)]

    head = EMBED[:EMBED.index("  pto.tload")]
    session.expect("operands", labels(head + "  pto.tload ins(%|"), ["%dst", "%idx", "%out", "%words", "%table"])
    session.expect("operands without %", labels(head + "  pto.tload ins(|)"), ["%dst", "%idx", "%out", "%words", "%table"])
    session.expect_in("operations", "pto.mgather", labels(head + "  pto.mg|"))
    session.expect_in("operations after =", "pto.alloc_tile", labels(head + "  %x = |"))
    session.expect("attributes", labels(head + "  pto.mgather ins(%table, %idx) outs(%dst) {|"), ["coalesce", "gatherOob"])
    session.expect("values", labels(head + "  pto.mgather ins(%table, %idx) outs(%dst) {coalesce = |}"),
                   ["#pto<coalesce row>", "#pto<coalesce elem>"])
    session.expect("patterns", labels(head + "  pto.tgather ins(%idx, {maskPattern = #pto.mask|"),
                   [f"#pto.mask_pattern<P{p}>" for p in "0101 1010 0001 0010 0100 1000 1111".split()])
    session.expect_in("pipes", "<PIPE_MTE2>", labels(head + "  pto.set_flag[|"))
    session.expect_in("pipes in brackets", "PIPE_MTE2", labels(head + "  pto.set_flag[<PI|"))
    session.expect("events", labels(head + "  pto.wait_flag[<PIPE_V>, <PIPE_S>, <EV|"), [f"EVENT_ID{i}" for i in range(8)])
    text = head + "  pto.mg|"
    item = next(item for item in offered(text) if item["label"] == "pto.mgather")
    session.expect("the word is replaced", Text(text.replace("|", "")).applied([item["textEdit"]]), head + "  pto.mgather")
    session.expect("values of an inner region are gone", labels(
        "func.func @f(%a: index) {\n  scf.for %i = %a to %a step %a {\n    %x = arith.addi %i, %i : index\n  }\n  func.call @f(%|"), ["%a"])
    return session.finish()


def formatting(ptog):
    session = Session(ptog, run=False)
    client = session.client
    for text in (EMBED, EMBED.replace("\n", "\r\n"), "// only a comment", ODD):
        client.open(text)
        edits = client.about("formatting", text)
        done = subprocess.run([ptog, "fmt", "-"], input=text.encode(), capture_output=True)
        wanted = done.stdout.decode() if done.returncode == 0 else None
        session.expect("as ptog fmt", None if edits is None else Text(text).applied(edits), wanted)
    client.open("func.func @f( {")
    session.expect("a text with errors", client.about("formatting", ""), None)
    return session.finish()


def fixes(ptog):
    """Quick fixes of every wrong program of tests/pto/advice: applied together, they are what --apply-fix writes."""
    session = Session(ptog)
    client = session.client
    files = sorted((ROOT / "tests" / "pto" / "advice").glob("*.pto"))
    for path in files + [ROOT / "examples" / "embed.pto"]:
        text = path.read_text()
        client.open(text)
        client.diagnostics(2)
        actions = client.about("codeAction", text, range=ALL, context={"diagnostics": []})
        quick = [action for action in actions if action["kind"] == "quickfix"]
        everything = [action for action in actions if action["kind"] == "source.fixAll.ptog"]
        with tempfile.TemporaryDirectory() as place:
            fixed = Path(place) / "fixed.pto"
            done = subprocess.run([ptog, "run", path, "--target", "a2a3", "--apply-fix", "-o", fixed], capture_output=True)
            wanted = fixed.read_text() if done.returncode == 0 else None
        if wanted in (None, text):
            session.expect(f"{path.name}: nothing to fix", everything, [])
            continue
        edits = [edit for action in quick for edit in action["edit"]["changes"][URI]]
        unique = [edit for i, edit in enumerate(edits) if edit not in edits[:i]]
        session.expect(f"{path.name}: quick fixes", Text(text).applied(unique), wanted)
        if not everything:
            session.problems.append(f"{path.name}: no source.fixAll.ptog")
        else:
            session.expect(f"{path.name}: fix all", Text(text).applied(everything[0]["edit"]["changes"][URI]), wanted)
    client.open(EMBED)
    client.diagnostics(2)
    only = client.about("codeAction", EMBED, range=ALL, context={"diagnostics": [], "only": ["source"]})
    session.expect("only source actions", [action["kind"] for action in only], ["source.fixAll.ptog"])
    first = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
    away = client.about("codeAction", EMBED, range=first, context={"diagnostics": [], "only": ["quickfix"]})
    session.expect("no fix on other lines", away, [])
    return session.finish()


def tokens(ptog):
    session = Session(ptog, run=False)
    client = session.client
    client.open(EMBED)
    names = client.capabilities["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
    data = client.about("semanticTokens/full", EMBED)["data"]
    line = character = 0
    found = {}
    for i in range(0, len(data), 5):
        line += data[i]
        character = data[i + 1] + (character if data[i] == 0 else 0)
        word = Text(EMBED).inside({"start": {"line": line, "character": character},
                                   "end": {"line": line, "character": character + data[i + 2]}})
        found.setdefault(word, (names[data[i + 3]], data[i + 4]))
    for word, wanted in {"func.func": ("keyword", 0), "@embed": ("function", 1), "%idx": ("variable", 1), "pto.mgather": ("function", 0),
                         "!pto.tile_buf": ("type", 0), "coalesce": ("property", 0), "row": ("enumMember", 0), "PIPE_V": ("enumMember", 0),
                         "ins": ("keyword", 0), "return": ("keyword", 0)}.items():
        session.expect(word, found.get(word), wanted)
    return session.finish()


def functions(ptog):
    """A document with several functions: each that no other one calls is run, and all of them are repaired together."""
    session = Session(ptog)
    client = session.client
    signature = "(%t: !pto.partition_tensor_view<4x8xf32>, %o: !pto.partition_tensor_view<4x8xf32>) {\n"
    body = ("  %d = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>\n  pto.tload ins(%t) outs(%d)\n  pto.barrier <PIPE_V>\n"
            "  pto.tstore ins(%d) outs(%o)\n  return\n}\n")
    right = "func.func @right" + signature + body.replace("PIPE_V", "PIPE_ALL")
    text = right + "func.func @first" + signature + body + "func.func @second" + signature + body
    client.open(text)
    session.expect("races of both", [found for found in messages(client.diagnostics(2)) if found[0] == "race-raw"], [("race-raw", 12), ("race-raw", 19)])
    actions = client.about("codeAction", text, range=ALL, context={"diagnostics": []})
    fixed = [action for action in actions if action["kind"] == "source.fixAll.ptog"]
    if fixed:
        text = Text(text).applied(fixed[0]["edit"]["changes"][URI])
        session.expect("what was right stays", text.startswith(right), True)
        client.open(text)
        session.expect("no races after all fixes", [found for found in messages(client.diagnostics(2)) if found[0].startswith("race")], [])
    else:
        session.problems.append("no source.fixAll.ptog")
    helper = "func.func @divide(%a: i32, %b: i32) -> i32 {\n  %x = arith.divsi %a, %b : i32\n  return %x : i32\n}\n"
    calls = "".join(f"func.func @{name}() {{\n  %c = arith.constant {value} : i32\n  %x = func.call @divide(%c, %c) : (i32, i32) -> i32\n  return\n}}\n"
                    for name, value in (("by_one", 1), ("by_zero", 0)))
    client.open(helper + calls)
    found = messages(client.diagnostics(2))
    session.expect("a function that is called runs as it is called", sorted({line for id, line in found if id == "text-division"}), [2])
    return session.finish()


def cancelling(ptog):
    """An edit ends a run that takes long; the next answers come at once, and only the last text is reported."""
    session = Session(ptog)
    client = session.client
    slow = """func.func @slow() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 900000 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = arith.addi %i, %c1 : index
  }
  return
}
"""
    for _ in range(5):
        client.open(slow)
        client.diagnostics(1)
        client.about("hover", slow, "%c1")
    client.open(EMBED)
    session.expect("run", messages(client.diagnostics(2)), [("race-raw", 8)])
    return session.finish()


SESSIONS = (lifecycle, framing, diagnostics, settings, synchronisation, hover, navigation, completion, formatting, fixes, functions, tokens, cancelling)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("session", nargs="*")
    arguments = parser.parse_args()
    ptog = arguments.ptog.resolve()
    checks = Checks("lsp")
    for session in SESSIONS:
        if arguments.session and session.__name__ not in arguments.session:
            continue
        try:
            checks.check(session.__name__, session(ptog))
        except (Gone, AssertionError, ValueError, json.JSONDecodeError) as error:
            checks.check(session.__name__, f"{type(error).__name__}: {error}")
    checks.finish()


if __name__ == "__main__":
    main()
