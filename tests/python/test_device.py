"""Kernels in Python on the device of ptog/core.h."""

import gc
import json
import subprocess
import sys

import numpy as np
import pytest

import ptogather as pg

TABLE = np.arange(64, dtype=np.float32).reshape(8, 8)
WORDS = np.array([2, 5, 0, 3, 7, 7, 1, 4], np.int32)
IDX, DST = pg.Tile("i32", 1, 8, addr=0x1000), pg.Tile("f32", 8, 8, addr=0x2000)


def kernel(core, words, table, out, flag=True):
    core.load(IDX, words)
    if flag:
        core.set_flag("MTE2", "V", 0)
        core.wait_flag("MTE2", "V", 0)
    core.mgather(DST, table, IDX, oob="clamp")
    core.set_flag("V", "MTE3", 0)
    core.wait_flag("V", "MTE3", 0)
    core.store(out, DST)


@pytest.mark.parametrize("target", ["a2a3", "a5", "host"])
def test_a_kernel(target, tmp_path):
    result = np.zeros((8, 8), np.float32)
    with pg.Device(target) as dev:
        with dev.core(0) as core:
            kernel(core, dev.input(WORDS, "words"), dev.input(TABLE, "table"), dev.buffer(result, "out"))
            assert (np.asarray(core.peek(DST)) == TABLE[WORDS]).all()
        assert dev.clean
    assert dev.clean and dev.closed and (result == TABLE[WORDS]).all()
    if target == "host":
        with pytest.raises(ValueError, match="host does not simulate pipes"):
            dev.stats
    else:
        assert dev.stats.instructions > 5 and len(dev.ub) == 2
        dev.save_trace(tmp_path / "t.json")
        assert json.loads((tmp_path / "t.json").read_text())["traceEvents"]


def test_the_page_of_a_kernel_in_python(tmp_path):
    result = np.zeros((8, 8), np.float32)
    with pg.Device("a2a3") as dev:
        with dev.core(0) as core:
            kernel(core, dev.input(WORDS, "words"), dev.input(TABLE, "table"), dev.buffer(result, "out"), flag=False)
        dev.report(tmp_path / "x.html")
    page = (tmp_path / "x.html").read_text()
    trace = json.loads(page.split('id="trace">')[1].split("</script>")[0])
    assert [tile["name"] for tile in trace["otherData"]["tiles"]] == ["IDX", "DST"]
    assert len(trace["otherData"]["drawings"]) == 3 and "<td>IDX</td>" in page
    assert "race-raw" in page and "test_device.py</h1>" in page and "core.mgather(DST, table, IDX" in page
    with pytest.raises(ValueError, match="the device is closed"):
        dev.report(tmp_path / "y.html")


def test_a_race_has_the_lines_of_this_file():
    result = np.zeros((8, 8), np.float32)
    with pg.Device("a2a3", schedule="slow") as dev, dev.core(0) as core:
        kernel(core, dev.input(WORDS), dev.input(TABLE), dev.buffer(result), flag=False)
    found = dev.diagnostics.errors[0]
    lines = open(__file__).read().splitlines()
    assert found.id == "race-raw" and found.file == __file__ and "core.mgather" in lines[found.line - 1]
    assert "core.load" in lines[found.related[0].place.line - 1]
    assert "core.mgather(DST, table" in str(found) and "^~~~" in str(found)
    assert not (result == TABLE[WORDS]).all()


def test_automatic_mode_places_and_orders():
    result = np.zeros((8, 8), np.float32)
    with pg.Device("a5", automatic=True) as dev, dev.core(0) as core:
        idx, dst = core.place(pg.Tile("i32", 1, 8)), core.place(pg.Tile("f32", 8, 8))
        assert idx.addr == 0 and dst.addr == 32
        core.load(idx, dev.input(WORDS))
        core.mgather(dst, dev.input(TABLE), idx)
        core.store(dev.buffer(result), dst)
        with pytest.raises(ValueError, match="tile: it has an address"):
            core.place(idx)
    assert dev.clean and dev.stats.inserted > 0 and (result == TABLE[WORDS]).all()


def test_parts_of_buffers_and_presets():
    result = np.zeros((2, 8, 8), np.float32)
    with pg.Device("a2a3", automatic=True) as dev, dev.core(3) as core:
        a, out = dev.input(TABLE), dev.buffer(result)
        tile = pg.Tile("f32", 4, 8, addr=0)
        core.load(tile, a[2:6])
        core.store(out[1, :4], tile)
        half = pg.Tile("f32", 8, 8, valid=(8, 4), addr=0x400)
        core.load(half, a[:, 4:])
        core.store(out[0, :, :4], half)
        given = pg.Tile("i32", 1, 8, addr=0x800)
        core.preset(given, WORDS)
        assert (core.peek(given).array == WORDS).all()
        for key in (0.5, "x", (1, 2, 3), slice(0, 0), slice(None, None, -1), (0, 0)):
            with pytest.raises(ValueError, match="TABLE"):
                core.load(tile, a[key])
    assert (result[1, :4] == TABLE[2:6]).all() and (result[0, :, :4] == TABLE[:, 4:]).all()


def test_tgather_in_its_three_forms():
    with pg.Device("a2a3", automatic=True) as dev, dev.core() as core:
        src, idx, dst, tmp = (core.place(pg.Tile(t, 8, 8)) for t in ("f32", "i32", "f32", "i32"))
        core.preset(src, TABLE)
        core.preset(idx, np.arange(64)[::-1].reshape(8, 8))
        core.tgather(dst, src, idx, tmp)
        assert (core.peek(dst).array.ravel() == TABLE.ravel()[::-1]).all()
        kept = core.place(pg.Tile("f32", 4, 8))
        core.tgather_mask(kept, src, "P0101")
        assert (core.peek(kept).array.ravel() == TABLE[:, ::2].ravel()).all()
        limits, counts, positions = (core.place(pg.Tile(t, r, c)) for t, r, c in
                                     (("f32", 1, 8), ("i32", 1, 8), ("i32", 8, 8)))
        core.preset(limits, 40)
        core.tgather_compare(positions, counts, src, limits, "gt", tmp=tmp)
        assert core.peek(counts).array.tolist() == [[0, 0, 0, 0, 0, 7, 8, 8]]
        assert core.peek(positions).array[5, :7].tolist() == list(range(41, 48))


def test_scalars():
    result = np.zeros(4, np.float32)
    with pg.Device("a2a3") as dev, dev.core() as core:
        a, out = dev.input(WORDS), dev.buffer(result)
        assert core.load_scalar(a, 1) == 5 and core.load_scalar(a[2:4]) == 0
        core.store_scalar(out, 2.5, 3)
        core.store_scalar(out[1:], 1, 0)
        with pytest.raises(TypeError, match="value: 'x' is not a f32"):
            core.store_scalar(out, "x")
    assert result.tolist() == [0, 1, 0, 2.5]


def test_what_is_refused():
    with pg.Device("a2a3") as dev, dev.core() as core:
        with pytest.raises(pg.Refused, match=r"mgather on a2a3: .*\[mgather-row-index-shape\]"):
            core.mgather(DST, dev.input(TABLE), pg.Tile("i32", 8, 8, valid=(8, 1), addr=0))
        with pytest.raises(pg.Refused, match="load on a2a3"):
            core.load(IDX, dev.input(TABLE))
        with pytest.raises(TypeError, match="tile: expected a Tile, not 3"):
            core.load(3, dev.input(WORDS))
        with pytest.raises(ValueError, match="operands: store .*stores to an input"):
            core.store(dev.input(TABLE), DST)
        with pytest.raises(ValueError, match="operands: 'tadd' expects another kind"):
            core.issue("tadd", DST, dev.input(TABLE), DST)
        with pytest.raises(ValueError, match="name: 'mgathr' is not an instruction; did you mean 'mgather'"):
            core.issue("mgathr", DST)
        with pytest.raises(TypeError, match="source: expected a buffer"):
            core.load(IDX, WORDS)
        with pytest.raises(ValueError, match="src: 'MTE9' is not one of s, v, mte2"):
            core.set_flag("MTE9", "V", 0)
        with pytest.raises(ValueError, match="device"):
            core.load(IDX, pg.Device("a2a3").input(WORDS))
        with pytest.raises(ValueError, match="sync: a core is open"):
            dev.sync()
    read_only = np.zeros(4, np.float32)
    read_only.flags.writeable = False
    with pg.Device("a2a3") as dev:
        for wrong, why in ((read_only, "read-only"), (TABLE.T.copy().T, "not packed"), (np.zeros(0, "f4"), "empty")):
            with pytest.raises(ValueError, match=f"array: it is {why}"):
                dev.buffer(wrong)
        with pytest.raises(TypeError, match="array: float64 is not a supported element type"):
            dev.input(np.zeros(3))


def test_a_deadlock_ends_the_core():
    with pg.Device("a2a3") as dev, dev.core() as core:
        with pytest.raises(pg.Fault, match="the core has ended"):
            for _ in range(4):
                core.wait_flag("MTE2", "S", 0)
                core.load(IDX, dev.input(WORDS))
    assert not dev.clean


def test_closed_devices_and_cores():
    dev = pg.Device("a2a3")
    core, other = dev.core(0), dev.core(1)
    words = dev.input(WORDS)
    core.close()
    core.close()
    for use in (lambda: core.load(IDX, words), lambda: core.peek(IDX), lambda: core.barrier(), lambda: core.__enter__()):
        with pytest.raises(ValueError, match="core: it is closed"):
            use()
    dev.close()
    dev.close()
    assert other.closed and "closed" in repr(other)
    for use in (lambda: other.load(IDX, words), lambda: other.set_flag("S", "V")):
        with pytest.raises(ValueError, match="core: it is closed"):
            use()
    for use in (lambda: dev.core(0), lambda: dev.input(WORDS), lambda: dev.sync(), lambda: dev.__enter__()):
        with pytest.raises(ValueError, match="device: it is closed"):
            use()
    assert dev.clean and dev.stats.instructions == 0


def test_nobody_closes():
    for _ in range(20):
        dev = pg.Device("a2a3")
        core = dev.core(0)
        core.load(IDX, dev.input(WORDS.copy()))
        del dev
        gc.collect()
        core.barrier("all")
        del core
        gc.collect()


def test_several_blocks_and_launches():
    result = np.zeros((2, 8, 8), np.float32)
    with pg.Device("a2a3") as dev:
        words, table, out = dev.input(WORDS), dev.input(TABLE), dev.buffer(result)
        for block in (0, 1):
            with dev.core(block) as core:
                kernel(core, words, table, out[block])
        dev.sync()
    assert dev.clean and (result == TABLE[WORDS]).all()


def test_costs():
    slow = []
    for costs in ({}, {"clock-mhz-a2a3": 1000.0}):
        with pg.Device("a2a3", costs=costs) as dev, dev.core() as core:
            core.load(IDX, dev.input(WORDS))
        slow.append(dev.stats.mhz)
    assert slow == [1850, 1000]
    with pytest.raises(ValueError, match="costs: .*unknown name"):
        pg.Device("a2a3", costs={"nothing": 3})


# ---- what messages call operands ------------------------------------------------------------------------------------

NAMED = """
import numpy as np
import ptogather as pg

class Kernel:
    def __init__(self):
        self.rows, self.ids = pg.Tile("f32", 8, 8, addr=0), [pg.Tile("i32", 1, 8, addr=0x400 + 0x40 * i) for i in range(2)]

    def lookup(self, core, table, words, turn):
        core.load(self.ids[turn % 2], words)
        core.mgather(
            idx=self.ids[turn % 2],  # the tokens
            table=table, dst=self.rows, oob="clamp")

def run(kernel):
    embedding, tokens, more = np.eye(8, dtype=np.float32), np.arange(8, dtype=np.int32), np.zeros(8, np.float32)
    with pg.Device("a2a3") as dev:
        kernel(dev, dev.input(embedding), dev.input(tokens), dev.buffer(more, name="sums"))
    for item in dev.diagnostics:
        if item.severity != "note":
            print(item.message)

def members(dev, table, words, out):
    with dev.core() as core:
        Kernel().lookup(core, table, words, 3)

def variables(dev, table, words, out):
    dst, idx = pg.Tile("f32", 8, 8, addr=0), pg.Tile("i32", 1, 8, addr=0x400)
    with dev.core() as core:
        core.load(idx, words)
        core.mgather(dst, table, idx, "row", "clamp")

def expressions(dev, table, words, out):
    ids = [pg.Tile("i32", 1, 8, addr=0x400)]
    with dev.core() as core:
        core.load(*ids, words)
        core.mgather(pg.Tile("f32", 8, 8, addr=0), table, max(ids, key=id), "row", "clamp")

def memory(dev, table, words, out):
    row, whole = pg.Tile("f32", 1, 8, addr=0), pg.Tile("i32", 1, 8, addr=0)
    with dev.core() as core:
        core.load(row, out)
        core.store(out, row)
        core.store(out, whole)

def instructions(dev, table, words, out):
    scores, best = pg.Tile("f32", 8, 8, addr=0), pg.Tile("f32", 8, 8, addr=0x100)
    with dev.core() as core:
        core.issue("tadd", best, scores, scores)
        core.store(table, best) if False else core.issue("tmul", scores, scores, best)

for kernel in (members, variables, expressions, memory, instructions):
    print(kernel.__name__)
    try:
        run(kernel)
    except pg.Refused as error:
        print(error)
"""

SAID = """\
members
race: mgather (pipe S) may read self.ids[turn % 2] before tload (pipe MTE2) has written it
variables
race: mgather (pipe S) may read idx before tload (pipe MTE2) has written it
expressions
race: mgather (pipe S) may read the index tile before tload (pipe MTE2) has written it (UB 0x400..0x41f)
memory
store on a2a3: sums has element type f32, but whole has i32 [transfer-dtype]
instructions
race: tmul (pipe V) may read best before tadd, earlier on the same pipe, has written it
"""


def test_messages_name_operands_as_the_caller_does(tmp_path):
    source = tmp_path / "named.py"
    source.write_text(NAMED)
    done = subprocess.run([sys.executable, str(source)], capture_output=True, text=True)
    assert done.stdout + done.stderr == SAID


@pytest.mark.parametrize("target", ["host", "cpusim", "a2a3", "a5"])
def test_gathers_into_l1(target):
    table = np.arange(40 * 32, dtype="f2").reshape(40, 32)
    rows, cells = np.arange(16, dtype="i4").reshape(1, 16) * 7 % 40, np.arange(16 * 32, dtype="i4").reshape(16, 32) * 31 % table.size
    tile = pg.Tile("f16", 16, 32, layout="nz", loc="mat", addr=0)
    assert repr(tile) == "Tile('f16', 16, 32, layout='nz', loc='mat', addr=0x0)"
    with pg.Device(target) as dev:
        given, scratch = dev.input(table, "table"), dev.buffer(np.zeros((1, 512), "f2"), "scratch")
        with dev.core(cube=True) as core:
            core.issue("mgather", tile, given, None, dev.input(rows, "rows"))
            core.barrier()
            assert np.array_equal(core.peek(tile), table[rows[0]])
            core.issue("mgather", tile, given, None, dev.input(cells, "cells"), scratch, attributes=[1])
            core.barrier()
            assert np.array_equal(core.peek(tile), table.reshape(-1)[cells])


def test_a_pad_value_of_ones_own():
    """The columns behind those that are loaded hold it, as the store of a tile over the same bytes shows."""
    out = np.zeros((2, 8), np.float32)
    with pg.Device("host") as dev:
        bits = int(np.float32(-7.5).view(np.uint32))
        padded = pg.Tile("f32", 2, 8, valid=(2, 5), addr=0, pad="custom", pad_bits=bits)
        with dev.core() as core:
            core.load(padded, dev.input(np.ones((2, 5), np.float32)))
            core.store(dev.buffer(out), pg.Tile("f32", 2, 8, addr=0))
    np.testing.assert_array_equal(out, np.pad(np.ones((2, 5), np.float32), ((0, 0), (0, 3)), constant_values=-7.5))
    for pad, wrong in (("custom", 2**32), ("custom", -1), ("zero", 1), ("custom", 1.5)):
        with pytest.raises((ValueError, TypeError), match="pad_bits"):
            pg.Tile("f32", 1, 8, pad=pad, pad_bits=wrong)
