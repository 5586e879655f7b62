"""ptogather: run, check and speed up PTO gather kernels without an NPU.

>>> import numpy as np, ptogather as pg
>>> table, idx = np.arange(48, dtype=np.float32).reshape(6, 8), np.array([2, 0, 5, 5])
>>> rows = pg.mgather(table, idx, mode="row", oob="clamp")
>>> bool((rows == table[idx]).all())
True
"""

from ._library import TARGETS, version
from .arrays import CopyWarning
from .bag import embedding_bag
from .checking import Checked, check
from .core import Core
from .device import Device
from .diagnostics import Diagnostic, Diagnostics, Error, Fault, LaneWarning, Place, Refused, Related, Step
from .elements import Element, FloatArray, bfloat16, empty, float8_e4m3, float8_e5m2, float8_e8m0, hifloat8
from .explain import Explanation, explain
from .gather import take
from .instructions import mgather, tgather
from .memory import Buffer, View
from .program import Program, Slot
from .proving import Coverage, Covered, Finding, Proof, Reduced, prove, reduce
from .result import Result, Tiles
from .running import repair, run
from .scatter import put, scatter_add
from .stats import Stats
from .synthetic import GeneratedWarning, synthetic_inputs
from .testing import assert_same
from .tiles import Tile, TileView

__version__ = version()

__all__ = [
    "TARGETS", "Buffer", "Checked", "CopyWarning", "Core", "Coverage", "Covered", "Device", "Diagnostic", "Diagnostics", "Element", "Error",
    "Explanation", "Fault", "Finding", "FloatArray", "GeneratedWarning", "LaneWarning", "Place", "Program", "Proof", "Reduced", "Refused", "Related",
    "Result", "Slot", "Stats", "Step", "Tile", "TileView", "Tiles", "View", "assert_same", "bfloat16", "check", "embedding_bag", "empty", "explain",
    "float8_e4m3", "float8_e5m2", "float8_e8m0", "hifloat8", "mgather", "prove", "put", "reduce", "repair", "run", "scatter_add",
    "synthetic_inputs", "take", "tgather",
]
