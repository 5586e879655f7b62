"""What the tests of the Python package share: where the source tree is, and programs."""

import os
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(os.environ["PTOG_TEST_ROOT"])

EMBED = """func.func @embed(%table: !pto.partition_tensor_view<64x32xf32>, %idx: !pto.partition_tensor_view<1x16xi32>, %out: !pto.partition_tensor_view<16x32xf32>) {
  %i = pto.alloc_tile : !pto.tile_buf<vec, 1x16xi32>
  %d = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>
  pto.tload ins(%idx) outs(%i)
  pto.mgather ins(%table, %i) outs(%d) {coalesce = #pto<coalesce row>, gatherOob = #pto<gather_oob clamp>}
  pto.tstore ins(%d) outs(%out)
  return
}
"""
RACY = EMBED.replace("  pto.mgather", "  pto.barrier <PIPE_V>\n  pto.mgather")


@pytest.fixture
def root():
    return ROOT


@pytest.fixture
def embed():
    """A program without flags, which the library completes."""
    return EMBED


@pytest.fixture
def racy():
    """The same with a barrier, so that it is taken as it is, and races."""
    return RACY


@pytest.fixture
def data():
    """The arguments of both."""
    random = np.random.default_rng(7)
    return {"table": random.random((64, 32), dtype=np.float32), "idx": random.integers(0, 64, (1, 16), np.int32),
            "out": np.zeros((16, 32), np.float32)}
