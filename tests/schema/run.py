"""What ptog prints for programs: JSON as docs/reference/schema/*.json says, SARIF with a rule for every result, XML that can be read.

usage: run.py --ptog BUILD/ptog [--quick]

The programs are those of tests/pto, run as their RUN lines say. The schemas are asked through python3-jsonschema when that is
installed; members that no schema describes are an error here, though not for readers.
"""

import argparse
import copy
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "pto")]
import data  # noqa: E402
from checks import ROOT, Checks, run  # noqa: E402
from directives import read  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

PTO = HERE.parent / "pto"
LEVELS = {"error", "warning", "note"}
FINGERPRINT = re.compile(r"[0-9a-f]{16}:[1-9][0-9]*")
COMMAND = re.compile(r"(::(error|warning|notice) file=[^:,]*(,(line|col|endColumn)=\d+)*,title=[\w-]+::\S|ptog )")
SPECIAL = re.compile(r"[|<>;&]|--stats|--format|--trace|--print-placement|--apply-fix")


def strict(schema):
    """The same schema without room for members that it does not describe."""
    if isinstance(schema, dict):
        closed = {"additionalProperties": False} if "properties" in schema and schema.get("type") == "object" else {}
        return {**{key: strict(value) for key, value in schema.items()}, **closed}
    return [strict(item) for item in schema] if isinstance(schema, list) else copy.copy(schema)


MISMATCHED = """func.func @f(%a: !pto.partition_tensor_view<8x8xf32>, %b: !pto.partition_tensor_view<8x8xf32>) {
  %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  pto.tload ins(%a : !pto.partition_tensor_view<8x8xf32>) outs(%t : !pto.tile_buf<vec, 8x16xf32>)
  pto.tload ins(%b : !pto.partition_tensor_view<8x8xf32>) outs(%t : !pto.tile_buf<vec, 8x16xf32>)
  pto.tload ins(%b : !pto.partition_tensor_view<8x8xf32>) outs(%t : !pto.tile_buf<vec, 8x16xf32>)
  return
}
"""


def print_of(result):
    return result.get("partialFingerprints", {}).get("ptogFinding/v1", "")


def result_problems(result):
    """What is wrong with the fields of a SARIF result."""
    found = [] if result.get("level") in LEVELS and result.get("message", {}).get("text") else ["no level or message"]
    found += [] if FINGERPRINT.fullmatch(print_of(result)) else [f"fingerprint {print_of(result)!r}"]
    for place in [*result["locations"], *(one for one in result.get("relatedLocations", []) if "physicalLocation" in one)]:
        at = place["physicalLocation"]
        region = at["region"]
        sound = region["startLine"] >= 1 and region["startColumn"] >= 1 and region["endColumn"] >= region["startColumn"]
        found += [] if at["artifactLocation"]["uri"] and sound else [f"place {at}"]
    return [f"{result.get('ruleId')}: {problem}" for problem in found]


class Reports:
    def __init__(self, ptog, checks):
        self.ptog, self.checks = ptog, checks
        self.schemas = {path.stem: json.loads(path.read_text()) for path in (ROOT / "docs" / "reference" / "schema").glob("*.json")}
        self.env = {**os.environ, "PTOG_RULES_URI": "https://example.org/rules"}
        self.pages = self.rule_pages()

    def says(self, *words):
        return run([self.ptog, *words], cwd=PTO, env=self.env).stdout

    def parsed(self, name, read, *words):
        """What `read` makes of the output; None, and a failed check, when that is nothing it can read."""
        text = self.says(*words)
        try:
            return read(text)
        except (ValueError, xml.etree.ElementTree.ParseError) as error:
            self.checks.check(name, f"{error}: {text[:400]!r}")
            return None

    def json(self, name, schema, *words):
        report, problems = self.parsed(f"{name}: JSON", json.loads, *words, "--format", "json"), []
        if report is None:
            return
        if jsonschema:
            checker = jsonschema.Draft7Validator(strict(self.schemas[schema]))
            problems = [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:300]}" for e in checker.iter_errors(report)]
        self.checks.check(f"{name}: JSON", problems)

    def sarif(self, name, *words):
        log = self.parsed(f"{name}: SARIF", json.loads, *words, "--format", "sarif")
        if log is None:
            return
        head = [] if (log.get("version"), log.get("$schema", "")[-16:]) == ("2.1.0", "sarif-2.1.0.json") else [f"{list(log)}"]
        log = log["runs"][0]
        rules = {rule["id"]: rule for rule in log["tool"]["driver"]["rules"]}
        problems = head + [f"no rule for {result['ruleId']}" for result in log["results"] if result["ruleId"] not in rules]
        problems += [problem for result in log["results"] for problem in result_problems(result)]
        prints = [print_of(result) for result in log["results"]]
        problems += [f"{one} is the fingerprint of two results" for one in set(prints) if prints.count(one) > 1]
        problems += [f"{rule}: helpUri leads to no page" for rule, row in rules.items()
                     if row.get("helpUri") not in self.pages]
        self.checks.check(f"{name}: SARIF", problems)

    def fingerprints(self, place):
        """A finding is known again when lines above it are added and its line is indented, and not when the line changes."""
        program, path = MISMATCHED, Path(place) / "moved.pto"

        def prints(text):
            path.write_text(text)
            log = json.loads(self.says("check", path, "--target", "a2a3", "--format", "sarif"))
            return [print_of(result) for result in log["runs"][0]["results"]]

        first = prints(program)
        moved = prints("// one\n// more\n" + program.replace("\n  ", "\n      "))
        other = prints(program.replace("8x16xf32", "8x24xf32"))
        self.checks.check("SARIF: fingerprints stay when lines move", [] if first and all(first) and first == moved else f"{first} {moved}")
        self.checks.check("SARIF: fingerprints follow the line", [] if other and first != other else f"{first} {other}")
        located = [prints(program.replace("8x16xf32>)", f'8x16xf32>) loc("a.py":{line}:1)')) for line in (5, 6)]
        self.checks.check("SARIF: fingerprints do not follow loc(...)", [] if located[0] == located[1] == first else f"{located}")

    def located(self, place):
        """Findings at the author's own line have the members that the schemas describe."""
        path = Path(place) / "located.pto"
        path.write_text('#a = loc("b.py":3:1)\n' + MISMATCHED.replace("8x16xf32>)", '8x16xf32>) loc(callsite("a.py":5:1 at #a))'))
        self.json("located", "report", "check", path, "--target", "a2a3")
        self.sarif("located", "check", path, "--target", "a2a3")
        race = ROOT / "tests" / "cli" / "files" / "located.pto.txt"
        self.json("located race", "report", "run", race, "--target", "a2a3")
        self.sarif("located race", "run", race, "--target", "a2a3")
        self.json("located, compared", "compare", "compare", race)

    def addresses(self, place):
        """helpUri is the same on every machine, unless PTOG_RULES_URI says where the pages are."""
        path = Path(place) / "address.pto"
        path.write_text(MISMATCHED)
        for uri, wanted in ((None, "docs/reference/rules/ID.md"), ("https://example.org/x", "https://example.org/x/ID.html"), ("", None),
                            ("https://example.org/x/", "https://example.org/x/ID.html"), ("x:{id}?y", "x:ID?y"), ("x" * 1024, None)):
            env = {key: value for key, value in os.environ.items() if key != "PTOG_RULES_URI"}
            env.update({} if uri is None else {"PTOG_RULES_URI": uri})
            text = subprocess.run([self.ptog, "check", path, "--target", "a2a3", "--format", "sarif"], env=env, text=True,
                                  stdout=subprocess.PIPE, check=False).stdout
            rules = json.loads(text)["runs"][0]["tool"]["driver"]["rules"]
            good = rules and all(rule.get("helpUri") == (wanted and wanted.replace("ID", rule["id"])) for rule in rules)
            self.checks.check(f"SARIF: helpUri with PTOG_RULES_URI={str(uri)[:30]}", [] if good else text)

    def github(self, *words):
        """Where both streams are one, as in the log of a workflow, every command still has a line of its own."""
        done = subprocess.run([self.ptog, *words, "--format", "github"], cwd=PTO, env=self.env, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        lines = done.stdout.splitlines()
        problems = [f"not a command, nor a line of its own: {line[:200]!r}" for line in lines if not COMMAND.match(line)]
        few = [] if len(done.stdout) > 5000 and any(line.startswith("ptog ") for line in lines) else ["too little is said to show it"]
        self.checks.check(f"GitHub: {' '.join(words)}", problems[:3] + few)

    def rule_pages(self):
        """The addresses that helpUri may have: `ptog explain --markdown` lists a page for the id, and prints it."""
        known = re.findall(r"^- \[([a-z0-9-]+)\]\(\1\.md\)", self.says("explain", "--markdown"), re.MULTILINE)
        twice = sorted({rule for rule in known if known.count(rule) > 2})
        self.checks.check("rules: listed once in each table", twice if known else "no rule is listed")
        return {f"https://example.org/rules/{rule}.html" for rule in set(known)
                if self.says("explain", "--markdown", rule).startswith(f"# {rule}\n")}

    def junit(self, name, *words):
        suites = self.parsed(f"{name}: JUnit", xml.etree.ElementTree.fromstring, *words, "--format", "junit")
        if suites is None:
            return
        suite = suites[0]
        cases = suite.findall("testcase")
        failures = sum(case.find("failure") is not None for case in cases)
        counted = (int(suite.get("tests")), int(suite.get("failures")))
        self.checks.check(f"{name}: JUnit", [] if counted == (len(cases), failures) and cases else f"{counted}")


def runs(place, step):
    """(name, words, whether it succeeds) for each run of tests/pto that says nothing else on standard output."""
    for number, path in enumerate(sorted(PTO.rglob("*.pto"))[::step]):
        test = read(path.read_text(encoding="utf-8", errors="surrogateescape"))
        prefix = os.path.join(place, f"{number}")
        for name, words in test.data:
            data.save(f"{prefix}.{name}" + ("" if name.endswith(".bin") else ".npy"), data.make(words))
        for one in test.runs:
            if one.command.startswith("ptog run %s") and not SPECIAL.search(one.command) and one.status != 2:
                words = one.command.replace("%s", str(path.relative_to(PTO))).replace("%t", prefix).split()[1:]
                yield f"{path.name}: {one.command}", words, one.status == 0


def compared(words):
    """The command line with which `ptog compare` does what a run does."""
    found = ["compare", words[1]]
    for option, value in zip(words[2:], words[3:]):  # an option without a value is none of these
        if option in ("--in", "--set", "--func", "--blocks", "--max-steps"):
            found += [option, value]
        elif option == "--inout":
            found += ["--in", value.split(":")[0]]
        elif option == "--out" and re.search(r"=[\dx]+:", value):
            found += ["--out", value.split(":")[0]]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    checks = Checks("reports")
    reports = Reports(arguments.ptog.resolve(), checks)
    if jsonschema:
        for name, schema in reports.schemas.items():
            jsonschema.Draft7Validator.check_schema(schema)
    checks.check("there are schemas", [] if {"report", "compare", "gather"} <= set(reports.schemas) else str(list(reports.schemas)))
    with tempfile.TemporaryDirectory() as place:
        for number, (name, words, succeeds) in enumerate(runs(place, 10 if arguments.quick else 1)):
            reports.json(name, "report", *words)
            reports.sarif(name, *words)
            if number % 4 == 0:
                reports.junit(name, *words)
                reports.json(f"{name}, --stats", "report", *words, "--stats")
            if number % 4 == 0 and succeeds:
                reports.json(f"{name}, compared", "compare", *compared(words))
        reports.fingerprints(place)
        reports.located(place)
        reports.addresses(place)
    with tempfile.TemporaryDirectory() as place:
        table = f"{ROOT / 'examples' / 'data' / 'model.safetensors'}#embed.weight"
        for mode in ("row", "elem"):
            words = ["gather", "--table", table, "--index", "1,2", "--mode", mode, "-o", os.path.join(place, "o.npy")]
            reports.json(f"gather --mode {mode}", "gather", *words)
    reports.github("check", ".")
    for words in (["check", "."], ["check", ".", "--target", "all"], ["check", "gone.pto"], ["run", "gone.pto"]):
        reports.json(" ".join(words), "report", *words)
        reports.sarif(" ".join(words), *words)
        reports.junit(" ".join(words), *words)
    checks.finish()


main()
