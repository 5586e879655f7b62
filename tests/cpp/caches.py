"""dcci, dsb and PTOG_SUBBLOCKS: what a scatter of elements leaves in the data cache of S, and two cores of one block."""

from tools import HERE


def check(checks, cxx):
    program, said = cxx.compile(HERE / "field" / "cache.cpp", "cache", defines=["PTOG_TARGET=a2a3"])
    checks.check("caches: compiles", [] if program else said)
    if not program:
        return
    for how, noted in (("0", True), ("1", False), ("2", False), ("3", True)):
        status, found, said = cxx.report(program, how, tag=how)
        notes = [diag for diag in found if diag["id"] == "scalar-unflushed" and diag["severity"] == "note"]
        fix = [step["statement"] for diag in notes for step in diag["fix"]]
        wanted = ["dcci((__gm__ void *)0, ENTIRE_DATA_CACHE)", "dsb(DSB_DDR)"] if noted else []
        checks.check(f"caches: {how}", [] if status == 0 and fix == wanted and said.startswith("8 0\n") else f"{status} {found}\n{said}")
    for how, wanted, printed in (("1", {"gm-block-overlap"}, "8 0\n"), ("4", set(), "8 8\n")):
        status, found, said = cxx.report(program, how, tag=f"{how}s", PTOG_SUBBLOCKS="2")
        overlaps = {diag["id"] for diag in found if "get_subblockid()" in str(diag["fix"])}  # a note: both write the same bytes
        checks.check(f"caches: sub-blocks, {how}", [] if status == 0 and overlaps == wanted and said.startswith(printed) else f"{status} {found}\n{said}")
