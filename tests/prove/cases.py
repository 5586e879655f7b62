"""Programs with one mistake that only some inputs show, each beside the same program without it.

A case is written in a short notation, a statement to a line, that `program` writes out:

  load T | exp T U | store T      tload of the source into tile T, texp from T into U, tstore of T; tiles are a, b, c
  set P Q I | wait P Q I          flags between pipes: 2 is MTE2, 3 is MTE3, V; I may be a value: %id
  barrier P                       also A, all pipes
  if C | else | end               C is a value of type i1
  for I N | end                   turns from 0 to N - 1
  anything else                   as it is

`-` before a line: only the wrong program has it; `+`: only the correct one.
"""
TILE = "!pto.tile_buf<vec, 16x64xf32>"
PART = "!pto.partition_tensor_view<16x64xf32>"
VIEW = "!pto.tensor_view<?x?xf32>"
PIPES = {"2": "MTE2", "3": "MTE3", "V": "V", "S": "S", "A": "ALL"}
HEAD = f"""  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %a0 = arith.constant 0x0 : i64
  %a1 = arith.constant 0x1000 : i64
  %a2 = arith.constant 0x2000 : i64
  %sv = pto.make_tensor_view %src, shape = [%c64, %c64], strides = [%c64, %c1] : {VIEW}
  %dv = pto.make_tensor_view %dst, shape = [%c64, %c64], strides = [%c64, %c1] : {VIEW}
  %sp = pto.partition_view %sv, offsets = [%c0, %c0], sizes = [%c16, %c64] : {VIEW} -> {PART}
  %dp = pto.partition_view %dv, offsets = [%c0, %c0], sizes = [%c16, %c64] : {VIEW} -> {PART}
  %a = pto.alloc_tile addr = %a0 : {TILE}
  %b = pto.alloc_tile addr = %a1 : {TILE}
  %c = pto.alloc_tile addr = %a2 : {TILE}
"""


def flag(word, source, sink, event):
    pipes = f"<PIPE_{PIPES[source]}>, <PIPE_{PIPES[sink]}>"
    if event.startswith("%"):
        return f"pto.{word}_flag_dyn[{pipes}, {event}]"
    return f"pto.{word}_flag[{pipes}, <EVENT_ID{event}>]"


def statement(line):
    """One line of the notation as text."""
    words = line.split()
    match words:
        case ["load", tile, *where]:
            return f"pto.tload ins({where[0] if where else '%sp'} : {PART}) outs(%{tile} : {TILE})"
        case ["exp", source, into]:
            return f"pto.texp ins(%{source} : {TILE}) outs(%{into} : {TILE})"
        case ["store", tile, *where]:
            return f"pto.tstore ins(%{tile} : {TILE}) outs({where[0] if where else '%dp'} : {PART})"
        case ["set" | "wait", source, sink, event]:
            return flag(words[0], source, sink, event)
        case ["barrier", pipe]:
            return f"pto.barrier <PIPE_{PIPES[pipe]}>"
        case ["if", condition]:
            return f"scf.if {condition} {{"
        case ["else"]:
            return "} else {"
        case ["for", counter, count]:
            return f"scf.for {counter} = %c0 to {count} step %c1 {{"
        case ["end"]:
            return "}"
    return line


def program(arguments, body, wrong):
    """The text of a case, wrong or correct."""
    lines, depth = [], 1
    for line in body.strip().splitlines():
        line = line.strip()
        if line[:1] in "+-" and line[:2] in ("+ ", "- "):
            if (line[0] == "-") != wrong:
                continue
            line = line[2:]
        text = statement(line)
        depth -= text.startswith("}")
        lines.append("  " * depth + text)
        depth += text.endswith("{")
    given = "".join(f"%{name}: {kind}, " for name, kind in arguments)
    return (f"func.func @k({given}%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>) {{\n{HEAD}" + "\n".join(lines) +
            "\n  return\n}\n")


N = [("n", "index")]
NM = [("n", "index"), ("m", "index")]
P = [("p", "i1")]
PQ = [("p", "i1"), ("q", "i1")]
MEM = [("w", "!pto.ptr<i32>")]


def compare(predicate, bound, value="%n"):
    return f"%k = arith.constant {bound} : index\n%is = arith.cmpi {predicate}, {value}, %k : index"


def branch(condition, race):
    """Before exp the load is waited for, but not, in the wrong program, where the condition holds."""
    return f"""{condition}
load a
if %is
- {race}
+ set 2 V 0
+ wait 2 V 0
else
set 2 V 0
wait 2 V 0
end
exp a b
set V 3 0
wait V 3 0
store b"""


NOTHING = "%nothing = arith.constant 5 : index"
CASES = {}


def case(name, arguments, body, *ids):
    assert name not in CASES, name
    CASES[name] = (arguments, body, ids)


# A branch that depends on a scalar argument, in every predicate.
for predicate, bound in (("eq", 42), ("ne", 0), ("slt", 3), ("sle", 7), ("sgt", 1000), ("sge", 129), ("ult", 2), ("uge", 77)):
    case(f"argument-{predicate}", N, branch(compare(predicate, bound), NOTHING), "race-raw")
case("bit", P, branch("%t = arith.constant true\n%is = arith.andi %p, %t : i1", NOTHING), "race-raw")
case("two-bits", PQ, branch("%is = arith.andi %p, %q : i1", NOTHING), "race-raw")
case("two-arguments", NM, branch("%s = arith.addi %n, %m : index\n" + compare("eq", 1234, "%s"), NOTHING), "race-raw")
case("difference", NM, branch("%s = arith.subi %n, %m : index\n" + compare("eq", 77, "%s"), NOTHING), "race-raw")
case("multiple", N, branch("%s = arith.muli %n, %c16 : index\n" + compare("eq", 800, "%s"), NOTHING), "race-raw")
case("quotient", N, branch("%s = arith.divsi %n, %c16 : index\n" + compare("eq", 9, "%s"), NOTHING), "race-raw")
case("remainder", N, branch("%s = arith.remsi %n, %c16 : index\n" + compare("eq", 5, "%s"), NOTHING), "race-raw")
case("odd", N, branch("%s = arith.remsi %n, %c2 : index\n" + compare("eq", 1, "%s"), NOTHING), "race-raw")
case("negative", N, branch(compare("slt", 0), NOTHING), "race-raw")

# A branch inside another one, and one after the other.
case("nested", NM, f"""%k3 = arith.constant 300 : index
%k4 = arith.constant 400 : index
%x = arith.cmpi sgt, %n, %k3 : index
%y = arith.cmpi eq, %m, %k4 : index
load a
if %x
if %y
+ set 2 V 0
+ wait 2 V 0
- {NOTHING}
else
set 2 V 0
wait 2 V 0
end
else
set 2 V 0
wait 2 V 0
end
exp a b
set V 3 0
wait V 3 0
store b""", "race-raw")
case("after-each-other", PQ, """load a
set 2 V 0
if %p
wait 2 V 0
else
+ wait 2 V 0
- %z = arith.constant 5 : index
end
if %q
exp a b
else
- wait 2 V 0
exp a b
end
barrier A
store b""", "race-raw", "flag-never-set")

# Memory decides.
for position, bound in ((0, 7), (2, 99)):
    case(f"memory-{position}", MEM, branch(f"""%at = arith.constant {position} : index
%v = pto.load_scalar %w[%at] : !pto.ptr<i32> -> i32
%k = arith.constant {bound} : i32
%is = arith.cmpi eq, %v, %k : i32""", NOTHING), "race-raw")
case("two-elements", MEM, branch("""%v0 = pto.load_scalar %w[%c0] : !pto.ptr<i32> -> i32
%v1 = pto.load_scalar %w[%c1] : !pto.ptr<i32> -> i32
%d = arith.subi %v0, %v1 : i32
%k = arith.constant 1000 : i32
%is = arith.cmpi eq, %d, %k : i32""", NOTHING), "race-raw")

# The barrier that protects later reads is only inside the branch: the shape of tilelang-ascend#1824.
case("barrier-in-branch", N, """%zero = arith.constant 0.0 : f32
%is = arith.cmpi sgt, %n, %c0 : index
pto.texpands ins(%zero : f32) outs(%a : !pto.tile_buf<vec, 16x64xf32>)
if %is
pto.texpands ins(%zero : f32) outs(%b : !pto.tile_buf<vec, 16x64xf32>)
barrier V
exp b b
end
+ barrier V
exp a c
barrier A
store c""", "same-pipe-hazard")

# Flags stay outside the branch that the copy is in: the shape of PTOAS#1149.
case("flags-beside-branch", [("remaining", "index")], """%turns = arith.constant 4 : index
set V 2 0
for %i %turns
%is = arith.cmpi slt, %i, %remaining : index
if %is
wait V 2 0
load a
set 2 V 0
+ wait 2 V 0
+ exp a b
+ set V 2 0
end
- wait 2 V 0
- exp a b
- set V 2 0
end
wait V 2 0
barrier A
%z = arith.constant 0.0 : f32
pto.texpands ins(%z : f32) outs(%c : !pto.tile_buf<vec, 16x64xf32>)
barrier A
store c""", "flag-never-set")

# Loops.
case("no-turns", N, """- for %i %n
load a
- end
barrier A
exp a b
barrier A
store b""", "uninit-read")
case("zero-trip-flag", N, """+ load a
+ set 2 V 0
for %i %n
- %last = arith.cmpi eq, %i, %c0 : index
- if %last
- load a
- set 2 V 0
- end
+ %u = arith.addi %i, %c1 : index
end
wait 2 V 0
exp a b
barrier A
store b""", "flag-never-set")
case("odd-turns", N, """load a
for %i %n
%half = arith.remsi %i, %c2 : index
%even = arith.cmpi eq, %half, %c0 : index
if %even
set 2 V 0
+ wait 2 V 0
else
- wait 2 V 0
+ barrier A
end
end
barrier A
exp a b
barrier A
store b""", "flag-left-set")
case("two-turns", N, """for %i %n
load a
set 2 V 0
wait 2 V 0
exp a b
set V 3 0
wait V 3 0
store b
+ barrier A
end""", "race-war")
case("many-turns", N, """%k = arith.constant 5 : index
for %i %n
%is = arith.cmpi eq, %i, %k : index
load a
if %is
- %z = arith.constant 1 : index
+ set 2 V 0
+ wait 2 V 0
else
set 2 V 0
wait 2 V 0
end
exp a b
barrier A
store b
barrier A
end""", "race-raw")
case("last-turn", N, """%end = arith.subi %n, %c1 : index
for %i %n
%is = arith.cmpi eq, %i, %end : index
load a
if %is
- %z = arith.constant 1 : index
+ set 2 V 0
+ wait 2 V 0
else
set 2 V 0
wait 2 V 0
end
exp a b
barrier A
store b
barrier A
end""", "race-raw")
case("inner-no-turns", NM, """for %i %n
- for %j %m
load a
- barrier A
- end
+ barrier A
exp a b
barrier A
store b
barrier A
end""", "uninit-read")
case("while", N, """%r = scf.while (%x = %c0) : (index) -> index {
%more = arith.cmpi slt, %x, %n : index
scf.condition(%more) %x : index
} do {
^bb0(%y: index):
%k = arith.constant 3 : index
%is = arith.cmpi eq, %y, %k : index
load a
if %is
- %z = arith.constant 1 : index
+ barrier A
else
barrier A
end
exp a b
barrier A
store b
barrier A
%next = arith.addi %y, %c1 : index
scf.yield %next : index
}""", "race-raw")
case("prologue", N, """load a
set 2 V 0
for %i %n
wait 2 V 0
exp a b
barrier A
store b
barrier A
load a
set 2 V 0
end
+ wait 2 V 0
barrier A
exp a b""", "flag-left-set")

# Ids of flags, sizes, blocks.
case("event-id", N, """%two = arith.remsi %n, %c2 : index
%id = arith.andi %two, %c1 : index
load a
set 2 V %id
- wait 2 V 0
+ wait 2 V %id
exp a b
barrier A
store b""", "flag-never-set")
case("no-multiple", N, f"""%nv = pto.make_tensor_view %src, shape = [%n, %c64], strides = [%c64, %c1] : {VIEW}
+ %whole = arith.divsi %n, %c16 : index
+ %most = arith.muli %whole, %c16 : index
- %most = arith.addi %n, %c0 : index
scf.for %i = %c0 to %most step %c16 {{
%np = pto.partition_view %nv, offsets = [%i, %c0], sizes = [%c16, %c64] : {VIEW} -> {PART}
load a %np
barrier A
exp a b
barrier A
end
%z = arith.constant 0.0 : f32
pto.texpands ins(%z : f32) outs(%b : {TILE})
barrier A
store b""", "text-partition")
case("blocks-overlap", [], f"""%bi = pto.get_block_idx : i64
%bx = arith.index_cast %bi : i64 to index
- %rows = arith.constant 8 : index
+ %rows = arith.constant 16 : index
%at = arith.muli %bx, %rows : index
%many = arith.constant 1024 : index
%ov = pto.make_tensor_view %dst, shape = [%many, %c64], strides = [%c64, %c1] : {VIEW}
%op = pto.partition_view %ov, offsets = [%at, %c0], sizes = [%c16, %c64] : {VIEW} -> {PART}
load a
barrier A
exp a b
barrier A
store b %op""", "gm-block-overlap")
case("third-block", [], f"""%bi = pto.get_block_idx : i64
%bx = arith.index_cast %bi : i64 to index
%is = arith.cmpi eq, %bx, %c2 : index
%at = arith.muli %bx, %c16 : index
- %s = arith.select %is, %c0, %at : index
+ %s = arith.select %is, %at, %at : index
%many = arith.constant 1024 : index
%ov = pto.make_tensor_view %dst, shape = [%many, %c64], strides = [%c64, %c1] : {VIEW}
%op = pto.partition_view %ov, offsets = [%s, %c0], sizes = [%c16, %c64] : {VIEW} -> {PART}
load a
barrier A
exp a b
barrier A
store b %op""", "gm-block-overlap")
case("skipped-load", N, """%is = arith.cmpi sgt, %n, %c16 : index
- if %is
load a
- end
barrier A
exp a b
barrier A
store b""", "uninit-read")
case("store-too-early", N, f"""{compare("eq", 321)}
load a
barrier A
exp a b
if %is
- %z = arith.constant 1 : index
+ barrier A
else
barrier A
end
store b""", "race-raw")
case("overwritten", N, f"""{compare("sgt", 555)}
load a
barrier A
exp a b
if %is
+ barrier A
load a
barrier A
end
barrier A
store b""", "race-war")
case("set-twice", N, f"""{compare("eq", 17)}
load a
set 2 V 0
if %is
- set 2 V 0
+ %z = arith.constant 1 : index
end
wait 2 V 0
exp a b
barrier A
store b""", "flag-double-set")
