#!/usr/bin/env python3
"""The pages of ptog run --report: of every run of tests/pto, and of programs that try to break a page. The page must be
whole, link only to what is in it, need nothing from outside, and say what --format json and --trace say of the same run.

  run.py [--ptog PATH] [--quick]
"""
import argparse
import concurrent.futures
import html.parser
import json
import os
import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "pto")]
import data  # noqa: E402
from checks import Checks, run  # noqa: E402
from directives import read  # noqa: E402

JOBS = 2
ROOT = HERE.parent / "pto"
MACHINES = ("a2a3", "a5", "a5-custom")


class Page(html.parser.HTMLParser):
    """The parts of a page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.problems, self.ids, self.links, self.scripts = [], [], [], [], {}
        self.findings, self.lines, self.taking, self.script, self.heading, self.outside = [], [], None, None, "", []
        self.feed(text)
        self.close()
        self.problems += [f"<{tag}> is not closed" for tag in self.open]

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.outside += [value for name, value in attributes.items() if name in ("src", "href") and not value.startswith("#")]
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.links += [attributes["href"][1:]] if attributes.get("href", "").startswith("#") else []
        if tag == "meta":
            return
        self.open.append(tag)
        if tag == "article":
            self.findings.append([attributes["class"], ""])
        if tag == "li":
            self.lines.append("")
        if tag == "script":
            self.script = attributes.get("id", "code")
            self.scripts[self.script] = ""

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> at {self.getpos()} closes something else")
        if tag == "script":
            self.script = None

    def handle_data(self, text):
        if self.script is not None:
            self.scripts[self.script] += text
        elif "h1" in self.open:
            self.heading += text
        elif "h3" in self.open:
            self.findings[-1][1] += text
        elif "li" in self.open and "span" in self.open:
            self.lines[-1] += text


def finding_of(diag):
    times = f" ({diag['count']} times)" if diag.get("count", 1) > 1 else ""
    place = f"{diag['file']}:{diag['line']}:{diag['column']} " if "generated" in diag else ""  # of the author's own line
    return [diag["severity"], f"{place}{diag['severity']} {diag['message']}{times} [{diag['id']}]"]


def shape_problems(page):
    yield from page.problems
    yield from (f"id {name} is there twice" for name in {n for n in page.ids if page.ids.count(n) > 1})
    yield from (f"#{name} leads nowhere" for name in set(page.links) - set(page.ids))
    yield from (f"{where} is not in the page" for where in page.outside)


def problems(path, report, program, trace):
    """What is wrong with a page, given what else was said of the run. `trace` is None where there is none."""
    page = Page(Path(path).read_text(encoding="utf-8", errors="replace"))
    yield from shape_problems(page)
    said = [finding_of(diag) for diag in report["diagnostics"]]
    if page.findings != said:
        yield f"findings:\n{page.findings}\nexpected:\n{said}"
    lines = program.decode(errors="replace").replace("\0", "\ufffd").split("\n")
    lines, shown = [line.rstrip("\r") for line in lines], [line.rstrip("\r") for line in page.lines]
    if shown != lines and (lines[-1] != "" or shown != lines[:-1]):  # the last, without a byte, only if something is said of it
        yield "the program is another one"
    if ("trace" in page.scripts) != (trace is not None):
        yield "there is a timeline, and should be none" if trace is None else "there is no timeline"
    elif trace is not None and json.loads(page.scripts["trace"]) != trace:
        yield "the timeline is another one than that of --trace"


def judge(ptog, words, prefix, cwd):
    path, trace, program = f"{prefix}.html", f"{prefix}.trace", (Path(cwd) / words[1]).read_bytes()
    target = json.loads(run([ptog, *words, "--format", "json"], cwd=cwd).stdout or "{}").get("target")
    timeline = ["--trace", trace] if target in MACHINES else []
    done = run([ptog, *words, *timeline, "--report", path, "--format", "json"], cwd=cwd)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return [] if done.returncode == 2 and not os.path.exists(path) else [f"exit {done.returncode}\n{done.stderr}"], 0
    if not os.path.exists(path):
        return [f"exit {done.returncode}, and no page\n{done.stderr}"], 0
    there = json.loads(Path(trace).read_text(encoding="utf-8")) if os.path.exists(trace) else None
    return list(problems(path, report, program, there)), 1


def files(place, step):
    """(name, words, prefix, directory) for each run of tests/pto."""
    for number, path in enumerate(sorted(ROOT.rglob("*.pto"))[::step]):
        test = read(path.read_text(encoding="utf-8", errors="surrogateescape"))
        prefix = os.path.join(place, f"{number}")
        for name, words in test.data:
            data.save(f"{prefix}.{name}" + ("" if name.endswith(".bin") else ".npy"), data.make(words))
        for n, one in enumerate(test.runs):
            if one.command.startswith("ptog run %s") and not re.search("[|<>;&]|--stats|--format|--trace|--print-placement|--apply-fix", one.command):
                words = one.command.replace("%s", str(path.relative_to(ROOT))).replace("%t", prefix).split()[1:]
                if "--target" not in words and not re.search("target_arch|device-spec", path.read_text(errors="replace")):
                    words += ["--target", "host"]  # a page is about one target
                yield f"{path.name}: {one.command}", words, f"{prefix}.{n}", ROOT


# ---- what tries to break a page ----

HOSTILE = """// </script><script>alert(1)</script> <!-- &lt; "quotes" 'and' \u00e4\u4e2d\U0001f600 \x01
func.func @f(%t: !pto.partition_tensor_view<4x8xf32>, %o: !pto.partition_tensor_view<4x8xf32>) { // ]]> </li></ol>
  %d = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>
  pto.tload ins(%t) outs(%d)
  pto.barrier <PIPE_V>
  pto.tstore ins(%d) outs(%o)
  return
}
"""
LONG = """func.func @f(%t: !pto.partition_tensor_view<1x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 40000 : index
  %d = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
  scf.for %k = %c0 to %n step %c1 {
    pto.tload ins(%t) outs(%d)
    pto.barrier <PIPE_ALL>
  }
  return
}
"""


def try_hostile(checks, ptog, place):
    name = os.path.join(place, "</script><b> & \"x\".pto")
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(HOSTILE, encoding="utf-8")
    data.save(f"{place}/t.npy", data.make("f32 4x8 iota"))
    words = ["run", name, "--target", "a2a3", "--in", "t=t.npy", "--out", "o=o.npy"]
    found, count = judge(ptog, words, os.path.join(place, "hostile"), place)
    checks.check("a hostile program", found if count else ["no page", *found])
    text = Path(place, "hostile.html").read_text(encoding="utf-8")
    page = Page(text)
    checks.check("its name is the heading", [] if page.heading == name else page.heading)
    checks.check("nothing of it is a tag", [] if text.count("<script") == 2 and "alert(1)</script>" not in text else "a script")
    checks.check("the place is marked", [] if "<mark>pto.tstore</mark>" in text else "no mark around pto.tstore")


def try_long(checks, ptog, place):
    Path(place, "long.pto").write_text(LONG, encoding="utf-8")
    data.save(f"{place}/long.npy", data.make("f32 1x8 iota"))
    done = run([ptog, "run", "long.pto", "--target", "a5", "--in", "t=long.npy", "--report", "long.html"], cwd=place)
    text = Path(place, "long.html").read_text(encoding="utf-8") if done.returncode == 0 else ""
    page = Page(text)
    events = json.loads(page.scripts["trace"])["traceEvents"] if "trace" in page.scripts else []
    good = not list(shape_problems(page)) and len(events) > 10000 and len(text) < 6 << 20 and "longer than what is shown" in text
    checks.check("a long run is cut, and what is there is whole", [] if good else f"{len(events)} events, {len(text)} bytes\n{done.stderr}")


def try_repair(checks, ptog, place):
    Path(place, "racy.pto").write_text(HOSTILE, encoding="utf-8")
    done = run([ptog, "run", "racy.pto", "--target", "a2a3", "--in", "t=t.npy", "--out", "o=o.npy", "--apply-fix", "-o", "mended.pto",
                "--report", "mended.html"], cwd=place)
    page = Page(Path(place, "mended.html").read_text(encoding="utf-8"))
    same = "\n".join(page.lines) + "\n" == Path(place, "mended.pto").read_text(encoding="utf-8")
    checks.check("a repaired program is shown as it runs", [] if done.returncode == 0 and same and page.heading == "mended.pto" and
                 not [f for f in page.findings if f[0] == "error"] else f"{page.findings}\n{done.stderr}")


def try_usage(checks, ptog, place):
    common = ["run", "racy.pto", "--target", "a2a3", "--in", "t=t.npy"]
    for words, expected in ((["--out", "o=x.npy", "--report", "x.npy"], "would be written twice"),
                            (["--trace", "x", "--report", "x"], "would be written twice"),
                            (["--apply-fix", "-o", "x", "--report", "x"], "would be written twice"),
                            (["--report", "-", "--format", "json"], "standard output is already used"),
                            (["--report", "-", "--apply-fix"], "standard output is already used"),
                            (["--out", "o=o.npy", "--report", "missing/x.html"], "missing/x.html"),
                            (["--out", "o=o.npy", "--report", "/dev/full"], "/dev/full")):
        done = run([ptog, *common, *words], cwd=place)
        checks.check(" ".join(words), [] if done.returncode == 2 and expected in done.stderr else f"exit {done.returncode}\n{done.stderr}")
    done = run([ptog, *common, "--out", "o=o.npy", "--report", "-"], cwd=place)
    checks.check("--report -", [] if done.returncode == 1 and not list(shape_problems(Page(done.stdout))) else done.stderr)
    Path(place, "wrong.pto").write_text("pto.tload ins(\n", encoding="utf-8")
    done = run([ptog, "run", "wrong.pto", "--report", "wrong.html"], cwd=place)
    page = Page(Path(place, "wrong.html").read_text(encoding="utf-8"))
    checks.check("a text with errors", [] if done.returncode == 1 and len(page.findings) > 0 and not list(shape_problems(page)) else done.stderr)


def main():
    parser = argparse.ArgumentParser(description="Checks the pages of ptog run --report.")
    parser.add_argument("--ptog", default=str(HERE.parent.parent / "build" / "ptog"))
    parser.add_argument("--quick", action="store_true", help="every fourth file, for slow builds")
    options = parser.parse_args()
    ptog, checks, pages = os.path.abspath(options.ptog), Checks("page"), 0
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        work = list(files(place, 4 if options.quick else 1))
        for (name, *_), (found, count) in zip(work, pool.map(lambda one: judge(ptog, *one[1:]), work)):
            pages += count
            checks.check(name, found[:5])
        for attempt in (try_hostile, try_long, try_repair, try_usage):
            attempt(checks, ptog, place)
    checks.check("most runs have a page", [] if pages > 0.8 * len(work) else f"only {pages} of {len(work)}")
    checks.finish()


if __name__ == "__main__":
    main()
