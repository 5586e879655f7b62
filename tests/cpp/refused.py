"""Calls that cannot be compiled, in a kernel that is launched: one error, with our sentence; g++ says it at the line of the call, in at
most six lines."""

from tools import COMPILERS

SOURCE = """#include <pto/pto-inst.hpp>
using namespace pto;
template <typename T> __global__ AICORE void kernel(__gm__ T *table)
{
    Tile<TileType::Vec, T, 16, 64> dst;
    Tile<TileType::Vec, int32_t, 1, 16> idx;
    GlobalTensor<T, Shape<1, 1, 1, 100, 64>, Stride<1, 1, 1, 64, 1>> rows(table);
    CALL;
}
int main(int, char **)
{
    static float table[6400];
    ptog::fn([](auto... a) { kernel<float>(a...); }).on(1)(table);
}
"""
LINE = 8  # of CALL
MOST = 6
CALLS = [
    ("MGATHER<Coalesce::Row, 7>(dst, rows, idx)", "the second template argument of MGATHER must be a policy"),
    ("MGATHER<GatherOOB::Clamp, Coalesce::Row>(dst, rows, idx)", "the mode of MGATHER comes before its policy"),
    ("MGATHER<7>(dst, rows, idx)", "the first template argument of MGATHER must be a mode"),
    ("MGATHER<float>(dst, rows, idx)", "the first template argument of MGATHER must be a mode, a policy or the type of dst"),
    ("TRANDOM<Coalesce::Row, 1>(dst, idx)", "not supported: TRANDOM is not simulated by ptogather"),
    ("TRANDOM(dst, idx, dst)", "not supported: TRANDOM is not simulated by ptogather"),
]


def check(checks, cxx):
    source = cxx.work / "refused.cpp"
    for compiler in dict.fromkeys(name for name, _ in COMPILERS):
        for call, text in CALLS:
            source.write_text(SOURCE.replace("CALL", call))
            program, said = cxx.compile(source, "refused", compiler, flags=["-O0"])
            lines = said.splitlines()
            errors = [line for line in lines if "error:" in line]
            good = program is None and len(errors) == 1 and text in errors[0]
            if compiler == "g++":
                good = good and f":{LINE}:" in errors[0] and len(lines) <= MOST
            checks.check(f"{compiler}: {call}", [] if good else said or "it compiles")
