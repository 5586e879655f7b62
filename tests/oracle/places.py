"""Tiles that share bytes, and whether that does harm."""


def overlap(a, b):
    return a.addr < b.addr + b.bytes and b.addr < a.addr + a.bytes


def reach(tile):
    """The first byte and the one behind the last that an instruction reaches which leaves alone what lies behind the valid region:
    rows (columns of a tile that goes by columns), and of a single one the blocks of 32 bytes."""
    runs, length = (tile.vrow, tile.cols) if tile.order == "row" else (tile.vcol, tile.rows)
    valid = tile.vcol if tile.order == "row" else tile.vrow
    if tile.order not in ("row", "col"):
        return tile.addr, tile.addr + tile.bytes
    if runs == 1:
        length = min(length, -(-valid * tile.size // 32) * 32 // tile.size)
    return tile.addr, tile.addr + runs * length * tile.size


def reached_overlap(a, b):
    (a_from, a_to), (b_from, b_to) = reach(a), reach(b)
    return a_from < b_to and b_from < a_to


def same_place(a, b):
    return (a.addr, a.rows, a.cols, a.order, a.size) == (b.addr, b.rows, b.cols, b.order, b.size)


def read_first(dst, src, steps):
    """Is every byte of the source read before dst is written over it? Rows follow each other, 256 bytes at once; of more than
    that, all rows of the first step may come first, but where neither tile has gaps ("packed")."""
    if not dst.order == src.order == "row" or dst.size != src.size or dst.cols > src.cols or dst.addr > src.addr:
        return False
    packed = steps == "packed" and dst.vcol == dst.cols == src.cols
    return packed or dst.vrow == 1 or dst.vcol * dst.size <= 256
