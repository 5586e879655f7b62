"""Tests the rewriter of ptog-cxx as text: known sources, random ones, soup against tests/cxx/oracle.py, and its speed.

usage: rewrite.py --batch PATH/cxx_batch [--quick] [--seed N] [--count N]
"""

import argparse
import random
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import cases  # noqa: E402
import draw  # noqa: E402
import oracle  # noqa: E402
from checks import Checks  # noqa: E402


class Answers:
    """What cxx_batch wrote, one answer after another: (launches, bytes), or (line, column, message)."""

    def __init__(self, batch, sources):
        self.problem = ""
        data = b"".join(b"%d\n%s" % (len(source), source) for source in sources)
        done = subprocess.run([batch], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode != 0:
            self.problem = f"exit status {done.returncode}: {done.stderr.decode(errors='replace')[-2000:]}"
        self.rest = done.stdout

    def __next__(self):
        head, _, self.rest = self.rest.partition(b"\n")
        words = head.split(b" ", 3)
        if words[0] == b"wrong":
            return int(words[1]), int(words[2]), words[3].decode()
        if words[0] != b"done":
            raise ValueError(f"no answer; {self.problem}")
        size = int(words[1])
        text, self.rest = self.rest[:size], self.rest[size:]
        return int(words[2]), text


def compare(checks, title, batch, pairs, note=""):
    """Pairs of a source and what becomes of it; None: it is wrong."""
    problems, answers = [], Answers(batch, [source for source, _ in pairs])
    for source, wanted in pairs:
        answer = next(answers)
        found = answer[1] if len(answer) == 2 else None
        if found != wanted:
            problems.append(f"{source!r}\n  became {answer!r}\n  wanted {wanted!r}")
    checks.check(f"{title}{note}", problems[:5] + ([answers.problem] if answers.problem else []))


def wrong(checks, batch):
    answers = Answers(batch, [source.encode() for source, *_ in cases.WRONG])
    for source, line, column, message in cases.WRONG:
        answer = next(answers)
        fits = len(answer) == 3 and answer[:2] == (line, column) and message in answer[2]
        checks.check(f"wrong: {source!r}", [] if fits else f"said {answer!r}")


def hostile(size):
    """Sources that take long if anything is looked at again and again."""
    pieces = ["<", ">", "k<<<", "k<", "k<<<1>>>(x);", "><<<1>>>(x)", "a<b>>>", "(", "{", ")", "([", "}", "(}", "\\\n", "\\", "\\ ", "/*", '"',
              "'", 'R"(', "R\"abcdefghijklmno(", "#define L k<<<1>>>(x)\n", "#define L(\n", "#if 0\n", "##", "::k", "k::", "a##", "\\\n<",
              "k<<<a<b<c<d>>>", ".", "k<(", "1'", "\xff", "\0", "template ", "operator<<<", "[)"]
    return [(piece * (size // len(piece))).encode("latin-1") for piece in pieces]


def speed(checks, batch, size):
    """Nothing is more than 60 times as slow as plain text; a square would be thousands of times."""
    start = time.monotonic()
    Answers(batch, [b"int x = 1;\n" * (size // 11)] * 10)
    plain, slow = (time.monotonic() - start) / 10, []
    for source in hostile(size):
        start = time.monotonic()
        answers = Answers(batch, [source])
        spent = time.monotonic() - start
        if answers.problem or spent > max(60 * plain, 2):
            slow.append(f"{source[:30]!r}...: {spent:.2f} s, plain text {plain:.4f} s {answers.problem}")
    checks.check(f"time grows with the size ({size} bytes)", slow)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--count", type=int, default=None)
    options = parser.parse_args()
    batch = str(Path(options.batch).resolve())
    seed = random.SystemRandom().getrandbits(32) if options.seed is None else options.seed
    count = options.count or (1500 if options.quick else 10000)
    rng, note = random.Random(seed), f" (--seed {seed} --count {count})"
    checks = Checks("ptog-cxx, text")
    for source, wanted in cases.REWRITTEN:
        compare(checks, f"rewritten: {source!r}", batch, [(source.encode(), wanted.encode())])
    compare(checks, "sources without launches", batch, [(s.encode("latin-1"), s.encode("latin-1")) for s in cases.SAME])
    again = [wanted.encode() for _, wanted in cases.REWRITTEN]
    compare(checks, "what was rewritten stays", batch, [(source, source) for source in again])
    known = cases.REWRITTEN + [(s, s) for s in cases.SAME] + [(s, None) for s, *_ in cases.WRONG]
    other = [f"{s!r}: the oracle says {oracle.rewrite(bytes_of(s))!r}" for s, w in known
             if oracle.rewrite(bytes_of(s)) != (None if w is None else bytes_of(w))]
    checks.check("the oracle agrees with the known sources", other)
    wrong(checks, batch)
    drawn = [draw.draw_source(rng) for _ in range(count)]
    compare(checks, f"{count} random sources", batch, [(a.encode(), b.encode()) for a, b in drawn], note)
    soups = [draw.draw_soup(rng) for _ in range(count)]
    answers = [oracle.rewrite(soup) for soup in soups]
    right = sum(answer is not None and answer != soup for answer, soup in zip(answers, soups))
    checks.check("the soup has launches in it", [] if right * 50 > count else f"only {right} of {count}")
    compare(checks, f"{count} soups", batch,
            [(soup.encode("latin-1"), None if answer is None else answer.encode("latin-1")) for soup, answer in zip(soups, answers)], note)
    speed(checks, batch, 100_000 if options.quick else 400_000)
    print(f"seed {seed}")
    checks.finish()


def bytes_of(text):
    """A character for each byte, as the oracle takes it."""
    return text.encode().decode("latin-1") if any(ord(c) > 255 for c in text) or "é" in text else text


main()
