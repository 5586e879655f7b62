"""Makes functions without flags in which instructions get in each other's way: few tiles and few places in global memory,
reused at random in loops and conditions, by every pipe. Every value stays an index that is in range, whatever the order.

No flag mends what the data cache of S breaks. So S stores to lines of its own, behind the others, which MTE2 reads before
that alone; and it drops its cache before it reads what MTE3 may have written."""
import sys
from pathlib import Path

import numpy as np

from facts import NUMBER
from make_programs import Program

sys.path.append(str(Path(__file__).resolve().parent.parent / "oracle"))
from vectors import ELEMENTWISE, OPS, SELECT, TABLE  # noqa: E402

ROWS, COLS, PARTS = 8, 8, 4
DROP = "pto.cmo.cacheinvalid all #pto.address_space<gm>"
OWN = PARTS * ROWS  # the first row of the words that S stores to
OWN_PLACES = tuple(OWN * COLS + k for k in (0, 1, 8))
FLOATS, WORDS = "!pto.tile_buf<vec, 8x8xf32>", "!pto.tile_buf<vec, 8x8xi32>"
LINES, COUNTS = "!pto.tile_buf<vec, 1x8xi32>", "!pto.tile_buf<vec, 1x8xi32>"
FPART, WPART = "!pto.partition_tensor_view<8x8xf32>", "!pto.partition_tensor_view<8x8xi32>"
BITS, SHORTS = "!pto.tile_buf<vec, 8x32xui8>", "!pto.tile_buf<vec, 8x16xbf16, valid=8x8>"
LPART = "!pto.partition_tensor_view<1x8xi32>"
COLUMN, PLACES = "!pto.tile_buf<vec, 8x1xf32, blayout=col_major>", "!pto.tile_buf<vec, 8x1xi32, blayout=col_major>"
PADDED, BOTH = "!pto.tile_buf<vec, 8x8xf32, pad=1>", "!pto.tile_buf<vec, 1x16xi32>"
LONG, SUM = "!pto.tile_buf<vec, 8x80xf32>", "{atomicType = #pto<atomic_type atomic_add>}"


class Binding:
    """As programs.py packs it."""

    def __init__(self, name, dtype, array):
        self.name, self.dtype, self.dims, self.number = name, NUMBER[dtype], array.shape, None
        self.data = self.after = array.tobytes()


class Hazards:
    def __init__(self, rng, target):
        self.rng, self.target, self.lines, self.depth, self.names = rng, target, [], 1, 0
        self.stored = False  # by S, so far

    def add(self, line):
        self.lines.append("  " * self.depth + line)

    def new(self, stem):
        self.names += 1
        return f"%{stem}{self.names}"

    def pick(self, stem):
        return f"%{stem}{self.rng.randrange(2)}"

    def gm(self, view, kind, counters, own=False):
        """A partition of 8 rows, at a place that may depend on the loop; `own`: or where S stores to, as long as it has not."""
        element, rows = ("f32", 8) if kind == FPART else ("i32", 1 if kind == LPART else 8)
        at = f"%c{8 * self.rng.randrange(PARTS)}"
        if own and not counters and not self.stored and self.rng.random() < 0.3:
            at = f"%c{OWN}"
        elif counters and self.rng.random() < 0.5:
            at = self.new("at")
            self.add(f"{at} = arith.muli {self.rng.choice(counters)}, %c8 : index")
        part = self.new("p")
        self.add(f"{part} = pto.partition_view {view}, offsets = [{at}, %c0], sizes = [%c{rows}, %c8] : "
                 f"!pto.tensor_view<?x?x{element}> -> {kind}")
        return part

    # -- instructions

    def load(self, counters):
        tile, kind, view, part = self.rng.choice((("f", FLOATS, "%fv", FPART), ("w", WORDS, "%wv", WPART),
                                                  ("l", LINES, "%wv", LPART)))
        source = self.gm(view, part, counters, view == "%wv")
        self.add(f"pto.tload ins({source} : {part}) outs({self.pick(tile)} : {kind})")

    def store(self, counters):
        tile, kind, view, part = self.rng.choice((("f", FLOATS, "%fv", FPART), ("w", WORDS, "%wv", WPART)))
        to = self.gm(view, part, counters)
        self.add(f"pto.tstore ins({self.pick(tile)} : {kind}) outs({to} : {part})")

    def rows(self, counters):
        if self.target == "a5-custom":  # a line of indices means elements there
            self.elements(counters)
            return
        table = self.gm("%fv", FPART, counters)
        oob = self.rng.choice(("clamp", "wrap", "zero"))
        self.add(f"pto.mgather ins({table}, {self.pick('l')} : {FPART}, {LINES}) outs({self.pick('f')} : {FLOATS}) "
                 f"{{coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob {oob}>}}")

    def elements(self, counters):
        table = self.gm("%fv", FPART, counters)
        self.add(DROP)  # S gathers on A2/A3
        self.add(f"pto.mgather ins({table}, {self.pick('w')} : {FPART}, {WORDS}) outs({self.pick('f')} : {FLOATS}) "
                 "{coalesce = #pto<coalesce elem>}")

    def index(self, _):
        self.add(f"pto.tgather ins({self.pick('f')}, {self.pick('w')}, %tmp : {FLOATS}, {WORDS}, {WORDS}) outs(%g : {FLOATS})")

    def mask(self, _):
        self.add(f"pto.tgather ins(%g, {{maskPattern = #pto.mask_pattern<P1111>}} : {FLOATS}) outs({self.pick('f')} : {FLOATS})")

    def vector(self, _):
        """A row of tests/oracle/vectors.py that keeps indices in range, and gives the same on every target."""
        element = self.rng.choice(("f32", "i32"))
        row = self.rng.choice([row for row in TABLE if element in row.calm and element in row.types(self.target)])
        stem, kind, scalar = ("f", FLOATS, "%r") if element == "f32" else ("w", WORDS, "%i")
        dst, operands = self.rng.randrange(2), []
        for role in row.kinds[0].replace("-", "x" if self.target == "a2a3" else ""):
            if role == "t":
                apart = row.family is ELEMENTWISE and OPS[row.name].apart
                operands.append((f"%{stem}{1 - dst}" if apart else self.pick(stem), kind))
            else:
                operands.append({"m": ("%m", BITS), "s": (f"{scalar}{self.rng.randrange(1, 3)}", element), "x": ("%tmp", WORDS)}[role])
        if self.rng.random() < 0.3 and row.family is SELECT:
            self.compare(())
        self.add(row.line(row.modes[0], operands, f"%{stem}{dst} : {kind}"))

    def spread(self, _):
        """A row of indices over a tile of them, or columns of a block; what is in range stays in range."""
        word, line, dst = self.pick("w"), self.pick("l"), self.pick("w")
        name = self.rng.choice(("max", "min", "", "row"))
        if name == "row":
            whole, small = self.rng.choice((("%f0", "%f1"), ("%f1", "%f0")))
            self.add(f"pto.trowexpandmax ins({whole}, {small} : {FLOATS}, {FLOATS}) outs({whole} : {FLOATS})")
        elif name:
            self.add(f"pto.tcolexpand{name} ins({word}, {line} : {WORDS}, {LINES}) outs({dst} : {WORDS})")
        else:
            self.add(f"pto.tcolexpand ins({line} : {LINES}) outs({dst} : {WORDS})")

    def rows_to_one(self, _):
        """What a row is folded into goes into a column, and from there only as a bound: numbers do not grow."""
        name = self.rng.choice(("sum", "max", "min", "argmax", "argmin"))
        source = self.pick("f")
        dst, kind = ("%y", PLACES) if name.startswith("arg") else ("%c", COLUMN)
        self.add(f"pto.trow{name} ins({source}, %tmp2 : {FLOATS}, {FLOATS}) outs({dst} : {kind})")
        if kind == COLUMN:
            to = self.pick("f")
            self.add(f"pto.trowexpandmin ins({to}, %c : {FLOATS}, {COLUMN}) outs({to} : {FLOATS})")

    def long_rows(self, _):
        """Rows of more than 256 bytes, which A2/A3 folds by way of tmp."""
        name = self.rng.choice(("max", "min", "argmin"))
        dst, kind = ("%y", PLACES) if name.startswith("arg") else ("%c", COLUMN)
        self.add(f"pto.tinsert ins({self.pick('f')}, %c0, %c{8 * self.rng.randrange(4)} : {FLOATS}, index, index) outs(%long : {LONG})")
        self.add(f"pto.trow{name} ins(%long, %tmp3 : {LONG}, {LONG}) outs({dst} : {kind})")

    def columns_to_one(self, _):
        name, line = self.rng.choice(("max", "min", "argmax", "argmin")), self.pick("l")
        if name.startswith("arg"):
            self.add(f"pto.tcol{name} ins({self.pick('f')}, %tmp2 : {FLOATS}, {FLOATS}) outs({line} : {LINES})")
        else:
            self.add(f"pto.tcol{name} ins({self.pick('w')} : {WORDS}) outs({line} : {LINES})")

    def move(self, _):
        """Copies of all or a part of a tile."""
        words, line, row = self.pick("w"), self.pick("l"), f"%c{self.rng.choice((0, 1, 2, 3, 4))}"
        self.add(self.rng.choice((
            f"pto.textract ins({words}, {row}, %c0 : {WORDS}, index, index) outs({line} : {LINES})",
            f"pto.tinsert ins({line}, {row}, %c0 : {LINES}, index, index) outs({words} : {WORDS})",
            f"pto.ttrans ins(%w0 : {WORDS}) outs(%w1 : {WORDS})",
            f"pto.tfillpad ins({self.pick('f')} : {FLOATS}) outs(%q : {PADDED})",
            f"pto.tmov ins(%q : {PADDED}) outs({self.pick('f')} : {FLOATS})",
            f"pto.tconcat ins(%l0, %l1 : {LINES}, {LINES}) outs(%both : {BOTH})",
            f"pto.textract ins(%both, %c0, %c8 : {BOTH}, index, index) outs({line} : {LINES})")))

    def single(self, _):
        """S moves an element from tile to tile."""
        value, at = self.new("e"), [f"%c{self.rng.choice((0, 1, 2, 3, 4, 8, 16, 24))}" for _ in range(2)]
        stem, kind, element = self.rng.choice((("w", WORDS, "i32"), ("f", FLOATS, "f32")))
        self.add(f"{value} = pto.tgetval ins({self.pick(stem)}, {at[0]} : {kind}, index) outs : {element}")
        self.add(f"pto.tsetval ins({at[1]}, {value} : index, {element}) outs({self.pick(stem)} : {kind})")

    def total(self, counters):
        """Adds to sums in memory, which come back as a bound only."""
        part = self.gm("%sv", FPART, counters)
        if self.rng.random() < 0.7:
            self.add(f"pto.tstore ins({self.pick('f')} : {FLOATS}) outs({part} : {FPART}) {SUM}")
            return
        to = self.pick("f")
        self.add(f"pto.tload ins({part} : {FPART}) outs(%g2 : {FLOATS})")
        self.add(f"pto.tmin ins({to}, %g2 : {FLOATS}, {FLOATS}) outs({to} : {FLOATS})")

    def compare(self, _):
        stem, kind, mode = self.rng.choice((("f", FLOATS, "gt"), ("w", WORDS, "eq")))
        self.add(f"pto.tcmp ins({self.pick(stem)}, {self.pick(stem)} {{cmpMode = #pto<cmp {mode}>}} : {kind}, {kind}) outs(%m : {BITS})")

    def convert(self, _):
        """Between floats, and from indices to floats: never to indices."""
        source, to = self.rng.choice((((self.pick("f"), FLOATS), ("%h", SHORTS)), (("%h", SHORTS), (self.pick("f"), FLOATS)),
                                      ((self.pick("w"), WORDS), (self.pick("f"), FLOATS))))
        self.add(f"pto.tcvt ins({source[0]} {{rmode = #pto<round_mode RINT>}} : {source[1]}) outs({to[0]} : {to[1]})")

    def count(self, _):
        self.add(f"pto.tci ins(%i0 : i32) outs({self.pick('l')} : {LINES})")

    def read(self, _):
        place = self.rng.choice((0, 1, 2, 3, 4, *OWN_PLACES))
        self.add(DROP)
        self.add(f"{self.new('s')} = pto.load_scalar %words[%c{place}] : !pto.ptr<i32> -> i32")

    def write(self, _):
        self.stored = True
        self.add(f"pto.store_scalar %i{self.rng.randrange(3)}, %words[%c{self.rng.choice(OWN_PLACES)}] : i32, !pto.ptr<i32>")

    # -- the function

    def block(self, counters, depth):
        for _ in range(self.rng.randint(2, 5) if depth else self.rng.randint(4, 9)):
            kind = self.rng.random()
            if kind < 0.16 and depth < 2:
                counter = self.new("k")
                self.add(f"scf.for {counter} = %c0 to %c{self.rng.choice((2, 3))} step %c1 {{")
                self.nested([*counters, counter], depth)
            elif kind < 0.26 and counters:
                condition = self.new("b")
                self.add(f"{condition} = arith.cmpi eq, {self.rng.choice(counters)}, %c{self.rng.randrange(2)} : index")
                self.add(f"scf.if {condition} {{")
                self.nested(counters, depth)
            else:
                self.rng.choice((self.load, self.load, self.store, self.store, self.rows, self.elements, self.index,
                                 self.mask, self.read, self.write, *[self.vector] * 6, self.compare, self.convert,
                                 self.count, self.spread, self.spread, self.rows_to_one, self.rows_to_one, self.long_rows,
                                 self.columns_to_one, self.columns_to_one, self.move, self.move, self.move, self.single,
                                 self.total, self.total))(counters)

    def nested(self, counters, depth):
        self.depth += 1
        self.block(counters, depth + 1)
        self.depth -= 1
        self.add("}")

    def text(self):
        for value in (0, 1, 2, 3, 4, 8, 16, 24, 32, OWN + ROWS, *OWN_PLACES):
            self.add(f"%c{value} = arith.constant {value} : index")
        for value in range(3):
            self.add(f"%i{value} = arith.constant {value} : i32")
            self.add(f"%r{value} = arith.constant {value}.0 : f32")
        self.add("%fv = pto.make_tensor_view %floats, shape = [%c32, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xf32>")
        self.add("%wv = pto.make_tensor_view %words, shape = [%c40, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xi32>")
        for stem, kind, view, part in (("f", FLOATS, "%fv", FPART), ("w", WORDS, "%wv", WPART), ("l", LINES, "%wv", LPART)):
            for n in range(2):
                self.add(f"%{stem}{n} = pto.alloc_tile : {kind}")
                self.add(f"pto.tload ins({self.gm(view, part, [], view == '%wv')} : {part}) outs(%{stem}{n} : {kind})")
        self.add("%sv = pto.make_tensor_view %sums, shape = [%c32, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xf32>")
        for name, kind in (("g", FLOATS), ("g2", FLOATS), ("tmp2", FLOATS), ("c", COLUMN), ("y", PLACES), ("q", PADDED), ("both", BOTH),
                           ("long", LONG), ("tmp3", LONG)):
            self.add(f"%{name} = pto.alloc_tile : {kind}")
        self.add(f"%tmp = pto.alloc_tile : {WORDS}")
        self.add(f"%m = pto.alloc_tile : {BITS}")
        self.add(f"%h = pto.alloc_tile : {SHORTS}")
        self.add(f"pto.tload ins({self.gm('%fv', FPART, [])} : {FPART}) outs(%g : {FLOATS})")
        self.compare(())
        self.add(f"pto.tcvt ins(%f0 {{rmode = #pto<round_mode RINT>}} : {FLOATS}) outs(%h : {SHORTS})")
        self.add(f"pto.tfillpad ins(%f0 : {FLOATS}) outs(%q : {PADDED})")
        self.add(f"pto.tconcat ins(%l0, %l1 : {LINES}, {LINES}) outs(%both : {BOTH})")
        self.add(f"pto.texpands ins(%r2 : f32) outs(%long : {LONG})")
        self.block([], 0)
        self.add("return")
        return "\n".join([f'module attributes {{"pto.target_arch" = "{self.target}"}} {{',
                          "func.func @hazards(%floats: !pto.ptr<f32>, %words: !pto.ptr<i32>, %sums: !pto.ptr<f32>) {", *self.lines, "}", "}", ""])


def make_hazards(rng, target):
    floats = np.arange(PARTS * ROWS * COLS, dtype="<f4").reshape(-1, COLS) + np.float32(rng.randrange(100))
    words = np.array([rng.randrange(8) for _ in range((OWN + ROWS) * COLS)], "<i4").reshape(-1, COLS)
    program = Program(target, Hazards(rng, target).text())
    sums = np.full((PARTS * ROWS, COLS), rng.randrange(9), "<f4")
    program.bindings = [Binding("floats", "f32", floats), Binding("words", "i32", words), Binding("sums", "f32", sums)]
    return program
