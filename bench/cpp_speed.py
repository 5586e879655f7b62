"""What the C++ headers cost: a call through them against the C plan call, and a launch (bench/cpp.cpp); calls of the four gathers
against plain loops (bench/cpp_gathers.cpp); whole kernels on host, cpusim and, with all checks, a2a3 (bench/cpp_kernels.cpp); and
compiling a one-kernel file.

usage: cpp_speed.py --build DIR [--compiler g++] [--peer DIR [--peer-compiler clang++-19]]

--build: a build of this project, for its library. --peer: a copy of the public pto-isa, whose simulator runs the same kernels; it needs
a compiler with _Float16 on this machine (clang 17, gcc 14). `make bench PEER=DIR PEER_CXX=...` says the same.
"""

import argparse
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIMES = 7
WANTED = {"host": 1.5, "cpusim": 1.5, "a2a3": 15}  # times the simulator's time, at most
TURNS = 5


def compiled(compiler, source, out, *words):
    """Processor seconds that one compilation took: other work on the machine does not count."""
    before = os.times()
    subprocess.run([compiler, "-std=c++17", "-I", ROOT / "include", source, "-o", out, *words], check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def kernels(program, target=None):
    """Microseconds of each kernel, and the sum of what it stored."""
    env = {**os.environ, **({"PTOG_TARGET": target} if target else {})}
    printed = subprocess.run([program, "20", "5"], check=True, env=env, capture_output=True, text=True).stdout
    return {name: (float(time), total) for name, time, total in (line.split() for line in printed.splitlines())}


def compare_kernels(ours, peer):
    """A line for each kernel: the best times of a few turns in which all sides run, and how many times the peer's they are."""
    sides = {target: (ours, target) for target in WANTED}
    if peer:
        sides["simulator"] = (peer, None)
    turns = [{side: kernels(*how) for side, how in sides.items()} for _ in range(TURNS)]
    for name in turns[0]["host"]:
        time = {side: min(turn[side][name][0] for turn in turns) for side in sides}
        if len({turn[side][name][1] for turn in turns for side in sides}) > 1:
            print(f"{name}: what is stored differs: {({side: turns[0][side][name][1] for side in sides})}")
        for target, most in WANTED.items():
            versus = ""
            if peer:
                ratio = time[target] / time["simulator"]
                versus = (f"; the simulator {time['simulator']:.2f} us: {ratio:.2f} times, wanted at most {most}: "
                          f"{'held' if ratio <= most else 'MISSED'}")
            print(f"{name}, 64x128, {target}: {time[target]:.2f} us a launch{versus}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--peer", type=Path)
    parser.add_argument("--peer-compiler", default="clang++")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        program, peer, empty = Path(place) / "cpp", None, Path(place) / "empty.cpp"
        for name in ("cpp.cpp", "cpp_gathers.cpp"):
            compiled(options.compiler, ROOT / "bench" / name, program, "-O2", "-L", options.build, "-lptog",
                     f"-Wl,-rpath,{options.build.resolve()}")
            subprocess.run([program], check=True, env={**os.environ, "PTOG_TARGET": "host", "PTOG_SANITIZE": "0"})
        whole = ROOT / "bench" / "cpp_kernels.cpp"
        compiled(options.compiler, whole, program, "-O2", "-L", options.build, "-lptog", f"-Wl,-rpath,{options.build.resolve()}")
        if options.peer:
            peer = Path(place) / "peer"
            subprocess.run([options.peer_compiler, "-std=c++20", "-O2", "-w", "-D__CPU_SIM", "-I", options.peer / "include", whole, "-o", peer],
                           check=True)
        compare_kernels(program, peer)
        empty.write_text("#include <cstdio>\n#include <vector>\nint main() {}\n")
        for name, source in (("examples/cpp/racy.cpp", ROOT / "examples" / "cpp" / "racy.cpp"),
                             ("<cstdio>, <vector> and an empty main", empty)):
            best = min(compiled(options.compiler, source, program, "-O1", "-c") for _ in range(TIMES))
            print(f"{options.compiler} -O1 -c, {name}: {best:.2f} s")


main()
