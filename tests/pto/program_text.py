"""How programs.py writes things down: element, tile and view types, attributes, and a function under construction."""
from facts import NUMBER

SPELLINGS = {"i8": ("i8", "si8"), "u8": ("ui8", "u8"), "i16": ("i16", "si16"), "u16": ("ui16", "u16"),
             "i32": ("i32", "si32"), "u32": ("ui32", "u32"), "i64": ("i64",), "u64": ("ui64", "u64"),
             "f16": ("f16",), "bf16": ("bf16",), "f32": ("f32",),
             "f8e4m3": ("f8E4M3FN", "f8E4M3"), "f8e5m2": ("f8E5M2",), "hif8": ("!pto.hif8",)}
LAYOUT_KEYS = {"row": "", "col": ", blayout=col_major", "nz": ", blayout=col_major, slayout=row_major"}
LAYOUT_WORDS = {"row": "row_major, none_box", "col": "col_major, none_box", "nz": "col_major, row_major"}
PAD_WORDS = ("null", "zero", "max", "min")


def element(dtype, variant=0):
    return SPELLINGS[dtype][variant % len(SPELLINGS[dtype])]


def shape(dims, dtype, variant=0):
    return "x".join([*("?" if n is None else str(n) for n in dims), element(dtype, variant)])


def valid_dims(tile):
    return [None if dyn else n for dyn, n in zip(tile.dyn, (tile.vrow, tile.vcol))]


def is_full(tile):
    return (tile.vrow, tile.vcol) == (tile.rows, tile.cols) and not any(tile.dyn)


def tile_buf(tile, variant=0):
    """The level-2 type: short, or long where the variant says so."""
    valid = ["?" if n is None else str(n) for n in valid_dims(tile)]
    if variant % 3 == 2:
        blayout, slayout = LAYOUT_WORDS[tile.order].split(", ")
        return (f"!pto.tile_buf<loc=vec, dtype={element(tile.dtype, variant)}, rows={tile.rows}, cols={tile.cols}, "
                f"v_row={valid[0]}, v_col={valid[1]}, blayout={blayout}, slayout={slayout}, fractal=512, pad={tile.pad}>")
    extra = "" if is_full(tile) else f", valid={valid[0]}x{valid[1]}"
    pad = f", pad={tile.pad}" if tile.pad else ""
    return f"!pto.tile_buf<vec, {shape((tile.rows, tile.cols), tile.dtype, variant)}{extra}{LAYOUT_KEYS[tile.order]}{pad}>"


def tile_1(tile, variant=0):
    """The level-1 type of a tile that is valid as a whole."""
    if tile.order == "row" and tile.pad == 0 and variant % 2 == 0:
        return f"!pto.tile<{shape((tile.rows, tile.cols), tile.dtype, variant)}>"
    return (f"!pto.tile<vec, {element(tile.dtype, variant)}, {tile.rows}, {tile.cols}, {LAYOUT_WORDS[tile.order]}, 512, "
            f"{PAD_WORDS[tile.pad]}>")


def gather_attributes(case, styled=0):
    """The dictionary of an mgather; a policy of undefined is left out now and then."""
    style = ("#pto<{} {}>", "#pto.{}<{}>")[styled % 2]
    words = ["coalesce = " + style.format("coalesce", case.coalesce)]
    if case.oob != "undefined" or styled % 3 == 0:
        words.append("gatherOob = " + style.format("gather_oob", case.oob))
    return "{" + ", ".join(words) + "}"


def compare_attributes(case):
    offset = f", offset = {case.offset} : i32" if case.offset else ""
    return f"{{cmpMode = #pto<cmp {case.cmp}>{offset}}}"


class Binding:
    """A name of the program with its data, before the run and as it must be after it."""

    def __init__(self, name, data=b"", dtype=None, dims=(), number=None):
        self.name, self.data, self.after = name, bytes(data), bytes(data)
        self.dtype, self.dims, self.number = NUMBER[dtype] if dtype else 0, tuple(dims), number


class Function:
    """A function as it is written: arguments, constants on demand, a body with loops."""

    def __init__(self, rng):
        self.rng, self.arguments, self.bindings, self.names = rng, [], [], {}
        self.lines, self.depth = [], 1

    def argument(self, name, kind, binding):
        self.arguments.append(f"%{name}: {kind}")
        self.bindings.append(binding)
        return f"%{name}"

    def pointer(self, name, dtype, data):
        return self.argument(name, f"!pto.ptr<{element(dtype, self.rng.randrange(2))}>", Binding(name, data))

    def number(self, name, value):
        return self.argument(name, "index", Binding(name, number=value))

    def constant(self, value, kind="index"):
        name = f"%c{value}" if kind == "index" else f"%a{value}"
        self.names[name] = f"  {name} = arith.constant {value} : {kind}"
        return name

    def add(self, line):
        self.lines.append("  " * self.depth + line)

    def open(self, line):
        self.add(line + " {")
        self.depth += 1

    def close(self):
        self.depth -= 1
        self.add("}")

    def partition(self, name, pointer, dtype, view, offsets, sizes):
        """A view of the pointer, and the part of it: (value, type). `view`: shape and strides as operands, layout."""
        operands, strides, layout = view
        whole = f"!pto.tensor_view<{shape([None] * len(operands), dtype)}>"
        attribute = "" if layout == "nd" and self.rng.random() < 0.7 else f" {{layout = #pto.layout<{layout}>}}"
        self.add(f"%{name}v = pto.make_tensor_view {pointer}, shape = [{', '.join(operands)}], "
                 f"strides = [{', '.join(strides)}]{attribute} : {whole}")
        part = f"!pto.partition_tensor_view<{shape([dim for _, dim in sizes], dtype)}>"
        self.add(f"%{name}p = pto.partition_view %{name}v, offsets = [{', '.join(offsets)}], "
                 f"sizes = [{', '.join(size for size, _ in sizes)}] : {whole} -> {part}")
        return f"%{name}p", part

    def text(self, target):
        head = f"func.func @f({', '.join(self.arguments)}) {{"
        body = [head, *self.names.values(), *self.lines, "  return", "}"]
        if target in ("a2a3", "a5") and self.rng.random() < 0.3:
            body = [f'module attributes {{pto.target_arch = "{target}"}} {{', *body, "}"]
        return "// A random program.\n" + "\n".join(body) + "\n"
