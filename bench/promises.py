"""What is promised of gathers, and whether a run keeps it. bench/gather.py prints every line, and tests/bench holds the
judge to it: a promise that is missed says so."""

import statistics

from gather_jobs import CLAMP, PATTERNS, TYPES, WRAP, ZERO, GiB, KiB, MiB

LOOPS, PYTHON = ("gcc", "clang"), ("numpy", "torch")
HELD, MISSED, ABSENT = "held", "MISSED", "not installed"


class Results:
    """Times of the sides of a job, round by round: all sides of a round were measured one after the other."""

    def __init__(self, times, limit=None):
        self.times, self.limit_ns = times, limit

    def median(self, side="ptog"):
        return statistics.median(self.times[side])

    def spread(self, side="ptog"):
        """Half of the rounds lie within so many percent of the median."""
        quarters = statistics.quantiles(self.times[side], n=4) if len(self.times[side]) > 1 else [0, 1, 0]
        return 100 * (quarters[2] - quarters[0]) / quarters[1]

    def ratio(self, other, own="ptog"):
        """How many times as fast `own` is: the median over the rounds."""
        return statistics.median(o / t for o, t in zip(self.times[other], self.times[own]))

    def against(self, names, own="ptog"):
        """The same against the best side whose name begins with one of these; None: there is none."""
        found = [self.ratio(side, own) for side in self.times
                 if any(side.startswith(name) for name in names) and "x2" not in side]
        return min(found) if found else None

    def limit(self):
        """The time that the memory takes at least, in times of ours; None: it was not measured."""
        return self.limit_ns / self.median() if self.limit_ns else None


class Against:
    """A promise against the best of the peers whose names begin with one of these."""

    def __init__(self, names, ratio=1.0):
        self.names, self.ratio = names, ratio

    def judge(self, results):
        got, label = results.against(self.names), "/".join(self.names)
        return (label, ABSENT) if got is None else self.judge_ratio(got, label)


class Faster(Against):
    """At least `ratio` times as fast."""

    def judge_ratio(self, got, label):
        return f"{got:.2f} times as fast as {label}, wanted {self.ratio}", HELD if got >= self.ratio else MISSED


class AsFast(Against):
    """At least as fast, where a little less is what two runs of the same program differ by."""

    NOISE = 0.97

    def judge_ratio(self, got, label):
        text = f"{got:.2f} times as fast as {label}, wanted 1.0 ({self.NOISE} counts as noise)"
        return text, HELD if got >= self.NOISE else MISSED


class AtMost(Against):
    """At most `ratio` times the time."""

    def judge_ratio(self, got, label):
        return f"{1 / got:.2f} times the time of {label}, wanted at most {self.ratio}", HELD if 1 / got <= self.ratio else MISSED


class Beyond:
    """At most so many nanoseconds more than the loop itself."""

    def __init__(self, most):
        self.most = most

    def judge(self, results):
        loops = [statistics.median(times) for side, times in results.times.items() if side.startswith(LOOPS)]
        if not loops:
            return "gcc/clang", ABSENT
        got = results.median() - min(loops)
        return f"{got:.1f} ns beyond the copy, wanted under {self.most}", HELD if got < self.most else MISSED


class Scaling:
    """Two threads, at least `ratio` times as fast as one. What memcpy reaches stands beside it, and excuses nothing."""

    def __init__(self, ratio):
        self.ratio = ratio

    def judge(self, results):
        got, copy = results.ratio("ptog", "ptog x2"), results.ratio("memcpy", "memcpy x2")
        return f"{got:.2f} times one thread (memcpy {copy:.2f}), wanted {self.ratio}", HELD if got >= self.ratio else MISSED


class NoSlower:
    """Two threads take at most `ratio` times the time of one."""

    def __init__(self, ratio):
        self.ratio = ratio

    def judge(self, results):
        got = 1 / results.ratio("ptog", "ptog x2")
        return f"{got:.2f} times the time of one thread, wanted at most {self.ratio}", HELD if got <= self.ratio else MISSED


class NearLimit:
    """At most `ratio` times the time in which this machine brings the lines, with huge pages."""

    def __init__(self, ratio):
        self.ratio = ratio

    def judge(self, results):
        got = 1 / results.limit()
        return f"{got:.2f} times the limit of random lines, wanted at most {self.ratio}", HELD if got <= self.ratio else MISSED


# Of every gather; and what numpy and torch are promised where the table does not fit the caches, or the tile is small.
LOOP, LIBRARY = AsFast(LOOPS), Faster(PYTHON, 1.1)


def works(jobs):
    """(name, function that makes the job, promises), with 4 KiB pages."""
    big = lambda row_bytes, **more: (lambda: jobs.row(GiB, row_bytes, 32 * MiB // row_bytes, **more))
    for row_bytes in (64, 256, 512, 2048):
        yield f"row, 1 GiB table, {row_bytes}-byte rows", big(row_bytes), [LOOP, LIBRARY]
    yield "row, 64x128 tile, table in L2", lambda: jobs.row(256 * KiB, 512, 64), [LOOP, LIBRARY]
    for zipf in (1.0, 1.2):
        for row_bytes in (64, 512):
            yield f"row, 1 GiB, {row_bytes}-byte rows, Zipf {zipf}", big(row_bytes, zipf=zipf), [LOOP, LIBRARY]
    for name, size, lanes in (("table in L1", 16 * KiB, 16384), ("table in L2", 256 * KiB, 16384),
                              ("64 MiB table, 1 M indices", 64 * MiB, MiB), ("1 GiB table, 1 M indices", GiB, MiB)):
        yield f"elem, {name}", lambda s=size, n=lanes: jobs.elem(s, n), [LOOP, LIBRARY]
    for zipf in (1.0, 1.2):
        yield f"elem, 64 MiB table, Zipf {zipf}", lambda z=zipf: jobs.elem(64 * MiB, MiB, zipf=z), [LOOP, LIBRARY]
    for name, oob, capacity in (("clamp", CLAMP, None), ("zero", ZERO, None), ("wrap, capacity 4001", WRAP, 4001)):
        yield (f"elem {name}, 5 % outside, L1", lambda o=oob, c=capacity: jobs.elem(16 * KiB, 16384, o, 0.05, capacity=c), [LOOP])
    for name in ("i8", "i16", "f32"):
        for pattern in PATTERNS:
            yield (f"tgather mask {pattern}, {name}, 64x128", lambda n=name, p=pattern: jobs.tile_mask(n, p),
                   [AtMost(("memcpy",), 1.5), LOOP])
    for name in TYPES:
        yield f"tgather index, {name}, 64x64", lambda n=name: jobs.tile_index(n), [LOOP]
    yield "plan_run of a 1x8 row", jobs.small_call, [Beyond(10)]


def threaded(jobs):
    """The same on two threads; measured alone, and with a busy neighbour."""
    yield ("row, 1 GiB table, 512-byte rows, 2 threads", lambda: jobs.row(GiB, 512, 64 * KiB, threads=2),
           [Scaling(1.6), NoSlower(1.1)])
    yield "elem, 1 GiB table, 1 M indices, 2 threads", lambda: jobs.elem(GiB, MiB, threads=2), [Scaling(1.8), NoSlower(1.1)]
    for size in (64 * KiB, 256 * KiB, MiB, 4 * MiB, 16 * MiB):
        yield (f"row, 512-byte rows, {size // KiB} KiB gathered, 2 threads", lambda s=size: jobs.row(64 * MiB, 512, s // 512, threads=2),
               [NoSlower(1.1)])
        yield (f"elem, {size // KiB} KiB gathered, 2 threads", lambda s=size: jobs.elem(64 * MiB, s // 4, threads=2), [NoSlower(1.1)])


def huge(jobs):
    """With huge pages."""
    yield ("row, 1 GiB table, 64-byte rows, huge pages", lambda: jobs.row(GiB, 64, 32 * MiB // 64), [NearLimit(1.3), LOOP])
    yield "elem, 1 GiB table, 1 M indices, huge pages", lambda: jobs.elem(GiB, MiB), [LOOP]
