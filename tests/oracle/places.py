"""Tiles that share bytes, and whether that does harm."""


def overlap(a, b):
    return a.addr < b.addr + b.bytes and b.addr < a.addr + a.bytes


def same_place(a, b):
    return (a.addr, a.rows, a.cols, a.order, a.size) == (b.addr, b.rows, b.cols, b.order, b.size)


def read_first(dst, src, steps):
    """Is every byte of the source read before dst is written over it? Rows follow each other, 256 bytes at once; of more than
    that, all rows of the first step may come first, but where neither tile has gaps ("packed")."""
    if not dst.order == src.order == "row" or dst.size != src.size or dst.cols > src.cols or dst.addr > src.addr:
        return False
    packed = steps == "packed" and dst.vcol == dst.cols == src.cols
    return packed or dst.vrow == 1 or dst.vcol * dst.size <= 256
