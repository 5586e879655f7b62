"""The files for editors: the TextMate grammar colors what the language server says, on every program of tests/pto; Vim, Emacs and
npm's own tools take their files, where they are installed.

usage: run.py --ptog BUILD/ptog --out DIR     DIR: where npm's packages and the extension go; kept for the next time
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "lsp")]
from checks import ROOT, Checks, run  # noqa: E402
from client import Client  # noqa: E402

EDITORS = ROOT / "editors"
PACKAGES = ("@vscode/vsce@3", "vscode-tmgrammar-test@0.1.3")
# What a kind of the server is in the grammar.
SCOPES = {"comment": "comment", "keyword": "keyword", "function": ("support.function", "entity.name.function", "keyword.other"),
          "variable": "variable.other", "string": "string", "number": "constant.numeric", "type": ("entity.name.type", "storage.type"),
          "property": ("variable.other.property", "entity.other.attribute-name"), "enumMember": ("constant.language", "keyword", "storage.type")}


def grammar():
    rules = json.loads((EDITORS / "vscode/syntaxes/pto.tmLanguage.json").read_text())["patterns"]
    return [(re.compile(rule["match"]), rule["name"]) for rule in rules]


def colored(rules, line):
    """The scope of each character of a line, as TextMate finds them: the first match, of the first rule that has it there."""
    scopes, at = [""] * len(line), 0
    while at < len(line):
        found = [(match.start(), i, match) for i, (rule, _) in enumerate(rules) if (match := rule.search(line, at)) and match.end() > at]
        if not found:
            break
        _, i, match = min(found, key=lambda item: item[:2])
        scopes[match.start():match.end()] = [rules[i][1]] * (match.end() - match.start())
        at = match.end()
    return scopes


def compare(client, rules, path):
    """Tokens that the grammar and the server see differently, of all tokens."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if "\r" in text or any(ord(c) > 0xffff for c in text):
        return [], 0
    client.open(text)
    kinds = client.capabilities["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
    data = client.about("semanticTokens/full", text)["data"]
    lines = text.split("\n")
    scopes = [None] * len(lines)
    wrong, line, character = [], 0, 0
    for i in range(0, len(data), 5):
        line += data[i]
        character = data[i + 1] + (character if data[i] == 0 else 0)
        scopes[line] = scopes[line] or colored(rules, lines[line])
        wanted, got = SCOPES[kinds[data[i + 3]]], set(scopes[line][character:character + data[i + 2]])
        if not all(scope.startswith(wanted) for scope in got):
            wrong.append(f"{path.name}:{line + 1}: {lines[line][character:character + data[i + 2]]!r} is {kinds[data[i + 3]]}, colored {sorted(got)}")
    return wrong, len(data) // 5


def check_grammar(checks, ptog):
    rules = grammar()
    client = Client(ptog, "--no-run")
    wrong, tokens = [], 0
    for path in sorted((ROOT / "tests/pto").rglob("*.pto")) + sorted((ROOT / "examples").rglob("*.pto")):
        some, count = compare(client, rules, path)
        wrong += some
        tokens += count
        client.told.clear()
    client.close()
    share = len(wrong) / max(tokens, 1)
    checks.check("the grammar and the server agree on 99.5 % of all tokens",
                 [f"{len(wrong)} of {tokens} differ", *wrong[:20]] if share > 0.005 or tokens < 10000 else [])


def check_package(checks):
    package = json.loads((EDITORS / "vscode/package.json").read_text())
    version = re.search(r'PTOG_VERSION "(.*)"', (ROOT / "include/ptog/version.h").read_text())[1]
    checks.check("the extension has the version of the library", [] if package["version"] == version else package["version"])
    named = [package["main"], *(item[key] for item in package["contributes"]["languages"] + package["contributes"]["grammars"]
                                for key in ("path", "configuration") if key in item)]
    checks.check("files that package.json names are there", [name for name in named if not (EDITORS / "vscode" / name).is_file()])
    json.loads((EDITORS / "vscode/language-configuration.json").read_text())
    checks.check("Emacs has the version of the library", [] if f";; Version: {version}\n" in (EDITORS / "emacs/pto-mode.el").read_text() else version)


# ---- editors that may be there


def check_vim(checks):
    vim = shutil.which("vim") or shutil.which("nvim")
    has_syntax = vim and "+syntax" in run([vim, "--version"]).stdout
    if not has_syntax:
        print("vim with +syntax is not installed: its files are not tried")
        return
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "out"
        asked = [(4, "%idx", "ptoValue"), (8, "pto.mgather", "ptoOperation"), (1, "embedding", "ptoComment"), (7, "PIPE_V", "ptoConstant"),
                 (8, "coalesce", "ptoKey"), (2, "@embed", "ptoSymbol"), (4, "!pto.tile_buf", "ptoType")]
        lines = (ROOT / "examples/embed.pto").read_text().split("\n")
        ask = [f"call add(g:got, synIDattr(synID({line}, {lines[line - 1].index(word) + 1}, 1), 'name'))" for line, word, _ in asked]
        script = Path(place) / "ask.vim"
        script.write_text("\n".join(["let g:got = [&filetype]", *ask, f"call writefile(g:got, '{out}')", "qall!"]) + "\n")
        subprocess.run([vim, "-N", "-u", "NONE", "-i", "NONE", "-es", "--cmd", f"set rtp^={EDITORS}/vim", "-c", "filetype plugin on", "-c", "syntax on",
                        "-c", f"edit {ROOT}/examples/embed.pto", "-S", str(script)], stdin=subprocess.DEVNULL, capture_output=True)
        got = out.read_text().split("\n")[:-1] if out.exists() else []
        wanted = ["pto", *(group for _, _, group in asked)]
        checks.check("Vim's colors", [] if got == wanted else f"expected {wanted}, got {got}")


# Waits for the race of a run, applies its quick fix, and waits until nothing is found any more; {out} has what was seen.
NEOVIM = """
local seen = {}
local function wait(what, done)
  table.insert(seen, what .. ': ' .. tostring(vim.wait(300000, done, 50)))
end
local function all() return vim.diagnostic.get(0) end
wait('a finding', function() return #all() > 0 end)
local first = all()[1] or {}
table.insert(seen, tostring(first.code or (first.user_data and first.user_data.lsp or {}).code) .. ' ' .. tostring((first.lnum or -1) + 1))
local params = vim.lsp.util.make_range_params()
params.range = { start = { line = 0, character = 0 }, ['end'] = { line = 100, character = 0 } }
params.context = { diagnostics = {} }
local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 300000) or {}
for _, answer in pairs(answers) do
  for _, action in ipairs(answer.result or {}) do
    if action.kind == 'quickfix' then vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16') break end
  end
end
wait('no finding', function() return #all() == 0 end)
for i = 7, 10 do table.insert(seen, vim.trim(vim.fn.getline(i)):match('^[%w_.]*')) end
vim.fn.writefile(seen, [[{out}]])
vim.cmd('qall!')
"""


def check_neovim(checks, ptog):
    if not shutil.which("nvim"):
        print("nvim is not installed: its server is not started")
        return
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        out, script, kernel = place / "out", place / "ask.lua", place / "embed.pto"
        script.write_text(NEOVIM.replace("{out}", str(out)))
        shutil.copy(ROOT / "examples/embed.pto", kernel)
        done = subprocess.run(["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "--cmd", f"set rtp^={EDITORS}/vim", "-c", "filetype plugin on",
                               "-c", f"luafile {EDITORS}/vim/lspconfig.lua", "-c", f"edit {kernel}", "-c", f"luafile {script}"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env={**os.environ, "PATH": f"{ptog.parent}:{os.environ['PATH']}", "XDG_STATE_HOME": directory, "XDG_CACHE_HOME": directory})
        got = out.read_text().split("\n")[:-1] if out.exists() else done.stderr
        wanted = ["a finding: true", "race-raw 8", "no finding: true", "pto.set_flag", "pto.wait_flag", "pto.mgather", "pto.tstore"]
        checks.check("Neovim shows a race and fixes it", [] if got == wanted else f"expected {wanted}, got {got}")


def check_emacs(checks):
    if not shutil.which("emacs"):
        print("emacs is not installed: its file is not tried")
        return
    done = run(["emacs", "-Q", "--batch", "-l", EDITORS / "emacs/pto-mode.el", EDITORS.parent / "examples/embed.pto",
                "--eval", "(progn (pto-mode) (font-lock-ensure) (goto-char (point-min)) (search-forward \"pto.mgather\")"
                          " (princ (get-text-property (- (point) 2) 'face)))"])
    checks.check("Emacs' colors", [] if "font-lock-builtin-face" in done.stdout else done.stdout + done.stderr)


def check_npm(checks, out):
    """vsce packages the extension, and vscode-tmgrammar-test finds the grammar as the fixture says."""
    if not shutil.which("npm"):
        print("npm is not installed: the extension is not packaged")
        return
    out.mkdir(parents=True, exist_ok=True)
    shutil.copytree(EDITORS / "vscode", out / "extension", dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules", "*.vsix"))
    shutil.copy(ROOT / "LICENSE", out / "extension/LICENSE")
    if not (out / "node_modules").is_dir() and run(["npm", "install", "--no-audit", "--no-fund", "--prefix", out, *PACKAGES], cwd=out).returncode:
        print("npm cannot install anything here: the extension is not packaged")
        return
    tried = run([out / "node_modules/.bin/vscode-tmgrammar-test", "-g", out / "extension/syntaxes/pto.tmLanguage.json", HERE / "grammar.test.pto"])
    checks.check("vscode-tmgrammar-test", [] if tried.returncode == 0 else tried.stdout + tried.stderr)
    if run(["npm", "install", "--no-audit", "--no-fund"], cwd=out / "extension").returncode:
        print("npm cannot install the client: the extension is not packaged")
        return
    packed = run([out / "node_modules/.bin/vsce", "package", "--allow-missing-repository", "-o", out / "ptogather.vsix"], cwd=out / "extension")
    checks.check("vsce package", [] if packed.returncode == 0 else packed.stdout + packed.stderr)
    loaded = run(["node", "-e", "const m=require('module');const l=m._load;m._load=(n,...r)=>n==='vscode'?new Proxy(class{},{get:(t,k)=>k==='version'?"
                  "'1.90.0':class{}}):l(n,...r);const e=require('./extension.js');console.log(typeof e.activate,typeof e.deactivate)"], cwd=out / "extension")
    checks.check("the extension loads", [] if loaded.stdout.strip() == "function function" else loaded.stdout + loaded.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ptog", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    checks = Checks("editors")
    check_package(checks)
    check_grammar(checks, arguments.ptog.resolve())
    check_vim(checks)
    check_neovim(checks, arguments.ptog.resolve())
    check_emacs(checks)
    check_npm(checks, arguments.out.resolve())
    checks.finish()


if __name__ == "__main__":
    main()
