"""TMRGSORT: random cases, and what must come out, written from the pages of the manual and not from the library.

Each four runs of a list, or two to four lists, of pairs of 8 bytes become one in descending order; of equal numbers the one of the lower
list comes first. Lists that are not in order are merged all the same: the largest of the next pairs is taken each time.
"""
import numpy as np

from facts import SIZE
from oracle_mscatter import CPU, Case, Want, tile
from oracle_sorts import PAD, REAL, bits_type, pair_bytes, sort_key

DST, TMP, LISTS, UB = 0x0, 0x2000, (0x4000, 0x6000, 0x8000, 0xA000), 0xC000
WARNING = 1


def draw_list(random, dtype, pairs, sorted_):
    """(bits, index) of a list; the last ones may be those that a sort fills up with."""
    bits = (random.integers(-12, 12, pairs) / 4).astype(REAL[dtype]).view(bits_type(dtype))
    bits = sorted(bits.tolist(), key=lambda b: sort_key(dtype, b)) if sorted_ else bits.tolist()
    if random.integers(4) == 0:
        filled = int(random.integers(0, pairs))
        bits[pairs - filled:] = [PAD[dtype]] * filled
    return list(zip(bits, random.integers(0, 1 << 32, pairs, dtype=np.uint64).tolist()))


def bytes_of(dtype, pairs):
    return b"".join(pair_bytes(dtype, *pair) for pair in pairs)


def merge(dtype, lists, exhausted=False, most=None):
    """(pairs, how many of each list, how many pairs were seen to be out of order)."""
    taken, merged = [0] * len(lists), []
    while most is None or len(merged) < most:
        if exhausted and any(n == len(list_) for n, list_ in zip(taken, lists)):
            break
        heads = [(sort_key(dtype, list_[n][0]), k) for k, (n, list_) in enumerate(zip(taken, lists)) if n < len(list_)]
        if not heads:
            break
        k = min(heads)[1]
        merged.append(lists[k][taken[k]])
        taken[k] += 1
    seen = [min(n, len(list_) - 1) for n, list_ in zip(taken, lists)]
    wrong = sum(sort_key(dtype, list_[i][0]) < sort_key(dtype, list_[i - 1][0])
                for list_, last in zip(lists, seen) for i in range(1, last + 1))
    return merged, taken, wrong


def finish(case, image, wrong):
    want = Want(image=bytes(image), compared=TMP)
    if wrong:
        want.faults["sort-unsorted"], want.severities["sort-unsorted"] = wrong, WARNING
    return case, want


def draw(random, target):
    dtype, sorted_ = str(random.choice(("f16", "f32"))), bool(random.integers(4))
    return (draw_runs if random.integers(2) else draw_lists)(random, target, dtype, sorted_)


def draw_runs(random, target, dtype, sorted_):
    pair, length, groups = 8 // SIZE[dtype], 64 * int(random.integers(1, 3)), int(random.integers(1, 3))
    runs = [draw_list(random, dtype, length // pair, sorted_) for _ in range(4 * groups)]
    cols = 4 * length * groups
    image = bytearray(random.bytes(UB))
    data = b"".join(bytes_of(dtype, run) for run in runs)
    image[LISTS[0]:LISTS[0] + len(data)] = data
    operands = [tile(dtype, 1, cols, (1, cols), "row", DST), tile(dtype, 1, cols, (1, cols), "row", LISTS[0]),
                {"kind": "scalar", "dtype": "i64", "bits": length}, None, None, None, None, None]
    case = Case("tmrgsort", target, operands, (), bytes(image), b"", str(operands[:3]))
    wrong = 0
    for g in range(groups):
        merged, _, more = merge(dtype, runs[4 * g:4 * g + 4])
        data, wrong = bytes_of(dtype, merged), wrong + more
        image[DST + g * len(data):DST + (g + 1) * len(data)] = data
    return finish(case, image, wrong)


def draw_lists(random, target, dtype, sorted_):
    size, pair = SIZE[dtype], 8 // SIZE[dtype]
    lists = [draw_list(random, dtype, 4 * int(random.integers(1, 20)), sorted_) for _ in range(int(random.integers(2, 5)))]
    exhausted, all_ = bool(random.integers(2)), sum(map(len, lists))
    most = min(map(len, lists)) if exhausted else all_
    valid = pair * most if exhausted else int(random.integers(1, pair * all_ + 1))
    cols, tmp_cols = -(-pair * all_ // (32 // size)) * (32 // size), pair * all_
    over = LISTS[0] if target not in CPU and random.integers(4) == 0 else DST
    image = bytearray(random.bytes(UB))
    for addr, list_ in zip(LISTS, lists):
        image[addr:addr + 8 * len(list_)] = bytes_of(dtype, list_)
    tiles = [tile(dtype, 1, pair * len(list_), (1, pair * len(list_)), "row", addr) for addr, list_ in zip(LISTS, lists)]
    operands = [tile(dtype, 1, cols, (1, valid), "row", over), None, None, *(tiles + [None] * 4)[:4],
                tile(dtype, 1, tmp_cols, (1, tmp_cols), "row", TMP)]
    case = Case("tmrgsort", target, operands, (int(exhausted),), bytes(image), b"", f"{exhausted} {operands}")
    on_cpu = target in CPU
    merged, taken, wrong = merge(dtype, lists, exhausted, valid // pair if on_cpu else None)
    data = bytes_of(dtype, merged)
    written = valid // pair * 8 if on_cpu else min(-(-valid * size // 32) * 32, cols * size)
    written = min(written, len(data))
    image[over:over + written] = data[:written]
    if exhausted or on_cpu:
        image[UB - 8:] = np.array((taken + [0, 0])[:4], np.uint16).tobytes()
    case, want = finish(case, image, wrong)
    want.compared = None if over == DST else TMP
    if over == DST:   # tmp holds whatever the target has merged there
        want.ignored = (TMP, TMP + tmp_cols * size)
    return case, want
