"""Proof without data: inputs that show a mistake, coverage, and the smallest program that still has it."""

import numpy as np
import pytest

import ptogather as pg

HOUR = 3600  # of processor time: the number of runs ends a search, so that its result is that of every machine
VIEW = "!pto.partition_tensor_view<8x8xf32>"
BRANCH = f"""func.func @copy(%n: index, %a: {VIEW}, %b: {VIEW}) {{
  %most = arith.constant 1000 : index
  %few = arith.cmpi slt, %n, %most : index
  %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  pto.tload ins(%a) outs(%t)
  scf.if %few {{
    pto.barrier <PIPE_ALL>
  }}
  pto.tstore ins(%t) outs(%b)
  return
}}
"""
LOOP = f"""func.func @turns(%n: index, %a: {VIEW}, %b: {VIEW}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  scf.for %i = %c0 to %n step %c1 {{
    pto.tload ins(%a) outs(%t)
    pto.barrier <PIPE_ALL>
    pto.tstore ins(%t) outs(%b)
    pto.barrier <PIPE_ALL>
  }}
  return
}}
"""
MEMORY = f"""func.func @word(%w: !pto.ptr<i32>, %a: {VIEW}, %b: {VIEW}) {{
  %c2 = arith.constant 2 : index
  %seven = arith.constant 77 : i32
  %v = pto.load_scalar %w[%c2] : !pto.ptr<i32> -> i32
  %is = arith.cmpi ne, %v, %seven : i32
  %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
  pto.tload ins(%a) outs(%t)
  scf.if %is {{
    pto.barrier <PIPE_ALL>
  }}
  pto.tstore ins(%t) outs(%b)
  return
}}
"""


@pytest.mark.filterwarnings("ignore::ptogather.GeneratedWarning")
@pytest.mark.parametrize("text", [BRANCH, MEMORY], ids=["argument", "memory"])
@pytest.mark.parametrize("target", [None, "a2a3", "a5"])
def test_inputs_show_the_finding(text, target):
    proof = pg.prove(text, target, seconds=HOUR)
    assert not proof.clean and proof.verdict == "failed"
    assert set(proof.coverage) == {finding.target for finding in proof.findings} == ({target} if target else {"a2a3", "a5"})
    for finding in proof.findings:
        run = pg.run(text, finding.target, inputs=finding.inputs, blocks=finding.blocks)
        assert finding.diagnostic.id == "race-raw" and (finding.diagnostic.id, finding.diagnostic.line) in {
            (found.id, found.line) for found in run.diagnostics}
        assert finding.diagnostic.id in str(finding) and finding.diagnostic.fix
    assert proof.diagnostics.json()["diagnostics"] and "race-raw" in proof.report and "race-raw" in repr(proof)


def test_coverage():
    proof = pg.prove(BRANCH, "a5", seconds=HOUR)
    found = proof.coverage["a5"]
    branch = next(one for one in found.operations if one.kind == "branch")
    assert (branch.line, branch.reached, branch.was_true, branch.was_false) == (6, True, True, True)
    assert found.all_branches and found.not_reached == 0 and found.paths == 2 <= found.runs and not found.all_inputs
    assert "all branches covered" in found.words[0]
    one = pg.prove(BRANCH, "a5", n=5)
    branch = next(covered for covered in one.coverage["a5"].operations if covered.kind == "branch")
    assert one.clean and one.coverage["a5"].paths == 1 and branch.was_true and not branch.was_false


def test_any_number_of_turns():
    proof = pg.prove(LOOP, seconds=HOUR)
    assert proof.clean
    for found in proof.coverage.values():
        loop = next(one for one in found.operations if one.kind == "loop")
        assert loop.period == 1 and {0, 1, 2, 3} <= set(loop.turns) and found.all_inputs
    wrong = pg.prove(LOOP.replace("    pto.barrier <PIPE_ALL>\n  }", "  }"), "a5", seconds=HOUR)
    assert not wrong.clean and all(one.period == 0 for one in wrong.coverage["a5"].operations)


def test_what_is_given_stays_as_it_is():
    a, b = np.ones((8, 8), np.float32), np.zeros((8, 8), np.float32)
    proof = pg.prove(BRANCH, "a5", a=a, b=b, seconds=HOUR)
    assert {name for finding in proof.findings for name in finding.inputs} == {"n"} and not b.any() and a.all()
    assert pg.prove(MEMORY, "a5", w="full:3").clean and not pg.prove(MEMORY, "a5", w="full:77", seconds=HOUR).clean
    assert pg.prove(BRANCH, "a5", max_runs=1).coverage["a5"].runs == 1


def test_reduce():
    small = pg.reduce(BRANCH, "a5", finding="race-raw", seconds=HOUR)
    assert small.id == "race-raw" and small.statements < small.statements_before and small.is_smallest
    assert "scf.if" not in str(small) and small.target == "a5" and "%t" in str(small)
    found = pg.run(small.program, "a5", inputs=small.inputs, blocks=small.blocks).diagnostics
    assert (small.id, small.line, small.message) in {(one.id, one.line, one.message) for one in found}
    assert pg.Program(BRANCH).reduce().target == "a2a3" and pg.Program(BRANCH).prove("a5").findings
    with pytest.raises(ValueError, match="finding: the program has no race-war; it has race-raw at line 9 on a5"):
        pg.reduce(BRANCH, "a5", finding="race-war", seconds=HOUR)
    with pytest.raises(ValueError, match="it has none"):
        pg.reduce(LOOP, "a5", seconds=HOUR)


def test_refused_programs():
    text = BRANCH.replace("pto.tload ins(%a) outs(%t)", "pto.tload ins(%t) outs(%t)")
    with pytest.raises(pg.Refused, match="a view is expected"):
        pg.prove(text, "a5")
    empty = pg.prove("func.func @f() {\n  return\n}")
    assert empty.verdict == "not judged" and not empty.clean


@pytest.mark.parametrize("argument, call", [
    ("seconds", lambda: pg.prove(BRANCH, seconds=0)), ("seconds", lambda: pg.reduce(BRANCH, seconds="x")),
    ("max_runs", lambda: pg.prove(BRANCH, max_runs=-1)), ("blocks", lambda: pg.prove(BRANCH, blocks=0)),
    ("finding", lambda: pg.reduce(BRANCH, finding=3)), ("line", lambda: pg.reduce(BRANCH, line=-1)),
    ("target", lambda: pg.prove(BRANCH, "a9")), ("x", lambda: pg.prove(BRANCH, x=3)), ("inputs", lambda: pg.prove(BRANCH, inputs=3))])
def test_arguments_are_named(argument, call):
    with pytest.raises((TypeError, ValueError), match=f"^{argument}: "):
        call()
