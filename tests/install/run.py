"""Installs into a temporary prefix and builds an outside program against it: pkg-config, CMake, C and C++.

usage: run.py --build DIR     a configured build of this project
"""

import argparse
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from checks import ROOT, Checks, run  # noqa: E402

INSTALLED = """bin/ptog bin/ptog-cxx include/ptog/ptog.h include/ptog/plan.h include/pto/pto-inst.hpp include/pto/common/type.hpp
    include/acl/acl.h share/man/man1/ptog-cxx.1 lib/libptog.a lib/libptog.so lib/libptog.so.0
    lib/pkgconfig/ptogather.pc lib/cmake/ptogather/ptogatherConfig.cmake
    lib/cmake/ptogather/ptogatherConfigVersion.cmake lib/cmake/ptogather/ptogatherTargets.cmake share/man/man1/ptog.1""".split()


class Install:
    def __init__(self, checks, prefix, work):
        self.checks, self.prefix, self.work = checks, prefix, work
        self.env = {**os.environ, "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}
        self.version = re.search(r'PTOG_VERSION "(.*)"', (ROOT / "include/ptog/version.h").read_text())[1]

    def command(self, name, words, **options):
        """Runs a command that must succeed; returns what it wrote."""
        done = run(words, env=self.env, **options)
        problem = f"{' '.join(map(str, words))}\nexit status {done.returncode}\n{done.stdout}{done.stderr}"
        self.checks.check(name, [problem] if done.returncode else [])
        return done.stdout

    def program(self, name, path, **env):
        done = run([path], env={**self.env, **env})
        expected = f"{self.version} done 23 0\n"
        self.checks.check(f"{name} runs", [] if (done.returncode, done.stdout) == (0, expected) else
                          f"exit status {done.returncode}, output {done.stdout!r} {done.stderr!r}, expected {expected!r}")

    def pkg_config(self, *options):
        return self.command(f"pkg-config {' '.join(options)}", ["pkg-config", *options, "ptogather"]).split()


def with_pkg_config(install):
    flags, lib = install.pkg_config("--cflags"), install.prefix / "lib"
    source, shared, static = HERE / "consumer.c", install.work / "shared", install.work / "static"
    compile_c = ["gcc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *flags, source]
    install.command("gcc, shared", [*compile_c, "-o", shared, *install.pkg_config("--libs")])
    install.program("gcc, shared", shared, LD_LIBRARY_PATH=str(lib))
    words = [word if word != "-lptog" else "-l:libptog.a" for word in install.pkg_config("--static", "--libs")]
    install.command("gcc, static", [*compile_c, "-o", static, *words])
    install.program("gcc, static", static)
    install.command("gcc -static", [*compile_c, "-static", "-o", static, *words])
    install.program("gcc -static", static)
    cxx = install.work / "cxx"
    install.command("g++", ["g++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *flags, "-x", "c++", source, "-x",
                            "none", "-o", cxx, *words])
    install.program("g++", cxx)
    kernel = install.work / "kernel"
    install.command("g++, a kernel", ["g++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *flags,
                                      HERE / "kernel.cpp", "-o", kernel, *words])
    install.program("g++, a kernel", kernel)
    install.program("g++, a kernel on a5", kernel, PTOG_TARGET="a5")
    found = install.command("pkg-config version", ["pkg-config", "--modversion", "ptogather"]).strip()
    install.checks.check("pkg-config gives the header's version", [] if found == install.version else found)


def with_cxx(install):
    """The wrapper finds headers and library where it was installed; the program finds the library."""
    program, example = install.work / "launch", ROOT / "examples" / "cpp" / "launch.cpp"
    install.command("ptog-cxx", [install.prefix / "bin" / "ptog-cxx", "--target=a5", example, "-o", program])
    done = run([program])
    right = (done.returncode, done.stdout) == (0, example.with_suffix(".expected").read_text())
    install.checks.check("ptog-cxx: the program runs", [] if right else f"{done.returncode} {done.stdout} {done.stderr}")
    needs = run(["readelf", "-dW", program]).stdout
    install.checks.check("ptog-cxx: it uses the installed library", [] if str(install.prefix / "lib") in needs else needs)


def with_cmake(install):
    build = install.work / "cmake"
    install.command("find_package", ["cmake", "-S", HERE, "-B", build, f"-DCMAKE_PREFIX_PATH={install.prefix}",
                                     f"-DWANTED_VERSION={install.version}"])
    install.command("build with find_package", ["cmake", "--build", build])
    install.program("ptogather::ptog", build / "with_shared")
    install.program("ptogather::ptog_static", build / "with_static")
    install.program("ptog::pto", build / "with_kernel")


def inside(install):
    """As a part of another project: the same names, and nothing that is the other project's is changed."""
    build = install.work / "inside"
    install.command("add_subdirectory", ["cmake", "-S", HERE, "-B", build, f"-DPTOG_SOURCE={ROOT}", "-G", "Ninja"])
    kept = "CMAKE_BUILD_TYPE:STRING=\n" in (build / "CMakeCache.txt").read_text()
    install.checks.check("add_subdirectory leaves the build type alone", [] if kept else "it does not")
    wanted = install.command("what is built then", ["ninja", "-C", build, "-t", "query", "all"])
    mine = {"with_shared", "with_static", "with_kernel"}
    found = {line.split()[-1] for line in wanted.split("outputs:")[0].splitlines() if line.startswith("    ")}
    install.checks.check("add_subdirectory builds what is asked for", [] if mine <= found and not
                         [name for name in found if name.startswith("ptogather/ptog")] else f"{found}")
    stage = run(["cmake", "--install", build, "--prefix", install.work / "nothing"])
    install.checks.check("add_subdirectory installs nothing", [] if stage.returncode == 0 and "Installing" not in stage.stdout
                         else stage.stdout + stage.stderr)


def destdir(install, build):
    """A package is staged: the files go below DESTDIR, and nothing else changes."""
    stage = install.work / "stage"
    install.command("make install with DESTDIR", ["make", "install", f"BUILD={build}", "PREFIX=/usr/local", f"DESTDIR={stage}"])
    missing = [name for name in INSTALLED if not (stage / "usr" / "local" / name).exists()]
    install.checks.check("files below DESTDIR", [f"missing: {name}" for name in missing])


def setup_finds_python(install):
    """The python3 with numpy may be in any directory of PATH, also in the last one."""
    tools, last = install.work / "tools", install.work / "last"
    tools.mkdir(), last.mkdir()
    for name in "sh cc gcc g++ make cmake ninja clang pkg-config groff ls cut grep tr sort as ld".split():
        (tools / name).symlink_to(shutil.which(name))
    (last / "python3").write_text("#!/bin/sh\nexit 0\n")
    (last / "python3").chmod(0o755)
    done = run(["sh", ROOT / "cmake" / "setup.sh", "--check", "test"], env={**install.env, "PATH": f"{tools}:{last}"})
    install.checks.check("setup.sh looks for python3 in all of PATH", [] if done.stdout == f"{last}/python3\n" else
                         f"{done.returncode} {done.stdout}{done.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True)
    build = parser.parse_args().build.resolve()
    checks = Checks("install")
    with tempfile.TemporaryDirectory() as place:
        prefix, work = Path(place) / "prefix", Path(place) / "work"
        work.mkdir()
        install = Install(checks, prefix, work)
        install.command("make install", ["make", "install", f"BUILD={build}", f"PREFIX={prefix}"])
        checks.check("installed files", [f"missing: {name}" for name in INSTALLED if not (prefix / name).exists()])
        others = [str(path) for path in (prefix / "include").rglob("*") if path.is_file() and path.suffix not in (".h", ".hpp", ".def")]
        checks.check("only headers and their tables in include", others)
        checks.check("the command runs", [] if re.match(rf"ptog {re.escape(install.version)}\b", run(
            [prefix / "bin" / "ptog", "--version"]).stdout) else "ptog --version")
        with_pkg_config(install)
        with_cxx(install)
        with_cmake(install)
        inside(install)
        destdir(install, build)
        setup_finds_python(install)
    checks.finish()


main()
