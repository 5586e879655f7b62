"""Static assertions: every line of static_main.cpp that says so is refused, for that target, by both compilers, with
the id of the rule; every other line compiles."""

import re

from tools import COMPILERS, HERE, at_once

SOURCE = HERE / "static_main.cpp"
TARGETS = ("host", "cpu", "a2a3", "a5", "a5-custom", "cpusim")
PLACE = re.compile(r"static_main\.cpp:(\d+):\d+:(?:.*required from here|.*requested here|\s+required from)")
ASSERTION = re.compile(r"error: .*static[_ ]assert.*\[([a-z0-9]+-[a-z0-9-]+)\]")


def wanted(target):
    """line -> id"""
    lines, inside, other = {}, None, target == "a5-custom"
    for number, line in enumerate(SOURCE.read_text().split("\n"), 1):
        if line.startswith("#ifdef"):
            inside = True
        elif line.startswith("#else"):
            inside = False
        elif line.startswith("#endif"):
            inside = None
        if "///" not in line or inside is not None and inside != other:
            continue
        for targets, rule in re.findall(r"([a-z0-9 -]+): ([a-z0-9-]+)", line.split("///")[1]):
            if target in targets.split():
                lines[number] = rule
    return lines


def refusals(said, trail_first):
    """(line, id) of every assertion. The line is the outermost of the trail of instantiations, which g++ gives before
    the error and clang++ after it."""
    found, line, rules = set(), None, []
    for text in said.split("\n"):
        place, rule = PLACE.search(text), ASSERTION.search(text)
        if "error:" in text and not trail_first:
            found |= {(line, rule) for rule in rules}
            rules = []
        if place:
            line = int(place[1])
        if rule:
            rules.append(rule[1])
        if trail_first:
            found |= {(line, rule) for rule in rules}
            rules = []
    return found | {(line, rule) for rule in rules}


def check(checks, cxx):
    for compiler, standard in COMPILERS:  # what the documents declare
        _, said = cxx.compile(HERE / "declared.cpp", "declared", compiler, standard, link=False)
        checks.check(f"declared, {compiler} {standard}", [said] if said else [])
    jobs = [(compiler, target) for compiler in dict.fromkeys(name for name, _ in COMPILERS) for target in TARGETS]

    def compile_one(job):
        compiler, target = job
        defines = [f"PTOG_TARGET={target}"] + ["ON_CUSTOM"] * (target == "a5-custom")
        return cxx.compile(SOURCE, "", compiler, "c++17", defines, link=False)[1]

    for (compiler, target), said in zip(jobs, at_once(compile_one, jobs)):
        found, expected = refusals(said, compiler == "g++"), wanted(target)
        missing = [f"line {line}: no [{rule}]" for line, rule in expected.items() if (line, rule) not in found]
        extra = [f"line {line}: [{rule}]" for line, rule in sorted(found, key=str) if line not in expected]
        errors = [line for line in said.split("\n") if re.search(r"\berror:", line) and not ASSERTION.search(line)]
        checks.check(f"{compiler}, {target}: {len(expected)} refusals", missing + extra + errors)
        if target in ("a2a3", "a5"):
            checks.check(f"{compiler}, {target}: the fix is named", [] if "add Coalesce::Elem" in said else said)
