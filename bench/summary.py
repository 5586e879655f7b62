"""The one table of docs/explanation/performance.md, made of what performance-method.md and scale.md say. bench/document.py writes it."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE, METHOD, SCALE = (ROOT / "docs/explanation" / name for name in ("performance.md", "performance-method.md", "scale.md"))
PEERS = {"gcc": 5, "clang": 6, "numpy": 7, "torch": 8}  # the columns of the table of gathers
CALLED = {"gcc": "gcc's loop", "clang": "clang's loop", "numpy": "numpy", "torch": "torch"}

# A work of the table of gathers, and what a reader calls it.
GATHERS = (
    ("row, 1 GiB table, 64-byte rows", "gather 64-byte rows from a 1 GiB table"),
    ("row, 1 GiB table, 512-byte rows", "gather 512-byte rows from a 1 GiB table"),
    ("row, 64x128 tile, table in L2", "gather a 64x128 tile, table in the L2 cache"),
    ("elem, 1 GiB table, 1 M indices", "gather 1 million single floats from a 1 GiB table"),
    ("tgather index, f32, 64x64", "TGATHER by index, 64x64 floats"),
    ("tgather mask P0101, f32, 64x128", "TGATHER by mask, 64x128 floats"),
)

# Other works: label, ours, best peer, limit, machine; and the row of a page that says so.
OTHERS = (
    ("gather from Python, 64 rows of 512 bytes", "2.26 us", "0.83 (numpy.take, 1.87 us)", "-", "B", METHOD,
     "| int64 index | 2.26 us | 1.87 us | 1.21 |"),
    ("gather from a cold 1 GiB file in 128 MiB of memory", "1.19 times the pages needed", "-", "1 times them", "A", METHOD,
     "| cold 1 GiB table in 128 MiB, uniform | 1.19 times the pages needed |"),
    ("gather over MPI, 2 ranks, 0.5 GB/s between them", "43.9 ms", "0.92 (bare MPI_Alltoallv, 40.5 ms)", "0.93 (the bytes alone)", "C", SCALE,
     "| 2 | 0.5 GB/s | 40.9 ms | 43.9 ms | 43.9 ms | 40.5 ms |"),
    ("simulate a row gather on a2a3, all checks on", "10.3 times an unchecked loop", "-", "-", "A", METHOD,
     "| row 64x128, a2a3, all checks | 10.3 times the plain loop |"),
    ("simulate elementwise floats on a2a3, all checks on", "536 M elements/s", "-", "-", "A", METHOD,
     "| elementwise f32, a2a3, all checks | 535.6 M elements/s |"),
    ("read and check a program of 10 MB", "0.155 s", "-", "-", "B", METHOD, "| 10.0 | 0.1552 | 64.4 |"),
)


def gather_rows(method):
    """The row of each work, as cells."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in method.splitlines() if line.startswith("| ")]
    found = {row[0]: row for row in rows if len(row) == 10}
    for work, label in GATHERS:
        cells = found[work]
        ratio, peer = min((float(cells[column]), name) for name, column in PEERS.items() if cells[column] != "-")
        yield label, cells[1], f"{ratio:.2f} ({CALLED[peer]})", cells[3], "A"


def table():
    """The lines of the table. A figure that a page no longer has is an error: OTHERS then needs the new one."""
    lines = ["| work | ptogather | best peer | limit | machine |", "|---|---|---|---|---|"]
    for *cells, page, source in OTHERS:
        if source not in page.read_text(encoding="utf-8"):
            raise ValueError(f"{page.name} does not say any more: {source}")
    rows = [*gather_rows(METHOD.read_text(encoding="utf-8")), *(row[:5] for row in OTHERS)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]
