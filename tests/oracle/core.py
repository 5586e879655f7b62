"""What every instruction of the machine does: entries of the pipes' queues, with the bytes each reads and writes, and
faults. Written from the machine's description; values, addresses and definedness are those of a run in which every
access completes at issue.

A set of bytes is a Python integer: bit n stands for byte n of the on-chip buffer, or of one buffer of global memory."""
from dataclasses import dataclass, field

from kernel import SIZE

UB = {"a2a3": 192 << 10, "a5": 256 << 10, "a5-custom": 256 << 10}
FILL = 0xAA
M32 = (1 << 32) - 1


def span(start, count):
    return ((1 << count) - 1) << start if count > 0 else 0


@dataclass
class Entry:
    """One entry of a queue: work, a flag or a barrier."""
    kind: str                 # work, set, wait, barrier
    pipe: str                 # where it is queued; ALL
    op: object = None
    instance: int = 0         # which execution of which op
    own: bool = False         # a flag of an instruction's own
    flag: tuple = ()          # (from, to, id)
    reads: list = field(default_factory=list)    # (space, mask)
    writes: list = field(default_factory=list)
    adds: list = field(default_factory=list)     # to what memory holds: two of them never race
    scratch: int = 0          # of UB: what a library uses for itself
    cache: str = ""           # of the data cache of S: dcci, dsb


class Memory:
    """Bytes and what is known of them."""

    def __init__(self, kernel, gm):
        self.ub = bytearray([FILL]) * UB[kernel.target]
        self.gm = gm
        self.defined = self.padding = 0
        self.carried = {"uninit-read": 0, "pad-read": 0}  # computed from such bytes
        self.bits = {}        # of bytes of masks that were, the undefined bits, if not all are
        self.writer = {}      # tile name: the bytes last written through it
        self.scratched = 0    # written, and then overwritten by a library that has its scratch memory there


class Core:
    """One block's core: its memory, what was issued so far, what was found."""

    def __init__(self, kernel, block, gm, wide=False):
        self.kernel, self.block, self.target = kernel, block, kernel.target
        self.wide = wide      # instructions touch whatever they could with other data, too
        self.is_a5 = kernel.target != "a2a3"
        self.memory, self.entries, self.faults = Memory(kernel, gm), [], []
        self.instance, self.op, self.turn = 0, None, 0
        self.stopped = False
        self.unsure = False   # a NaN, or a last place that is free: bytes are not compared

    # -- what every instruction uses

    def fault(self, name):
        self.faults.append((name, self.op.line, max(0, len(self.entries) - 1)))

    def work(self, pipe):
        entry = Entry("work", pipe, self.op, self.instance)
        self.entries.append(entry)
        return entry

    def pair(self, source, to):
        """A set and a wait of an instruction's own: id 0."""
        for kind, pipe in (("set", source), ("wait", to)):
            self.entries.append(Entry(kind, pipe, self.op, self.instance, True, (source, to, 0)))

    def partly(self, a, b):
        """Do two tiles overlap, neither inside the other?"""
        a0, a1, b0, b1 = a.addr, a.addr + a.bytes, b.addr, b.addr + b.bytes
        if a1 <= b0 or b1 <= a0:
            return False
        return not (a0 <= b0 and b1 <= a1 or b0 <= a0 and a1 <= b1)

    def undefined(self):
        """(id, bytes) of what is reported where it decides something, or leaves the buffer."""
        memory, carried = self.memory, self.memory.carried
        either = memory.defined | memory.padding | carried["uninit-read"] | carried["pad-read"]
        return ("uninit-read", ~either | carried["uninit-read"]), ("pad-read", memory.padding | carried["pad-read"])

    def undefined_at(self, at, size, bit=None):
        """The id of the first undefined byte of an element; of a mask, of one bit."""
        for byte in range(at, at + size):
            if bit is None or self.memory.bits.get(byte, 0xff) >> bit & 1:
                for name, mask in self.undefined():
                    if mask >> byte & 1:
                        return name
        return None

    def read_ub(self, entry, tile, mask, decides=True):
        """Reads bytes through a tile."""
        memory = self.memory
        entry.reads.append(("UB", mask))
        for name, undefined in self.undefined() if decides else ():
            if mask & undefined:
                self.fault(name)
        if mask & memory.scratched:
            self.fault("ub-scratch-clash")
        for name, written in memory.writer.items():
            if written & mask and self.partly(self.kernel.tiles[name], tile):
                self.fault("ub-partial-overlap")

    def write_ub(self, entry, tile, mask, padding=0, carried=()):
        """Writes bytes through a tile; `padding`: bytes that mean nothing afterwards; `carried`: elements that were computed
        from undefined ones, as (address, size, id, bits)."""
        memory, every = self.memory, mask | padding
        entry.writes.append(("UB", every))
        memory.scratched &= ~every
        memory.defined = memory.defined & ~every | mask
        memory.padding = memory.padding & ~every | padding
        for name in memory.carried:
            memory.carried[name] &= ~every
        for at, size, name, bits in carried:
            memory.carried[name] |= span(at, size)
            memory.defined &= ~span(at, size)
            memory.bits[at] = bits
        for name in memory.writer:
            memory.writer[name] &= ~every
        memory.writer[tile.name] = memory.writer.get(tile.name, 0) | every

    def use_scratch(self, count):
        """a2a3 keeps something from 184 KiB on, where a tile may lie."""
        memory, mask = self.memory, span(184 << 10, count)
        written = memory.defined | memory.padding | memory.carried["uninit-read"] | memory.carried["pad-read"]
        memory.scratched |= mask & written
        memory.ub[184 << 10:(184 << 10) + count] = bytes([FILL]) * count

    def value(self, at, size):
        return int.from_bytes(self.memory.ub[at:at + size], "little")

    def read_gm(self, entry, name, at, count):
        """Bytes of a buffer; what lies outside is 0xAA. True: all of them were inside."""
        data = self.memory.gm[name]
        inside = [i for i in (at, at + count - 1) if 0 <= i < len(data)]
        low, high = max(at, 0), min(at + count, len(data))
        if low < high:
            entry.reads.append((name, span(low, high - low)))
        return bytes(data[i] if 0 <= i < len(data) else FILL for i in range(at, at + count)), len(inside) == 2

    def element(self, entry, name, at, size):
        """One element; an element that is not all there is 0xAA."""
        data, whole = self.read_gm(entry, name, at, size)
        if not whole:
            self.fault("gm-out-of-bounds")
            data = bytes([FILL]) * size
        return data

    def store_ub(self, at, data):
        self.memory.ub[at:at + len(data)] = data

    def arrives(self, at):
        """Does a burst to this address arrive? a2a3 drops it where no block begins."""
        if at % 32:
            self.fault("dma-misaligned")
        return at % 32 == 0 or self.is_a5

    # -- tiles

    def elements(self, tile):
        return [(r, c) for r in range(tile.vrow) for c in range(tile.vcol)]

    def lines_of(self, tile):
        """(start, bytes) of what lies together in the tile."""
        size = SIZE[tile.dtype]
        if tile.order == "row":
            return [(tile.at(r, 0), tile.vcol * size) for r in range(tile.vrow)]
        return [(tile.at(0, c), tile.vrow * size) for c in range(tile.vcol)]

    def valid_mask(self, tile):
        size, mask = SIZE[tile.dtype], 0
        if tile.order == "nz":
            for r in range(tile.vrow):
                for c in range(tile.vcol):
                    mask |= span(tile.at(r, c), size)
            return mask
        for start, count in self.lines_of(tile):
            mask |= span(start, count)
        return mask

    def spoil(self, padding):
        """Undefined padding holds 0xAA."""
        at = 0
        while padding >> at:
            at += ((padding >> at) & -(padding >> at)).bit_length() - 1
            self.memory.ub[at] = FILL
            at += 1
