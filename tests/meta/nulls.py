"""Every public call with NULL for each of its pointers, one at a time: a status or nothing, never a crash. The calls are
read from the headers, so that a new one is called, too. Each call is made by a process of its own."""

import argparse
import ctypes
import os
import re
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from checks import ROOT, Checks  # noqa: E402

DECLARED = re.compile(r"PTOG_API\s+([^;]*?)(\bptog_\w+)\s*\(([^;]*)\)\s*;")
BAD_ARGUMENT = 3
# Pointers that may be NULL although the call returns a status: then the call does what it does without them.
OPTIONAL = {"diags", "fault", "options", "extents", "execution", "result", "user", "name", "function", "target", "choice",
            "left_out"}
NEEDED = {("ptog_device_report", "diags"), ("ptog_plan_run", "run"), ("ptog_device_open", "target"), ("ptog_verify", "target"),
          ("ptog_verify_mgather", "target"), ("ptog_verify_tgather", "target"), ("ptog_verify_transfer", "target"),
          ("ptog_plan_insn", "target"), ("ptog_plan_mgather", "target"), ("ptog_plan_tgather", "target"),
          ("ptog_result_tile", "result"), ("ptog_result_tile", "name"), ("ptog_result_copy", "result"),
          ("ptog_result_copy", "name"), ("ptog_result_stats", "result"), ("ptog_result_program", "result")}
TEXT = b"func.func @f(%p: !pto.ptr<f32>) {\n  return\n}\n"
WRITE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
VISIT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
ignore = WRITE(lambda user, text, length: None)
go_on = VISIT(lambda user, op: True)


def headers():
    """The text of the public headers without comments; those of ptog/mpi.h are of another library."""
    for header in sorted((ROOT / "include/ptog").glob("*.h")):
        if not header.name.startswith("mpi"):
            yield re.sub(r"/\*.*?\*/", " ", header.read_text(encoding="utf-8"), flags=re.DOTALL)


def structs():
    return sorted({name for text in headers() for name in re.findall(r"struct (ptog_\w+) \{", text)})


def declarations():
    """(returns, name, [(type, name), ...]) of every public call."""
    for text in headers():
        for returns, name, inside in DECLARED.findall(text):
            flat = re.sub(r"\(\*(\w+)\)\([^()]*\)", r"*\1", " ".join(inside.split()))  # a function: a pointer
            parts = [] if flat == "void" else [part.strip() for part in flat.split(",")]
            yield " ".join(returns.split()), name, [re.fullmatch(r"(.*?)(\w+)(?:\[\w*\])?", part).groups() if "[" not in part
                                                    else (part.split("[")[0].rsplit(" ", 1)[0] + " *",
                                                          part.split("[")[0].rsplit(" ", 1)[1]) for part in parts]


class Library:
    """The library, and things that its calls can be given."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(str(path))
        self.kept = []

    def pointer(self, name, *arguments):
        call = getattr(self.lib, name)
        call.restype = ctypes.c_void_p
        return ctypes.c_void_p(call(*arguments))

    def made(self, name, *arguments):
        handle = ctypes.c_void_p()
        getattr(self.lib, name)(ctypes.byref(handle), *arguments)
        return handle

    def room(self):
        self.kept.append(ctypes.create_string_buffer(1 << 14))
        return ctypes.cast(self.kept[-1], ctypes.c_void_p)

    def sink(self):
        room = self.room()
        ctypes.cast(room, ctypes.POINTER(ctypes.c_void_p))[0] = ctypes.cast(ignore, ctypes.c_void_p).value
        return room

    def struct(self, name):
        """A struct of that name: all zero, or what its calls want."""
        if name == "sink":
            return self.sink()
        if name == "target":
            return self.pointer("ptog_target_find", b"a2a3")
        if name == "rule":
            return self.pointer("ptog_rule_at", ctypes.c_size_t(0))
        return self.room()

    def handle(self, name):
        if name == "diags":
            return self.pointer("ptog_diags_new")
        if name == "program":
            return self.made("ptog_program_parse", b"f", TEXT, ctypes.c_size_t(len(TEXT)), None)
        if name == "device":
            return self.made("ptog_device_open", self.struct("target"), None)
        if name == "core":
            return self.made("ptog_core_open", self.handle("device"), ctypes.c_uint32(0))
        if name == "pool":
            return self.made("ptog_pool_new", ctypes.c_int(2))
        if name == "inputs":
            return self.made("ptog_inputs_generate", self.handle("program"), None, None, None)
        result = ctypes.c_void_p()
        if name == "result":
            self.lib.ptog_program_run(self.handle("program"), None, None, ctypes.byref(result))
        return result  # there is no plan without an instruction

    def value(self, kind):
        kind = kind.replace("const ", "").strip()
        if kind.endswith("**"):
            return self.room()
        if not kind.endswith("*"):
            return {"double": ctypes.c_double(1), "int64_t": ctypes.c_int64(1), "uint64_t": ctypes.c_uint64(0),
                    "size_t": ctypes.c_size_t(1)}.get(kind, ctypes.c_int(0))
        named = re.fullmatch(r"struct ptog_(\w+) \*", kind)
        handle = re.fullmatch(r"ptog_(\w+) \*", kind)
        if named:
            return self.struct(named[1])
        if kind == "bool *":  # ptog_program_walk's function
            return ctypes.cast(go_on, ctypes.c_void_p)
        return self.handle(handle[1]) if handle else (ctypes.c_char_p(b"f") if kind == "char *" else self.room())


def size_of(library, name):
    library.lib.ptog_size_of.restype = ctypes.c_size_t
    return library.lib.ptog_size_of(name.encode())


def make_call(library, returns, name, parameters, left_out):
    call = getattr(library.lib, name)
    struct = re.fullmatch(r"struct (ptog_\w+)", returns)
    if struct:
        size = size_of(library, struct[1])
        call.restype = type("Returned", (ctypes.Structure,), {"_fields_": [("bytes", ctypes.c_char * size)]})
    status = call(*(None if i == left_out else library.value(kind) for i, (kind, _) in enumerate(parameters)))
    return str(status) if returns == "enum ptog_status" else "done"


def outcome(path, returns, name, parameters, left_out):
    """What a call without one of its pointers returns, in a process of its own: a status, "done", or how it died."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(write, make_call(Library(path), returns, name, parameters, left_out).encode())
        except (AttributeError, ctypes.ArgumentError) as problem:
            os.write(write, str(problem).encode())
        os._exit(0)
    os.close(write)
    _, code = os.waitpid(child, 0)
    text = os.read(read, 100).decode()
    os.close(read)
    return f"died of {signal.Signals(os.WTERMSIG(code)).name}" if os.WIFSIGNALED(code) else text or f"ended with {code}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="a build with the shared library")
    path = Path(parser.parse_args().build) / "libptog.so"
    checks = Checks("nulls")
    calls = list(declarations())
    checks.check("the headers were read", [] if len(calls) > 100 else f"only {len(calls)} calls were found")
    library = Library(path)
    checks.check("every struct has a size: src/model/sizes.c", [name for name in structs() if not size_of(library, name)])
    for returns, name, parameters in calls:
        problems = []
        for i, (kind, parameter) in enumerate(parameters):
            if "*" not in kind:
                continue
            got = outcome(path, returns, name, parameters, i)
            needed = parameter not in OPTIONAL or (name, parameter) in NEEDED
            if got == "done" or (got.isdigit() and (int(got) == BAD_ARGUMENT or not needed)):
                continue
            problems.append(f"{parameter} = NULL: {got}")
        checks.check(name, problems)
    checks.finish()


main()
