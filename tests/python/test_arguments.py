"""Wrong arguments of every kind: an exception of one line that names the argument."""

import numpy as np
import pytest

import ptogather as pg

TABLE, IDX = np.zeros((4, 8), np.float32), np.zeros(3, np.int32)
TEXT = "%d = mgather.row %t, %i : (!pto.memref<4x8xf32>, !pto.tile<1x8xi32>) -> !pto.tile<8x8xf32>"


class Broken:
    """An object whose every protocol fails."""

    def __array__(self, *_):
        raise RuntimeError("no\narray")

    def __repr__(self):
        raise RuntimeError("no repr")


CASES = [
    ("table", lambda: pg.take(None, IDX)), ("table", lambda: pg.take("text", IDX)), ("table", lambda: pg.take({}, IDX)),
    ("table", lambda: pg.take(Broken(), IDX)), ("table", lambda: pg.take(3.0, IDX)),
    ("table", lambda: pg.take(np.array([None]), IDX)), ("table", lambda: pg.take([[1], [2, 3]], IDX)),
    ("idx", lambda: pg.take(TABLE, None)), ("idx", lambda: pg.take(TABLE, [0.5])), ("idx", lambda: pg.take(TABLE, [True])),
    ("idx", lambda: pg.take(TABLE, np.zeros(3))), ("idx", lambda: pg.take(TABLE, "x")), ("idx", lambda: pg.take(TABLE, Broken())),
    ("oob", lambda: pg.take(TABLE, IDX, "clmp")), ("oob", lambda: pg.take(TABLE, IDX, None)),
    ("oob", lambda: pg.take(TABLE, IDX, [])), ("oob", lambda: pg.take(TABLE, IDX, 3)),
    ("threads", lambda: pg.take(TABLE, IDX, threads=0)), ("threads", lambda: pg.take(TABLE, IDX, threads=-1)),
    ("threads", lambda: pg.take(TABLE, IDX, threads=2**70)), ("threads", lambda: pg.take(TABLE, IDX, threads=1.5)),
    ("threads", lambda: pg.take(TABLE, IDX, threads="2")), ("threads", lambda: pg.take(TABLE, IDX, threads=[])),
    ("out", lambda: pg.take(TABLE, IDX, out=3)), ("out", lambda: pg.take(TABLE, IDX, out="x")),
    ("out", lambda: pg.take(TABLE, IDX, out=np.zeros((3, 7), np.float32))),
    ("out", lambda: pg.take(TABLE, IDX, out=b"0" * 96)),
    ("table", lambda: pg.mgather(np.zeros((4, 8)), IDX)), ("table", lambda: pg.mgather(np.zeros((1,) * 6, np.float32), IDX)),
    ("table", lambda: pg.mgather(np.zeros((0, 8), np.float32), IDX)), ("table", lambda: pg.mgather(TABLE[0], IDX)),
    ("idx", lambda: pg.mgather(TABLE, np.zeros((1, 1, 1), np.int32))), ("idx", lambda: pg.mgather(TABLE, [])),
    ("idx", lambda: pg.mgather(TABLE, pg.bfloat16([1.0]))), ("idx", lambda: pg.mgather(TABLE, TABLE)),
    ("mode", lambda: pg.mgather(TABLE, IDX, mode="rows")), ("mode", lambda: pg.mgather(TABLE, IDX, mode=None)),
    ("target", lambda: pg.mgather(TABLE, IDX, target="a3")), ("target", lambda: pg.mgather(TABLE, IDX, target=None)),
    ("src", lambda: pg.tgather(None, IDX)), ("src", lambda: pg.tgather(np.zeros((2, 2, 2), np.float32), IDX)),
    ("idx, pattern, cmp", lambda: pg.tgather(TABLE)), ("idx, pattern, cmp", lambda: pg.tgather(TABLE, IDX, cmp="gt")),
    ("idx", lambda: pg.tgather(TABLE, [0.5])), ("pattern", lambda: pg.tgather(TABLE, pattern="P2222")),
    ("pattern", lambda: pg.tgather(TABLE[:, :1], pattern="P1000")), ("axis", lambda: pg.tgather(TABLE, pattern="P0101", axis=0)),
    ("cmp", lambda: pg.tgather(TABLE, cmp=">", k=0)), ("k", lambda: pg.tgather(TABLE, cmp="gt")),
    ("k", lambda: pg.tgather(TABLE, cmp="gt", k=[1, 2])), ("offset", lambda: pg.tgather(TABLE, cmp="gt", k=0, offset=2**40)),
    ("dtype", lambda: pg.empty(3, "x")), ("dtype", lambda: pg.empty(3, float)), ("dtype", lambda: pg.empty(3, [("a", "i4")])),
    ("shape", lambda: pg.empty(-1)), ("shape", lambda: pg.empty("x")), ("shape", lambda: pg.empty((2**62, 2**62))),
    ("bits", lambda: pg.bfloat16.view(np.zeros(3))), ("values", lambda: pg.bfloat16("x")), ("values", lambda: pg.bfloat16({})),
    ("program", lambda: pg.run(None)), ("program", lambda: pg.run(3)), ("program", lambda: pg.check([])),
    ("program", lambda: pg.repair({})), ("name", lambda: pg.Program(TEXT, name=3)), ("name", lambda: pg.Program(TEXT, "a\0b")),
    ("target", lambda: pg.run(TEXT, "a9", t=TABLE)), ("target", lambda: pg.check(TEXT, target=3)),
    ("function", lambda: pg.run(TEXT, function="f")), ("function", lambda: pg.run(TEXT, function=3)),
    ("t", lambda: pg.run(TEXT, generate=False)), ("t", lambda: pg.run(TEXT, t="x", i=[[0] * 8])), ("t", lambda: pg.run(TEXT, t=np.zeros(3))),
    ("t", lambda: pg.run(TEXT, t="1,2,3")), ("t", lambda: pg.run(TEXT, t="random:x")), ("t", lambda: pg.run(TEXT, t="a\0")),
    ("generate", lambda: pg.run(TEXT, generate="no")), ("allow_empty", lambda: pg.run(TEXT, allow_empty=None)),
    ("allow_unjudged", lambda: pg.run(TEXT, allow_unjudged="x")), ("target", lambda: pg.synthetic_inputs(TEXT, target="x")),
    ("t", lambda: pg.run(TEXT, t=np.zeros((1,) * 6, np.float32), i=[[0] * 8])), ("x", lambda: pg.run(TEXT, t=TABLE, x=3)),
    ("i", lambda: pg.run(TEXT, t=TABLE, i=[["a"] * 8])), ("t", lambda: pg.run(TEXT, t=Broken(), i=[[0] * 8])),
    ("inputs", lambda: pg.run(TEXT, inputs=3)), ("inputs", lambda: pg.run(TEXT, inputs={3: TABLE})),
    ("blocks", lambda: pg.run(TEXT, t=TABLE, blocks=0)), ("schedule", lambda: pg.run(TEXT, t=TABLE, schedule="quick")),
    ("seed", lambda: pg.run(TEXT, t=TABLE, seed=-1)), ("launch", lambda: pg.run(TEXT, t=TABLE, launch=3)),
    ("late", lambda: pg.run(TEXT, t=TABLE, late=3)), ("late", lambda: pg.run(TEXT, t=TABLE, late=[(1, -1)])),
    ("trace", lambda: pg.run(TEXT, t=TABLE, trace=-1)), ("max_steps", lambda: pg.run(TEXT, t=TABLE, max_steps=1.5)),
    ("dyn_ub", lambda: pg.run(TEXT, t=TABLE, dyn_ub=None or "x")),
    ("form", lambda: pg.Program(TEXT).format("x")), ("id", lambda: pg.explain("x")), ("id", lambda: pg.explain(3)),
    ("id", lambda: pg.explain("a\0")), ("reference", lambda: pg.assert_same(TEXT, reference=3)),
    ("seed", lambda: pg.synthetic_inputs(TEXT, seed=-1)),
    ("dtype", lambda: pg.Tile("x", 1, 8)), ("rows", lambda: pg.Tile("f32", 0, 8)), ("cols", lambda: pg.Tile("f32", 1, 2**70)),
    ("valid", lambda: pg.Tile("f32", 1, 8, valid=3)), ("valid", lambda: pg.Tile("f32", 1, 8, valid=(0, 1))),
    ("layout", lambda: pg.Tile("f32", 1, 8, layout=[])), ("addr", lambda: pg.Tile("f32", 1, 8, addr=-1)),
    ("pad", lambda: pg.Tile("f32", 1, 8, pad="x")), ("target", lambda: pg.Device("x")), ("target", lambda: pg.Device(None)),
    ("schedule", lambda: pg.Device(schedule="x")), ("costs", lambda: pg.Device(costs=3)), ("costs", lambda: pg.Device(costs={3: 3})),
    ("costs", lambda: pg.Device(costs={"x": float("nan")})), ("late", lambda: pg.Device(late=[3])),
    ("block", lambda: pg.Device().core(-1)), ("name", lambda: pg.Device().input(TABLE, 3)), ("array", lambda: pg.Device().input(None)),
    ("name", lambda: pg.Device().input(TABLE, "a\0")), ("id", lambda: pg.Device().core().set_flag("S", "V", "x")),
    ("values", lambda: pg.Device().core().preset(pg.Tile("f32", 1, 8, addr=0), np.zeros(9))),
    ("values", lambda: pg.Device().core().preset(pg.Tile("f32", 1, 8, addr=0), "x")),
    ("tile", lambda: pg.Device().core().preset(3, 3)), ("tile", lambda: pg.Device().core().peek(pg.Tile("f32", 1, 8))),
    ("tile", lambda: pg.Device().core().peek(pg.Tile("f32", 2**20, 2**20, addr=0))),
    ("offset", lambda: pg.Device().core().tgather_compare(*[pg.Tile("f32", 8, 8)] * 4, offset=2**40)),
    ("pattern", lambda: pg.Device().core().tgather_mask(pg.Tile("f32", 8, 8), pg.Tile("f32", 8, 8), "P2")),
]


@pytest.mark.parametrize("argument, use", CASES, ids=[f"{i}-{case[0]}" for i, case in enumerate(CASES)])
def test_the_message_names_the_argument(argument, use):
    with pytest.raises((TypeError, ValueError, MemoryError)) as caught:
        use()
    message = str(caught.value)
    assert message.startswith(f"{argument}: ") and "\n" not in message and len(message) < 300


def test_a_message_is_whole(tmp_path):
    """Neither the reason that another library gives, nor the path of a program, nor the name of a buffer is cut off."""
    class Refuses:
        def __dlpack__(self):
            raise BufferError("Can't export tensors that require gradient, use tensor.detach() and read all of this, to the end")

    with pytest.raises(TypeError, match="its __dlpack__ failed: Can't export .* to the end$"):
        pg.take(Refuses(), IDX)
    path = tmp_path / ("deep" * 20) / "program.pto"
    path.parent.mkdir()
    path.write_text("func.func @f( {")
    with pytest.raises(pg.Refused, match=f"program: {path}:1: "):
        pg.run(path)
    with pytest.raises(ValueError, match=f"{'long_name' * 20}: "):
        pg.Device().input(TABLE, "long_name" * 20)[0, 0, 0]


def test_a_long_value_is_described():
    for value, text in ((np.zeros((30, 40)), r"an array of float64 of shape \(30, 40\)"), ([1] * 100, "a list of 100 entries"),
                        ("x" * 5000, "a str of 5,000 characters"), (dict.fromkeys(range(99)), "a dict of 99 entries")):
        with pytest.raises((TypeError, ValueError), match=f"not {text}$"):
            pg.Program(TEXT, name=value) if not isinstance(value, str) else pg.Tile("f32", 8, 8, valid=value)


def test_what_was_probably_meant_is_said():
    for wrong, right in ((lambda: pg.take(TABLE, IDX, "clmp"), "'clamp'"), (lambda: pg.Device("a2a"), "'a2a3'"),
                         (lambda: pg.explain("race-ra"), "'race-raw'"), (lambda: pg.run(TEXT, t=TABLE, ii=3), "'i'")):
        with pytest.raises((TypeError, ValueError), match=f"did you mean {right}"):
            wrong()
