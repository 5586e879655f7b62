"""How ptog gather reads rows: io_uring gives the bytes that mapped files give, and where there is none mapped files are read;
tables in several files by several threads."""

import ctypes
import errno
import os
import struct

import numpy as np

NONE = "ptog gather: --io uring: "


def save(bench, name, array):
    np.save(bench.place / name, array)
    return name


def tell(done):
    return f"exit {done.returncode}: {done.stdout}{done.stderr}"


def given(names):
    return [word for name in names for word in ("--table", name)]


def can_ring(bench):
    """Whether there is io_uring here. Where there is none, the command says why."""
    save(bench, "t.npy", np.zeros((2, 2), "<f4"))
    save(bench, "i.npy", np.zeros(1, "<i4"))
    done = bench.run("--table", "t.npy", "--index", "i.npy", "-o", "o.npy", "--io", "uring")
    return done.returncode == 0 or not done.stderr.startswith(NONE)


def matches(bench, checks, same, expected):
    """Random tables in one file or several, every policy and mode, rows that are wanted more than once, one to three threads."""
    for number in range(24):
        mode, policy = ("row", "elem")[number % 5 == 4], ("undefined", "clamp", "wrap", "zero")[number % 4]
        kind = ("<f4", "|u1", "<c16", "|V3", "<i2")[number % 5]
        table = bench.array(kind, (int(bench.random.integers(1, 400)), *((), (3,), (700,))[number % 3]))
        cuts = np.sort(bench.random.integers(0, len(table) + 1, number % 4))
        names = [save(bench, f"part-{i:02}.npy", part) for i, part in enumerate(np.split(table, cuts))]
        capacity = len(table) if mode == "row" else table.size
        index = bench.indices(("<i8", "|u1", "<u4")[number % 3], (int(bench.random.integers(0, 9000)),), capacity, policy == "undefined")
        save(bench, "i.npy", index)
        for io in ("uring", "mmap"):
            done = bench.run(*given(names), "--index", "i.npy", "-o", "o.npy", "--mode", mode, "--oob", policy, "--io", io,
                             "--threads", number % 3 + 1)
            problems = same(bench.place / "o.npy", expected(table, index, mode, policy)) if done.returncode == 0 else [tell(done)]
            checks.check(f"--io {io}, {len(names)} files of {kind} {table.shape}, {mode} {policy}, {number % 3 + 1} threads", problems)
        for name in names:
            (bench.place / name).unlink()


def threads(bench, checks, same):
    """Enough rows for several threads, and the first bad lane of all, whichever thread meets one."""
    table = bench.array("<f4", (3000, 64))
    names = [save(bench, f"big-{i}.npy", part) for i, part in enumerate(np.array_split(table, 5))]
    index = bench.indices("<i4", (40_000,), 3000, True)
    for bad in (None, 20_000):
        index[[bad, 39_999] if bad else []] = 3000
        save(bench, "i.npy", index)
        for io in ("auto", "uring"):
            done = bench.run(*given(names), "--index", "i.npy", "-o", "o.npy", "--threads", 3, "--io", io)
            if bad:
                wanted = "i.npy: index[20000] is 3000; the table has 3000 rows"
                problems = [] if done.returncode == 1 and wanted in done.stderr else [tell(done)]
            else:
                problems = [tell(done)] if done.returncode else same(bench.place / "o.npy", table[index])
            checks.check(f"five files, three threads, --io {io}, bad {bad}", problems)
    index[[20_000, 39_999]] = [-1, -2]
    save(bench, "i.npy", index)
    done = bench.run(*given(names), "--index", "i.npy", "-o", "o.npy", "--threads", 3, "--oob", "clamp")
    checks.check("negative indices of several threads", [] if "2 negative indices" in done.stderr else [tell(done)])


def forbid_rings():
    """From now on this process may not set up an io_uring, as in many containers (a seccomp filter: EPERM)."""
    load, equal, give = 0x20, 0x15, 0x06
    allow, refuse, io_uring_setup = 0x7FFF0000, 0x00050000 | errno.EPERM, 425
    steps = (load, 0, 0, 0), (equal, 0, 1, io_uring_setup), (give, 0, 0, refuse), (give, 0, 0, allow)
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0):  # PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP
        raise OSError(ctypes.get_errno(), "no filter can be set")


def large(bench):
    """A table that is read with io_uring where --io does not say how: 1.25 GiB, nearly all of it a hole. Its rows that are wanted."""
    index = np.array([5 << 16, 3, 77, 3], "<i4")
    save(bench, "i.npy", index)
    table = np.lib.format.open_memmap(bench.place / "t.npy", "w+", "<f4", ((5 << 16) + 1, 1024))
    table[index] = bench.array("<f4", (1, 1024))
    table.flush()
    return table[index]


def forbidden(bench, checks, same):
    """A system that does not allow io_uring."""
    rows = large(bench)
    words = ["--table", "t.npy", "--index", "i.npy", "-o", "o.npy", "--io"]
    done = bench.run(*words, "uring", preexec_fn=forbid_rings)
    wanted = f"{NONE}the system does not allow io_uring (Operation not permitted)\n"
    checks.check("--io uring where it is forbidden", [] if (done.returncode, done.stderr) == (2, wanted) else [tell(done)])
    done = bench.run(*words, "auto", preexec_fn=forbid_rings)
    checks.check("--io auto where it is forbidden", [tell(done)] if done.returncode or done.stderr else
                 same(bench.place / "o.npy", rows))


def without(bench, checks, same):
    """No liburing, or one that is none: mapped files are read, unless io_uring is required."""
    rows = large(bench)
    words = ["--table", "t.npy", "--index", "i.npy", "-o", "o.npy", "--io"]
    for library, why in (("/none", "liburing cannot be loaded"), ("libc.so.6", "liburing is of another version")):
        done = bench.run(*words, "uring", env={**os.environ, "PTOG_URING_LIBRARY": library})
        right = done.returncode == 2 and done.stderr.startswith(NONE) and (why in done.stderr or "built without" in done.stderr)
        checks.check(f"--io uring with {library}", [] if right else [tell(done)])
        done = bench.run(*words, "auto", env={**os.environ, "PTOG_URING_LIBRARY": library})
        checks.check(f"--io auto with {library}", [tell(done)] if done.returncode or done.stderr else
                     same(bench.place / "o.npy", rows))
    wrong = [(("--io", "fast"), "--io fast: expected one of auto, mmap, uring"),
             (("--io", "uring", "--bag", "sum"), "not supported yet: --io uring with --bag")]
    for options, message in wrong:
        done = bench.run(*words[:-1], *options)
        checks.check(message, [] if done.returncode == 2 and message in done.stderr else [tell(done)])
    (bench.place / "t.npy").unlink()
    save(bench, "f.npy", np.asfortranarray(bench.array("<f4", (50, 80))))
    done = bench.run("--table", "f.npy", *words[2:], "uring")
    found = done.returncode == 2 and "f.npy: is read into memory as a whole" in done.stderr
    checks.check("--io uring of a table that is converted", [] if found else [tell(done)])


def cases(bench, checks, same, expected):
    if can_ring(bench):
        matches(bench, checks, same, expected)
        threads(bench, checks, same)
        forbidden(bench, checks, same)
    without(bench, checks, same)
