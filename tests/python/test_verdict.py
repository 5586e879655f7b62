"""What counts as clean: the targets that a program is judged on, runs that execute nothing, and what was not judged."""

import os
import subprocess

import pytest

import ptogather as pg
from ptogather._library import NATIVE, lib, text_of

EMPTY = "func.func @f() {\n  return\n}"
UNKNOWN = """func.func @f(%x: !pto.partition_tensor_view<8x8xf32>) {
  %a = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  pto.tload ins(%x) outs(%a)
  pto.tpack ins(%a) outs(%a)
  return
}"""
LOOP = """func.func @f(%x: !pto.partition_tensor_view<8x8xf32>) {
  %a = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  %zero = arith.constant 0 : index
  %many = arith.constant 1000000 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %many step %one {
    pto.tload ins(%x) outs(%a)
  }
  return
}"""


@pytest.fixture
def only_a5(embed):
    """A program that a5 accepts and a2a3 refuses: it gathers 8-bit floats."""
    return embed.replace("f32", "f8E4M3FN")


def test_a_program_without_a_target_is_judged_on_both(racy, embed, data, tmp_path):
    r = pg.run(racy, **data)
    assert r.target == "host" and tuple(r.judged) == ("a2a3", "a5") and not r.refused_by
    assert not r.clean and r.verdict == "failed" and {item.target for item in r.diagnostics.errors} == {"a2a3", "a5"}
    assert (data["out"] == data["table"][data["idx"][0]]).all()  # the bytes are those of host
    assert r.judged["a2a3"].ids == ("race-raw",) and "  = on: a5\n" in str(r.diagnostics)
    assert {item["target"] for item in r.diagnostics.json()["diagnostics"]} == {"a2a3", "a5"}
    assert [(one["verdict"], one["suppressed"]) for one in r.diagnostics.json()["programs"]] == [("failed", 0)]
    assert r.diagnostics.sarif()["runs"][0]["results"] and "race-raw" in r._repr_html_()
    with pytest.raises(ValueError, match="report: a page has one target, .*: run with target='a2a3'"):
        r.report(tmp_path / "r.html")
    with pytest.raises(pg.Fault, match=r"run on a2a3 and a5: <text>:6: .*\[race-raw\] \(and 2 more\)"):
        r.require_clean()
    assert pg.run(embed, **data).clean and pg.run(racy, "host", **data).clean
    assert repr(pg.run(embed, **data)) == "<ptogather.Result '<text>' on a2a3 and a5: clean>"
    named = 'module attributes {pto.target_arch = "a5"} {\n' + racy + "}\n"
    assert tuple(pg.run(named, **data).judged) == ("a5",)


def test_generated_data_counts_as_memory(embed):
    with pytest.raises(MemoryError, match="not judged: generated data takes more than 10 bytes of memory"):
        pg.run(embed, max_memory=10)
    assert pg.run(embed, max_memory=10_000_000).clean


def test_every_device_starts_from_the_same_data(data):
    text = """func.func @add(%a: !pto.partition_tensor_view<8x8xf32>) {
  %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  pto.tload ins(%a) outs(%t)
  pto.tadd ins(%t, %t) outs(%t)
  pto.tstore ins(%t) outs(%a)
  return
}"""
    values = data["table"][:8, :8].copy()
    before = values.copy()
    assert pg.run(text, a=values).clean and (values == before * 2).all()


def test_a_target_that_refuses_does_not_decide(only_a5):
    r = pg.run(only_a5)
    assert tuple(r.judged) == ("a5",) and tuple(r.refused_by) == ("a2a3",) and r.clean
    assert r.refused_by["a2a3"].ids == ("mgather-dtype",) and r.refused_by["a2a3"].errors
    for said in (r.diagnostics, pg.check(only_a5)):
        assert said.clean and "note: not for a2a3: mgather does not support f8e4m3 on a2a3" in str(said)
    racy = only_a5.replace("  pto.mgather", "  pto.barrier <PIPE_V>\n  pto.mgather")
    assert pg.run(racy).verdict == "failed"


def test_a_program_that_no_device_accepts_failed(embed, data):
    text = embed.replace("1x16xi32", "16x1xi32")
    with pytest.raises(pg.Refused, match=r"run on a2a3 and a5: <text>:4: .*\[transfer-align\] \(and \d more\)") as caught:
        pg.run(text, table=data["table"], idx=data["idx"].T.copy())
    assert "  = on: a2a3 and a5\n" in caught.value.report
    assert not pg.check(text).clean and pg.check(text, "host").clean


def test_a_run_that_executes_nothing_is_not_clean():
    for target in (None, "host", "a2a3"):
        r = pg.run(EMPTY, target)
        assert not r.clean and r.verdict == "not judged" and set(r.diagnostics.ids) == {"run-empty"}
        assert not pg.run(EMPTY, target, allow_unjudged=True).clean
        r = pg.run(EMPTY, target, allow_empty=True)
        assert r.clean and r.verdict == "passed"
    with pytest.raises(pg.Fault, match=r"not judged: run on a2a3: <text>: no instruction was executed \[run-empty\]"):
        pg.run(EMPTY, "a2a3").require_clean()


def test_what_is_not_simulated_is_not_judged():
    r = pg.run(UNKNOWN, "a5")
    assert not r.clean and r.verdict == "not judged" and "text-not-modelled" in r.diagnostics.ids
    assert pg.run(UNKNOWN, "a5", allow_unjudged=True).clean and not pg.run(UNKNOWN, "a5", allow_empty=True).clean
    with pytest.raises(ValueError, match="result: the program did not run to its end on a5"):
        r.tiles
    assert not pg.check(UNKNOWN, "a5").clean and pg.check(UNKNOWN, "a5").verdict == "not judged"


def test_a_limit_leaves_a_run_not_judged(embed, data):
    for text, limit, most, given in ((LOOP, "steps", 1000, {}), (LOOP, "work", 300_000, {}), (embed, "memory", 100, data)):
        options = {f"max_{limit}": most, **given}
        r = pg.run(text, "a2a3", **options)
        assert not r.clean and r.verdict == "not judged" and r.diagnostics.ids[-1] == f"limit-{limit}"
        assert pg.run(text, "a2a3", allow_unjudged=True, **options).clean


def test_assert_same_wants_a_verdict():
    with pytest.raises(AssertionError, match=r"<text> on a2a3 and a5 is not judged:\n(.*\n)*.*\[run-empty\]"):
        pg.assert_same(EMPTY, lambda: {})


def test_a_suppressed_finding_is_counted(racy, data):
    r = pg.run(racy.replace("  pto.mgather", "  // ptog: allow race-raw\n  pto.mgather"), "a2a3", **data)
    assert r.clean and r.diagnostics.suppressed == 1 and repr(r).endswith("on a2a3: clean, 1 suppressed>")


def test_the_verdict_is_that_of_the_library(root):
    seen = set()
    for source in [UNKNOWN, *sorted([*root.glob("examples/*.pto"), *root.glob("tests/cli/files/*.pto")])]:
        try:
            program = pg.Program(source)
        except pg.Refused:
            continue
        for target in pg.TARGETS:
            diags = program._check(target)
            verdict = text_of(lib.ptog_verdict_name(lib.ptog_diags_verdict(diags.handle)))
            assert diags.take(target).verdict == verdict
            seen.add(verdict)
    assert seen == {"passed", "not judged", "failed"}


def test_the_verdict_is_that_of_the_command(root):
    """Of every program here, with generated inputs."""
    seen = set()
    for path in sorted([*root.glob("examples/*.pto"), *root.glob("tests/cli/files/*.pto"), *root.glob("tests/pto/accept/s*.pto")]):
        done = subprocess.run([NATIVE / "ptog", "run", path, "--max-steps", "20000", "--quiet"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env={**os.environ, "LD_PRELOAD": ""})
        try:
            verdict = pg.run(path, max_steps=20000, trace=False).verdict
        except (pg.Refused, ValueError) as error:
            verdict = type(error).__name__
        assert (done.returncode == 0) == (verdict == "passed"), (path, done.returncode, verdict)
        seen.add(verdict)
    assert seen >= {"passed", "failed", "not judged", "Refused"}
