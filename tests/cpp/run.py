"""Tests of the C++ headers in include/pto: compiles kernels with them and runs those.

usage: run.py --build DIR [--headers DIR] [--quick] [PART...]

--build: a build of this project, for its library; --headers: searched before include/; --quick: one compiler; parts: see PARTS
"""

import argparse
import tempfile
from pathlib import Path

import behaviour
import caches
import cores
import examples
import field
import fixes
import matrix
import names
import refused
import seeds
import static
from tools import COMPILERS, Cxx, ROOT  # noqa: F401
from checks import Checks

PARTS = {"seeds": seeds.check, "static": static.check, "matrix": matrix.check, "behaviour": behaviour.check,
         "examples": examples.check, "field": field.check, "fixes": fixes.check, "names": names.check, "caches": caches.check, "cores": cores.check,
         "refused": refused.check}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--headers", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS])
    options = parser.parse_args()
    checks = Checks("cpp", options.quick)
    if options.quick:
        del COMPILERS[1:]
    with tempfile.TemporaryDirectory() as place:
        cxx = Cxx(options.build.resolve(), Path(place), options.headers)
        for name, check in PARTS.items():
            if not options.parts or name in options.parts:
                check(checks, cxx)
    checks.finish()


main()
