"""Builds the playground, one folder of static files: ptog.wasm with clang, the editor with npm, and the page of both.

usage: make.py --build DIR     files go to DIR/playground; DIR/wasm and DIR/npm are kept for the next time
"""

import argparse
import fcntl
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def step(what, *command, cwd=None):
    """Runs a command; what it says is shown when it fails."""
    done = subprocess.run(list(map(str, command)), cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode:
        sys.exit(f"{done.stdout[-4000:]}\nplayground: {what}")
    return done.stdout


def build_wasm(out):
    """ptog.wasm, in a folder that two may want to build at once."""
    out = Path(out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return compile_wasm(out)


def compile_wasm(out):
    step("cmake failed: see above", "cmake", "-S", HERE, "-B", out, "-G", "Ninja", "-DCMAKE_TOOLCHAIN_FILE=wasi.cmake", "--log-level=WARNING")
    step("the build of ptog.wasm failed: see above", "cmake", "--build", out)
    return out / "ptog.wasm"


def install_modules(out):
    """The packages of package-lock.json, installed anew when that has changed."""
    out.mkdir(parents=True, exist_ok=True)
    lock = HERE / "package-lock.json"
    kept = out / "installed.json"
    if not kept.exists() or kept.read_bytes() != lock.read_bytes():
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, out / name)
        step("npm cannot install the editor (is there a network?)", "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", cwd=out)
        shutil.copy(lock, kept)
    return out / "node_modules"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    build = parser.parse_args().build.resolve()
    wasm = build_wasm(build / "wasm")
    modules = install_modules(build / "npm")
    place = build / "playground"
    fresh = build / "playground.new"
    shutil.rmtree(fresh, ignore_errors=True)
    step("the page could not be bundled: see above", "node", HERE / "build.mjs", "--wasm", wasm, "--modules", modules, "--out", fresh)
    shutil.rmtree(place, ignore_errors=True)
    fresh.rename(place)


if __name__ == "__main__":
    main()
