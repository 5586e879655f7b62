"""Mutants: copies of a kernel with one thing changed, as a slip of the hand would change it."""
import struct
from dataclasses import replace

from kernel import DIRECT, PIPES, SIZE, Buffer, Loop, Op, View
from mend import Repair
from refuse import is_open

SYNC = ("set", "wait", "barrier")
WORKS = {"load": "MTE2", "store": "MTE3", "vector": "V", "mask": "V", "tgather": "V"}  # the pipe of an op that has one


class Mutation:
    """A copy under the knife. Each `do_...` changes it, or returns False where it cannot."""

    def __init__(self, kernel, rng):
        self.kernel, self.rng = kernel.copy(), rng
        self.finder = Repair(self.kernel, rng)

    def ops(self, *kinds):
        return [op for op in self.kernel.ops() if not kinds or op.kind in kinds]

    def pick(self, *kinds):
        found = self.ops(*kinds)
        return self.rng.choice(found) if found else None

    def remove(self, op):
        ops, n, _ = self.finder.place(op)
        del ops[n]

    # -- flags and barriers

    def do_delete_sync(self):
        op = self.pick(*SYNC)
        return op is not None and self.remove(op) is None

    def do_delete_syncs(self):
        """Two or three at once."""
        count = self.rng.randint(2, 3)
        for op in self.rng.sample(self.ops(*SYNC), min(count, len(self.ops(*SYNC)))):
            self.remove(op)
        return count > 0 and bool(self.ops(*SYNC))

    def do_delete_pair(self):
        """A set and a wait of one triple."""
        op = self.pick("set")
        waits = op and [w for w in self.ops("wait") if (w.pipe, w.to, w.id) == (op.pipe, op.to, op.id)]
        if not waits:
            return False
        self.remove(op)
        self.remove(self.rng.choice(waits))
        return True

    def do_delete_triple(self):
        """All of a flag: a back flag with what comes before and after the loop."""
        op = self.pick("set", "wait")
        if op is None:
            return False
        for other in self.ops("set", "wait"):
            if (other.pipe, other.to, other.id) == (op.pipe, op.to, op.id):
                self.remove(other)
        return True

    def do_move_sync(self):
        op = self.pick(*SYNC)
        if op is None:
            return False
        ops, n, _ = self.finder.place(op)
        del ops[n]
        at = max(0, min(len(ops), n + self.rng.choice((-4, -3, -2, -1, 1, 2, 3, 4))))
        ops.insert(at, op)
        return at != n

    def do_move_across_loop(self):
        op = self.pick(*SYNC)
        lists = list(self.kernel.lists())
        if op is None or len(lists) == 1:
            return False
        self.remove(op)
        ops, _ = self.rng.choice(lists)
        ops.insert(self.rng.randint(0, len(ops)), op)
        return True

    def do_hold(self):
        """A set comes far too late, or a wait far too early, and a pair is missing: pipes stand still while others go
        on, which nothing orders."""
        op = self.pick("set", "wait")
        if op is None:
            return False
        ops, n, _ = self.finder.place(op)
        del ops[n]
        at = self.rng.randint(n, len(ops)) if op.kind == "set" else self.rng.randint(0, n)
        ops.insert(at, op)
        return at != n and self.do_delete_pair()

    def do_reverse(self):
        """One op waits for a later one of another pipe, and no longer the other way round."""
        ops, _ = self.rng.choice(list(self.kernel.lists()))
        work = [n for n, op in enumerate(ops) if getattr(op, "kind", "") in WORKS]
        if len(work) < 2:
            return False
        first, second = sorted(self.rng.sample(work, 2))
        to, source = WORKS[ops[first].kind], WORKS[ops[second].kind]
        number = self.finder.free_id(source, to)
        if source == to or number is None:
            return False
        between = [op for op in ops[first:second] if getattr(op, "kind", "") not in SYNC]
        ops[first:second + 1] = [Op("wait", pipe=source, to=to, id=number), *between, ops[second],
                                 Op("set", pipe=source, to=to, id=number)]
        return True

    def do_swap(self):
        """Two neighbours."""
        ops, _ = self.rng.choice(list(self.kernel.lists()))
        if len(ops) < 2:
            return False
        n = self.rng.randrange(len(ops) - 1)
        ops[n], ops[n + 1] = ops[n + 1], ops[n]
        return True

    def do_swap_ids(self):
        first, second = self.pick("set", "wait"), self.pick("set", "wait")
        if first is None or first.id == second.id:
            return False
        first.id, second.id = second.id, first.id
        return True

    def do_renumber(self):
        op = self.pick("set", "wait")
        if op is None:
            return False
        op.dyn = self.rng.random() < 0.3
        op.id = self.rng.choice([n for n in (*range(9), *[8] * 8 * op.dyn) if n != op.id])
        return True

    def do_renumber_triple(self):
        op = self.pick("set", "wait")
        if op is None:
            return False
        old, new = (op.pipe, op.to, op.id), self.rng.choice([n for n in (0, 0, 0, *range(8)) if n != op.id])
        for other in self.ops("set", "wait"):
            if (other.pipe, other.to, other.id) == old:
                other.id = new
        return True

    def do_change_pipe(self):
        op = self.pick(*SYNC)
        if op is None:
            return False
        if op.kind == "barrier":
            op.pipe = self.rng.choice([pipe for pipe in (*PIPES, "ALL") if pipe != op.pipe])
        elif self.rng.random() < 0.5:
            op.pipe = self.rng.choice([pipe for pipe in (*PIPES, "M") if pipe != op.pipe])
        else:
            op.to = self.rng.choice([pipe for pipe in (*PIPES, "FIX") if pipe != op.to])
        return True

    def do_change_triple(self):
        """A pipe of all flags of one triple."""
        op = self.pick("set", "wait")
        if op is None:
            return False
        old, end = (op.pipe, op.to, op.id), self.rng.choice(("pipe", "to"))
        new = self.rng.choice([pipe for pipe in PIPES if pipe not in old])
        for other in self.ops("set", "wait"):
            if (other.pipe, other.to, other.id) == old:
                setattr(other, end, new)
        return True

    def do_turn_flag(self):
        op = self.pick("set", "wait")
        if op is None:
            return False
        op.pipe, op.to = op.to, op.pipe
        return True

    def do_repeat(self):
        """Something is written twice."""
        op = self.rng.choice(self.ops())
        ops, n, _ = self.finder.place(op)
        ops.insert(self.rng.randint(n, len(ops)), Op(**vars(op)))
        return True

    def do_weaken(self):
        """A barrier of all pipes becomes one pipe's, or a flag."""
        found = [op for op in self.ops("barrier") if op.pipe == "ALL"]
        if not found:
            return False
        op = self.rng.choice(found)
        ops, n, _ = self.finder.place(op)
        source, to = self.rng.sample(PIPES, 2)
        flag = dict(pipe=source, to=to, id=self.rng.randint(1, 5))
        ops[n:n + 1] = [Op("set", **flag), Op("wait", **flag)]
        return True

    def do_clash(self):
        """A flag of the program's with the id that instructions use, set before one and taken after it."""
        op = self.pick("mgather", "compare", "vector")
        if op is None or self.kernel.target != "a2a3":
            return False
        ops, n, _ = self.finder.place(op)
        source, to = self.rng.choice((("V", "S"), ("MTE3", "S"), ("S", "V"), ("S", "MTE3"), ("MTE2", "V")))
        flag = dict(pipe=source, to=to, id=0)
        ops.insert(self.rng.randint(n, len(ops)), Op("wait", **flag))
        ops.insert(self.rng.randint(0, n), Op("set", **flag))
        return True

    # -- instructions

    def do_delete_work(self):
        work = [op for op in self.ops() if op.kind not in SYNC]
        if len(work) < 2:
            return False
        return self.remove(self.rng.choice(work)) is None

    def do_move_work(self):
        work = [op for op in self.ops() if op.kind not in SYNC]
        ops, n, _ = self.finder.place(self.rng.choice(work))
        op = ops.pop(n)
        at = max(0, min(len(ops), n + self.rng.choice((-3, -2, -1, 1, 2, 3))))
        ops.insert(at, op)
        return at != n

    def do_change_policy(self):
        op = self.pick("mgather")
        if op is None:
            return False
        op.oob = self.rng.choice([oob for oob in ("undefined", "clamp", "wrap", "zero") if oob != op.oob])
        return True

    def do_other_source(self):
        """A vector instruction reads another tile of the same kind."""
        op = self.pick("vector")
        if op is None or not op.ins:
            return False
        n = self.rng.randrange(len(op.ins))
        mine = self.kernel.tiles[op.ins[n]]
        others = [tile.name for tile in self.kernel.tiles.values()
                  if tile is not mine and replace(tile, name="", addr=0, line=0) == replace(mine, name="", addr=0, line=0)]
        if not others:
            return False
        op.ins = (*op.ins[:n], self.rng.choice(others), *op.ins[n + 1:])
        return True

    def do_other_store(self):
        """A store adds that did not, or no longer adds."""
        op = self.pick("store")
        if op is None:
            return False
        op.mode = "" if op.mode == "add" else "add"
        return True

    def do_move_window(self):
        found = [op for op in self.ops("vector") if op.at]
        if not found:
            return False
        op, n = self.rng.choice(found), self.rng.randrange(2)
        op.at = tuple(max(0, at + self.rng.choice((-8, -1, 1, 2, 8)) * (n == k)) for k, at in enumerate(op.at))
        return True

    def do_change_count(self):
        loops = [item for item in self.kernel.body if isinstance(item, Loop)]
        if not loops:
            return False
        loop = self.rng.choice(loops)
        count = self.rng.choice([n for n in range(4) if n != loop.count])
        loop.count = count
        return count < 3 or self.fits(loop)

    def fits(self, loop):
        """Do the views still lie in their arrays? A part outside is refused for that reason alone."""
        for op in loop.body:
            for name in (op.dst, op.src):
                view = self.kernel.views.get(name)
                for block in range(self.kernel.blocks if view else 0):
                    if any(o + n > s for o, n, s in zip(view.offsets(loop.count - 1, block), view.size, view.shape)):
                        return False
        return True

    # -- memory

    def do_shift_tile(self):
        tile = self.rng.choice(list(self.kernel.tiles.values()))
        tile.addr = max(0, tile.addr + self.rng.choice((-128, -96, -64, -32, 32, 64, 96, 128, 256)))
        return True

    def do_stack_tiles(self):
        """One tile where another one is, or in its middle."""
        tiles = list(self.kernel.tiles.values())
        tile, other = self.rng.choice(tiles), self.rng.choice(tiles)
        tile.addr = other.addr + self.rng.choice((0, 0, 32, other.bytes // 2 // 32 * 32))
        return tile is not other

    def do_misalign_tile(self):
        tile = self.rng.choice(list(self.kernel.tiles.values()))
        tile.addr += self.rng.choice((1, 2, 4, 8, 16, 48))
        return True

    def do_lift_tile(self):
        """To where the buffer has borders."""
        tile = self.rng.choice(list(self.kernel.tiles.values()))
        borders = (184, 192) if self.kernel.target == "a2a3" else (120, 128, 216, 248, 256)
        border = self.rng.choice(borders) << 10
        tile.addr = (border - self.rng.choice((0, 32, tile.bytes, tile.bytes + 32))) // 32 * 32
        return True

    def do_shrink_buffer(self):
        buffer = self.rng.choice(list(self.kernel.buffers.values()))
        cut = self.rng.choice((1, SIZE[buffer.dtype], 16, 32, len(buffer.data) // 2))
        buffer.data = buffer.data[:max(1, len(buffer.data) - cut)]
        return True

    def do_change_index(self):
        """One index of a gather."""
        found = [op for op in self.ops("load") if any(op.dst == other.idx for other in self.ops("mgather", "tgather"))]
        if not found:
            return False
        buffer = self.kernel.buffers[self.kernel.views[self.rng.choice(found).src].buffer]
        size = SIZE[buffer.dtype]
        if len(buffer.data) < size:  # shrunk before
            return False
        at = self.rng.randrange(len(buffer.data) // size) * size
        if size == 4:
            word = struct.pack("<I", self.rng.choice((3, 4, 5, 6, 7, 8, 16, 20, 33, 64, 1000, 49152, 1 << 20,
                                                      1 << 30, 1 << 31, (1 << 32) - 1, (1 << 32) - 5)))
        else:
            word = struct.pack("<H", self.rng.choice((3, 16, 33, 100, 32768, 65535)))
        buffer.data = buffer.data[:at] + word + buffer.data[at + size:]
        return True

    def do_far_row(self):
        """A row so far away that its place does not fit into 32 bits."""
        found = [(op, load) for op in self.ops("mgather") for load in self.ops("load") if op.mode == "row" and load.dst == op.idx]
        if not found or self.kernel.target == "a2a3":
            return False
        op, load = self.rng.choice(found)
        buffer = self.kernel.buffers[self.kernel.views[load.src].buffer]
        op.oob = "undefined"
        buffer.data = struct.pack("<I", self.rng.choice((1 << 29, 1 << 30, (1 << 31) - 1))) + buffer.data[4:]
        return len(buffer.data) > 4

    def do_change_valid(self):
        """The valid extent of a tile."""
        tile = self.rng.choice(list(self.kernel.tiles.values()))
        if tile.order == "nz":
            return False
        self.narrow(tile)
        return True

    def narrow(self, tile):
        if self.rng.random() < 0.5:
            tile.vrow = max(1, min(tile.rows, tile.vrow + self.rng.choice((-1, 1))))
        else:
            tile.vcol = max(1, min(tile.cols, tile.vcol + self.rng.choice((-3, -1, 1, 3))))

    def do_change_extent(self):
        """The valid extent of a tile, and the views it goes with."""
        tile = self.rng.choice(list(self.kernel.tiles.values()))
        if tile.order == "nz":
            return False
        self.narrow(tile)
        for op in self.ops("load", "store"):
            here, there = (op.dst, op.src) if op.kind == "load" else (op.src, op.dst)
            if here == tile.name:
                view = self.kernel.views[there]
                view.size = (tile.vrow, tile.vcol)
                view.shape = tuple(max(s, n + 8 * n) for s, n in zip(view.shape, view.size))
        return True

    def do_into_scratch(self):
        """A tile where a library keeps something."""
        if self.kernel.target != "a2a3" or not any(op.insn.startswith("trowexpand") and not op.tmp for op in self.ops("vector")):
            return False
        tile = self.rng.choice(list(self.kernel.tiles.values()))
        tile.addr = (184 << 10) + 32 * self.rng.randrange(10)
        return True

    def do_shrink_scratch(self):
        found = [self.kernel.tiles[op.tmp] for op in self.ops("tgather") if op.tmp]
        if not found or found[0].rows == 1:
            return False
        found[0].rows = found[0].vrow = 1
        return True

    def do_change_pad(self):
        tile = self.rng.choice(list(self.kernel.tiles.values()))
        tile.pad ^= 1
        return tile.order != "nz"

    def do_read_padding(self):
        """The whole of a tile is stored, although only a part of it was loaded."""
        found = [op for op in self.ops("load", "mgather") if self.kernel.tiles[op.dst].order == "row"
                 and self.kernel.tiles[op.dst].vcol < self.kernel.tiles[op.dst].cols]
        if not found or "whole" in self.kernel.buffers:
            return False
        op = self.rng.choice(found)
        part = self.kernel.tiles[op.dst]
        whole = replace(part, name=part.name + "_whole", vrow=part.rows, vcol=part.cols)
        size = (whole.rows, whole.cols)
        self.kernel.tiles[whole.name] = whole
        self.kernel.buffers["whole"] = Buffer("whole", whole.dtype, bytes(whole.bytes))
        self.kernel.views["vwhole"] = View("vwhole", "whole", whole.dtype, size, (whole.cols, 1), size)
        ops, n, _ = self.finder.place(op)
        store = Op("store", dst="vwhole", src=whole.name)
        ops[n + 1:n + 1] = [Op("barrier", pipe="ALL"), store, Op("barrier", pipe="ALL")]
        return True

    def do_change_stride(self):
        view = self.rng.choice(list(self.kernel.views.values()))
        if len(view.shape) != 2 or view.stride[1] != 1:
            return False
        view.stride = (view.stride[0] + self.rng.choice((1, 4, 8)), 1)
        return True

    def do_stop_view(self):
        """A view that no longer moves."""
        found = [view for view in self.kernel.views.values() if any(view.step) or any(view.block)]
        if not found:
            return False
        view = self.rng.choice(found)
        if any(view.block) and self.rng.random() < 0.6:
            view.block = ()
        else:
            view.step = ()
        return True

    # -- the launch

    def do_add_block(self):
        self.kernel.blocks += 1
        return not any(any(view.block) for view in self.kernel.views.values())

    def do_share_store(self):
        """Another block, and a store of both of them adds: behind a plain store of the same bytes, now and then."""
        self.kernel.blocks = max(2, self.kernel.blocks)
        stores = self.ops("store")
        for op in stores:
            op.mode = self.rng.choice(("", "add"))
        return len(stores) > 0

    def do_launch(self):
        self.kernel.launch = DIRECT
        return self.kernel.target != "a2a3"

    def do_dyn_ub(self):
        top = max(tile.addr + tile.bytes for tile in self.kernel.tiles.values())
        self.kernel.dyn_ub = self.rng.choice((32, top - 32, top, top + 32, 216 << 10, (216 << 10) + 32))
        return self.kernel.target != "a2a3" and self.kernel.dyn_ub > 0


WEIGHTS = {"delete_sync": 9, "delete_syncs": 9, "delete_pair": 6, "delete_triple": 6, "move_sync": 9, "move_across_loop": 5, "hold": 8, "reverse": 6,
           "swap": 6, "swap_ids": 3, "renumber": 5, "renumber_triple": 4, "change_pipe": 6, "change_triple": 4,
           "turn_flag": 3, "clash": 2, "shrink_scratch": 2, "into_scratch": 4, "repeat": 4, "weaken": 3, "delete_work": 5, "move_work": 5,
           "change_policy": 2, "other_source": 4, "other_store": 3, "move_window": 2, "change_count": 3, "shift_tile": 5, "stack_tiles": 4, "misalign_tile": 2,
           "lift_tile": 4, "shrink_buffer": 4, "change_index": 5, "far_row": 1, "change_valid": 3, "change_extent": 4,
           "change_pad": 2, "read_padding": 4, "change_stride": 3, "stop_view": 3, "add_block": 2, "share_store": 2, "launch": 1,
           "dyn_ub": 2}


def mutant(kernel, rng, many=0.15):
    """A mutant and what was done to it: one change, now and then two."""
    done = []
    while not done or len(done) < 2 and rng.random() < many:
        name = rng.choices(list(WEIGHTS), WEIGHTS.values())[0]
        mutation = Mutation(kernel, rng)
        if getattr(mutation, "do_" + name)() and not is_open(mutation.kernel):
            kernel = mutation.kernel
            done.append(name)
    return kernel, "+".join(done)
