"""Makes snippets: one gather without a function, in PTO-AS, SSA, generic or DPS form, with free operands that are bound."""
from draw_steps import CELLS, TARGETS, draw, tiles_of
from make_programs import Program, blank, gather, make_function, scalar_constant, stored
from program_text import Binding, compare_attributes, element, gather_attributes, is_full, shape, tile_1, tile_buf


def table_type(case, form, variant):
    """A packed table is a view or a memref, one with strides a memref."""
    table = case.table
    first = next((d for d in range(3) if table.shape[d] != 1), 3)
    dims, stride, packed = table.shape[first:], table.stride[first:], 1
    for n, step in zip(reversed(dims), reversed(stride)):
        if step != packed:
            strides = ", ".join(map(str, stride))
            return f"memref<{shape(dims, table.dtype, variant)}, strided<[{strides}]>, #pto.address_space<gm>>"
        packed *= n
    name = "!pto.memref" if form in ("as", "destination") else "!pto.partition_tensor_view"
    return f"{name}<{shape(dims, table.dtype, variant)}>"


def snippet_line(case, form, types):
    """The statement in one of the forms; types of (table or source, index, destination)."""
    source = "%src"
    if case.is_mgather:
        name = f"mgather.{case.coalesce}" + (f".{case.oob}" if case.oob != "undefined" else "")
        long, attributes = "pto.mgather", " " + gather_attributes(case)
    else:
        name, long, attributes = "tgather", "pto.tgather", ""
    a, b, d = types
    return {"as": f"%dst = {name} {source}, %idx : ({a}, {b}) -> {d}",
            "destination": f"{name} %dst, {source}, %idx : ({d}, {a}, {b})",
            "ssa": f"%dst = {long} {source}, %idx{attributes} : ({a}, {b}) -> {d}",
            "generic": f'%dst = "{long}"({source}, %idx){attributes} : ({a}, {b}) -> {d}',
            "dps": f"{long} ins({source}, %idx : {a}, {b}) outs(%dst : {d}){attributes}"}[form]


def snippet_text(case, rng):
    if case.form in ("row", "elem", "index"):
        whole = all(map(is_full, tiles_of(case).values()))
        form = rng.choice(("as", "destination", "ssa", "generic", "dps")) if whole else "dps"
        written = tile_buf if form == "dps" else tile_1
        source = table_type(case, form, rng.randrange(2)) if case.is_mgather else written(case.src, rng.randrange(6))
        types = source, written(case.idx, rng.randrange(6)), written(case.dst, rng.randrange(6))
        return snippet_line(case, form, types) + "\n"
    if case.form == "mask":
        axis = ', "col"' if case.axis == "col" else rng.choice(("", ', "row"'))
        return (f"pto.tgather ins(%src, {{maskPattern = #pto.mask_pattern<{case.pattern}>}} : {tile_buf(case.src)}{axis}) "
                f"outs(%dst : {tile_buf(case.dst)})\n")
    return (f"%k = {scalar_constant(case)}\npto.tgather ins(%src, %k : {tile_buf(case.src)}, {element(case.src.dtype)}) "
            f"outs(%dst, %cdst : {tile_buf(case.dst)}, {tile_buf(case.cdst)}) {compare_attributes(case)}\n")


def make_snippet(rng, target):
    form = rng.choice([form for t, form in CELLS if t == target])
    case = draw(rng, target, form, False, rng.random() < 0.6)
    tiles, program = tiles_of(case), Program(target, bare=True)
    for tile in tiles.values():
        tile.dyn = (False, False)
    program.text = snippet_text(case, rng)
    bound = [name for name in ("idx", "src", "dst") if name in tiles and (name != "dst" or form in ("mask", "compare"))]
    storage = {name: blank(tile) for name, tile in tiles.items()}
    for name in bound:
        values = stored(tiles[name], case.buffers[name])
        storage[name][tiles[name].offsets()] = values
        program.bindings.append(Binding(name, values.tobytes(), tiles[name].dtype, values.shape))
    if case.is_mgather:
        program.bindings.append(Binding("src", case.buffers["src"]))
    gather(program, case, storage, case.buffers["src"])
    program.dumps = {name: storage[name][tiles[name].offsets()].tobytes() for name in ("dst", "cdst") if name in tiles}
    return program


def make(rng, number):
    target = TARGETS[number % len(TARGETS)]
    return make_snippet(rng, target) if rng.random() < 0.3 else make_function(rng, target)
