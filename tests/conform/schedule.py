"""Which case has which number: every legal cell so many times, then illegal ones, then legal ones at random.

Case n depends on the seed, on n and on the counts only, so any single case can be made again.
"""
import random
from collections import Counter

import cells
import make_illegal
import make_mgather
import make_tgather
from make_illegal import RECIPES

PER_CELL = 5      # the least number of cases per legal cell
PER_GROUP = 400   # ... and per form and target: groups of few cells get more of each
PER_RECIPE = 30   # illegal cases per recipe: about a twentieth of all
LEGAL_SHARE = 0.8  # at least, of all cases and of every form on every target


class Schedule:
    def __init__(self, count, seed, quick):
        scale = 10 if quick else 1
        self.seed = seed
        self.cells = cells.cells()
        self.slots = self.legal_slots(scale)
        for recipe in RECIPES:
            self.slots += [(recipe, make_illegal.source_cells(recipe, self.cells))] * (PER_RECIPE // scale)
        while len(self.slots) < count // scale:
            self.slots.append(self.random_cell(len(self.slots)))

    def legal_slots(self, scale):
        self.least = max(1, PER_CELL // scale)
        size = Counter((cell.form, cell.target) for cell in self.cells)
        times = {group: max(self.least, -(-PER_GROUP // scale // n)) for group, n in size.items()}
        return [cell for cell in self.cells for _ in range(times[cell.form, cell.target])]

    def rng(self, n):
        return random.Random(self.seed * 1000003 + n)

    def random_cell(self, n):
        return self.rng(n).choice(self.cells)

    def __len__(self):
        return len(self.slots)

    def case(self, n):
        slot, rng = self.slots[n], self.rng(n)
        if isinstance(slot, cells.Cell):
            return (make_mgather if slot.form in ("row", "elem") else make_tgather).make(slot, rng)
        return make_illegal.make(*slot, rng)


class Histogram:
    """Cases per cell, shown per form and target; and the two promises about them."""

    def __init__(self, schedule):
        self.schedule = schedule
        self.legal = Counter()    # by cell
        self.illegal = Counter()  # by form and target

    def count(self, n, case):
        if case.rule:
            self.illegal[case.form, case.target] += 1
        else:
            self.legal[self.schedule.slots[n]] += 1

    def lines(self):
        yield "form     target     cells  min/cell   legal  illegal  legal share"
        for (form, target), counts in sorted(self.groups().items()):
            legal, illegal = sum(counts), self.illegal[form, target]
            yield (f"{form:8} {target:9} {len(counts):6} {min(counts):9} {legal:7} {illegal:8} "
                   f"{100 * legal / (legal + illegal):11.1f}%")
        legal, illegal = sum(self.legal.values()), sum(self.illegal.values())
        yield f"{'all':18} {len(self.legal):6} {self.least():9} {legal:7} {illegal:8} {100 * self.share():11.1f}%"

    def groups(self):
        """Cases per legal cell, by form and target."""
        groups = {}
        for cell, count in self.legal.items():
            groups.setdefault((cell.form, cell.target), []).append(count)
        return groups

    def least(self):
        return min(self.legal[cell] for cell in self.schedule.cells)

    def share(self):
        legal, illegal = sum(self.legal.values()), sum(self.illegal.values())
        return legal / (legal + illegal)

    def broken_promises(self):
        if self.least() < self.schedule.least:
            yield f"a cell has only {self.least()} cases, {self.schedule.least} are promised"
        shares = {"all": self.share()}
        for group, counts in self.groups().items():
            shares[" ".join(group)] = sum(counts) / (sum(counts) + self.illegal[group])
        for name, share in shares.items():
            if share < LEGAL_SHARE:
                yield f"{name}: only {100 * share:.1f} % of the cases are legal, {100 * LEGAL_SHARE:.0f} % are promised"
