"""A tour of ptogather in Python, as a script; tour.ipynb is the same as a notebook."""
# %% [markdown]
# # ptogather in Python
#
# Run, check and speed up PTO gather kernels without an NPU. This tour needs numpy and ptogather, nothing else.
# %%
import numpy as np

import ptogather as pg

pg.TARGETS
# %% [markdown]
# ## Gather rows
#
# `take` is `numpy.take` along the first axis, with a policy for indices that are not in the table. Nothing is copied but the
# rows themselves.
# %%
table = np.arange(64 * 32, dtype=np.float32).reshape(64, 32)
rows = pg.take(table, [3, 1, 99], oob="zero")
assert (rows[:2] == table[[3, 1]]).all() and (rows[2] == 0).all()
rows[:, :6]
# %% [markdown]
# `mgather` is the instruction, as a target does it. What a target does not accept is an exception with its reasons.
# %%
words = np.array([[7], [2], [9], [4]] * 4, dtype=np.int32)
try:
    pg.mgather(table, words, mode="row", target="a2a3")
except pg.Refused as refusal:
    print(refusal.report)
# %% [markdown]
# ## Run a program
#
# The same lookup as text. It has no flags, so the library finds out which ones it needs; the result is proved for all timings.
# %%
text = """func.func @embed(%table: !pto.partition_tensor_view<64x32xf32>, %idx: !pto.partition_tensor_view<1x16xi32>, %out: !pto.partition_tensor_view<16x32xf32>) {
  %i = pto.alloc_tile : !pto.tile_buf<vec, 1x16xi32>
  %d = pto.alloc_tile : !pto.tile_buf<vec, 16x40xf32, valid=16x32>
  pto.tload ins(%idx) outs(%i)
  pto.mgather ins(%table, %i) outs(%d) {coalesce = #pto<coalesce row>}
  pto.tstore ins(%d) outs(%out)
  return
}
"""
idx = words.reshape(1, 16)
result = pg.run(text, target="a2a3", table=table, idx=idx)
assert result.clean and (result.outputs["out"] == table[idx[0]]).all()
print(result.stats)
result
# %% [markdown]
# A tile as it was at the end: the colours are a scale, the hatched columns are padding.
# %%
result.tiles["d"]
# %% [markdown]
# ## Find a race
#
# The only synchronisation of this program is a barrier on the wrong pipe. Barriers are not added to a program that has one, so it races.
# %%
racy = pg.Program(text.replace("  pto.mgather", "  pto.barrier <PIPE_V>\n  pto.mgather"), "racy.pto")
wrong = pg.run(racy, target="a2a3", table=table, idx=idx)
assert not wrong.clean and wrong.diagnostics.errors[0].id == "race-raw"
print(wrong.diagnostics.errors[0])
wrong.diagnostics
# %% [markdown]
# `repair` puts in the flags that are missing.
# %%
fixed = pg.repair(racy, target="a2a3", table=table, idx=idx)
assert pg.run(fixed, target="a2a3", table=table, idx=idx).clean
fixed
# %% [markdown]
# ## Write a kernel in Python
#
# One call per instruction. A report names the line of Python that issued it.
# %%
out = pg.empty((16, 32), "f32")
index, rows = pg.Tile("i32", 1, 16, addr=0), pg.Tile("f32", 16, 32, addr=0x100)
with pg.Device("a5") as device:
    source, gm, to = device.input(idx), device.input(table), device.buffer(out)
    with device.core(0) as core:
        core.load(index, source)
        core.set_flag("MTE2", "V", 0)
        core.wait_flag("MTE2", "V", 0)
        core.mgather(rows, gm, index)
        core.set_flag("V", "MTE3", 0)
        core.wait_flag("V", "MTE3", 0)
        core.store(to, rows)
assert device.clean and (out == table[idx[0]]).all()
device.stats
# %% [markdown]
# ## Compare with numpy
#
# In a test, `assert_same` runs a program and says which lane differs first, and where it comes from.
# %%
pg.assert_same(text, reference=lambda table, idx: table[idx[0]], target="a5")
# %% [markdown]
# ## Small floats
#
# numpy has no bfloat16. A `FloatArray` shows the numbers of an array of bits, and rounds what is put into it.
# %%
small = pg.bfloat16(table[:4, :4] / 3)
small
