"""Tests ptog-cxx as a program: what it compiles, what it writes and leaves behind, what it says.

usage: run.py --cxx PATH/ptog-cxx [--quick]     --quick: nothing is linked with the library, one compiler
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from checks import ROOT, Checks  # noqa: E402

MOCK = (HERE / "mock.h").read_text()
KERNEL = '#include "mock.h"\nvoid k(int x) { std::printf("%d %s:%d\\n", x, __FILE__, __LINE__); }\n'
MAIN = KERNEL + "int main()\n{\n    k<<<2>>>(7);\n}\n"
NO_TARGET = "(ptog-cxx: note: no --target: [^\n]*\n)?"  # what is linked for no target is told so, and nothing else


class Bench:
    """A directory to work in, and an empty one for temporary files that must be empty again."""

    def __init__(self, checks, cxx, place):
        self.checks, self.cxx, self.place = checks, cxx, place
        self.temporary = place / "tmp"
        self.temporary.mkdir()
        self.env = {**os.environ, "TMPDIR": str(self.temporary), "LC_ALL": "C"}
        self.env.pop("PTOG_CXX", None)
        self.write("mock.h", MOCK)
        self.write("a.cpp", MAIN)

    def write(self, name, text):
        path = self.place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def run(self, *words, stdin=b"", **env):
        words = [str(word) for word in words]
        done = subprocess.run(words, cwd=self.place, env={**self.env, **env}, input=stdin, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def check(self, name, words, status=0, out=None, err=None, **more):
        """Runs ptog-cxx: its status, its output (exact), words in what it says; and nothing is left behind."""
        found = self.run(self.cxx, *words, **more)
        problems = [] if found[0] == status else [f"status {found[0]}, expected {status}"]
        problems += [] if out is None or found[1] == out else [f"output {found[1]!r}, expected {out!r}"]
        for word in [] if err is None else [err] if isinstance(err, str) else err:
            problems += [] if word in found[2] else [f"{word!r} is not said"]
        if status == 0 and err is None and not re.fullmatch(NO_TARGET, found[2]):
            problems.append("something is said")
        problems += [f"left behind: {path.name}" for path in self.temporary.iterdir()]
        self.checks.check(name, [f"{' '.join(map(str, words))}: {p}\n{found[2][-1500:]}" for p in problems])
        return found

    def runs(self, name, program, out, status=0, **env):
        found = self.run(program, **env)
        self.checks.check(f"{name} runs", [] if found[:2] == (status, out) else f"status {found[0]}: {found[1]!r} {found[2]!r}, "
                          f"expected {out!r}")


def messages(bench):
    bench.check("--help", ["--help"], out=None)
    bench.check("no arguments", [], status=2, err="usage: ptog-cxx")
    bench.check("unknown target", ["--target=a6", "a.cpp"], status=2, err="unknown target 'a6'")
    bench.check("unknown target, two words", ["--target", "a6", "a.cpp"], status=2, err="unknown target 'a6'")
    bench.check("unknown option of ours", ["--ptog-rewrit", "a.cpp"], status=2, err="expected --ptog-rewrite")
    bench.check("empty compiler", ["--compiler=", "a.cpp"], status=2, err="--compiler= needs")
    bench.check("no such compiler", ["--compiler=/no/such", "a.cpp"], status=2, err="cannot run /no/such")
    bench.check("no compiler at all", ["-c", "a.cpp"], status=2, err="found neither g++ nor clang++", PATH="/nonexistent")
    bench.check("no such file", ["-c", "none.cpp"], status=2, err="none.cpp: cannot be read")
    bench.check("a directory", ["-c", "-x", "c++", "tmp"], status=2, err="tmp: is a directory")
    bench.check("option without value", ["-c", "a.cpp", "-o"], status=2, err="expected a value after '-o'")
    bench.check("nothing to rewrite", ["--ptog-rewrite"], status=2, err="expected a C++ source")
    bench.write("bad.cpp", "void f()\n{\n  k<<<1, 2;\n  (*p)<<<1>>>(x);\n}\n")
    bench.check("wrong launches", ["-c", "bad.cpp"], status=2, err=["bad.cpp:3:4: error: unterminated launch: expected '>>>' before ';'",
                                                                    "bad.cpp:4:6: error: not supported"])
    bench.write("many.cpp", "k<<<;\n" * 30)
    bench.check("many wrong launches", ["-c", "many.cpp"], status=2, err=["many.cpp:20:2:", "many.cpp: 10 more errors"])
    found = bench.run(bench.cxx, "--version")
    bench.checks.check("--version", [] if found[0] == 0 and found[1].startswith("ptog-cxx ") and "\n" in found[1] else str(found))


def rewriting(bench):
    text = "int a;\r\nk<<<1>>>(x); // no end"
    bench.write("r.cpp", text)
    made = text.replace("k<<<1>>>", "::ptog::fn([&](auto &&...ptog_a) { k(ptog_a...); }).on(1)")
    bench.check("--ptog-rewrite", ["--ptog-rewrite", "r.cpp"], out=made)
    bench.check("--ptog-rewrite of stdin", ["--ptog-rewrite", "-x", "c++", "-"], out=made, stdin=text.encode())
    bench.check("--ptog-rewrite of two", ["--ptog-rewrite", "r.cpp", "r.cpp"], out=made * 2)
    for name in ("forms.cpp", "acl.cpp"):
        found = bench.run(bench.cxx, "--ptog-rewrite", HERE / name)
        same = found[1].count("\n") == (HERE / name).read_text().count("\n") and "<<<1," not in found[1].split("int main")[-1]
        bench.checks.check(f"lines of {name}", [] if same else "lines were moved, or a launch is left")


def compiling(bench, compiler):
    use = f"--compiler={compiler}"
    bench.check(f"{compiler} -c", [use, "-Wall", "-Wextra", "-Werror", "-c", "a.cpp"])
    bench.checks.check("a.o", [] if (bench.place / "a.o").exists() else "a.o was not made")
    (bench.place / "out").mkdir(exist_ok=True)
    bench.check("-c and -o", [use, "-c", "-o", "out/x.o", "a.cpp"])
    bench.checks.check("out/x.o", [] if (bench.place / "out" / "x.o").exists() else "out/x.o was not made")
    bench.write("std.cpp", "static_assert(__cplusplus > 201703L, \"\");\n" + KERNEL + "void f() { k<<<1>>>(1); }\n")
    bench.check("-std= is the user's", [use, "-std=c++20", "-c", "std.cpp"])
    bench.write("std17.cpp", "static_assert(__cplusplus == 201703L, \"\");\n")
    bench.check("-std=c++17 is the default", [use, "-c", "std17.cpp"])
    bench.write("target.cpp", "#define TEXT(x) #x\n#define T(x) TEXT(x)\nstatic_assert(sizeof(T(PTOG_TARGET)) == 10, \"\");\n")
    bench.check("--target=a5-custom", [use, "--target=a5-custom", "-c", "target.cpp"])
    bench.check("--target a5-custom", [use, "--target", "a5-custom", "-c", "target.cpp"])
    bench.write("arch.cpp", "#include <pto/pto-inst.hpp>\n#if !defined(PTO_NPU_ARCH_A5) || defined(PTO_NPU_ARCH_A2A3)\n#error\n#endif\n")
    bench.check("the macros of the tool chain", [use, "--target=a5-custom", "-fsyntax-only", "arch.cpp"])
    bench.check("... of another target", [use, "--target=a2a3", "-fsyntax-only", "arch.cpp"], status=1, err="#error")
    device = [use, "-xcce", "-fsyntax-only", "-Xhost-start", "-Xhost-end", "-mllvm", "-cce-aicore-stack-size=0x8000"]
    bench.check("options of the device's compiler", [*device, "--cce-aicore-arch=dav-c310-vec", "arch.cpp"],
                err="ignored '-Xhost-start' and 3 other options of the device's compiler")
    bench.check("... for another target", [*device, "--cce-aicore-arch=dav-c220-vec", "arch.cpp"], status=1, err="#error")
    bench.check("one option of the device's compiler", [use, "--target=a5", "--cce-aicore-arch=dav-c220", "-fsyntax-only", "arch.cpp"],
                err="ignored '--cce-aicore-arch=dav-c220', an option")
    bench.write("deep/inner.hpp", KERNEL + "inline void g() { k<<<1>>>(1); }\n")
    bench.write("outer.cpp", "#include <inner.hpp>\nvoid f() { g(); }\n")
    bench.write("forced/launch.h", '#include "own.h"\nvoid forced() { k<<<1>>>(OWN); }\n')
    bench.write("forced/own.h", KERNEL + "#define OWN 9\n")
    bench.write("forced.cpp", "int main()\n{\n    forced();\n}\n")
    for words in (["-include", "forced/launch.h"], ["--include=forced/launch.h"], ["-include", "launch.h", "-I", "forced"]):
        bench.check(f"launches in {' '.join(words)}", [use, "-Werror", "-I.", *words, "-c", "forced.cpp"])
    first, second = (bench.run(bench.cxx, use, "-I.", "-E", "forced.cpp", "-include", "forced/launch.h")[1] for _ in range(2))
    bench.checks.check("the same text again, which compiler caches ask for", [] if first == second and "ptog::fn" in first else first[:300])
    for words in (["-I", "deep"], ["-isystem", "deep"], ["-idirafter", "deep"]):
        bench.check(f"a launch in a header, {words[0]}", [use, "-I.", *words, "-c", "outer.cpp"])
    for name in ("CPATH", "CPLUS_INCLUDE_PATH"):
        bench.check(f"a launch in a header, {name}", [use, "-I.", "-c", "outer.cpp"], **{name: f"none:{bench.place}/deep"})
    bench.write("error.cpp", KERNEL + "void f()\n{\n    k<<<1>>>(1);\n    int x = undeclared;\n}\n")
    bench.check("errors name the user's file and line", [use, "-c", "error.cpp"], status=1, err="error.cpp:6:13: error:")
    found = bench.check("-E", [use, "-E", "-P", "a.cpp"])
    bench.checks.check("-E shows the launch", [] if "::ptog::fn(" in found[1] and "<<<" not in found[1] else found[1][-500:])
    found = bench.check("stdin", [use, "-E", "-x", "c++", "-"], stdin=b"int x = __LINE__; const char *f = __FILE__;\n")
    bench.checks.check("stdin is compiled", [] if 'int x = 1; const char *f = "<stdin>";' in found[1] else found[1])


def dependencies(bench, compiler):
    use = f"--compiler={compiler}"
    bench.write("d/b.cpp", MAIN)
    bench.write("d/mock.h", MOCK)
    bench.write("odd dir #1/$b.cpp", MAIN)
    bench.write("odd dir #1/mock.h", MOCK)

    def rules(name, path, wanted):
        text = (bench.place / path).read_text() if (bench.place / path).exists() else f"there is no {path}"
        fits = all(word in text.replace("\\\n", " ") for word in wanted) and "ptog-cxx-" not in text
        bench.checks.check(f"{compiler} {name}: rules", [] if fits else text[:600])

    bench.check("-MMD", [use, "-c", "-MMD", "d/b.cpp", "-o", "dep1.o"])
    rules("-MMD", "dep1.d", ["dep1.o: d/b.cpp", "d/mock.h"])
    bench.check("-MD -MF", [use, "-c", "-MD", "-MF", "dep2.d", "-MT", "goal", "./a.cpp", "-o", "dep2.o"])
    rules("-MD -MF", "dep2.d", ["goal: a.cpp", "mock.h"])
    bench.check("-Wp,-MMD", [use, "-c", "-Wp,-MMD,dep3.d", "d/b.cpp", "-o", "dep3.o"])
    rules("-Wp,-MMD", "dep3.d", ["d/b.cpp"])
    bench.check("-MMD without -o", [use, "-c", "-MMD", "d/b.cpp"])
    rules("-MMD without -o", "b.d", ["b.o: d/b.cpp"])
    bench.check("-MMD, odd names", [use, "-c", "-MMD", "odd dir #1/$b.cpp", "-o", "dep4.o"])
    rules("odd names", "dep4.d", ["odd\\ dir\\ \\#1/$$b.cpp"])
    found = bench.check("-MM", [use, "-MM", "d/b.cpp"])
    bench.checks.check(f"{compiler} -MM", [] if "b.o: d/b.cpp" in found[1] else found[1])


def linking(bench, compiler):
    use = f"--compiler={compiler}"
    bench.write("forms.cpp", (HERE / "forms.cpp").read_bytes())
    bench.check(f"{compiler}, forms", [use, "-Wall", "-Wextra", "-Werror", "forms.cpp", "-o", "forms"])
    last = (HERE / "forms.cpp").read_text().count("\n") - 1
    bench.runs(f"{compiler}, forms", "./forms", (HERE / "forms.expected").read_text() + f'k<<<1>>>(x) k<<<1>>>(" forms.cpp:{last}\n')
    bench.check("defaults to a.out", [use, "a.cpp"], err="note: no --target")
    found = bench.run(bench.cxx, use, "--target=a5", "a.cpp")
    bench.checks.check("a target is named", [] if found[::2] == (0, "") else [f"{found}"])
    bench.runs("a.out", "./a.out", "7 a.cpp:2\n" * 2)
    # Each of two sources includes "local.h", and there are two of them; a third has no launches.
    for name in "xy":
        bench.write(f"{name}/local.h", f"#define NAME \"{name}\"\n")
        bench.write(f"{name}/same.cpp", f'#include "../mock.h"\n#include "local.h"\nstatic void k(int n) {{ std::printf("%s %d\\n", NAME, n); }}\n'
                    f"void {name}() {{ k<<<1>>>(1); }}\n")
    bench.write("main.cpp", "void x();\nvoid y();\nint main() { x(); y(); }\n")
    bench.check("several sources", [use, "-Wall", "-Werror", "x/same.cpp", "main.cpp", "y/same.cpp", "-o", "several"])
    bench.runs("several sources", "./several", "x 1\ny 1\n")
    bench.check("several objects", [use, "-c", "main.cpp", "a.cpp"])
    bench.check("-o for several", [use, "-c", "main.cpp", "a.cpp", "-o", "x.o"], status=2, err="expected one source")
    bench.check("objects", [use, "main.o", "x/same.cpp", "y/same.cpp", "-o", "objects"])
    bench.runs("objects", "./objects", "x 1\ny 1\n")
    bench.write("words", "main.o -o response\n")
    bench.check("a response file", [use, "@words", "x/same.cpp", "y/same.cpp"])
    bench.runs("a response file", "./response", "x 1\ny 1\n")
    bench.write("kernel.cce", MAIN)
    bench.write("plain.asc", "int main() { return 3; }\n")
    bench.check(".cce", [use, "kernel.cce", "-o", "cce"])
    bench.runs(".cce", "./cce", "7 kernel.cce:2\n" * 2)
    bench.check(".asc without launches", [use, "plain.asc", "-o", "asc"])
    bench.runs(".asc without launches", "./asc", "", status=3)
    odd = 'a "b" $(touch pwned);\\ é.cpp'
    bench.write(odd, MAIN)
    bench.check("a name for a shell", [use, f"./{odd}", "-o", "odd;$name"])
    bench.runs("a name for a shell", "./odd;$name", f"7 ./{odd}:2\n" * 2)
    bench.checks.check("no shell", ["a command in a name was run"] if (bench.place / "pwned").exists() else [])
    bench.check("an error does not link", [use, "error.cpp", "main.cpp", "-o", "never"], status=1, err="undeclared")
    bench.checks.check("nothing was linked", ["never exists"] if (bench.place / "never").exists() else [])


def other_libraries(bench, compiler):
    """Headers of another library with the names of ours: ours are used, however the compiler finds the others."""
    use = [f"--compiler={compiler}", "--target=a2a3", "-fsyntax-only"]
    include = (bench.cxx.parent / "include").resolve()
    for name in ("pto-inst.hpp", "common/type.hpp"):
        bench.write(f"other/pto/{name}", "#define PTO_INST_HPP\n#error this is the other library\n")
    bench.write("other/more.h", "#define MORE 1\n")
    for kind, text in (("angles", "#include <pto/common/type.hpp>\n#include <more.h>\nint x = MORE;\n"),
                       ("quotes", '#include "pto/common/type.hpp"\n#include "more.h"\nint x = MORE;\n')):
        bench.write(f"{kind}.cpp", text)
        bench.write(f"{kind}-launch.cpp", text + KERNEL + "void f() { k<<<1>>>(1); }\n")
        for source in (f"{kind}.cpp", f"{kind}-launch.cpp"):
            for words in (["-I", "other"], ["-Iother"], ["-isystem", "other"], ["-iquote", "other", "-Iother"]):
                bench.check(f"{compiler} {source}, {' '.join(words)}", [*use, *words, source])
                bench.check(f"{compiler} {source}, {' '.join(words)}, ours is a system directory", [*use, *words, source],
                            CPLUS_INCLUDE_PATH=str(include))
            bench.check(f"{compiler} {source}, CPATH", [*use, source], CPATH="other", CPLUS_INCLUDE_PATH=str(include))
            bench.check(f"{compiler} {source}, CPLUS_INCLUDE_PATH", [*use, source], CPLUS_INCLUDE_PATH=f"other:{include}")
    bench.write("other/kernel.cpp", '#include "pto/pto-inst.hpp"\n')
    bench.check(f"{compiler}, next to the source", [*use, "other/kernel.cpp"], status=2, err="is found next to it, before that of ptogather")
    bench.write("foreign/pto/pto-inst.hpp", "#ifndef PTO_INST_HPP\n#define PTO_INST_HPP\n#endif\n")
    bench.write("foreign/pto/common/type.hpp", "#ifndef _PTO_INCLUDE_NPU_TYPE_H_\n#define _PTO_INCLUDE_NPU_TYPE_H_\n#endif\n")
    for first, second in (("acl/acl.h", "pto/pto-inst.hpp"), ("pto/pto-inst.hpp", "acl/acl.h"), ("pto/pto-inst.hpp", "pto/common/event.hpp")):
        bench.write("mixed.cpp", f"#include <{first}>\n#include <{second}>\n")
        status, out, err = bench.run(compiler, "-std=c++17", "-I", "foreign", "-I", include, "-fsyntax-only", "mixed.cpp")
        said = next((line for line in err.split("\n") if "error" in line), "")
        bench.checks.check(f"{compiler} without ptog-cxx, {first} and {second}",
                           [] if status and "another library's pto headers come before ptogather's" in said else f"{status} {err[:500]}")
        errors = sum("error:" in line for line in err.split("\n"))
        bench.checks.check(f"{compiler} without ptog-cxx, {first} and {second}: nothing follows",
                           [] if errors <= 2 else f"{errors} errors: {err[:500]}")


def device_macros(bench, compiler):
    """What a kernel guards with the macros of the device's compiler is compiled, from the first line on."""
    bench.write("macros.cpp", """#if !defined(__CCE_AICORE__) && !defined(__NPU_ARCH__) && !defined(__DAV_C220_VEC__) && !defined(__DAV_C310_VEC__)
#define FOUND 0
#elif __CCE_AICORE__ == 220 && __NPU_ARCH__ == 2201 && defined(__DAV_C220_VEC__) && !defined(__DAV_C310_VEC__)
#define FOUND 220
#elif __CCE_AICORE__ == 310 && __NPU_ARCH__ == 3101 && defined(__DAV_C310_VEC__) && !defined(__DAV_C220_VEC__)
#define FOUND 310
#endif
#if !defined(__DAV_VEC__)
#error __DAV_VEC__
#endif
static_assert(FOUND == WANTED, "");
#include <pto/common/constants.hpp>
""")
    for words, wanted in ((["--target=a2a3"], 220), (["--target=a5"], 310), (["--target=a5-custom"], 310), (["--target=host"], 0),
                          (["--target=cpu"], 0), (["--target=cpusim"], 0), ([], 0), (["-D__CPU_SIM"], 0), (["-DPTO_NPU_ARCH_A5"], 310),
                          (["-DPTO_NPU_ARCH_A2A3"], 220)):
        bench.check(f"{compiler}, the device's macros, {' '.join(words)}",
                    [f"--compiler={compiler}", *words, f"-DWANTED={wanted}", "-fsyntax-only", "macros.cpp"])
    bench.write("own.cpp", "static_assert(__CCE_AICORE__ == 100, \"\");\n#include <pto/common/constants.hpp>\n")
    bench.check(f"{compiler}, a macro of the user's own", [f"--compiler={compiler}", "--target=a5", "-Werror", "-D__CCE_AICORE__=100",
                                                          "-fsyntax-only", "own.cpp"])


def float8_on_cpu(bench, compiler):
    """The CPU simulator that is built with __CCE_AICORE__ gathers float8 types, and no other does."""
    bench.write("float8.cpp", """#include <pto/pto-inst.hpp>
#include <cstdio>
using namespace pto;
template <class T> void gather(__gm__ T *table, __gm__ int32_t *ids, __gm__ T *out)
{
    Tile<TileType::Vec, int32_t, 1, 32> idx;
    Tile<TileType::Vec, T, 1, 32> dst;
    TASSIGN(idx, 0);
    TASSIGN(dst, 0x100);
    GlobalTensor<int32_t, pto::Shape<1, 1, 1, 1, 32>, pto::Stride<1, 1, 1, 32, 1>> idxGM(ids);
    GlobalTensor<T, pto::Shape<1, 1, 1, 8, 32>, pto::Stride<1, 1, 1, 32, 1>> tableGM(table);
    GlobalTensor<T, pto::Shape<1, 1, 1, 1, 32>, pto::Stride<1, 1, 1, 32, 1>> outGM(out);
    TLOAD(idx, idxGM);
    MGATHER<Coalesce::Elem>(dst, tableGM, idx);
    TSTORE(outGM, dst);
}
template <class T> static bool is_right()
{
    static unsigned char table[256], out[32];
    static int32_t ids[32];
    for (int i = 0; i < 256; i++)
        table[i] = static_cast<unsigned char>(i * 5);
    for (int i = 0; i < 32; i++)
        ids[i] = i * 37 % 256;
    gather(reinterpret_cast<T *>(table), ids, reinterpret_cast<T *>(out));
    for (int i = 0; i < 32; i++)
        if (out[i] != table[ids[i]])
            return false;
    return true;
}
int main()
{
    bool right = is_right<float8_e4m3_t>();
    std::printf("%s\\n", is_right<float8_e5m2_t>() && right ? "right" : "wrong");
}
""")
    for target, words, right in (("cpu", [], False), ("cpu", ["-D__CCE_AICORE__=1"], True), ("cpusim", ["-D__CCE_AICORE__"], True)):
        name = f"{compiler}, float8 on {target} {' '.join(words)}"
        bench.check(name, [f"--compiler={compiler}", f"--target={target}", "-Wall", "-Werror", *words, "float8.cpp", "-o", "float8"])
        status, out, err = bench.run("./float8")
        said = (status, out, err.count("[mgather-dtype]"))
        bench.checks.check(name, [] if said == ((0, "right\n", 0) if right else (1, "wrong\n", 1)) else f"{said}\n{err}")


def library(bench, compiler):
    use = f"--compiler={compiler}"
    bench.check(f"{compiler}, acl", [use, "-Wall", "-Wextra", "-Werror", HERE / "acl.cpp", "-o", "acl"])
    bench.runs(f"{compiler}, acl", "./acl", "0 wrong\n")
    example = ROOT / "examples" / "cpp" / "launch.cpp"
    bench.check(f"{compiler}, launch.cpp", [use, "--target=a2a3", "-Wall", "-Wextra", "-Werror", example, "-o", "launch"])
    for target in ("a2a3", "a5", "host"):
        bench.runs(f"{compiler}, launch.cpp on {target}", "./launch", example.with_suffix(".expected").read_text(), PTOG_TARGET=target)
    text = example.read_text()
    bench.write("far.cpp", text.replace("<<<kBlocks,", "<<<kBlocks + 1,"))
    bench.check(f"{compiler}, one block too many", [use, "--target=a2a3", "far.cpp", "-o", "far"])
    status, out, err = bench.run("./far")
    lines = [f"far.cpp:{1 + text[:text.index(call)].count(chr(10))}: error: " for call in ("TLOAD(", "TSTORE(")]
    said = all(line in err for line in lines) and err.count("[gm-out-of-bounds]") == 2
    bench.checks.check(f"{compiler}, one block too many is reported", [] if status == 1 and said else f"{status} {out}{err}")


def environment(bench):
    bench.write("said", "#!/bin/sh\necho \"$@\" >args\nexit 5\n")
    (bench.place / "said").chmod(0o755)
    bench.check("PTOG_CXX, and its status", ["-c", "a.cpp"], status=5, PTOG_CXX="./said")
    bench.check("--compiler= before PTOG_CXX", ["--compiler=./said", "a.cpp"], status=5, PTOG_CXX="/no/such")
    words = (bench.place / "args").read_text()
    bench.checks.check("the library is linked", [] if "-lptog" in words and "-rpath" in words else words)
    bench.check("-v alone", ["-v"], status=5, PTOG_CXX="./said")
    words = (bench.place / "args").read_text()
    bench.checks.check("without inputs nothing is linked", ["-lptog"] if "-lptog" in words else [])
    bench.check("an odd TMPDIR", ["-c", "a.cpp"], status=5, PTOG_CXX="./said", TMPDIR="/odd dir")


def signals(bench):
    """A signal while the compiler runs: the compiler ends, and nothing is left."""
    bench.write("slow", "#!/bin/sh\necho $$ >pid\nexec sleep 600\n")
    (bench.place / "slow").chmod(0o755)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        (bench.place / "pid").unlink(missing_ok=True)
        process = subprocess.Popen([bench.cxx, "--compiler=./slow", "-c", "a.cpp"], cwd=bench.place, env=bench.env,
                                   preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))  # nohup's is to ignore it
        while not ((bench.place / "pid").exists() and (bench.place / "pid").read_text().strip()) and process.poll() is None:
            time.sleep(0.01)
        there = any(bench.temporary.iterdir())
        process.send_signal(number)
        status, problems = process.wait(), [] if there else ["there was no temporary directory to begin with"]
        problems += [] if status == -number else [f"status {status}"]
        problems += [f"left behind: {path.name}" for path in bench.temporary.iterdir()]
        try:
            os.kill(int((bench.place / "pid").read_text()), 0)
            problems.append("the compiler is still running")
        except (ProcessLookupError, ValueError):
            pass
        bench.checks.check(f"signal {number.name}", problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cxx", type=Path, required=True)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    checks = Checks("ptog-cxx")
    with tempfile.TemporaryDirectory() as place:
        bench = Bench(checks, options.cxx.resolve(), Path(place))
        messages(bench)
        rewriting(bench)
        environment(bench)
        signals(bench)
        for compiler in ("g++",) if options.quick else ("g++", "clang++"):
            compiling(bench, compiler)
            dependencies(bench, compiler)
            device_macros(bench, compiler)
            if not options.quick:
                float8_on_cpu(bench, compiler)
                other_libraries(bench, compiler)
                linking(bench, compiler)
                library(bench, compiler)
    checks.finish()


main()
