"""The binding, made when the package is built: the public headers through the preprocessor, and from there into
ptogather/_api.py, a module of cffi in ABI mode. No struct is copied by hand: a changed header is a changed binding.

usage: binding.py --include ../include --output DIR/_api.py [--cc cc]
"""

import argparse
import ast
import operator
import re
import subprocess
import sys
from pathlib import Path

MARKER = re.compile(r'^# \d+ "([^"]*)"')
DEFINED = re.compile(r"^#define (PTOG_\w+) +(\S.*)$", re.MULTILINE)
CAST = re.compile(r"\(\s*(?:u?int\d+_t|size_t|unsigned|int|long)\s*\)")
OPERATIONS = {ast.LShift: operator.lshift, ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}


def preprocess(cc, include, text, *options):
    """What the C preprocessor makes of a text that includes the public headers. Attributes mean nothing to cffi."""
    command = [*cc.split(), "-E", "-D__attribute__(x)=", f"-I{include}", *options, "-x", "c", "-"]
    done = subprocess.run(command, input=text, text=True, capture_output=True)
    if done.returncode != 0:
        raise SystemExit(f"binding: {' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def own_lines(text, include):
    """The lines that come from include/ptog, and not from the system's headers."""
    own, lines = False, []
    for line in text.splitlines():
        marker = MARKER.match(line)
        if marker:
            own = Path(marker[1]).is_relative_to(include / "ptog")
        elif own and line.strip() and not line.startswith("#pragma"):  # which hide macros from a table
            lines.append(line)
    return "\n".join(lines) + "\n"


def value_of(node):
    """A number or a text that a macro stands for; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str)):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = value_of(node.operand)
        return None if inner is None else -inner
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
        left, right = value_of(node.left), value_of(node.right)
        return None if left is None or right is None else OPERATIONS[type(node.op)](left, right)
    return None


def constants(cc, include):
    """The macros that stand for numbers and texts: PTOG_DYN, PTOG_PIPES, PTOG_VERSION, ..."""
    found = {}
    for name, text in DEFINED.findall(preprocess(cc, include, "#include <ptog/ptog.h>\n", "-dM")):
        try:
            value = value_of(ast.parse(CAST.sub("", text).strip(), mode="eval").body)
        except SyntaxError:
            continue  # a macro that is no expression, as PTOG_API
        if value is not None:
            found[name] = value
    return dict(sorted(found.items()))


def write_module(include, output, cc="cc"):
    """Writes the module; it appears when it is complete."""
    import cffi

    include, output = Path(include).resolve(), Path(output)
    ffi = cffi.FFI()
    ffi.cdef(own_lines(preprocess(cc, include, "#include <ptog/ptog.h>\n"), include))
    ffi.set_source("ptogather._api", None)
    draft = output.with_name(output.name + ".draft")
    ffi.emit_python_code(str(draft))
    with open(draft, "a", encoding="utf-8") as file:
        file.write("\nconstants = {\n" + "".join(f"    {k!r}: {v!r},\n" for k, v in constants(cc, include).items()) + "}\n")
    draft.replace(output)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--cc", default="cc")
    arguments = parser.parse_args()
    write_module(arguments.include, arguments.output, arguments.cc)


if __name__ == "__main__":
    sys.exit(main())
