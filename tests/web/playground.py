"""The playground in a browser: a program with a race is typed, fixed, run, looked at and shared; with keys only where a mouse is not needed."""

import functools
import http.server
import subprocess
import sys
import threading
from pathlib import Path

from checks import ROOT
from browser import CONTRAST, OVERLAP, Browser

RACE = """func.func @f(%table: !pto.partition_tensor_view<6x8xf32>, %words: !pto.partition_tensor_view<1x4xi32>, %out: !pto.partition_tensor_view<4x8xf32>) {
%idx = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32, valid=1x4>
%dst = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>
pto.tload ins(%words) outs(%idx)
pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]
pto.mgather ins(%table, %idx) outs(%dst) {coalesce = #pto<coalesce row>}
pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]
pto.tstore ins(%dst) outs(%out)
return
}"""
INPUTS = {"table": "arange", "words": "2,0,5,2"}  # so that a row of %out begins with 16, 0, 40 and 16
TEXT = "playground.view.state.doc.toString()"


def build(place):
    """Builds the playground; returns why it cannot be built, or ""."""
    missing = subprocess.run([ROOT / "cmake" / "setup.sh", "--check", "playground"], capture_output=True, text=True)
    if missing.returncode:
        return missing.stderr.split("\n")[0].removeprefix("setup: ")
    made = subprocess.run([sys.executable, ROOT / "playground" / "make.py", "--build", place.parent], capture_output=True, text=True)
    if made.returncode and "npm cannot install" in made.stderr + made.stdout:
        return "npm cannot install the editor"
    if made.returncode:
        raise SystemExit(made.stdout + made.stderr)
    return ""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def serve(place):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(place)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}/index.html"


class Tour:
    """One window that goes through everything; `problems` is what was wrong."""

    def __init__(self, browser, address):
        from selenium.webdriver.common.keys import Keys
        self.browser, self.address, self.problems, self.key = browser, address, [], Keys

    def expect(self, what, got, wanted):
        if got != wanted:
            self.problems.append(f"{what}: expected {wanted!r}, got {got!r}")

    def until(self, what, code):
        value = self.browser.wait(code)
        if not value:
            self.problems.append(f"{what}: never; {self.browser.text('#status')}, {self.browser.text('#findings li')}")
        return value

    def tab_to(self, selector, most=80):
        """Presses Tab until the focus is there."""
        for _ in range(most):
            if self.browser.js("return document.activeElement && document.activeElement.matches(arguments[0])", selector):
                return
            self.browser.keys(self.key.TAB)
        self.problems.append(f"Tab does not reach {selector}")

    def type_race(self):
        """The default example is replaced by typing; Escape closes suggestions, so that Enter is a new line."""
        self.until("the first finding", "document.querySelector('#findings .error')")
        self.tab_to(".cm-content")
        self.browser.chord(self.key.CONTROL, "a")
        self.browser.keys(self.key.DELETE)
        for number, line in enumerate(RACE.split("\n")):
            self.browser.keys(*([self.key.ESCAPE, self.key.ENTER] if number else []), line)
        self.browser.keys(self.key.ESCAPE)
        self.expect("what was typed", self.browser.js("return " + TEXT), RACE)

    def fix_race(self):
        self.until("the squiggle", "[...document.querySelectorAll('.cm-lintRange-error')].map(e => e.textContent).join() === 'pto.mgather'")
        self.until("the finding", "document.querySelector('#findings .error .fix')")
        self.tab_to("#findings .fix")
        self.browser.keys(self.key.ENTER)
        self.until("no finding after the fix", "document.querySelector('#status').textContent.startsWith('no findings') && document.querySelector('#status').textContent.endsWith('timings')")
        self.expect("squiggles after the fix", self.browser.js("return document.querySelectorAll('.cm-lintRange-error').length"), 0)
        lines = self.browser.js("return " + TEXT).split("\n")
        self.expect("the wait comes first", [line.split("[")[0].split(" ")[0] for line in lines[5:7]], ["pto.wait_flag", "pto.mgather"])

    def run(self):
        self.expect("nothing is stale before the first run", self.browser.js("return !document.body.dataset.ran && !document.getElementById('stale').hidden"), False)
        before = self.browser.js("return Number(document.body.dataset.ran || 0)")
        self.browser.chord(self.key.CONTROL, self.key.ENTER)
        self.until("the run", f"Number(document.body.dataset.ran || 0) > {before}")
        self.expect("the verdict", self.browser.text("#status").split(" on ")[0], "passed")
        self.expect("the run is of this program", self.browser.js("return document.getElementById('stale').hidden"), True)

    def give_inputs(self):
        """Typed inputs, and what the run makes of them as a coloured table. Until then, the old run says that it is one."""
        self.tab_to("[role=tab][aria-selected=true]")
        self.browser.keys(self.key.ARROW_RIGHT)
        for name, value in INPUTS.items():
            self.tab_to(f"#in-{name}")
            self.browser.keys(value, self.key.ENTER)
            self.expect("the run before is an earlier one", self.browser.text("#stale"), "This run is of an earlier version. Run again")
            self.expect("which is seen", self.browser.js("return document.getElementById('stale').hidden"), False)
        self.run()
        rows = self.browser.js("return [...document.querySelectorAll('#outputs figure:last-of-type tbody tr')].map(r => [...r.cells].map(c => c.textContent))")
        self.expect("%out", [row[1] for row in rows], ["16", "0", "40", "16"])
        shares = self.browser.js("return new Set([...document.querySelectorAll('#outputs figure:last-of-type td.plus')].map(c => getComputedStyle(c).backgroundColor)).size")
        self.expect("colours of the table", shares > 3, True)

    def type_word(self, value):
        self.browser.js("const f = document.getElementById('in-words'); f.value = arguments[0]; f.oninput(); f.onchange()", value)

    def run_finds(self):
        """What only the typed inputs bring about is listed after the run, and gone with them."""
        self.type_word("2,0,99,2")
        before = self.browser.js("return Number(document.body.dataset.ran || 0)")
        self.browser.chord(self.key.CONTROL, self.key.ENTER)
        self.until("the run with an index outside", f"Number(document.body.dataset.ran || 0) > {before}")
        self.expect("its verdict", self.browser.text("#status"), "failed on a2a3: 1 error")
        self.expect("its finding", [self.browser.text("#findings .error .where"), "99" in self.browser.text("#findings .error .what")], ["line 7", True])
        self.expect("its squiggle", self.browser.js("return document.querySelectorAll('.cm-lintRange-error').length > 0"), True)
        self.type_word(INPUTS["words"])
        self.until("no finding without it", "!document.querySelector('#findings .error')")
        self.run()

    def look_at_page(self):
        """The report beside the editor: the slider moves with the keyboard, and the line it is at is marked in the editor."""
        self.browser.js("document.getElementById('tab-report').click()")
        self.browser.driver.switch_to.frame(self.browser.driver.find_element("id", "page"))
        self.until("the report", "document.getElementById('cycle')")
        self.expect("the report's verdict", self.browser.text(".verdict"), "clean")
        self.browser.key("#cycle", self.key.END)
        end = self.browser.js("return report.end")
        self.expect("the slider at the end", self.browser.text("#at"), f"cycle {end:,} of {end:,}")
        self.browser.key("#tile", "%dst")
        first = "return [...document.querySelectorAll('#values tbody tr')].map(r => r.cells[1].textContent)"
        self.expect("%dst at the end", self.browser.js(first), ["16", "0", "40", "16"])
        self.browser.key("#cycle", self.key.HOME)
        self.expect("%dst at the beginning", self.browser.js(first), ["–"] * 4)
        self.browser.key("#cycle", self.key.END)
        self.browser.key("#previous-instruction", self.key.ENTER)
        line = self.browser.js("return document.querySelector('li.now').id")
        self.problems += self.browser.js(OVERLAP)
        self.browser.driver.switch_to.default_content()
        self.until("the line in the editor", f"document.querySelector('.cm-line.issued')?.textContent === playground.view.state.doc.line({line[1:]}).text")

    def share(self, other_address):
        """The link, opened in a second window."""
        from selenium.webdriver.common.by import By
        self.browser.driver.find_element(By.ID, "share").send_keys(self.key.ENTER)
        self.until("the link", "location.hash.length > 20")
        link, text = self.browser.js("return location.hash"), self.browser.js("return " + TEXT)
        first = self.browser.driver.current_window_handle
        self.browser.driver.switch_to.new_window("window")
        self.browser.open(other_address + link)
        self.until("the second window", f"window.playground && {TEXT}.length > 100 && document.querySelector('#in-words')")
        self.expect("the shared program", self.browser.js("return " + TEXT), text)
        self.expect("the shared input", self.browser.js("return document.querySelector('#in-words').value"), INPUTS["words"])
        self.problems += self.browser.errors()
        self.browser.driver.close()
        self.browser.driver.switch_to.window(first)

    def explain(self):
        """Every example is one click away."""
        self.browser.js("document.getElementById('tab-explain').click()")
        bare = self.browser.js("return PTOG_EXAMPLES.ids.filter(i => !i.examples.length).map(i => i.id)")
        self.expect("rules and instructions with an example", self.browser.js("return PTOG_EXAMPLES.ids.length") - len(bare) > 300, True)
        self.browser.key("#search", "race-waw")
        self.browser.js("[...document.querySelectorAll('#ids li')].find(li => li.querySelector('.id').textContent === 'race-waw').querySelector('.acts button').click()")
        self.until("the example of race-waw", "[...document.querySelectorAll('#findings .error')].some(li => li.querySelector('.why').title.includes('race-waw'))")
        self.browser.js("document.querySelector('#findings .error .why').click()")
        self.until("its explanation", "document.getElementById('explained').textContent.startsWith('race-waw')")

    def examples(self):
        """Every program of examples/ can be chosen, and is checked."""
        count = self.browser.js("return document.querySelectorAll('#example option').length")
        self.expect("examples", count - 1, len(list((ROOT / "examples").rglob("*.pto"))))
        self.browser.js("const s = document.getElementById('example'); s.value = 1; s.dispatchEvent(new Event('change'))")
        self.until("another example", f"{TEXT}.includes('double') || {TEXT}.length > 500")
        self.browser.js("const v = playground.view, i = v.state.doc.toString().indexOf('pto.tload'); v.dispatch({selection: {anchor: i}}); document.getElementById('tab-drawing').click()")
        self.until("the drawing of a line", "document.querySelector('#drawing img')?.naturalWidth > 100")

    def product(self):
        """A kernel of the cube core: its memories and its result in the report."""
        self.browser.js("const s = document.getElementById('example'); s.value = PTOG_EXAMPLES.examples.findIndex(e => e.name === 'product');"
                        " s.dispatchEvent(new Event('change')); document.getElementById('tab-report').click()")
        self.run()
        self.browser.driver.switch_to.frame(self.browser.driver.find_element("id", "page"))
        self.until("the report of the product", "typeof report !== 'undefined' && report.ready && document.getElementById('cycle')")
        self.expect("memories", self.browser.js("return report.memories.map(m => m.name)"), ["L1", "L0A", "L0B", "L0C"])
        self.browser.key("#tile", "%s")
        self.browser.key("#cycle", self.key.HOME)
        first = "return document.querySelector('#values tbody td').textContent"
        self.expect("%s at the beginning", self.browser.js(first), "–")
        self.browser.key("#cycle", self.key.END)
        self.expect("%s at the end is a number", self.browser.js("return Number.isFinite(Number(document.querySelector('#values tbody td').textContent))"), True)
        self.until("the drawing of the product", "[...document.querySelectorAll('#drawing img')].some(i => i.naturalWidth > 200)")
        self.problems += self.browser.js(OVERLAP)
        self.browser.driver.switch_to.default_content()

    def looks(self, shot):
        self.problems += self.browser.js(CONTRAST) + self.browser.js(OVERLAP)
        if shot:
            self.browser.driver.save_screenshot(str(shot))


def check_tour(checks, browser, name, address, shots):
    tour = Tour(browser, address)
    shot = lambda step: shots / f"playground, {name}, {step}.png" if shots else None  # noqa: E731
    browser.open(address)
    tour.type_race()
    tour.until("the race", "document.querySelector('#findings .error .fix')")
    tour.looks(shot("race"))
    tour.fix_race()
    tour.run()
    tour.give_inputs()
    tour.run_finds()
    tour.looks(shot("data"))
    tour.look_at_page()
    tour.looks(shot("report"))
    tour.share(address)
    tour.explain()
    tour.looks(shot("explain"))
    tour.examples()
    tour.looks(shot("drawing"))
    tour.product()
    tour.looks(shot("product"))
    checks.check(f"playground, {name}", tour.problems + browser.errors())


def check(checks, place, shots):
    why = build(place)
    if why:
        print(f"the playground is not tested: {why}")
        return
    size = sum(path.stat().st_size for path in place.iterdir())
    checks.check("the playground is below 4 MB", [] if size < 4 << 20 else f"{size} bytes")
    licences = (place / "LICENSES.txt").read_text()
    checks.check("licences", [name for name in ("ptogather", "@codemirror/view", "@lezer/highlight") if name not in licences])
    server, address = serve(place)
    for dark, width, where in ((False, 1280, address), (True, 1280, Path(place / "index.html").as_uri()), (False, 390, Path(place / "index.html").as_uri()),
                               (True, 390, address)):
        browser = Browser(dark, width, 900 if width > 800 else 844)
        check_tour(checks, browser, f"{'dark' if dark else 'light'}, {width} px, {where.split(':')[0]}", where, shots)
        browser.close()
    server.shutdown()
