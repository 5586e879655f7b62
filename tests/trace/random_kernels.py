"""Random kernels in text: loads, gathers, stores, flags and barriers in loops, right or wrong. What they compute does not
matter; that their timeline can be drawn does."""

PIPES = ["S", "V", "MTE2", "MTE3"]
HEAD = """func.func @f(%table: !pto.partition_tensor_view<64x16xf32>, %ids: !pto.partition_tensor_view<1x16xi32>, %out: !pto.partition_tensor_view<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
"""
VIEW, TILE, INDEX = "!pto.partition_tensor_view<16x16xf32>", "!pto.tile_buf<vec, 16x16xf32>", "!pto.tile_buf<vec, 1x16xi32>"


def tiles(draw):
    """Two index tiles and two row tiles; now and then they share bytes."""
    lines = []
    for name, kind in (("i0", INDEX), ("i1", INDEX), ("d0", TILE), ("d1", TILE)):
        at = draw.randrange(0, 64) * 1024
        lines += [f"  %a_{name} = arith.constant {at} : i64", f"  %{name} = pto.alloc_tile addr = %a_{name} : {kind}"]
    return lines


def flag(draw, kind, triple=None):
    src, dst, number = triple or (*draw.sample(PIPES, 2), draw.randrange(6))
    return f"pto.{kind}_flag[<PIPE_{src}>, <PIPE_{dst}>, <EVENT_ID{number}>]"


def statement(draw, pending):
    """One line; `pending` are the flags that are set and not waited for."""
    i, d = draw.choice(["i0", "i1"]), draw.choice(["d0", "d1"])
    mode = "#pto<coalesce row>, gatherOob = #pto<gather_oob %s>" % draw.choice(["undefined", "clamp", "wrap", "zero"])
    kind = draw.randrange(10)
    if kind < 2:
        return f"pto.tload ins(%ids : !pto.partition_tensor_view<1x16xi32>) outs(%{i} : {INDEX})"
    if kind < 4:
        return f"pto.mgather ins(%table, %{i} : !pto.partition_tensor_view<64x16xf32>, {INDEX}) outs(%{d} : {TILE}) {{coalesce = {mode}}}"
    if kind < 6:
        return f"pto.tstore ins(%{d} : {TILE}) outs(%out : {VIEW})"
    if kind < 8 and pending:
        return flag(draw, "wait", pending.pop(draw.randrange(len(pending))))
    if kind == 9 and draw.random() < 0.3:
        return f"pto.barrier <PIPE_{draw.choice(['V', 'MTE2', 'MTE3', 'ALL'])}>"
    if draw.random() < 0.02:
        return flag(draw, "wait")  # perhaps for ever
    triple = (*draw.sample(PIPES, 2), draw.randrange(6))
    pending.append(triple)
    return flag(draw, "set", triple)


def make(draw):
    pending, lines = [], tiles(draw)
    for _ in range(draw.randrange(1, 5)):
        body = [statement(draw, pending) for _ in range(draw.randrange(2, 14))]
        if draw.random() < 0.5:
            name = f"%n{len(lines)}"
            lines += [f"  {name} = arith.constant {draw.randrange(1, 6)} : index",
                      f"  scf.for %k{len(lines)} = %c0 to {name} step %c1 {{"] + ["    " + line for line in body] + ["  }"]
        else:
            lines += ["  " + line for line in body]
    if draw.random() < 0.7:
        lines += ["  " + flag(draw, "wait", triple) for triple in pending]
    return HEAD + "\n".join(lines) + "\n  return\n}\n"
