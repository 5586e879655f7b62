#!/usr/bin/env python3
"""How long the language server takes to answer, on a program of 1,000 lines: an edit, then a question; median and slowest of 50.

usage: bench/lsp.py --ptog BUILD/ptog [--lines 1000] [--rounds 50]

Each line is a question with the milliseconds from the request to its answer. `diagnostics` is from an edit to the findings of the check.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "lsp"))
from client import Client, Text  # noqa: E402

QUESTIONS = ("hover", "definition", "references", "documentSymbol", "completion", "formatting", "codeAction", "semanticTokens/full")


def program(lines):
    """A correct program of about so many lines: tiles are loaded, added and stored."""
    body = ["func.func @kernel(%src: !pto.partition_tensor_view<4x8xf32>, %out: !pto.partition_tensor_view<4x8xf32>) {"]
    while len(body) < lines - 7:
        i = len(body)
        body += [f"  %a{i} = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>", f"  pto.tload ins(%src) outs(%a{i})",
                 "  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]", "  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]",
                 f"  pto.tadd ins(%a{i}, %a{i}) outs(%a{i})", "  pto.barrier <PIPE_ALL>"]
    return "\n".join(body + [f"  pto.tstore ins(%a{i}) outs(%out)", "  return", "}", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("--lines", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=50)
    arguments = parser.parse_args()
    text = program(arguments.lines)
    client = Client(arguments.ptog.resolve(), "--no-run", settings={"target": "a2a3"})
    client.open(text)
    client.diagnostics()
    place = Text(text).position(text.index("%a", len(text) // 2) + 2)
    everything = {"start": {"line": 0, "character": 0}, "end": Text(text).position(len(text))}
    print(f"{text.count(chr(10))} lines, {len(text)} bytes; milliseconds: median, slowest of {arguments.rounds}")
    for question in (*QUESTIONS, "diagnostics"):
        times = []
        for _ in range(arguments.rounds):
            client.change([{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": " "}])
            start = time.perf_counter()
            if question == "diagnostics":
                client.diagnostics()
            else:
                client.ask("textDocument/" + question, {"textDocument": {"uri": "file:///home/kernel.pto"}, "position": place, "range": everything,
                                                        "context": {"diagnostics": []}, "options": {"tabSize": 2, "insertSpaces": True}})
            times.append(1000 * (time.perf_counter() - start))
        print(f"{question:22} {statistics.median(times):8.2f} {max(times):8.2f}")
    client.close()


if __name__ == "__main__":
    main()
