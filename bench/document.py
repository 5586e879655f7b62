#!/usr/bin/env python3
"""Puts a run of `make bench` into docs/explanation/performance-method.md, between its markers, and the short table and the picture
into docs/explanation/performance.md.

usage: bench/document.py GATHER.json CHECKS.txt COLD.txt     what bench/gather.py --grid --json, bench_checks and
                                                             bench/cold_table.py wrote
"""

import json
import pathlib
import re
import sys

import picture
import summary

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCUMENT, IMAGE = ROOT / "docs/explanation/performance-method.md", ROOT / "docs/img/ratio_grid.svg"
PEERS = ("memcpy", "gcc", "clang", "numpy", "torch")
CHECK = re.compile(r"^(.+?) {2,}([\d.]+) (.+?) +wanted ([\d.]+): (held|MISSED)$")


def promise_text(promises):
    """Held promises in short, missed ones in bold."""
    words = {"held": "{}", "MISSED": "**missed**: {}", "not installed": "{}: not installed"}
    return "; ".join(words[p["verdict"]].format(p["text"]) for p in promises)


def gather_table(works):
    lines = ["| work | ptog | spread | limit | " + " | ".join(PEERS) + " | promised |", "|---" * (len(PEERS) + 5) + "|"]
    for row in works:
        lines.append(f"| {row['work']} | " + " | ".join(row["cells"]) + f" | {promise_text(row['promises'])} |")
    return lines


def limit_table(limits):
    sizes = list(next(iter(limits.values())))
    lines = ["| a random line, ns | " + " | ".join(sizes) + " |", "|---" * (len(sizes) + 1) + "|"]
    return lines + [f"| {pages} | " + " | ".join(f"{of[size]:.2f}" for size in sizes) + " |" for pages, of in limits.items()]


def check_table(first, text):
    lines = [f"| {first} | measured | promised |", "|---|---|---|"]
    for line in text.splitlines():
        found = CHECK.match(line)
        if found:
            what, got, unit, wanted, verdict = found.groups()
            lines.append(f"| {what} | {got} {unit} | {wanted}: {'held' if verdict == 'held' else '**missed**'} |")
    return lines


def put(text, name, lines):
    """The document with these lines between <!-- bench: NAME --> and <!-- end -->."""
    start, end = f"<!-- bench: {name} -->\n", "<!-- end -->"
    before, rest = text.split(start, 1)
    return before + start + "\n".join(lines) + "\n" + end + rest.split(end, 1)[1]


def machine_line(about):
    return (f"{about['cpu']}, {about['cores']} cores; {about['gcc']}; {about['clang']}; numpy {about['numpy']}; "
            f"torch {about['torch']}; kernels by {about['tuned by']}")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    found = json.loads(pathlib.Path(sys.argv[1]).read_text())
    checks, cold = (pathlib.Path(name).read_text() for name in sys.argv[2:])
    about = found["machine"]
    verdicts = [p["verdict"] for row in found["works"] for p in row["promises"]]
    count = (f"{len(verdicts)} promises: {verdicts.count('held')} held, {verdicts.count('MISSED')} missed, "
             f"{verdicts.count('not installed')} against what is not installed.")
    text = DOCUMENT.read_text()
    text = put(text, "gathers", [machine_line(about), "", *limit_table(found["limits"]), "", count, "", *gather_table(found["works"])])
    text = put(text, "checks", check_table("kernel", checks))
    text = put(text, "cold", check_table("table", cold))
    DOCUMENT.write_text(text)
    summary.PAGE.write_text(put(summary.PAGE.read_text(), "summary", summary.table()))
    peers = [peer for peer in ("gcc's loop", "clang's loop", "numpy", "torch") if peer != "torch" or about["torch"] != "not installed"]
    IMAGE.write_text(picture.draw(found["grid"], ", ".join(peers), f"{about['cpu']}, {about['gcc'].split('(')[0]}{about['gcc'].split()[-1]}, numpy {about['numpy']}"))
    print(f"{DOCUMENT.relative_to(ROOT)}, {IMAGE.relative_to(ROOT)}: {count}")


if __name__ == "__main__":
    main()
