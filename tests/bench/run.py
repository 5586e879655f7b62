#!/usr/bin/env python3
"""The comparison of two builds, bench/ab.py: that every measuring program builds and every work runs, that sides take turns as
they should, and that what is slower, missing or failing is found and nothing else.

usage: tests/bench/run.py --build DIR     DIR: a build of this project
"""

import argparse
import contextlib
import io
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, run  # noqa: E402

sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench" / "ab")]
import ab  # noqa: E402
import document  # noqa: E402
import picture  # noqa: E402
import promises  # noqa: E402
import sides  # noqa: E402
import summary  # noqa: E402
import works  # noqa: E402


class FakeWork:
    """A work with given times; sides are "old" and "new"."""

    name, slow = "fake", False

    def __init__(self, **times):
        self.times, self.turns = times, []

    def turn(self, side, milliseconds):
        self.turns.append(side)
        time = self.times[side]
        if isinstance(time, Exception):
            raise time
        return time(len(self.turns)) if callable(time) else time

    def count(self, side):
        return 1000 * self.times[side]


def judged(*fakes, instructions=False):
    """What a comparison says of these works, and its exit status (2: it ended with a message)."""
    comparison = ab.Comparison("old", "new", SimpleNamespace(rounds=3, milliseconds=1, instructions=instructions))
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        try:
            for fake in fakes:
                comparison.work(fake)
            comparison.again()
            status = comparison.finish()
        except sides.Problem as why:
            status = 2
            print(why)
    return status, said.getvalue()


def verdicts(checks):
    missing, failing = works.Missing("no such header"), sides.Problem("status 3")
    once = iter([100] * 2 + [120] * 6)  # slow at first, and never again
    noisy = lambda turn: 100 if turn % 2 else 140
    for name, fakes, status, word in [
        ("the same", [FakeWork(old=100, new=104)], 0, " same\n"),
        ("slower by 6 %", [FakeWork(old=100, new=106)], 1, " slower\n"),
        ("faster", [FakeWork(old=100, new=90)], 0, " faster\n"),
        ("slower only the first time", [FakeWork(old=100, new=lambda turn: next(once, 100))], 0, "measured again"),
        ("slower within OLD's spread", [FakeWork(old=noisy, new=130)], 0, "within OLD's spread"),
        ("new in NEW", [FakeWork(old=missing, new=1), FakeWork(old=1, new=1)], 0, "only in NEW"),
        ("not to be built in NEW", [FakeWork(old=1, new=missing), FakeWork(old=1, new=1)], 0, "only in OLD"),
        ("its reason", [FakeWork(old=1, new=missing), FakeWork(old=1, new=1)], 0, "fake: no such header"),
        ("failing in NEW", [FakeWork(old=1, new=failing), FakeWork(old=1, new=1)], 1, "fails in NEW"),
        ("failing in OLD", [FakeWork(old=failing, new=1), FakeWork(old=1, new=1)], 0, "only in NEW"),
        ("failing on both sides", [FakeWork(old=failing, new=failing)], 2, "fails on both sides"),
        ("nothing to compare", [FakeWork(old=1, new=missing)], 2, "no work was measured"),
    ]:
        got, said = judged(*fakes)
        checks.check(name, [] if got == status and word in said else f"status {got}, expected {status} and '{word}':\n{said}")
    for name, new, status, word in [("instructions, 4 % more", 104, 0, " same\n"), ("instructions, 6 % more", 106, 1, " slower\n"),
                                    ("fewer instructions", 90, 0, " faster\n")]:
        got, said = judged(FakeWork(old=100, new=new), instructions=True)
        checks.check(name, [] if got == status and word in said else f"status {got}, expected {status} and '{word}':\n{said}")
    fake = FakeWork(old=1, new=1)
    ab.measured(fake, "old", "new", 3, 1)
    checks.check("the order of turns", [] if fake.turns == ["old", "new", "new", "old"] * 3 else str(fake.turns))


def every_work(checks, build):
    """Each work once, for a millisecond, on a side that is the given build."""
    side = SimpleNamespace(name="NEW", source=ROOT, build=build, ptog=build / "ptog", place=build / "ab", programs={},
                           missing={})
    sides.Side.compile(side)
    checks.check("the measuring programs build", list(side.missing.values()))
    for work in works.all_works([side]):
        if work.slow:
            continue
        try:
            took = work.turn(side, 1)
            checks.check(work.name, [] if took > 0 else f"{took} nanoseconds")
        except (sides.Problem, works.Missing) as why:
            checks.check(work.name, str(why))
    if not shutil.which("valgrind"):
        return
    for name in ("run row 1x8", "ptog check, refused"):
        work = next(work for work in works.all_works([side]) if work.name == name)
        counted = [work.count(side) for _ in range(2)]
        checks.check(f"instructions of '{name}'", [] if counted[0] > 100 and abs(counted[1] / counted[0] - 1) < 0.01 else f"{counted}, of the same work")


def messages(checks):
    for name, words, said in [("no such revision", ["no-such-revision"], "neither a directory nor a revision"),
                              ("no project there", ["docs"], "there is no CMakeLists.txt"),
                              ("too few rounds", ["HEAD", "--rounds", "1"], "expected at least 3")]:
        done = run([sys.executable, ROOT / "bench" / "ab.py", *words])
        fine = done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr
        checks.check(name, [] if fine else f"status {done.returncode}:\n{done.stdout}{done.stderr}")


def kept_and_missed(checks):
    """A promise is held by the figures alone: nothing excuses one that is missed."""
    def verdict(promise, limit=None, **times):
        return promise.judge(promises.Results({name.replace("_", " "): [time] * 4 for name, time in times.items()}, limit))[1]

    slow_pair = {"ptog": 100, "ptog_x2": 110, "memcpy": 100, "memcpy_x2": 200}
    for name, got, wanted in [
            ("twice as fast", verdict(promises.Faster(("gcc", "clang"), 1.5), ptog=100, gcc_loop=200, clang_loop=210), "held"),
            ("the best peer counts", verdict(promises.Faster(("gcc", "clang"), 1.5), ptog=100, gcc_loop=200, clang_loop=140), "MISSED"),
            ("0.97 of the best peer", verdict(promises.AsFast(("gcc", "clang")), ptog=100, gcc_loop=97, clang_loop=140), "held"),
            ("0.96 of it", verdict(promises.AsFast(("gcc", "clang")), ptog=100, gcc_loop=96, clang_loop=140), "MISSED"),
            ("no such peer", verdict(promises.Faster(("torch",), 1.5), ptog=100, gcc_loop=200), "not installed"),
            ("a little too slow", verdict(promises.AtMost(("memcpy",), 1.25), ptog=126, memcpy=100), "MISSED"),
            ("two threads at 0.91 of one", verdict(promises.Scaling(1.6), **slow_pair), "MISSED"),
            ("also when memcpy is no faster", verdict(promises.Scaling(1.6), ptog=100, ptog_x2=110, memcpy=100, memcpy_x2=110), "MISSED"),
            ("two threads at 1.1 times the time", verdict(promises.NoSlower(1.1), **slow_pair), "held"),
            ("two threads at 1.2 times the time", verdict(promises.NoSlower(1.1), ptog=100, ptog_x2=120), "MISSED"),
            ("9 ns beyond", verdict(promises.Beyond(10), ptog=14, gcc_memcpy=5, clang_memcpy=6), "held"),
            ("11 ns beyond", verdict(promises.Beyond(10), ptog=16, gcc_memcpy=5), "MISSED"),
            ("the limit", verdict(promises.NearLimit(1.3), limit=70, ptog=100), "MISSED")]:
        checks.check(f"a promise: {name}", [] if got == wanted else f"{got}, not {wanted}")
    rounds = promises.Results({"ptog": [100, 300, 100], "gcc loop": [200, 600, 200]})
    checks.check("a ratio is taken within a round", [] if rounds.against(("gcc",)) == 2 else rounds.against(("gcc",)))


def documents(checks):
    """What `make bench-docs` writes has a place, and says what is missed."""
    text = document.DOCUMENT.read_text(encoding="utf-8")
    line = "row 64x128, a2a3, no checks                        9.6 times the plain loop   wanted 5: MISSED"
    table = document.check_table("kernel", line)
    checks.check("a line of bench_checks", [] if table[2] == "| row 64x128, a2a3, no checks | 9.6 times the plain loop | 5: **missed** |" else table)
    for name in ("gathers", "checks", "cold"):
        written = document.put(text, name, ["| new |"])
        fine = f"<!-- bench: {name} -->\n| new |\n<!-- end -->" in written and document.put(written, name, ["| new |"]) == written
        checks.check(f"docs/explanation/performance-method.md has a place for {name}", [] if fine else "no markers")
    page = summary.PAGE.read_text(encoding="utf-8")
    checks.check("docs/explanation/performance.md has the figures of the other pages",
                 [] if document.put(page, "summary", summary.table()) == page else "bench/summary.py makes another table")
    cells = [{"table": 1 << 20, "width": 64, "ratio": 0.4}, {"table": 1 << 30, "width": 4, "ratio": 9.0}]
    drawn = picture.draw(cells, "gcc's loop", "a machine")
    checks.check("the picture", [] if all(word in drawn for word in ("0.40", "9.00", "1 MiB", "1 GiB", "64 B")) else drawn)


def one_gather(checks, build):
    """What `make bench` runs is built, and one of its works is measured."""
    targets = ["bench_gather", "bench_checks", "bench_tune", "bench_kernels", "bench_threads", "bench_machine", "bench_elementwise"]
    made = run(["cmake", "--build", build, "--parallel", "2", "--target", *targets])
    checks.check("what make bench runs is built", [] if made.returncode == 0 else made.stdout[-2000:] + made.stderr[-2000:])
    done = run([sys.executable, ROOT / "bench" / "gather.py", "--lib", build / "bench", "--only", "1x8", "--seconds", "0.01"])
    fine = done.returncode == 0 and "beyond the copy, wanted under 10" in done.stdout and "1 promises: " in done.stdout
    checks.check("a work of make bench", [] if fine else done.stdout[-2000:] + done.stderr[-2000:])
    done = run([sys.executable, ROOT / "bench" / "elementwise.py", "--lib", build / "bench", "--rounds", "1"])
    fine = done.returncode == 0 and "tcvt f32 to f16" in done.stdout and not done.stderr
    checks.check("elementwise instructions beside numpy", [] if fine else done.stdout[-2000:] + done.stderr[-2000:])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True)
    options = parser.parse_args()
    checks = Checks("bench")
    verdicts(checks)
    messages(checks)
    kept_and_missed(checks)
    documents(checks)
    one_gather(checks, options.build.resolve())
    every_work(checks, options.build.resolve())
    checks.finish()


main()
