"""The files that other tools read: the workflow and the action of GitHub, pre-commit hooks, CMake presets, the Dockerfile.

usage: run.py --build DIR     a build of this project

Their structure is checked, every name that they take from this project exists, and the scripts in them are run here where they need no
network. actionlint looks at the workflow, too, where it is installed. Without PyYAML the YAML files are not checked, and that is said.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks, run  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None

WORKFLOW, ACTION, HOOKS = ROOT / ".github" / "workflows" / "ci.yml", ROOT / "action.yml", ROOT / ".pre-commit-hooks.yaml"
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
NOT_YET = ("arm", "macos")  # runners on which the project has not been built before


def make_targets():
    rules = re.findall(r"^([a-z][\w -]*):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    return {name for names in rules for name in names.split()}


def cmake_options():
    text = (ROOT / "CMakeLists.txt").read_text()
    return set(re.findall(r"^option\((\w+)", text, re.MULTILINE)) | {"CMAKE_BUILD_TYPE", "CMAKE_C_COMPILER", "CMAKE_C_FLAGS_DEBUG"}


def presets(kind):
    return {preset["name"]: preset for preset in json.loads((ROOT / "CMakePresets.json").read_text())[kind]}


def script_problems(script, where):
    """The shell reads it, and the make targets, presets, options and files of this project that it names exist."""
    done = run(["bash", "-n", "-c", EXPRESSION.sub("word", script)])
    found = [f"{where}: {done.stderr}"] if done.returncode else []
    found += [f"{where}: there is no 'make {name}'" for name in re.findall(r"^make ([a-z][\w-]*)$", script, re.MULTILINE)
              if name not in make_targets()]
    found += [f"{where}: no option {name}" for name in re.findall(r"-D(\w+)=", script) if name not in cmake_options()]
    found += [f"{where}: no file {name}" for name in re.findall(r"(?<![\w./])(?:examples|cmake|tests)/[\w./]+", script)
              if not (ROOT / name).exists()]
    for kind, word in (("configurePresets", "cmake --preset"), ("buildPresets", "--build --preset"), ("testPresets", "ctest --preset")):
        found += [f"{where}: no preset '{name}' for {word}" for name in re.findall(rf"{word} ([\w-]+)", script) if name not in presets(kind)]
    return found


def steps_problems(steps, where):
    found = []
    for number, step in enumerate(steps, 1):
        place = f"{where}, step {number}"
        if ("uses" in step) == ("run" in step):
            found.append(f"{place}: it has to have one of 'uses' and 'run'")
        unknown = set(step) - {"name", "uses", "run", "with", "env", "shell", "if", "id"}
        found += [f"{place}: unknown key {key}" for key in unknown]
        uses = step.get("uses", "./")
        if not uses.startswith("./") and not re.fullmatch(r"[\w-]+/[\w.-]+@v\d+", uses):
            found.append(f"{place}: {uses} has no version")
        found += script_problems(step.get("run", ""), place)
    return found


def expand(job):
    """The job's text for every row of its matrix."""
    matrix, text = job.get("strategy", {}).get("matrix", {}), json.dumps(job)
    rows = [text]
    for name, values in matrix.items():
        rows = [re.sub(rf"\$\{{\{{\s*matrix\.{name}\s*\}}\}}", value, row) for row in rows for value in values]
    return [json.loads(row) for row in rows]


def job_problems(name, job):
    found = [f"{name}: unknown key {key}" for key in
             set(job) - {"name", "runs-on", "container", "strategy", "steps", "continue-on-error"}]
    for row in expand(job):
        found += [f"{name}: no value for {left}" for left in EXPRESSION.findall(json.dumps(row))]
        found += steps_problems(row["steps"], f"{name} ({row['name']})")
        new = any(word in row["runs-on"] for word in NOT_YET)
        if new != bool(row.get("continue-on-error")):
            found.append(f"{name}: {row['runs-on']} {'may fail, and' if new else 'has passed, and'} continue-on-error says otherwise")
        for step in row["steps"]:
            if step.get("uses") == "./":
                found += [f"{name}: action.yml has no input {key}" for key in step.get("with", {})
                          if key not in yaml.safe_load(ACTION.read_text())["inputs"]]
    return found


def workflow_problems():
    flow = yaml.safe_load(WORKFLOW.read_text())
    flow["on"] = flow.pop(True, None)  # what YAML 1.1 makes of the word
    wanted = {"name", "on", "permissions", "concurrency", "jobs"}
    found = [f"the keys are {sorted(flow)}"] if set(flow) != wanted else []
    text = json.dumps([row for job in flow["jobs"].values() for row in expand(job)])
    found += [f"nothing is tested with {word}" for word in ("gcc", "clang", "asan", "tsan", "debian:", "ubuntu:", "arm", "macos")
              if word not in text]
    return found + [problem for name, job in flow["jobs"].items() for problem in job_problems(name, job)]


# ---- action.yml: its steps are run, with a cmake that only writes down how it was called


def action_problems(action):
    used = set(re.findall(r"inputs\.(\w+)", json.dumps(action["runs"])))
    found = [f"input {name} is declared or used, not both" for name in used ^ set(action["inputs"])]
    found += [f"{name} has no description" for name, value in action["inputs"].items() if not value.get("description")]
    for step in action["runs"]["steps"]:
        found += [f"a step has no shell: {step['name']}"] if step.get("shell") != "bash" else []
        found += ["a script contains an expression, and inputs could write shell"] if EXPRESSION.search(step["run"]) else []
    return found + steps_problems(action["runs"]["steps"], "action.yml")


def perform(step, action, work, path, **inputs):
    """Runs a step as GitHub does: bash -e, expressions replaced in env only."""
    values = {f"inputs.{name}": value["default"] for name, value in action["inputs"].items()}
    values |= {f"inputs.{name}": value for name, value in inputs.items()} | {"github.action_path": str(ROOT)}
    env = {name: EXPRESSION.sub(lambda found: values[found[1]], text) for name, text in step.get("env", {}).items()}
    return run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=work,
               env={**os.environ, **env, "PATH": f"{path}:{os.environ['PATH']}", "RUNNER_TEMP": str(work), "GITHUB_PATH": str(work / "path")})


def check_action(checks, build, work):
    action = yaml.safe_load(ACTION.read_text())
    checks.check("action.yml", action_problems(action))
    make, go = action["runs"]["steps"]
    fake = work / "bin"
    fake.mkdir()
    (fake / "cmake").write_text('#!/bin/sh\necho "$@" >>"$RUNNER_TEMP/calls"\n')
    (fake / "cmake").chmod(0o755)
    done = perform(make, action, work, fake)
    calls = (work / "calls").read_text().splitlines()
    checks.check("action.yml: the build", [] if done.returncode == 0 and (work / "path").read_text() == f"{work}/ptogather\n" and
                 calls[0].startswith(f"-S {ROOT} -B {work}/ptogather ") and calls[1].startswith(f"--build {work}/ptogather ") else
                 f"{done.returncode} {calls} {done.stderr}")
    shutil.copy(ROOT / "examples" / "embed.pto", work / "race.pto")
    shutil.copy(ROOT / "examples" / "double_buffer.pto", work / "good.pto")
    for name, inputs, status, said in (
            ("a race", {"command": "run", "paths": "race.pto", "target": "a2a3"}, 1, "::error file=race.pto,line=8,"),
            ("two files, one a line", {"command": "run", "paths": "good.pto\nrace.pto", "target": "a2a3"}, 1, "::error file=race.pto,line=8,"),
            ("a good program", {"command": "run", "paths": "good.pto", "target": "a5", "arguments": "--werror  --quiet"}, 0, ""),
            ("the text of a program with a race", {"paths": "race.pto", "target": "a2a3"}, 0, ""),
            ("another command", {"command": "gather"}, 2, "::error::ptogather: command is 'gather'"),
            ("no shell in inputs", {"paths": "$(touch bad) `touch bad`; touch bad"}, 2, "")):
        done = perform(go, action, work, build, **inputs)
        checks.check(f"action.yml: {name}", [] if done.returncode == status and said in done.stdout and not (work / "bad").exists() else
                     f"exit status {done.returncode}, {done.stdout}{done.stderr}")


# ---- hooks


def check_hooks(checks, build, work):
    hooks = {hook["id"]: hook for hook in yaml.safe_load(HOOKS.read_text())}
    keys = {"id", "name", "description", "entry", "args", "language", "files"}
    checks.check("hooks have all their keys", [name for name, hook in hooks.items() if set(hook) != keys or hook["language"] != "system"])
    env = {**os.environ, "PATH": f"{build}:{os.environ['PATH']}"}

    def call(name, *files, args=None):
        hook = hooks[name]
        if not all(re.search(hook["files"], str(file)) for file in files):
            return -1
        return run([*shlex.split(hook["entry"]), *(args or hook["args"]), *files], cwd=work, env=env).returncode

    shutil.copy(ROOT / "examples" / "embed.pto", work / "embed.pto")
    (work / "wrong.pto").write_text("pto.tload ins(%nothing)\n")
    (work / "loose.pto").write_text(re.sub(r"^ *pto", " pto", (work / "good.pto").read_text(), flags=re.MULTILINE))
    untidy = (work / "loose.pto").read_text()
    for name, status, wanted in (
            ("ptog-check takes a good program", call("ptog-check", "good.pto"), 0),
            ("ptog-check refuses a wrong one", call("ptog-check", "good.pto", "wrong.pto"), 1),
            ("ptog-run takes a good program", call("ptog-run", "good.pto"), 0),
            ("ptog-run refuses a race", call("ptog-run", "good.pto", "embed.pto"), 1),
            ("ptog-fmt with --check refuses loose text", call("ptog-fmt", "loose.pto", args=["--check"]), 1),
            ("ptog-fmt writes", call("ptog-fmt", "loose.pto"), 0),
            ("ptog-fmt leaves nothing to write", call("ptog-fmt", "loose.pto", args=["--check"]), 0)):
        checks.check(name, [] if status == wanted else f"exit status {status}, not {wanted}")
    checks.check("ptog-fmt changed the file", [] if (work / "loose.pto").read_text() != untidy else "it is as before")


# ---- CMake, the Dockerfile


def preset_problems():
    kinds = {kind: presets(kind) for kind in ("configurePresets", "buildPresets", "testPresets")}
    found = [f"{kind}: {name} is of no preset" for kind in ("buildPresets", "testPresets") for name, preset in kinds[kind].items()
             if preset["configurePreset"] not in kinds["configurePresets"]]
    found += [f"{name}: no option {key}" for name, preset in kinds["configurePresets"].items()
              for key in preset.get("cacheVariables", {}) if key not in cmake_options()]
    version = tuple(map(int, re.search(r"(\d+)\.(\d+)", run(["cmake", "--version"]).stdout).groups()))
    if version >= (3, 21):
        done = run(["cmake", "--list-presets=all", "."])
        shown = [name for kind in kinds.values() for name, preset in kind.items() if not preset.get("hidden")]
        found += [f"cmake does not list {name}" for name in shown if f'"{name}"' not in done.stdout] + [done.stderr] * (done.returncode != 0)
    return found


def database_problems(build):
    """compile_commands.json names every file of the library, by commands that start with a compiler that exists."""
    path = build / "compile_commands.json"
    if not path.exists():
        return f"{path} does not exist"
    entries = {Path(entry["file"]): entry["command"] for entry in json.loads(path.read_text())}
    sources = [source for source in ROOT.glob("src/**/*.c") if "mpi" not in source.parts]
    found = [f"{source} is not in it" for source in sources if source not in entries]
    return found + [f"{command.split()[0]} does not exist" for command in set(entries.values()) if not shutil.which(command.split()[0])]


def docker_problems():
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line.split(" ", 1) for line in text.splitlines() if line and not line.startswith("#")]
    found = [f"unknown instruction {word}" for word, _ in lines if word not in ("FROM", "WORKDIR", "COPY", "RUN", "ENTRYPOINT", "CMD")]
    images = [rest.split() for word, rest in lines if word == "FROM"]
    found += [f"{image[0]} has no version" for image in images if ":" not in image[0]]
    stages = {image[2] for image in images if image[1:2] == ["AS"]}
    found += [f"no stage {name}" for name in re.findall(r"--from=(\w+)", text) if name not in stages]
    found += [problem for word, rest in lines if word == "RUN" for problem in script_problems(rest, f"RUN {rest}")]
    found += [f"{rest} is no list of words" for word, rest in lines if word in ("ENTRYPOINT", "CMD")
              if not all(isinstance(part, str) for part in json.loads(rest))]
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    return found + [f".dockerignore does not name {name}" for name in (".git", "build") if name not in ignored]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    build = parser.parse_args().build.resolve()
    checks = Checks("CI files")
    checks.check("CMakePresets.json", preset_problems())
    checks.check("compile_commands.json", database_problems(build))
    checks.check("Dockerfile", docker_problems())
    if yaml:
        with tempfile.TemporaryDirectory() as name:
            checks.check("ci.yml", workflow_problems())
            check_action(checks, build, Path(name))
            check_hooks(checks, build, Path(name))
    else:
        print("CI files: skipped: PyYAML is not installed: ci.yml, action.yml and .pre-commit-hooks.yaml are not checked")
    if shutil.which("actionlint"):
        done = run(["actionlint", WORKFLOW])
        checks.check("actionlint", [done.stdout + done.stderr] if done.returncode else [])
    checks.finish()


main()
