"""What the C++ headers cost: a call through them against the C plan call, and a launch (bench/cpp.cpp); calls of the four gathers
against plain loops (bench/cpp_gathers.cpp); and compiling a one-kernel file.

usage: cpp_speed.py --build DIR [--compiler g++]     DIR: a build of this project, for its library
"""

import argparse
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIMES = 7


def compiled(compiler, source, out, *words):
    """Processor seconds that one compilation took: other work on the machine does not count."""
    before = os.times()
    subprocess.run([compiler, "-std=c++17", "-I", ROOT / "include", source, "-o", out, *words], check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--compiler", default="g++")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        program, empty = Path(place) / "cpp", Path(place) / "empty.cpp"
        for name in ("cpp.cpp", "cpp_gathers.cpp"):
            compiled(options.compiler, ROOT / "bench" / name, program, "-O2", "-L", options.build, "-lptog",
                     f"-Wl,-rpath,{options.build.resolve()}")
            subprocess.run([program], check=True, env={**os.environ, "PTOG_TARGET": "host", "PTOG_SANITIZE": "0"})
        empty.write_text("#include <cstdio>\n#include <vector>\nint main() {}\n")
        for name, source in (("examples/cpp/racy.cpp", ROOT / "examples" / "cpp" / "racy.cpp"),
                             ("<cstdio>, <vector> and an empty main", empty)):
            best = min(compiled(options.compiler, source, program, "-O1", "-c") for _ in range(TIMES))
            print(f"{options.compiler} -O1 -c, {name}: {best:.2f} s")


main()
