"""The binding is what the headers say: sizes as the compiler has them, and a changed header is a changed binding."""

import os
import re
import shutil
import subprocess
import sys

import pytest

import ptogather as pg
from ptogather._library import constants, ffi, lib, other_sizes, words

CC = os.environ.get("CC", "cc")


def structs(root):
    text = "".join(path.read_text() for path in (root / "include" / "ptog").glob("*.h") if not path.name.startswith("mpi"))
    return sorted(set(re.findall(r"^struct (ptog_\w+) \{", text, re.MULTILINE)))


def test_the_library_has_these_sizes(root):
    assert other_sizes() == []
    assert [name for name in structs(root) if lib.ptog_size_of(name.encode()) != ffi.sizeof("struct " + name)] == []


def test_sizes_are_the_compilers(root, tmp_path):
    if shutil.which(CC) is None:
        pytest.skip("no C compiler")
    names = structs(root)
    fields = [(name, field) for name in names for field, _ in ffi.typeof("struct " + name).fields]
    lines = [f'    printf("%zu\\n", sizeof(struct {name}));' for name in names]
    lines += [f'    printf("%zu\\n", offsetof(struct {name}, {field}));' for name, field in fields]
    source = "#include <stddef.h>\n#include <stdio.h>\n#include <ptog/ptog.h>\nint main(void)\n{\n" + "\n".join(lines) + "\n}\n"
    (tmp_path / "sizes.c").write_text(source)
    subprocess.run([CC, f"-I{root}/include", "sizes.c", "-o", "sizes"], cwd=tmp_path, check=True)
    said = [int(line) for line in subprocess.run(["./sizes"], cwd=tmp_path, stdout=subprocess.PIPE, check=True).stdout.split()]
    ours = [ffi.sizeof("struct " + name) for name in names]
    ours += [dict(ffi.typeof("struct " + name).fields)[field].offset for name, field in fields]
    assert len(names) > 20 and said == ours


def test_every_function_is_there(root):
    text = "".join(path.read_text() for path in (root / "include" / "ptog").glob("*.h") if not path.name.startswith("mpi"))
    names = re.findall(r"^PTOG_API\s[^;(]*?\b(\w+)\s*\(", text, re.MULTILINE)
    assert len(names) > 80 and all(getattr(lib, name) for name in names)


def test_a_changed_header_is_a_changed_binding(root, tmp_path):
    if shutil.which(CC) is None:
        pytest.skip("no C compiler")
    shutil.copytree(root / "include", tmp_path / "include")
    header = tmp_path / "include" / "ptog" / "core.h"
    header.write_text(header.read_text().replace("double cycles, mhz;", "double cycles, mhz, brand_new;\n#define PTOG_NEWER 7"))
    subprocess.run([sys.executable, root / "python" / "binding.py", "--include", tmp_path / "include", "--output",
                    tmp_path / "api.py", "--cc", CC], check=True, stdout=subprocess.DEVNULL)
    made = {}
    exec((tmp_path / "api.py").read_text(), made)
    assert "brand_new" in dict(made["ffi"].typeof("struct ptog_stats").fields) and made["constants"]["PTOG_NEWER"] == 7
    assert "brand_new" not in dict(ffi.typeof("struct ptog_stats").fields)


def test_words_come_from_the_enums():
    assert list(words("ptog_pipe"))[:4] == ["s", "v", "mte2", "mte3"] and list(words("ptog_coalesce")) == ["row", "elem"]
    assert constants["PTOG_DYN"] == -1 and pg.__version__ == constants["PTOG_VERSION"]
