"""Builds the package: libptog and ptog with CMake, the binding from the public headers, all inside the wheel."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
GIVEN = os.environ.get("PTOG_BUILD_DIR")
CMAKE = Path(GIVEN).resolve() if GIVEN else ROOT / "build" / "python" / "cmake"
LEFT = CMAKE.parent / (CMAKE.name + "-wheel") if GIVEN else ROOT / "build" / "python"  # what the build leaves behind
sys.path.insert(0, str(HERE))
import binding  # noqa: E402


def version():
    """The version of the C library is the version of the package."""
    header = ROOT / "include" / "ptog" / "version.h"
    if not header.exists():
        raise SystemExit(f"setup.py: {header} is not there: the package is built inside the source tree of ptogather")
    for line in header.read_text().splitlines():
        if line.startswith("#define PTOG_VERSION "):
            return line.split('"')[1]
    raise SystemExit(f"setup.py: {header} has no PTOG_VERSION")


def build_library():
    """libptog and ptog, in a build of its own unless PTOG_BUILD_DIR names one that is configured."""
    if not (CMAKE / "CMakeCache.txt").exists():
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        subprocess.run(["cmake", "-S", str(ROOT), "-B", str(CMAKE), *generator, "-DCMAKE_BUILD_TYPE=Release",
                        "--log-level=WARNING"], check=True)
    subprocess.run(["cmake", "--build", str(CMAKE), "--parallel", str(os.cpu_count() or 1), "--target", "ptog",
                    "ptog_shared"], check=True)


class BuildWithLibrary(build_py):
    """The Python files, and beside them what is built from C."""

    def run(self):
        super().run()
        place = Path(self.build_lib) / "ptogather"
        native = place / "native"
        native.mkdir(parents=True, exist_ok=True)
        build_library()
        shutil.copyfile((CMAKE / "libptog.so").resolve(), native / "libptog.so")
        shutil.copy(CMAKE / "ptog", native / "ptog")
        binding.write_module(ROOT / "include", place / "_api.py", os.environ.get("CC", "cc"))

    def get_outputs(self, include_bytecode=1):
        place = Path(self.build_lib) / "ptogather"
        return super().get_outputs(include_bytecode) + [str(place / name) for name in
                                                        ("_api.py", "native/libptog.so", "native/ptog")]


class PlatformWheel(bdist_wheel):
    """One wheel for every Python 3 of this platform: nothing in it is compiled against Python."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


LEFT.mkdir(parents=True, exist_ok=True)
setup(version=version(), distclass=WithLibrary,
      cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel},
      options={"build": {"build_base": str(LEFT)}, "egg_info": {"egg_base": str(LEFT)}})
