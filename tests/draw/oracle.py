"""What a drawing must show, by numpy: random gathers on host, their values, states and arrows."""
import re

import numpy as np
from svg import Picture

CELL = re.compile(r"(\w+)\[(\d+),(\d+)\] (\S+?)(?:: (.*))?$")
END = r"(\w+)\[(\d+|\.\.\.)(?:,(\d+|\.\.\.))?\]"  # what is left out is ...
ARROW = re.compile(f"(?:{END} )?to {END}$")
WORDS = {"clamp": "clamped", "wrap": "wrapped", "zero": "zeroed", "undefined": "out of range"}
PATTERNS = {"P0101": (0, 2), "P1010": (1, 2), "P0001": (0, 4), "P0010": (1, 4), "P0100": (2, 4), "P1000": (3, 4), "P1111": (0, 1)}


class Case:
    """A program, its operands as they are drawn, and what becomes of each element of dst: {(r, c): (value, state, source)}.
    `files` are the inputs of the program, where those are others."""

    def __init__(self, text, data, lanes, source, files=None):
        self.text, self.data, self.lanes, self.source, self.files = text, data, lanes, source, files or data


def tile(rows, cols):
    return f"!pto.tile_buf<vec, {rows}x{cols}xi32>"


def integers(rng, *shape):
    return rng.integers(-999, 999, shape).astype(np.int32)


def mapped(index, capacity, policy):
    """(the index that is used or None, its state)"""
    if index < capacity:
        return index, "written"
    return {"clamp": capacity - 1, "wrap": index % capacity}.get(policy), WORDS[policy]


def mgather(rng, mode, policy):
    rows, cols, dst_rows, dst_cols = (int(rng.integers(1, most)) for most in (40, 12, 20, 12))
    dst_cols = min(cols, dst_cols) if mode == "row" else dst_cols
    table, capacity = integers(rng, rows, cols), rows if mode == "row" else rows * cols
    shape = (1, dst_rows) if mode == "row" else (dst_rows, dst_cols)
    most = capacity if policy == "undefined" else 2 * capacity + 1
    idx = rng.integers(0, most, shape).astype(np.int32)
    idx[rng.random(shape) < 0.05] = 0 if policy == "undefined" else -1
    lanes = {}
    for r in range(dst_rows):
        for c in range(dst_cols):
            used, state = mapped(int(idx[0, r] if mode == "row" else idx[r, c]) % 2 ** 32, capacity, policy)
            at = None if used is None else (used, c) if mode == "row" else divmod(used, cols)
            lanes[r, c] = (0 if at is None else int(table[at]), state, at)
    text = (f"pto.mgather ins(%table, %idx : !pto.partition_tensor_view<{rows}x{cols}xi32>, {tile(*shape)}) "
            f"outs(%dst : {tile(dst_rows, dst_cols)}) {{coalesce = #pto<coalesce {mode}>, gatherOob = #pto<gather_oob {policy}>}}\n")
    return Case(text, {"table": table, "idx": idx}, lanes, "table")


def from_nz(rng, policy):
    """Rows of an NZ table into an NZ tile: boxes of 16 rows of 8."""
    block_cols, block_rows = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    stored, rows, cols = integers(rng, 1, block_cols, block_rows, 16, 8), 16 * block_rows, 8 * block_cols
    table = stored[0].transpose(1, 2, 0, 3).reshape(rows, cols)
    idx = rng.integers(0, 2 * rows, (1, 16)).astype(np.int32)
    lanes = {}
    for r in range(16):
        used, state = mapped(int(idx[0, r]), rows, policy)
        for c in range(cols):
            lanes[r, c] = (0, state, None) if used is None else (int(table[used, c]), state, (used, c))
    shape, box = f"1x{block_cols}x{block_rows}x16x8xi32", 128 * block_rows
    text = (f"%table = pto.make_tensor_view %w, shape = [1, {block_cols}, {block_rows}, 16, 8], strides = [{box * block_cols}, {box}, "
            f"128, 8, 1] {{layout = #pto.layout<nz>}} : !pto.tensor_view<{shape}>\n"
            f"%dst = pto.alloc_tile : !pto.tile_buf<vec, 16x{cols}xi32, blayout=col_major, slayout=row_major>\n"
            f"%idx = pto.alloc_tile : {tile(1, 16)}\npto.tload ins(%i : !pto.partition_tensor_view<1x16xi32>) outs(%idx)\n"
            f"pto.mgather ins(%table, %idx) outs(%dst) {{coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob {policy}>}}\n")
    return Case(text, {"table": table, "idx": idx}, lanes, "table", {"w": stored, "i": idx})


def by_index(rng):
    rows, cols, dst_rows, dst_cols = (int(rng.integers(1, 14)) for _ in range(4))
    src, idx = integers(rng, rows, cols), rng.integers(0, rows * cols + 3, (dst_rows, dst_cols)).astype(np.int32)
    lanes = {}
    for (r, c), index in np.ndenumerate(idx):
        at = divmod(int(index), cols) if index < rows * cols else None
        lanes[r, c] = (0, "zeroed", None) if at is None else (int(src[at]), "written", at)
    text = f"pto.tgather ins(%src, %idx : {tile(rows, cols)}, {tile(*idx.shape)}) outs(%dst : {tile(*idx.shape)})\n"
    return Case(text, {"src": src, "idx": idx}, lanes, "src")


def by_mask(rng, pattern):
    first, step = PATTERNS[pattern]
    rows, kept = int(rng.integers(1, 8)), int(rng.integers(1, 9))
    src = integers(rng, rows, kept * step)
    places = [(r, c) for r in range(rows) for c in range(first, kept * step, step)]
    lanes = {divmod(i, kept): (int(src[at]), "written", at) for i, at in enumerate(places)}
    text = (f"pto.tgather ins(%src, {{maskPattern = #pto.mask_pattern<{pattern}>}} : {tile(*src.shape)}, \"row\") "
            f"outs(%dst : {tile(rows, kept)})\n")
    return Case(text, {"src": src}, lanes, "src")


def by_comparison(rng):
    rows, cols, k = int(rng.integers(1, 8)), int(rng.integers(1, 12)), int(rng.integers(-500, 500))
    src, lanes = integers(rng, rows, cols), {}
    for r in range(rows):
        for n, c in enumerate(np.flatnonzero(src[r] > k)):
            lanes[r, n] = (r * cols + int(c), "written", (r, int(c)))
    text = (f"%k = arith.constant {k} : i32\npto.tgather ins(%src, %k : {tile(*src.shape)}, i32) outs(%dst, %n : {tile(rows, cols)}, "
            f"!pto.tile_buf<vec, 1x{rows}xi32>) {{cmpMode = #pto<cmp gt>}}\n")
    return Case(text, {"src": src}, lanes, "src")


def cases(rng):
    for mode in ("row", "elem"):
        for policy in WORDS:
            yield f"mgather {mode} {policy}", mgather(rng, mode, policy)
    for policy in ("clamp", "wrap", "zero"):
        yield f"mgather row {policy}, NZ", from_nz(rng, policy)
    yield "tgather by index", by_index(rng)
    for pattern in PATTERNS:
        yield f"tgather by mask {pattern}", by_mask(rng, pattern)
    yield "tgather by comparison", by_comparison(rng)


# ---- against the picture


def cell_problems(case, picture):
    seen, read = 0, {lane[2] for lane in case.lanes.values()}
    for _, _, title in picture.cells:
        name, r, c, value, state = CELL.match(title).groups()
        at = int(r), int(c)
        if name == "dst" and at in case.lanes:
            seen += 1
            if (value, state) != (str(case.lanes[at][0]), case.lanes[at][1]):
                yield f"{title}, but it is {case.lanes[at][0]}, {case.lanes[at][1]}"
        elif name in case.data and value != str(case.data[name][at]):
            yield f"{title}, but it is {case.data[name][at]}"
        elif name == case.source and (state == "read") != (at in read):
            yield f"{title}, but it is {'read' if at in read else 'not'}"
    if seen < min(len(case.lanes), 3):
        yield f"only {seen} elements of dst are drawn"


def arrow_problems(case, picture):
    targets = set()
    for _, title in picture.arrows:
        source, from_r, from_c, to, r, c = ARROW.match(title).groups()
        targets.add(int(r))
        lanes = {at: lane for at, lane in case.lanes.items() if at[0] == int(r) and (c is None or at[1] == int(c))}
        if to != "dst" or source not in (None, case.source):
            yield f"{title}: there is no such arrow"
        for at, (_, _, place) in lanes.items():
            fits = place is None if source is None else \
                place and from_r in ("...", str(place[0])) and from_c in (None, "...", str(place[1]))
            if not fits:
                yield f"{title}, but dst{list(at)} is from {place}"
    if not targets and any(lane[2] for lane in case.lanes.values()):
        yield "there is no arrow"


def problems(case, text):
    picture = Picture(text)
    return list(cell_problems(case, picture)) + list(arrow_problems(case, picture))
