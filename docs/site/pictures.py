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
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
IMAGES = ROOT / "docs" / "img"
KEY = b"ptogather"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

# A picture: what ptog is asked for a page, and the size of the window.
PICTURES = {"report.png": (("run", "examples/embed.pto", "--target", "a2a3", "--in", "table=arange", "--in", "words=2,0,5,2"), (1200, 985))}


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
    command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={size[0]},{size[1]}",
               f"--screenshot={to}", page.resolve().as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if not to.exists():
        sys.exit(f"{browser} made no picture of {page.name}:\n{done.stderr[-2000:]}")


def problems(ptog, place):
    """(name, page, size, stamp) of each picture that is not what it would be now."""
    for name, (words, size) in PICTURES.items():
        page = page_of(ptog, words, place)
        stamp = stamp_of(ptog, page, size)
        if stamp_in(IMAGES / name) != stamp:
            yield name, page, size, stamp


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
            (IMAGES / name).write_bytes(stamped((Path(place) / name).read_bytes(), stamp))
            print(f"docs/img/{name}: {stamp[:24]}")


if __name__ == "__main__":
    main()
