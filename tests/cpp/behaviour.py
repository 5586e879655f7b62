"""What the headers add to the library: launches, global memory, the report of a process, events, placement."""

import json
import os
import subprocess

from tools import HERE, at_once, ids
from checks import limited, run

SOURCE = HERE / "behaviour_main.cpp"
MACHINES = ("a2a3", "a5")
ALL = ("host", *MACHINES)

# program, targets, the errors and warnings, exit status
PROGRAMS = [
    ("clean", ALL, [], 0),
    ("race", MACHINES, ["race-raw"], 1),
    ("race", ("host",), [], 0),
    ("race-then-7", MACHINES, ["race-raw"], 1),
    ("blocks", ALL, [], 0),
    ("blocks-overlap", MACHINES, ["gm-block-overlap"], 1),
    ("large 0", ("a5",), ["ub-budget"], 1),
    ("large 204800", ("a5",), [], 0),
    ("large 102400", ("a5",), ["ub-budget"], 1),
    ("large 240000", ("a5",), ["ub-budget"], 1),
    ("large-static 90112", ("a5",), [], 0),  # 128 KiB are static: 88 are left
    ("large-static 90144", ("a5",), ["ub-budget"], 1),
    ("direct", ("a5", "a5-custom"), ["no-simt-context"], 1),
    ("direct", ("host", "a2a3"), [], 0),
    ("direct-plain", ALL, [], 0),
    ("direct-1x1", ("a5",), [], 0),
    ("direct-1x1-dynamic", ("a5",), [], 0),
    ("off-boundary", ALL, [], 0),
    ("off-boundary stored", MACHINES, ["ub-misaligned-tile"], 1),
    ("direct-then-standard", ("a5",), ["no-simt-context"], 1),
    ("no-tassign", ALL, [], 0),
    ("placement", ALL, [], 0),
    ("events", ALL, [], 0),
    ("many-events", ALL, [], 0),
    ("too-few-events", MACHINES, ["race-raw"], 1),
    ("out-of-bounds", ALL, ["gm-out-of-bounds"], 1),
    ("out-of-view-bounds", ALL, ["gm-out-of-bounds"], 1),
    ("outside-view", ALL, ["gm-outside-view"], 1),
    ("freed", ALL, ["gm-out-of-bounds"], 1),
    ("seen-before", ALL, ["gm-out-of-bounds"], 1),
    ("unmapped", ALL, [], 0),
    ("thrown", ALL, [], 0),
    ("threads", MACHINES, ["race-raw"], 1),
    ("small-floats", ("host",), [], 0),
    ("accepted-types", ("host",), [], 0),
    ("elementwise", ALL, [], 0),
    ("broadcasts", ALL, [], 0),
    ("reductions", ALL, [], 0),
    ("no-address", ALL, ["bad-argument"], 1),
    ("known-sizes", ALL, [], 0),
    ("idle 3", ALL, [], 0),
    ("idle 4", ALL, ["launch-empty"], 1),
    ("blocks-of 0", ALL, ["launch-blocks"], 1),
    ("blocks-of -1", ALL, ["launch-blocks"], 1),
    ("blocks-of 4294967296", ALL, ["launch-blocks"], 1),
    ("wider-view", ("a2a3",), ["transfer-shape"], 0),
    ("wider-view", ("host", "a5"), [], 0),
    ("empty-tiles", ALL, [], 0),
    ("refused-once", ALL, ["tile-valid"], 1),
    ("followed-pointer", ("host", "cpu", "cpusim"), [], 0),
    ("read-only-tiles", ALL, [], 0),
    ("warm-up", ALL, [], 0),
    ("own-pads", ALL, [], 0),
    ("empty-part", ALL, [], 0),
    ("exact-remainder", ("host", "a5"), [], 0),
    ("rows-behind", ALL, [], 0),
]

# The same with AddressSanitizer, which knows where memory ends: program, the errors and warnings, exit status
SHORT = [
    ("clean", [], 0),
    ("known-sizes", [], 0),
    ("short-memory 512 0", [], 0),
    ("short-memory 511 0", ["gm-out-of-bounds"], 1),
    ("short-memory 100 0", ["gm-out-of-bounds"], 1),
    ("short-memory 600 100", ["gm-out-of-bounds"], 1),
    ("short-memory 100 100", ["gm-out-of-bounds"], 1),  # one past the end
]


def check_program(checks, cxx, program, words, target, expected, wanted):
    name, *arguments = words.split()
    status, found, text = cxx.report(program, name, *arguments, tag=f".{name}.{target}", PTOG_TARGET=target)
    problems = [] if (ids(found), status) == (expected, wanted) else \
        [f"expected {expected}, {wanted}; found {ids(found)}, {status}\n{text}"]
    checks.check(f"{program.name} {words} on {target}", problems)


def line_of(text, source=SOURCE):
    return next(i for i, line in enumerate(source.read_text().split("\n"), 1) if text in line)


def check_report(checks, cxx, program):
    """On standard error by default, in the kernel's own words; in a file of the kind its name says."""
    def go(*words, **env):
        return run([program, *words], env={"PTOG_TARGET": "a2a3", **env})

    done = go("race")
    wanted = [f"behaviour_main.cpp:{line_of('// the gather')}: error: race", "[race-raw]", "set_flag(PIPE_MTE2, PIPE_V, EVENT_ID",
              "wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID"]
    checks.check("a report on standard error", [f"no {part!r} in\n{done.stderr}" for part in wanted if part not in done.stderr] +
                 ([] if done.returncode == 1 and not done.stdout else [f"{done.returncode} {done.stdout}"]))
    done = go("too-few-events")
    wanted = f"behaviour_main.cpp:{line_of('// six events')}: error: race"
    checks.check("the line of an instruction with six events", [] if wanted in done.stderr else done.stderr)
    done = go("known-sizes")
    checks.check("nothing to say", [] if (done.returncode, done.stdout + done.stderr) == (0, "") else done.stderr)
    check_launches(checks, program, go)
    for ending, test in ((".json", lambda t: json.loads(t)["target"] == "a2a3"), (".txt", lambda t: "[race-raw]" in t),
                         (".sarif", lambda t: json.loads(t)["version"] == "2.1.0"),
                         (".html", lambda t: "race: mgather" in t and "<h2>Timeline" in t and "MGATHER" in t)):
        place = cxx.work / f"report{ending}"
        done = go("race", PTOG_REPORT=str(place))
        text = place.read_text() if place.exists() else ""
        checks.check(f"a report in a file, {ending}", [] if text and test(text) and not done.stderr and done.returncode == 1 else
                     f"{done.returncode} {done.stderr}\n{text}")
    done = go("race", PTOG_SANITIZE="0")
    checks.check("PTOG_SANITIZE=0", [] if done.returncode == 0 and not done.stderr else done.stderr)
    done = go("race", PTOG_SANITIZE="abort")
    checks.check("PTOG_SANITIZE=abort", [] if done.returncode == -6 and "[race-raw]" in done.stderr else
                 f"{done.returncode} {done.stderr}")
    done = run(limited(30, [program, "many"]), env={"PTOG_TARGET": "a2a3", "PTOG_SANITIZE": "abort"})
    checks.check("PTOG_SANITIZE=abort, many launches", [] if done.returncode == 0 else f"{done.returncode} {done.stderr}")
    for name, wanted in (("no-shape", "TLOAD: the GlobalTensor has shape 1x1x1x-1x32 and strides 1x1x1x32x1"),
                         ("no-extents", "TLOAD: the valid region is -3x32 in a tile of 16x32")):
        done = go(name)
        checks.check(name, [] if done.returncode == 1 and wanted in done.stderr and done.stderr.count("error:") == 1 else
                     f"{done.returncode} {done.stderr}")
    done = go("followed-pointer", PTOG_TARGET="a5")
    checks.check("a pointer to a tile on a machine", [] if done.returncode == 1 and "use GetValue and SetValue" in done.stderr
                 else f"{done.returncode} {done.stderr}")
    place = cxx.work / "nothing.txt"
    done = go("nothing", PTOG_REPORT=str(place))
    checks.check("a report of a process without kernels", [] if done.returncode == 0 and place.exists() else done.stderr)
    done = go("no-address", PTOG_SANITIZE="abort")
    checks.check("PTOG_SANITIZE=abort, an operand without address",
                 [] if done.returncode == -6 and done.stderr.count("error:") == 1 else f"{done.returncode} {done.stderr}")
    place = cxx.work / "trace.json"
    done = go("clean", PTOG_TRACE=str(place))
    names = {e["name"] for e in json.loads(place.read_text())["traceEvents"]} if place.exists() else set()
    checks.check("PTOG_TRACE", [] if done.returncode == 0 and {"tload", "mgather", "tstore"} <= names else f"{done.stderr} {names}")
    drops = line_of("set_flag(PIPE_MTE2"), line_of("wait_flag(PIPE_MTE2")
    done = go("clean", PTOG_DROP_FLAGS="{},{}".format(*drops))
    checks.check("PTOG_DROP_FLAGS", [] if done.returncode == 1 and "[race-raw]" in done.stderr else done.stderr)
    for program_name in ("clean", "blocks"):  # a call, and a launch
        found = {way: go(program_name, PTOG_TARGET="a5", PTOG_LAUNCH=way) for way in ("direct", "standard")}
        checks.check(f"PTOG_LAUNCH, {program_name}", [f"{way}: {done.returncode} {done.stderr}" for way, done in found.items()
                     if (done.returncode != 0, "[no-simt-context]" in done.stderr) != (way == "direct",) * 2])
    reports = {go("race", PTOG_SCHEDULE=s).stderr for s in ("cost", "fast", "slow", "random:1", "random:7")}
    checks.check("one report for all schedules", [] if len(reports) == 1 and "[race-raw]" in reports.pop() else str(reports))


def check_launches(checks, program, go):
    """What was not checked, or not done, is said."""
    for name, wanted in (("clean", "3 pointers have unknown sizes: accesses past their ends are not checked"),
                         ("direct-plain", "2 pointers have unknown sizes"), ("blocks", "2 pointers have unknown sizes"),
                         ("direct-1x1", "1 pointer has an unknown size: accesses past its end are not checked")):
        done = go(name)
        right = done.returncode == 0 and wanted in done.stderr and done.stderr.count("\n") == 1 and "[gm-unknown-size]" in done.stderr
        checks.check(f"unknown sizes, {name}", [] if right else done.stderr)
    for name, target, launch, notes in (("called-twice", "a5", "standard", 1), ("called-twice", "a5-custom", "standard", 1),
                                        ("called-twice", "a2a3", "standard", 0), ("called-twice", "host", "standard", 0),
                                        ("called-twice", "a5", "direct", 0), ("blocks", "a5", "standard", 0),
                                        ("direct-1x1", "a5", "standard", 0)):
        said = go(name, PTOG_TARGET=target, PTOG_LAUNCH=launch).stderr
        right = said.count("[simt-called]") == notes and ("[no-simt-context]" in said) == (launch == "direct")
        checks.check(f"a kernel that is called, {name} on {target}, {launch}", [] if right else said)
    done = go("race")
    checks.check("unknown sizes, in a report", [] if "note: 3 pointers have unknown sizes" in done.stderr else done.stderr)
    for name, wanted in (("idle", "// the idle launch"), ("blocks-of", "// the launch without blocks")):
        done = go(name, {"idle": "4", "blocks-of": "0"}[name])
        place = f"launches.hpp:{line_of(wanted, HERE / 'launches.hpp')}: error: "
        checks.check(f"the line of a launch, {name}", [] if place in done.stderr else done.stderr)
    done = go("idle", "4", PTOG_ALLOW_EMPTY="1")
    checks.check("PTOG_ALLOW_EMPTY", [] if done.returncode == 0 and "launch-empty" not in done.stderr else done.stderr)


def check_allocations(checks, cxx):
    """The size of what acl/acl.h gives is known, on the device and on the host."""
    source = cxx.work / "allocations.cpp"
    source.write_text("""#include <acl/acl.h>
#include <pto/pto-inst.hpp>
using namespace pto;
int main(int, char **argv) {
    void *memory = nullptr;
    aclrtSetDevice(0);
    bool host = argv[1][0] == 'h';
    if (host ? aclrtMallocHost(&memory, 96) : aclrtMalloc(&memory, 96, ACL_MEM_MALLOC_NORMAL_ONLY))
        return 3;
    ptog::fn([](float *at) {
        Tile<TileType::Vec, float, 1, 32> tile;
        GlobalTensor<float, Shape<1, 1, 1, 1, 32>, Stride<32, 32, 32, 32, 1>> view(at);
        TLOAD(tile, view);
    }).on(1)(static_cast<float *>(memory));
    return host ? aclrtFreeHost(memory) : aclrtFree(memory);
}
""")
    program, said = cxx.compile(source, "allocations")
    checks.check("allocations compile without a word", [said] if said or not program else [])
    for kind in ("host", "device") if program else ():
        check_program(checks, cxx, program, kind, "a2a3", ["gm-out-of-bounds"], 1)


def check_redzones(checks, cxx):
    """Memory that nobody registered ends where AddressSanitizer says: reported, and never touched."""
    for compiler in ("g++", "clang++"):
        program, said = cxx.compile(SOURCE, f"behaviour-asan-{compiler}", compiler, flags=["-fsanitize=address", "-g"])
        checks.check(f"{compiler} -fsanitize=address compiles without a word", [said] if said or not program else [])
        for words, expected, status in SHORT if program else ():
            for target in ("host", "a2a3"):
                check_program(checks, cxx, program, words, target, expected, status)
        done = run([program, "clean"], env={"PTOG_TARGET": "a2a3"}) if program else None
        checks.check(f"{compiler} -fsanitize=address knows all sizes", [] if done and not done.stderr else str(done))


def check_special_files(checks, cxx, program):
    """A pipe or a device stays what it is, and so does a link: they are written to, not replaced."""
    for variable, wanted in (("PTOG_REPORT", "[race-raw]"), ("PTOG_TRACE", "traceEvents")):
        pipe, link, real = (cxx.work / f"{variable}.{kind}" for kind in ("pipe", "link", "real"))
        os.mkfifo(pipe)
        reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True)
        run([program, "race"], env={"PTOG_TARGET": "a2a3", variable: str(pipe)})
        if not pipe.is_fifo():
            reader.kill()
        text = reader.communicate()[0]
        checks.check(f"{variable} in a pipe", [] if pipe.is_fifo() and wanted in text else f"{pipe.stat()} {text}")
        real.write_text("old")
        link.symlink_to(real)
        run([program, "race"], env={"PTOG_TARGET": "a2a3", variable: str(link)})
        checks.check(f"{variable} through a link", [] if link.is_symlink() and wanted in real.read_text() else real.read_text())


def check_refusals(checks, program):
    """Settings that make no sense: a message, and exit status 2."""
    for name, value, wanted in (("PTOG_TARGET", "a9", "expected host, cpu, cpusim, a2a3, a5 or a5-custom"),
                                ("PTOG_SANITIZE", "2", "expected 0, 1 or abort"),
                                ("PTOG_SCHEDULE", "late", "expected cost, fast, slow or random:SEED"),
                                ("PTOG_SCHEDULE", "random:x", "expected cost, fast, slow or random:SEED"),
                                ("PTOG_SCHEDULE", "random:-1", "expected cost, fast, slow or random:SEED"),
                                ("PTOG_SCHEDULE", "random:99999999999999999999", "expected cost, fast, slow or random:SEED"),
                                ("PTOG_LAUNCH", "indirect", "expected standard or direct"),
                                ("PTOG_ALLOW_EMPTY", "yes", "expected 0 or 1"),
                                ("PTO_CPU_MAX_THREADS", "0", "expected a number from 1 to 4096"),
                                ("PTO_CPU_MAX_THREADS", "2u", "expected a number from 1 to 4096"),
                                ("PTOG_DROP_FLAGS", "12 13", "expected numbers of lines"),
                                ("PTOG_DROP_FLAGS", "12,", "expected numbers of lines"),
                                ("PTOG_TRACE", "/nowhere/trace.json", "cannot write it"),
                                ("PTOG_REPORT", "/nowhere/report.json", "cannot write it")):
        done = run([program, "clean"], env={name: value})
        checks.check(f"{name}={value}", [] if done.returncode == 2 and wanted in done.stderr and name in done.stderr else
                     f"{done.returncode} {done.stderr}")


def check(checks, cxx):
    jobs = [("g++", [], "behaviour"), ("clang++", [], "behaviour-clang"), ("g++", ["__PTO_AUTO__"], "behaviour-auto")]
    compiled = at_once(lambda job: cxx.compile(SOURCE, job[2], job[0], defines=job[1]), jobs)
    for (_, _, name), (program, said) in zip(jobs, compiled):
        checks.check(f"{name} compiles without a word", [said] if said or not program else [])
    for program, said in compiled[:2]:
        for words, targets, expected, status in PROGRAMS if program else ():
            for target in targets:
                check_program(checks, cxx, program, words, target, expected, status)
    if compiled[0][0]:
        check_report(checks, cxx, compiled[0][0])
        check_special_files(checks, cxx, compiled[0][0])
        check_refusals(checks, compiled[0][0])
    if compiled[2][0]:  # where flags are inserted, a missing one is not missed
        for target in MACHINES:
            check_program(checks, cxx, compiled[2][0], "race", target, [], 0)
    check_allocations(checks, cxx)
    check_redzones(checks, cxx)
    check_targets(checks, cxx)
    check_standard(checks, cxx)


def check_standard(checks, cxx):
    """An older standard, the default of some compilers: the first message says what to do."""
    source = cxx.work / "old.cpp"
    for header in ("pto/pto-inst.hpp", "acl/acl.h"):
        source.write_text(f"#include <{header}>\n")
        said = cxx.compile(source, "old", "clang++", "c++14", link=False)[1]
        first = next((line for line in said.split("\n") if "error:" in line or "warning:" in line), "")
        checks.check(f"{header} in C++14", [] if "C++17" in first and "-std=c++17" in first else said)


def check_targets(checks, cxx):
    """The target compiled for, by its own name or the macro of another tool chain."""
    source = cxx.work / "target.cpp"
    source.write_text('#include HEADER\n#include <pto/pto-inst.hpp>\n#include <cstdio>\n'
                      'int main() { std::puts(ptog::process_settings().target->name); }\n')
    inst = "<pto/pto-inst.hpp>"
    wanted = [([f"HEADER={inst}"], "host"), ([f"HEADER={inst}", "PTOG_TARGET=a5-custom"], "a5-custom"),
              ([f"HEADER={inst}", "__CPU_SIM"], "cpusim"), ([f"HEADER={inst}", "PTO_NPU_ARCH_A2A3"], "a2a3"),
              (["HEADER=<pto/npu/a5/custom/MGather.hpp>"], "a5-custom"),
              (["HEADER=<pto/cpu/MGatherScatter.hpp>", "PTO_NPU_ARCH_A5"], "a5")]
    built = at_once(lambda i: cxx.compile(source, f"target{i}", defines=wanted[i][0]), range(len(wanted)))
    for (defines, target), (program, said) in zip(wanted, built):
        name = run([program]).stdout.strip() if program else said
        other = run([program], env={"PTOG_TARGET": "a2a3"}).stdout.strip() if program else said
        checks.check(f"{defines} is {target}", [] if (name, other) == (target, "a2a3") else f"{name}, {other}")
