"""The report page and the playground in a browser: headless Chromium drives them, in light and dark, 390 and 1280 pixels wide.

usage: run.py --ptog BUILD/ptog [--shots DIR] [--playground DIR/playground] [--python PYTHON]
--shots: keep the screenshots, to be looked at. --python: one that has the package, for the page of a kernel in Python.

Skipped where chromium, chromium-driver or python3-selenium are not installed: apt-get install chromium chromium-driver python3-selenium.
The playground is built first, and is not tested where npm, clang, lld or wasi-libc are missing.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from checks import ROOT, Checks  # noqa: E402
from browser import CONTRAST, OVERLAP, Browser  # noqa: E402
import playground  # noqa: E402

LAUNCH = """func.func @f(%table: !pto.partition_tensor_view<64x32xf32>, %words: !pto.partition_tensor_view<1x8xi32>, %out: !pto.partition_tensor_view<8x32xf32>) {
  %idx = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32>
  %dst = pto.alloc_tile : !pto.tile_buf<vec, 8x32xf32>
  pto.tload ins(%words) outs(%idx)
  pto.mgather ins(%table, %idx) outs(%dst) {coalesce = #pto<coalesce row>}
  pto.tstore ins(%dst) outs(%out)
  return
}
"""
LONG = """func.func @f(%t: !pto.partition_tensor_view<1x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 200000 : index
  %d = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
  scf.for %k = %c0 to %n step %c1 {
    pto.tload ins(%t) outs(%d)
    pto.barrier <PIPE_ALL>
  }
  return
}
"""
# A product on the cube core: 2x3 by 3x2. Its first element is 4.
PRODUCT = """func.func @f(%a: !pto.partition_tensor_view<2x3xf16>, %b: !pto.partition_tensor_view<3x2xf16>, %o: !pto.partition_tensor_view<2x2xf32>) {
  %ma = pto.alloc_tile : !pto.tile_buf<mat, 16x16xf16, valid=2x3, blayout=col_major, slayout=row_major>
  %mb = pto.alloc_tile : !pto.tile_buf<mat, 16x16xf16, valid=3x2, blayout=col_major, slayout=row_major>
  %l = pto.alloc_tile : !pto.tile_buf<left, 16x16xf16, valid=2x3, slayout=row_major>
  %r = pto.alloc_tile : !pto.tile_buf<right, 16x16xf16, valid=3x2, slayout=col_major>
  %s = pto.alloc_tile : !pto.tile_buf<acc, 16x16xf32, valid=2x2, blayout=col_major, slayout=row_major, fractal=1024>
  pto.tload ins(%a) outs(%ma)
  pto.tload ins(%b) outs(%mb)
  pto.tmov ins(%ma) outs(%l)
  pto.tmov ins(%mb) outs(%r)
  pto.tmatmul ins(%l, %r) outs(%s)
  pto.tstore ins(%s) outs(%o)
  return
}
"""
# Eight kinds of blocks: block b loads b / 8 times.
STEPS = """func.func @f(%t: !pto.partition_tensor_view<1x8xf32>) {
  %b64 = pto.get_block_idx
  %b = arith.index_cast %b64 : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = arith.divui %b, %c8 : index
  %d = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
  scf.for %k = %c0 to %n step %c1 {
    pto.tload ins(%t) outs(%d)
    pto.barrier <PIPE_ALL>
  }
  return
}
"""
NOTHING = "func.func @f(%t: !pto.partition_tensor_view<1x8xf32>) {\n  return\n}\n"
# A gather that does not wait for its indices.
PYTHON = """import sys
import numpy as np
import ptogather as pg

WORDS, TABLE = np.array([3, 0, 2, 1, 7, 7, 5, 4], np.int32), np.arange(64, dtype=np.float32).reshape(8, 8)
IDX, DST = pg.Tile("i32", 1, 8, addr=0x1000), pg.Tile("f32", 8, 8, addr=0x2000)
'''A text of several
lines: if it were code, %s would be coloured.'''
with pg.Device("a2a3") as dev:
    with dev.core(0) as core:
        core.load(IDX, dev.input(WORDS, "words"))
        core.mgather(DST, dev.input(TABLE, "table"), IDX, oob="clamp")  # a race
    dev.report(sys.argv[1])
"""
MAX_BYTES = 400 * 1024  # of a page without its data
MAX_SECONDS = 2  # until a page is open, however long the run


def write_page(ptog, place, name, program, *options):
    """The report of a program; returns its path."""
    source, page = place / f"{name}.pto", place / f"{name}.html"
    source.write_text(program)
    target = [] if "--target" in options else ["--target", "a2a3"]
    subprocess.run([ptog, "run", source, *target, "--report", page, *options], capture_output=True)
    return page


def check_size(checks, page):
    text = page.read_text()
    own = re.sub(r'<script type="application/json".*?</script>', "", text, flags=re.DOTALL)
    checks.check("a page without data is below 400 KB", [] if len(own.encode()) < MAX_BYTES else f"{len(own.encode())} bytes")
    outside = re.findall(r'(?:src|href)="(?!#)[^"]*"|url\(', own)
    checks.check("a page needs nothing from outside", outside)


def check_race(checks, browser, page, name, shots):
    """The race of examples/embed.pto: seen, linked, and stepped through with the keyboard."""
    from selenium.webdriver.common.keys import Keys
    browser.open(page)
    problems = []
    expect = lambda what, got, wanted: problems.append(f"{what}: expected {wanted!r}, got {got!r}") if got != wanted else None  # noqa: E731
    expect("orders", browser.text(".orders b"), "in order|also possible")
    what, wrong, right = re.search(r"and (\S+) is (\S+) instead of (\S+)", browser.text("article dd")).groups()
    expect("values", browser.text(".orders code"), f"{what} = {right.split('|')[0]}|{what} = {wrong}")
    expect("the race is in the timeline", browser.js("return report.races.length && report.races[0].in(report.shown).map(f => f.box.args.instruction)"),
           ["tload", "mgather"])
    expect("at first", browser.text("#at").split(" of ")[0], "cycle 0")
    browser.key("#cycle", Keys.ARROW_RIGHT)
    expect("the slider moves by a cycle", browser.text("#at").split(" of ")[0], "cycle 1")
    for _ in range(3):
        browser.key("#next-instruction", Keys.ENTER)
    wanted = browser.js("const b = report.shown.issues.filter(i => i.from <= report.at).at(-1); return `L${b.line}`")
    expect("the line that is issued", browser.js("return document.querySelector('li.now').id"), wanted)
    browser.js("report.go(100)")
    state = browser.text("#pipes tr")
    if "MTE2tload line 6" not in state.replace("MTE2 ", "MTE2"):
        problems.append(f"at cycle 100 MTE2 loads: {state}")
    expect("bytes that are written", browser.js("return report.bytesAt(report.shown, 100).map(p => p[2])"), ["writing"])
    expect("%idx before the load has ended", browser.js("return report.valueAt(report.shown, report.tiles[0], 0, 2, 100)"), None)
    expect("%idx after it", browser.js("return [0, 1, 2, 3].map(c => report.valueAt(report.shown, report.tiles[0], 0, c, 300))"), ["2", "0", "5", "2"])
    expect("padding of %idx", browser.js("return report.paddingAt(report.shown, 300)"), [[16, 32, "padding"]])
    browser.js("report.go(300); const s = document.getElementById('tile'); s.value = 0; s.dispatchEvent(new Event('change'))")
    expect("the table of %idx", browser.text("#values tbody td"), "2|0|5|2")
    expect("its name", browser.text("#values figcaption b"), "%idx")
    browser.js("const s = document.getElementById('tile'); s.value = ''; s.dispatchEvent(new Event('change')); report.go(report.end)")
    expect("flags at the end", "none is set" in browser.text("#pipes tr"), True)
    browser.js("document.querySelector('.show').click()")
    expect("the finding shows its boxes", browser.js("return report.at === Math.round(report.races[0].in(report.shown)[1].box.from)"), True)
    expect("totals of lines", browser.js("return document.querySelectorAll('.total').length >= 3"), True)
    expect("names of tiles", browser.js("return [...document.querySelectorAll('#memory tr[data-from]')].map(r => r.cells[0].textContent)"), ["%idx", "%dst"])
    problems += browser.js(CONTRAST) + browser.js(OVERLAP)
    browser.shot(shots and shots / f"{name}.png")
    problems += browser.errors()
    checks.check(name, problems)


def check_blocks(checks, browser, page, shots):
    """64 blocks are an overview, and one of them is chosen with the keyboard."""
    from selenium.webdriver.common.keys import Keys
    browser.open(page)
    problems = []
    if browser.js("return report.blocks.size") != 64:
        problems.append(f"{browser.js('return report.blocks.size')} blocks")
    groups = browser.js("return report.groups.length")
    browser.key("#heat", Keys.ARROW_DOWN)
    chosen = browser.js("return report.groups.findIndex(g => g[0] === report.shown)")
    if chosen != min(1, groups - 1):
        problems.append(f"block {chosen} of {groups} is chosen")
    shares = [float(share) for share in re.findall(r"([\d.]+) ?%", browser.text("#figures td"))]
    problems += [f"a share of {share} %" for share in shares if share > 100]
    problems += browser.js(OVERLAP)
    browser.shot(shots and shots / "blocks.png")
    checks.check("64 blocks", problems + browser.errors())


def check_steps(checks, browser, page, shots):
    """64 blocks of eight kinds are eight rows, which the keyboard chooses; what is shown follows."""
    from selenium.webdriver.common.keys import Keys
    browser.open(page)
    problems = []
    expect = lambda what, got, wanted: problems.append(f"{what}: expected {wanted!r}, got {got!r}") if got != wanted else None  # noqa: E731
    expect("rows", browser.js("return report.groups.map(g => g.length)"), [8] * 8)
    expect("one name for each", browser.text("#block option").split("|")[:2], ["block 0 and 7 like it", "block 8 and 7 like it"])
    for _ in range(3):
        browser.key("#heat", Keys.ARROW_DOWN)
    expect("the row that is chosen", browser.js("return [report.shown.name, document.querySelector('#block').selectedIndex]"), ["block 24", 3])
    expect("its loads", browser.js("return report.shown.work.filter(b => b.args.instruction === 'tload').length"), 3)
    life = "return document.querySelector('#memory .life i').style.width"
    three = browser.js(life)
    browser.key("#heat", Keys.ARROW_DOWN)
    expect("the life of the tile is another one", browser.js(life) != three, True)
    problems += browser.js(CONTRAST) + browser.js(OVERLAP)
    browser.shot(shots and shots / "steps.png")
    checks.check("64 blocks of eight kinds", problems + browser.errors())


def check_cores(checks, browser, right, early, shots, name):
    """A kernel for both kinds of cores: their names, the counter between them, tiles of each, and a race from core to core."""
    problems = []
    expect = lambda what, got, wanted: problems.append(f"{what}: expected {wanted!r}, got {got!r}") if got != wanted else None  # noqa: E731
    browser.open(right)
    expect("cores", browser.text("#block option"), "block 0, cube core|block 0, vector core 0 and 1 like it")
    expect("counters", browser.js("return report.counters.map(c => `${c.name} ${c.s.pid} ${c.f.pid} ${c.s.at <= c.f.at}`)"), ["counter 0 1 2 true", "counter 0 1 3 true"])
    memories = "return [...document.querySelectorAll('.held > span')].map(s => s.textContent.split(',')[0])"
    expect("memories of the cube core", browser.js(memories), ["L1", "L0A", "L0B", "L0C"])
    browser.js("const s = document.getElementById('block'); s.value = 1; s.dispatchEvent(new Event('change')); report.go(200)")
    expect("memories of a vector core", browser.js(memories), ["UB"])
    expect("S waits for the counter", browser.text("#pipes tr").startswith("Ssync.wait 0 line "), True)
    expect("all tiles have lives", browser.js("return [...document.querySelectorAll('#memory .life')].map(l => l.children.length)"), [1] * 6)
    browser.js("const s = document.getElementById('tile'); s.value = report.tiles.findIndex(t => t.name === '%c'); s.dispatchEvent(new Event('change')); report.go(report.end)")
    expect("whose tile it is", browser.text("#values figcaption"), "%c 16x16 f32, nz of 16x16 boxes in L0C of block 0, cube core")
    expect("it has values", browser.js("return Number.isFinite(Number(document.querySelector('#values tbody td').textContent))"), True)
    problems += browser.js(CONTRAST) + browser.js(OVERLAP) + browser.errors()
    browser.shot(shots and shots / f"{name}.png")
    browser.open(early)
    expect("the race", browser.js("return report.races[0].in(report.blocks.get(2)).map(f => f.box.args.instruction + ' of ' + f.block.name)"),
           ["tstore of block 0, cube core", "tload of block 0, vector core 0"])
    expect("both orders", browser.text(".orders li"), "tstore, line 105, on block 0, cube core|tload, line 118, on block 0, vector core 0|"
           "tload, line 118, on block 0, vector core 0|tstore, line 105, on block 0, cube core")
    browser.js("document.querySelector('.show').click()")
    expect("the race is shown on its core", browser.js("return report.shown.name"), "block 0, vector core 0")
    problems += browser.js(CONTRAST) + browser.js(OVERLAP) + browser.errors()
    browser.shot(shots and shots / f"{name}, race.png")
    checks.check(name, problems)


def check_nothing(checks, browser, nothing, host):
    """Where nothing was executed, or races were not looked for, the page does not claim that all is well."""
    problems = []
    browser.open(nothing)
    if (browser.text(".verdict"), browser.text("#findings > p")) != ("not judged: 1 warning", "No error."):
        problems.append(f"{browser.text('.verdict')}; {browser.text('#findings > p')}")
    browser.open(host)
    if browser.text("#findings > p") != "No error. This target has no pipes, so races were not looked for.":
        problems.append(browser.text("#findings > p"))
    checks.check("nothing is claimed", problems + browser.errors())


def check_python(checks, browser, python, place, shots):
    """A kernel in Python: the names of its source, its race, its own lines, coloured as Python."""
    source, page = place / "kernel.py", place / "python.html"
    source.write_text(PYTHON)
    done = subprocess.run([Path(python).absolute(), source, page], capture_output=True, text=True, cwd=place)
    if not page.exists():
        checks.check("a kernel in Python", done.stderr or "no page")
        return
    browser.open(page)
    problems = []
    expect = lambda what, got, wanted: problems.append(f"{what}: expected {wanted!r}, got {got!r}") if got != wanted else None  # noqa: E731
    expect("names of tiles", browser.js("return [...document.querySelectorAll('#memory tr[data-from]')].map(r => r.cells[0].textContent)"), ["IDX", "DST"])
    expect("the race", browser.js("return report.races.length && document.querySelectorAll('.orders').length"), 1)
    expect("its line", "core.mgather(DST" in browser.text("article pre"), True)
    expect("comments", browser.text("ol.lines .comment"), "# a race")
    expect("a text over two lines", browser.text("#L7 .string") + browser.text("#L8 .string"), "'''A text of severallines: if it were code, %s would be coloured.'''")
    expect("it has values", browser.js("return report.valueAt(report.shown, report.tiles[0], 0, 0, report.end)"), "3")
    problems += browser.js(CONTRAST) + browser.js(OVERLAP)
    browser.shot(shots and shots / "python.png")
    checks.check("a kernel in Python", problems + browser.errors())


def check_launch(checks, browser, page):
    """A SIMT launch on a5: its line has its transactions, and how much of them is used."""
    browser.open(page)
    rows = browser.js("return [...document.querySelectorAll('#work tr')].map(r => [...r.cells].map(c => c.textContent))")
    found = [row for row in rows if row[0] == "5"]
    checks.check("transactions of a line", [] if found and found[0][2:] == ["1,024", "0", "8", "100 %"] else rows)


def check_product(checks, browser, page, name, shots):
    """A kernel of the cube core: each memory has its bytes, its tiles and their values; the instruction is drawn."""
    browser.open(page)
    problems = []
    expect = lambda what, got, wanted: problems.append(f"{what}: expected {wanted!r}, got {got!r}") if got != wanted else None  # noqa: E731
    expect("memories", browser.js("return report.memories.map(m => m.name)"), ["L1", "L0A", "L0B", "L0C"])
    expect("strips", browser.js("return [...document.querySelectorAll('.held > span')].map(s => s.textContent.split(',')[0])"), ["L1", "L0A", "L0B", "L0C"])
    expect("tables of tiles", browser.js("return [...document.querySelectorAll('#memory table')].map(t => [...t.rows].slice(1).map(r => r.cells[0].textContent).join())"),
           ["%ma,%mb", "%l", "%r", "%s"])
    value = "const t = report.tiles.find(t => t.name === arguments[0]); return [0, 1].map(r => [0, 1].map(c => report.valueAt(report.shown, t, r, c, arguments[1])))"
    expect("%s at the beginning", browser.js(value, "%s", 0), [[None, None], [None, None]])
    end = browser.js("return report.end")
    for tile, wanted in (("%l", [["1", "2"], ["4", "5"]]), ("%r", [["1", "0"], ["0", "1"]]), ("%mb", [["1", "0"], ["0", "1"]]), ("%s", [["4", "5"], ["10", "11"]])):
        expect(f"{tile} at the end", browser.js(value, tile, end), wanted)
    browser.js("report.go(Math.round(report.shown.work.find(b => b.args.instruction === 'tmatmul').from) + 1)")
    expect("what M does", browser.js("return [...document.querySelectorAll('#pipes tr')].find(r => r.cells[0].textContent === 'M').cells[1].textContent.split(' ')[0]"), "tmatmul")
    expect("L0C is being written", browser.js("return [...document.querySelectorAll('.held')].map(h => h.querySelectorAll('.writing').length)"), [0, 0, 0, 1])
    expect("the drawing", browser.wait("[...document.querySelectorAll('#drawing img')].filter(i => i.complete && i.naturalWidth > 200).map(i => i.alt).join()"),
           "drawing of the instruction in line 11")
    expect("transfers of a line", browser.js("return [...document.querySelectorAll('#work tr')].filter(r => r.cells[0].textContent === '7').map(r => r.cells[3].textContent)"), ["1"])
    problems += browser.js(CONTRAST) + browser.js(OVERLAP)
    browser.shot(shots and shots / f"{name}.png")
    checks.check(name, problems + browser.errors())


def check_c(checks, browser, ptog, place, shots):
    """A kernel in C: what its program says of it, its race, its lines, and what it drew."""
    program, page = place / "kernel", place / "c.html"
    built = subprocess.run(["cc", "-std=c11", f"-I{ROOT / 'include'}", HERE / "kernel.c", "-o", program, ptog.parent / "libptog.a", "-lm", "-lpthread"],
                           capture_output=True, text=True)
    if built.returncode or subprocess.run([program, page]).returncode:
        checks.check("a kernel in C", built.stderr or "it ended with an error")
        return
    browser.open(page)
    problems = []
    expect = lambda what, got, wanted: problems.append(f"{what}: expected {wanted!r}, got {got!r}") if got != wanted else None  # noqa: E731
    expect("names of tiles", browser.js("return [...document.querySelectorAll('#memory tr[data-from]')].map(r => r.cells[0].textContent).sort()"), ["dst", "idx"])
    expect("the race", browser.js("return report.races.length && document.querySelectorAll('.orders').length"), 1)
    expect("its line", "ptog_core_mgather(core" in browser.text("article pre"), True)
    expect("the line that is issued", "ptog_core_mgather(core" in browser.js("document.querySelector('.show').click(); return document.querySelector('li.now').textContent"), True)
    expect("a value", browser.js("return report.valueAt(report.shown, report.tiles.find(t => t.name === 'idx'), 0, 0, report.end)"), "3")
    expect("a drawing", bool(browser.wait("[...document.querySelectorAll('#drawing img')].some(i => i.naturalWidth > 200)")), True)
    problems += browser.js(CONTRAST) + browser.js(OVERLAP)
    browser.shot(shots and shots / "c.png")
    checks.check("a kernel in C", problems + browser.errors())


def check_cxx(checks, browser, ptog, place, shots):
    """A kernel in C++: the names of its source, its race, and what it drew."""
    program, page = place / "racy", place / "racy.html"
    built = subprocess.run([ptog.parent / "ptog-cxx", "--target=a2a3", ROOT / "examples/cpp/racy.cpp", "-o", program], capture_output=True, text=True)
    if built.returncode:
        checks.check("a kernel in C++", built.stderr)
        return
    subprocess.run([program], capture_output=True, env={**os.environ, "PTOG_TARGET": "a2a3", "PTOG_REPORT": str(page)})
    browser.open(page)
    problems = []
    names = browser.js("return [...document.querySelectorAll('#memory tr[data-from]')].map(r => r.cells[0].textContent)")
    if not {"idx", "dst"} <= set(names):
        problems.append(f"names of tiles: {names}")
    if not browser.js("return report.races.length > 0 && document.querySelectorAll('.orders').length > 0"):
        problems.append("the race has no boxes or no orders")
    line = browser.js("document.querySelector('.show').click(); return document.querySelector('li.now').textContent")
    if "MGATHER" not in line:
        problems.append(f"the line that is issued: {line}")
    if not all(word in browser.text("article pre") for word in ("MGATHER<", "TLOAD(idx")):
        problems.append(f"the lines of the finding: {browser.text('article pre')}")
    if not browser.text("#L2 .comment").endswith("the exit status is 1. */"):
        problems.append(f"the end of a long comment: {browser.text('#L2 .comment')}")
    if not browser.wait("[...document.querySelectorAll('#drawing img')].some(i => i.naturalWidth > 200)"):
        problems.append("no drawing")
    problems += browser.js(CONTRAST) + browser.js(OVERLAP)
    browser.shot(shots and shots / "cxx.png")
    checks.check("a kernel in C++", problems + browser.errors())


def check_long(checks, browser, page):
    """A run with more than a million events: the page shows its beginning, says so, and opens soon: the best of three, since a machine may be busy."""
    seconds = []
    for _ in range(3):
        start = time.monotonic()
        browser.open(page)
        seconds.append(time.monotonic() - start)
    print(f"the page of a run with a million events opened in {min(seconds):.2f} s")
    shown = browser.js("return report.shown.all.length")
    checks.check("a long run", [] if shown > 10000 and "longer than what is shown" in browser.text("#timeline .hint") else f"{shown} boxes")
    checks.check(f"a long run opens in less than {MAX_SECONDS} s", [] if min(seconds) < MAX_SECONDS else f"{min(seconds):.2f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("--shots", type=Path)
    parser.add_argument("--playground", type=Path)
    parser.add_argument("--python")
    arguments = parser.parse_args()
    try:
        import selenium  # noqa: F401
    except ImportError:
        selenium = None
    if not (selenium and shutil.which("chromium") and shutil.which("chromedriver")):
        print("web: skipped: chromium, chromium-driver or python3-selenium are not installed")
        return
    if arguments.shots:
        arguments.shots.mkdir(parents=True, exist_ok=True)
    checks = Checks("web")
    ptog = arguments.ptog.resolve()
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        race = write_page(ptog, place, "embed", (ROOT / "examples/embed.pto").read_text(), "--in", "words=2,0,5,2")
        blocks = write_page(ptog, place, "blocks", (ROOT / "examples/double_buffer.pto").read_text(), "--blocks", "64")
        check_size(checks, race)
        for dark in (False, True):
            for width in (390, 1280):
                browser = Browser(dark, width)
                check_race(checks, browser, race, f"{'dark' if dark else 'light'}, {width} px", arguments.shots)
                browser.close()
        browser = Browser(False, 1280)
        check_blocks(checks, browser, blocks, arguments.shots)
        check_steps(checks, browser, write_page(ptog, place, "steps", STEPS, "--blocks", "64"), arguments.shots)
        check_nothing(checks, browser, write_page(ptog, place, "nothing", NOTHING), write_page(ptog, place, "host", PRODUCT, "--target", "host"))
        cores = (ROOT / "tests/pto/machine/cross_core.pto").read_text()
        cores = [write_page(ptog, place, function, cores, "--func", function) for function in ("right", "early")]
        if arguments.python and Path(arguments.python).exists():
            check_python(checks, browser, arguments.python, place, arguments.shots)
        else:
            print("web: the package for Python is not installed, so the page of a kernel in Python is not tested")
        check_launch(checks, browser, write_page(ptog, place, "launch", LAUNCH, "--target", "a5"))
        for dark, width in ((False, 1280), (True, 390)):
            other = Browser(dark, width)
            product = write_page(ptog, place, "product", PRODUCT, "--in", "a=1,2,3,4,5,6", "--in", "b=1,0,0,1,1,1")
            check_cores(checks, other, *cores, arguments.shots, f"cores, {'dark' if dark else 'light'}, {width} px")
            check_product(checks, other, product, f"product, {'dark' if dark else 'light'}, {width} px", arguments.shots)
            other.close()
        check_c(checks, browser, ptog, place, arguments.shots)
        check_cxx(checks, browser, ptog, place, arguments.shots)
        check_long(checks, browser, write_page(ptog, place, "long", LONG))
        browser.close()
    if arguments.playground:
        playground.check(checks, arguments.playground.resolve(), arguments.shots)
    checks.finish()


if __name__ == "__main__":
    main()
