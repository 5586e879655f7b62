"""The recipes of illegal cases: what each changes in a legal case, and the rule that the change breaks.

A change returns False when the drawn case gives it nothing to break; another case is drawn then. Other rules may break
too: the library has to report all of them, so the id must be among the refusals whatever else is there. This file
holds the recipes for any form; recipes_mgather.py and recipes_tgather.py hold the rest.
"""
from collections import namedtuple

from facts import A5

Recipe = namedtuple("Recipe", "rule forms targets change at_run where")
RECIPES = []
NPU = ("a2a3",) + A5
ALL = ("host", "cpu", "cpusim") + NPU
ROW, ELEM, MGATHER, TGATHER = ("row",), ("elem",), ("row", "elem"), ("index", "mask", "compare")


def recipe(rule, forms, targets=ALL, at_run=False, where=lambda cell: True):
    """Registers the decorated change. `where` narrows the legal cells it starts from."""
    def add(change):
        RECIPES.append(Recipe(rule, forms, targets, change, at_run, where))
        return change
    return add


def on_nz(cell):
    return cell.layout.table == "nz"


def on_nd(cell):
    return cell.layout.table == "nd"


@recipe("tile-loc", MGATHER + TGATHER)
def not_vec(case, rng):
    tile = rng.choice([tile for tile in (case.dst, case.idx, case.src) if tile])
    tile.loc = rng.randint(2 if case.is_mgather and tile is case.dst else 1, 4)


@recipe("mgather-l1-index-loc", MGATHER)
def index_tile_for_l1(case, rng):
    case.dst.loc = 1


@recipe("tile-valid", MGATHER + TGATHER)
def valid_past_padded(case, rng):
    case.dst.vrow = case.dst.rows + rng.randint(1, 9)


@recipe("tile-valid", MGATHER + TGATHER, at_run=True)
def valid_past_padded_at_run(case, rng):
    case.dst.vrow, case.dst.dyn = rng.choice((case.dst.rows + 1, -3, 1 << 40)), (True, False)


@recipe("tile-shape", MGATHER + TGATHER)
def no_rows(case, rng):
    case.dst.rows = rng.choice((0, -1, -(1 << 40)))


@recipe("ub-overlap", MGATHER + TGATHER)
def same_address(case, rng):
    other = case.idx or case.src
    case.dst.addr = 64
    beside = min(32, case.dst.bytes - 1)
    other.addr = 64 + (beside if case.target == "a2a3" else rng.choice((0, beside)))  # a2a3 may gather in place


@recipe("extent-missing", MGATHER + TGATHER, at_run=True)
def valid_not_given(case, rng):
    case.dst.vrow, case.dst.dyn = 0, (True, False)


@recipe("extent-missing", MGATHER, at_run=True, where=on_nd)
def shape_not_given(case, rng):
    case.table.shape[3], case.table.dyn_shape = 0, (False, False, False, True, False)
