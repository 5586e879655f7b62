"""The pictures of docs/img that a browser makes. Each carries the version and a hash of what it shows, so that a check needs no browser.

usage: pictures.py --ptog BUILD/ptog [--check | --if-possible]     makes what is out of date; --check only names it, --if-possible makes
                                                                 nothing where there is no Chromium
"""

import argparse
import hashlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "web")]
from browser import OPTIONS, Browser  # noqa: E402
IMAGES = ROOT / "docs" / "img"
KEY = b"ptogather"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

# A picture of a report: what ptog is asked for a page, and the size of the window.
PICTURES = {"report.png": (("run", "examples/embed.pto", "--target", "a2a3", "--in", "table=arange", "--in", "words=2,0,5,2"), (1200, 985))}


# Pictures of the playground: whether by night, the size of the window, and what is done before the picture is taken.
EXAMPLE = ("run", "examples/embed.pto", "--target", "a2a3")
RUN = "document.getElementById('run').click()"
PLAYGROUND = {"playground.png": (False, (1280, 860), RUN), "playground-dark.png": (True, (1280, 860), RUN)}
SHOWN = ("playground/page/index.html", "playground/page/style.css", "src/report/page/page.css", "examples/embed.pto")


def page_of(ptog, words, place):
    """The page that a picture shows, as a file."""
    path = Path(place) / "page.html"
    subprocess.run([ptog, *words, "--report", path, "--quiet"], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return path


def stamp_of(ptog, page, size):
    """What a picture of this page carries: the version, and the hash of page and size."""
    version = subprocess.run([ptog, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    return f"{version} {hashlib.sha256(page.read_bytes() + repr(size).encode()).hexdigest()}"


def chunks(png):
    at = 8
    while at < len(png):
        length = struct.unpack(">I", png[at:at + 4])[0]
        yield png[at + 4:at + 8], png[at:at + 12 + length]
        at += 12 + length


def stamp_in(path):
    """What a picture carries; "" when there is none."""
    for kind, chunk in chunks(path.read_bytes()) if path.exists() else ():
        if kind == b"tEXt" and chunk[8:].startswith(KEY + b"\0"):
            return chunk[8 + len(KEY) + 1:-4].decode("latin-1")
    return ""


def stamped(png, stamp):
    """The picture with a stamp, before its end."""
    body = b"tEXt" + KEY + b"\0" + stamp.encode("latin-1")
    made = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return png[:8] + b"".join(made + chunk if kind == b"IEND" else chunk for kind, chunk in chunks(png))


def shoot(browser, page, size, to):
    """A picture of a page in a window of that size."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [browser, *OPTIONS, f"--user-data-dir={profile}", f"--window-size={size[0]},{size[1]}", f"--screenshot={to}", page.resolve().as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if not to.exists():
        sys.exit(f"{browser} made no picture of {page.name}:\n{done.stderr[-2000:]}")


def keep(name, made, stamp):
    (IMAGES / name).write_bytes(stamped(made.read_bytes(), stamp))
    print(f"docs/img/{name}: {stamp[:24]}")


def problems(ptog, place):
    """(name, page, size, stamp) of each picture that is not what it would be now."""
    for name, (words, size) in PICTURES.items():
        page = page_of(ptog, words, place)
        stamp = stamp_of(ptog, page, size)
        if stamp_in(IMAGES / name) != stamp:
            yield name, page, size, stamp


def playground_problems(ptog, place):
    """(name, stamp) of each picture of the playground that is not what it would be now, as far as what it is made of tells."""
    page = page_of(ptog, EXAMPLE, place)
    page.write_bytes(page.read_bytes() + b"".join((ROOT / name).read_bytes() for name in SHOWN))
    for name, (dark, size, _) in PLAYGROUND.items():
        stamp = stamp_of(ptog, page, (dark, *size))
        if stamp_in(IMAGES / name) != stamp:
            yield name, stamp


def shoot_playground(ptog, name, to):
    """The playground with its first example, built where it was not; the browser is that of the tests."""
    dark, size, act = PLAYGROUND[name]
    subprocess.run([sys.executable, ROOT / "playground" / "make.py", "--build", ptog.parent], check=True)
    browser = Browser(dark, *size)
    browser.open(ptog.parent / "playground" / "index.html")
    browser.wait("document.querySelector('#findings .fix')")
    browser.js(act)
    browser.wait("document.body.dataset.ran && document.getElementById('page')")
    time.sleep(1)  # the report is laid out
    browser.driver.save_screenshot(str(to))
    browser.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--if-possible", action="store_true")
    options = parser.parse_args()
    ptog, browser = options.ptog.resolve(), next(filter(None, map(shutil.which, BROWSERS)), None)
    with tempfile.TemporaryDirectory() as place:
        for name, page, size, stamp in problems(ptog, place):
            if options.check:
                sys.exit(f"docs/img/{name} shows {stamp_in(IMAGES / name) or 'an unknown page'}, and now it is {stamp}: make docs")
            if not browser and options.if_possible:
                print(f"docs/img/{name} is out of date, and there is no Chromium here: make docs installs it", file=sys.stderr)
                continue
            if not browser:
                sys.exit("there is no Chromium: cmake/setup.sh pictures installs it")
            shoot(browser, page, size, Path(place) / name)
            keep(name, Path(place) / name, stamp)
        for name, stamp in playground_problems(ptog, place):
            if options.check:
                sys.exit(f"docs/img/{name} shows {stamp_in(IMAGES / name) or 'an unknown page'}, and now it is {stamp}: make docs")
            if options.if_possible:
                print(f"docs/img/{name} is out of date: make docs", file=sys.stderr)
                continue
            shoot_playground(ptog, name, Path(place) / name)
            keep(name, Path(place) / name, stamp)


if __name__ == "__main__":
    main()
