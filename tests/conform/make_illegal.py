"""Makes deliberately illegal cases: a legal one, one change from recipes*.py, and the id of the rule that it breaks."""
import make_mgather
import make_tgather
import recipes_mgather  # noqa: F401  (registers its recipes)
import recipes_tgather  # noqa: F401
from recipes import MGATHER, RECIPES  # noqa: F401


def source_cells(recipe, cells):
    """The legal cells a recipe can start from."""
    return [cell for cell in cells
            if cell.form in recipe.forms and cell.target in recipe.targets and recipe.where(cell)]


def freeze(case):
    """Every extent known when planning and no addresses, unless the recipe says otherwise."""
    for tile in (case.dst, case.src, case.idx, case.tmp, case.k, case.cdst):
        if tile:
            tile.dyn, tile.implicit, tile.addr = (False, False), False, None
    if case.table:
        case.table.dyn_shape = case.table.dyn_stride = (False,) * 5


def make(recipe, cells, rng):
    """`cells`: what source_cells gave."""
    while True:
        cell = rng.choice(cells)
        case = (make_mgather if cell.form in MGATHER else make_tgather).make(cell, rng)
        freeze(case)
        if recipe.change(case, rng) is not False:
            case.rule, case.at_run = recipe.rule, recipe.at_run
            return case
