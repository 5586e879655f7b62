"""Installs into a temporary prefix and builds an outside program against it: pkg-config, CMake, C and C++.

usage: run.py --build DIR     a configured build of this project
"""

import argparse
import os
import re
import shutil
import string
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from checks import ROOT, Checks, run  # noqa: E402

INSTALLED = """bin/ptog bin/ptog-cxx include/ptog/ptog.h include/ptog/plan.h include/pto/pto-inst.hpp include/pto/common/type.hpp
    include/acl/acl.h share/man/man1/ptog-cxx.1 lib/libptog.a lib/libptog.so lib/libptog.so.0.2
    lib/pkgconfig/ptogather.pc lib/cmake/ptogather/ptogatherConfig.cmake
    lib/cmake/ptogather/ptogatherConfigVersion.cmake lib/cmake/ptogather/ptog_add_kernel.cmake lib/cmake/ptogather/ptogatherTargets.cmake share/man/man1/ptog.1
    share/doc/ptogather/README.md share/doc/ptogather/LICENSE share/doc/ptogather/SECURITY.md share/doc/ptogather/docs/reference/rules/race-raw.md
    share/doc/ptogather/docs/reference/schema/report.json share/doc/ptogather/examples/embed.pto share/doc/ptogather/examples/data/table.npy
    share/bash-completion/completions/ptog share/zsh/site-functions/_ptog share/fish/vendor_completions.d/ptog.fish""".split()


class Install:
    def __init__(self, checks, prefix, work):
        self.checks, self.prefix, self.work = checks, prefix, work
        self.env = {**os.environ, "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}
        self.version = re.search(r'PTOG_VERSION "(.*)"', (ROOT / "include/ptog/version.h").read_text())[1]

    def command(self, name, words, extra=None, **options):
        """Runs a command that must succeed; returns what it wrote."""
        done = run(words, env={**self.env, **(extra or {})}, **options)
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


# What kernels call their own sizes, and what the tables of the headers call their columns: short names, in capitals. PUBLIC are enumerators
# that kernels write: Layout::ND, Layout::MAX, NPUArch::A5.
PUBLIC = {"A2A3", "A5", "COL", "DN", "MAX", "ND", "NZ", "ROW", "SCATTER_COL", "SCATTER_ROW"}
OWN_MACROS = sorted({*string.ascii_uppercase, *"""ROWS COLS SIZE TILES WIDTH HEIGHT BATCH BLOCK BLOCKS DIM HEADS NUM LEN LENGTH MAX MIN BUF SRC INDEX
    IN TO FROM COUNT OFFSET STRIDE SHAPE TYPE KEY VALUE VAL STEP TOTAL NAME OPCODE TOP LEFT WHERE N0 N1 T0 T1 VR VC MORE SOME BM BN BK TM TN TK
    EPS""".split(), *re.findall(r'push_macro\("(\w+)"\)', (ROOT / "include/ptog/spec/hide_macros.def").read_text())} - PUBLIC)


def with_own_macros(install):
    """Every installed header compiles where a program has short macros of its own, and leaves them as they are."""
    include = install.prefix / "include"
    kept = "".join(f"#if {name} != 128\n#error {name}\n#endif\n" for name in OWN_MACROS)
    headers = sorted(path.relative_to(include) for path in include.rglob("*.h*") if path.suffix in (".h", ".hpp"))
    alone = [header for header in headers if header.name not in ("precision.hpp", "mpi.h", "mpi_table.h", "mpi_world.h", "other_library.hpp")]
    of_c = [header for header in alone if header.parts[0] == "ptog"]
    for compiler, suffix, chosen in (("gcc -std=c11", "c", of_c), ("g++ -std=c++17", "cpp", alone), ("clang++ -std=c++17", "cpp", alone)):
        source = install.work / f"own_macros.{suffix}"
        source.write_text("".join(f"#include <{header}>\n" for header in chosen) + kept)
        install.command(f"{compiler}, short macros of the program's own", [
            *compiler.split(), "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{include}", *(f"-D{name}=128" for name in OWN_MACROS), source])


def with_cxx(install):
    """The wrapper finds headers and library where it was installed; the program finds the library."""
    program, example = install.work / "launch", ROOT / "examples" / "cpp" / "launch.cpp"
    install.command("ptog-cxx", [install.prefix / "bin" / "ptog-cxx", "--target=a5", example, "-o", program])
    done = run([program])
    right = (done.returncode, done.stdout) == (0, example.with_suffix(".expected").read_text())
    install.checks.check("ptog-cxx: the program runs", [] if right else f"{done.returncode} {done.stdout} {done.stderr}")
    needs = run(["readelf", "-dW", program]).stdout
    install.checks.check("ptog-cxx: it uses the installed library", [] if str(install.prefix / "lib") in needs else needs)


def tests(install, build):
    """ptog_add_kernel makes a program with launches, and a test that fails when the checks find an error."""
    done = run(["ctest", "--test-dir", build])
    right = re.search(r"with_launch \.+ +Passed", done.stdout) and re.search(r"with_race \.+\*+Failed", done.stdout)
    install.checks.check("ptog_add_kernel and ctest", [] if right else done.stdout + done.stderr)


def with_cmake(install):
    build = install.work / "cmake"
    install.command("find_package", ["cmake", "-S", HERE, "-B", build, f"-DCMAKE_PREFIX_PATH={install.prefix}",
                                     f"-DWANTED_VERSION={install.version}"])
    install.command("build with find_package", ["cmake", "--build", build])
    install.program("ptogather::ptog", build / "with_shared")
    install.program("ptogather::ptog_static", build / "with_static")
    install.program("ptog::pto", build / "with_kernel")
    tests(install, build)


def inside(install):
    """As a part of another project: the same names, and nothing that is the other project's is changed."""
    build = install.work / "inside"
    install.command("add_subdirectory", ["cmake", "-S", HERE, "-B", build, f"-DPTOG_SOURCE={ROOT}", "-G", "Ninja"])
    kept = "CMAKE_BUILD_TYPE:STRING=\n" in (build / "CMakeCache.txt").read_text()
    install.checks.check("add_subdirectory leaves the build type alone", [] if kept else "it does not")
    wanted = install.command("what is built then", ["ninja", "-C", build, "-t", "query", "all"])
    mine = {"with_shared", "with_static", "with_kernel", "with_launch"}
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


def documents(install):
    """Links of installed documents lead to installed documents, and logs name the same page on every machine."""
    place = install.prefix / "share" / "doc" / "ptogather"
    sources = re.compile(r"CONTRIBUTING|(^|/)(include|man|python|src|bench|tests)(/|$)")  # these are not documents
    dead = [f"{page.relative_to(place)}: {link}" for page in place.rglob("*.md")
            for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text())
            if "://" not in link and not (page.parent / link).exists() and not sources.search(link)]
    install.checks.check("links of the installed documents", dead)
    log = run([install.prefix / "bin" / "ptog", "check", place / "examples" / "transposed.pto", "--format", "sarif"]).stdout
    helps = re.findall(r'"helpUri":"([^"]*)"', log)
    install.checks.check("logs lead to pages that are installed", [page for page in helps if not (place / page).exists()] if helps else log)
    install.checks.check("logs do not depend on the machine", log if str(place.parent) in log.replace(f"{place}/examples/", "") else [])


def uninstall(install, build):
    """What was installed goes again, and nothing else: a stranger's file, and the directories of others, stay."""
    prefix = install.work / "gone"
    install.command("make install, to be taken away", ["make", "install", f"BUILD={build}", f"PREFIX={prefix}"])
    stranger = prefix / "share" / "doc" / "ptogather" / "mine.txt"
    stranger.write_text("mine")
    other = run(["make", "uninstall", f"BUILD={build}", f"PREFIX={install.work / 'elsewhere'}"])
    install.checks.check("make uninstall of another prefix is refused", [] if other.returncode and "not into" in
                         re.sub(r"\s+", " ", other.stderr) else other.stderr)
    install.command("make uninstall", ["make", "uninstall", f"BUILD={build}", f"PREFIX={prefix}"])
    left = [str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir() or path.is_symlink()]
    install.checks.check("make uninstall leaves what is not ours", [] if left == ["share/doc/ptogather/mine.txt"] else left)
    own = [str(path) for path in prefix.rglob("*") if path.name in ("ptog", "pto", "acl") and path.is_dir()]
    install.checks.check("make uninstall takes its directories away", own)
    again = run(["make", "uninstall", f"BUILD={build}", f"PREFIX={prefix}"])
    install.checks.check("make uninstall, once more, says so", [] if again.returncode and "nothing was installed" in
                         re.sub(r"\s+", " ", again.stderr) else again.stderr)


def linker_cache(install, build):
    """ldconfig runs when the library comes to where the linker looks, and only then; a false one writes down its calls."""
    tools, calls = install.work / "false", install.work / "calls"
    for name, listed, stage, wanted in (("a system place", True, "", True), ("another place", False, "", False),
                                        ("a staged system place", True, install.work / "cache", False)):
        prefix = install.work / f"cache{len(name)}"
        tools.mkdir(exist_ok=True)
        place = f"{prefix}/lib" if listed else "/nowhere"
        (tools / "ldconfig").write_text(f"#!/bin/sh\nif [ $# -gt 0 ]; then echo '{place}: (hwcap)'; else echo ran >>{calls}; fi\n")
        (tools / "ldconfig").chmod(0o755)
        calls.unlink(missing_ok=True)
        run(["make", "install", f"BUILD={build}", f"PREFIX={prefix}", f"DESTDIR={stage}"],
            env={**install.env, "PATH": f"{tools}:{os.environ['PATH']}"})
        install.checks.check(f"ldconfig after an installation into {name}", [] if calls.exists() == wanted else f"{calls.exists()}")


def options_of_make(install):
    """CMAKE_ARGS reach CMake: of a new build, and of one that is there."""
    place = install.work / "args"
    install.command("make CMAKE_ARGS, new", ["make", f"BUILD={place}", "CMAKE_ARGS=-DPTOG_THREADS=OFF", f"{place}/CMakeCache.txt"])
    found = "PTOG_THREADS:BOOL=OFF" in (place / "CMakeCache.txt").read_text()
    install.checks.check("CMAKE_ARGS of a new build", [] if found else "not in its cache")
    shown = run(["make", "-n", "all", f"BUILD={place}", "CMAKE_ARGS=-DPTOG_WERROR=ON"]).stdout
    install.checks.check("CMAKE_ARGS of a build that is there", [] if f"-B {place} --log-level=WARNING -DPTOG_WERROR=ON" in shown else shown)


def hardened(install):
    for name in ("bin/ptog", "bin/ptog-cxx", "lib/libptog.so"):
        dynamic = run(["readelf", "-dW", install.prefix / name]).stdout
        segments = run(["readelf", "-lW", install.prefix / name]).stdout
        symbols = run(["nm", "-D", "--undefined-only", install.prefix / name]).stdout
        missing = [what for what, there in (("full RELRO", "GNU_RELRO" in segments and re.search(r"BIND_NOW|FLAGS.*NOW", dynamic)),
                                            ("a stack protector", "__stack_chk_fail" in symbols),
                                            ("checked functions", re.search(r"__\w+_chk\b", symbols))) if not there]
        install.checks.check(f"{name} is hardened", missing)


def package(install, build):
    """make deb, and the package in another root: its files, its command, and its removal."""
    place, root = install.work / "package", install.work / "root"
    place.mkdir()
    install.command("make deb", ["make", "deb", f"BUILD={place}", f"DEB_BUILD={build}"])
    debs = list(place.glob("*.deb"))
    install.checks.check("make deb makes one package", [] if len(debs) == 1 and install.version in debs[0].name else str(debs))
    if not debs:
        return
    control = run(["dpkg-deb", "-f", debs[0]]).stdout
    install.checks.check("the package names itself and what it needs", [] if "Package: ptogather" in control and "libc6" in control
                         else control)
    if shutil.which("lintian"):
        done = run(["lintian", "--fail-on", "error", "--tag-display-limit", "0", debs[0]])
        install.checks.check("lintian finds no error", [] if done.returncode == 0 else done.stdout + done.stderr)
    (root / "var/lib/dpkg/updates").mkdir(parents=True)
    (root / "var/lib/dpkg/info").mkdir()
    (root / "var/lib/dpkg/status").touch()
    dpkg = ["dpkg", f"--root={root}", "--force-not-root,depends,script-chrootless", "--no-triggers"]
    install.command("dpkg -i into another root", [*([] if os.geteuid() == 0 else ["fakeroot"]), *dpkg, "-i", debs[0]],
                    extra={"DEBIAN_FRONTEND": "noninteractive", "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"})
    names = [re.sub(r"(/man1/.*)", r"\1.gz", name.replace("zsh/site-functions", "zsh/vendor-completions")) for name in INSTALLED]
    install.checks.check("files of the package", [f"missing: {name}" for name in names if not (root / "usr" / name).exists()])
    done = run([root / "usr/bin/ptog", "check", root / "usr/share/doc/ptogather/examples/embed.pto"])
    install.checks.check("its command runs", [] if done.returncode == 0 else done.stderr)
    install.command("dpkg -r", [*([] if os.geteuid() == 0 else ["fakeroot"]), *dpkg, "-r", "ptogather"],
                    extra={"PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"})
    left = [str(path) for path in (root / "usr").rglob("*") if path.is_file()] if (root / "usr").exists() else []
    install.checks.check("dpkg -r leaves nothing", left)


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
        with_own_macros(install)
        with_cxx(install)
        with_cmake(install)
        inside(install)
        destdir(install, build)
        documents(install)
        hardened(install)
        uninstall(install, build)
        linker_cache(install, build)
        options_of_make(install)
        package(install, build)
        setup_finds_python(install)
    checks.finish()


main()
