"""Random values at every function: an exception of one line or a result, never a crash. Under the address sanitizer in
`make test`. PTOG_TEST_SEED and PTOG_TEST_CALLS change what is thrown and how much."""

import inspect
import os
import random
import warnings

import numpy as np
import pytest

import ptogather as pg

SEED = int(os.environ.get("PTOG_TEST_SEED", "0")) or None
CALLS = int(os.environ.get("PTOG_TEST_CALLS", "1500" if os.environ.get("PTOG_TEST_SANITIZED") else "4000"))
ALLOWED = (TypeError, ValueError, KeyError, MemoryError, OSError, AssertionError, pg.Error)
NAMED = (TypeError, ValueError)

WORDS = ["row", "elem", "clamp", "zero", "wrap", "undefined", "host", "cpu", "a2a3", "a5", "a5-custom", "all", "f32", "bf16",
         "i32", "hif8", "nz", "col_major", "fast", "random", "witness", "MTE2", "V", "S", "all", "P0101", "gt", "eq", "dps",
         "race-raw", "E13", "", "x", "\0", "%", "t.json", "embed", "ä\ud800", "x" * 5000]


class Broken:
    """An object whose protocols lie or fail."""

    def __init__(self, interface=None):
        if interface is not None:
            self.__array_interface__ = interface

    def __array__(self, *_):
        raise RuntimeError("broken")

    def __index__(self):
        raise RuntimeError("broken")


class Fuzz:
    def __init__(self, seed, embed, racy):
        self.random = random.Random(seed)
        self.numpy = np.random.default_rng(seed)
        self.texts = [embed, racy, "%d = mgather.row %t, %i : (!pto.memref<4x8xf32>, !pto.tile<1x8xi32>) -> !pto.tile<8x8xf32>",
                      "func.func @f(%a: !pto.ptr<f32>, %n: index, %x: f32) {\n  return\n}"]
        self.devices, self.cores, self.buffers, self.results, self.arrays = [], [], [], [], []

    # ---- values

    def array(self):
        shape = tuple(self.random.choice((0, 1, 1, 2, 3, 8, 16, 33)) for _ in range(self.random.choice((0, 1, 1, 2, 2, 2, 3, 5, 6))))
        size = int(np.prod(shape))
        if size > 1 << 16:
            return np.zeros((4, 8), np.float32)
        dtype = np.dtype(self.random.choice(["i1", "u1", "i2", "u2", "i4", "i4", "u4", "i8", "u8", "f2", "f4", "f4", "f8", "?", "c8",
                                             ">f4", ">i4", "M8[s]", "S3", "U2", [("a", "i4"), ("b", "f4")], "O"]))
        if dtype.hasobject:
            return np.full(shape, None)
        raw = np.zeros(size * dtype.itemsize + 1, np.uint8)
        if self.random.random() < 0.6:
            raw[:] = self.numpy.integers(0, 8, raw.size)
            raw[1::4] = raw[2::4] = raw[3::4] = 0
        start = self.random.choice((0, 0, 0, 1))
        array = raw[start:start + size * dtype.itemsize].view(dtype).reshape(shape) if size else np.zeros(shape, dtype)
        how = self.random.random()
        if how < 0.1:
            array = array.T
        elif how < 0.2 and array.ndim:
            array = array[::self.random.choice((-1, 2))]
        elif how < 0.25 and array.ndim:
            array = np.broadcast_to(array, (3, *array.shape))
        elif how < 0.3:
            array = array.view()
            array.flags.writeable = False
        return array

    def element(self):
        return self.random.choice([pg.bfloat16, pg.float8_e4m3, pg.float8_e5m2, pg.hifloat8])

    def small(self):
        element = self.element()
        return element.view(self.numpy.integers(0, 255, (4, 8)).astype(element.storage))

    def number(self):
        return self.random.choice([0, 1, 1, 2, 3, 8, 8, 16, 32, 64, -1, 2**31, 2**32, 2**63, 2**64, -2**63, 2**100, 0.5, float("nan"),
                                   float("inf"), True, np.int8(3), np.float32(2.5), np.uint64(2**63)])

    def text(self):
        text = self.random.choice(self.texts)
        for _ in range(self.random.choice((0, 0, 1, 3))):
            at = self.random.randrange(len(text) + 1)
            end = min(len(text), at + self.random.randrange(12))
            text = text[:at] + self.random.choice(["", "x", "%", "\0", "9", "xf16", text[at:end] * 2]) + text[end:]
        return text

    def tile(self):
        try:
            return pg.Tile(self.random.choice(["f32", "i32", "f16", "bf16", "i64", "u8"]), self.random.choice((1, 4, 8, 2**20, 2**40)),
                           self.random.choice((1, 8, 16)), valid=self.random.choice((None, (1, 4), (4, 8), (2**30, 1))),
                           layout=self.random.choice(["row_major", "col_major", "nz"]),
                           addr=self.random.choice((None, 0, 0, 64, 1 << 10, 1 << 17, 2**63)))
        except ValueError:
            return None

    def odd(self):
        return self.random.choice([None, [], {}, (), object(), Broken(), b"", b"abc", bytearray(b"abcdefgh"), memoryview(b"abcd"),
                                   [[1, 2], [3]], [1, "x"], lambda *a, **k: 0, int, 1j, {"table": 3}, [(0, 1)], [(0,)], slice(1, 3),
                                   Broken({"version": 3, "typestr": "<f4", "shape": (2, 2), "data": (0, False)}),
                                   Broken({"version": 3, "typestr": "?", "shape": "x"}), Ellipsis, float, "f32"])

    def live(self):
        return self.random.choice([*self.devices[-4:], *self.cores[-4:], *self.buffers[-4:], *self.results[-4:], None])

    def value(self):
        makers = [self.array] * 6 + [self.number] * 3 + [self.text, self.tile, self.small, self.odd, self.odd, self.live,
                                                         lambda: self.random.choice(WORDS), lambda: self.random.choice(WORDS)]
        return self.random.choice(makers)()

    def likely(self, name):
        """A value that the parameter may well want, more often than not."""
        makers = {"program": self.text, "target": lambda: self.random.choice(WORDS[6:12]), "tile": self.tile, "dst": self.tile,
                  "idx": self.random.choice((self.tile, self.array)), "src": lambda: self.random.choice((self.tile(), "MTE2", "S")),
                  "tmp": self.tile, "k": self.tile, "cdst": self.tile, "source": lambda: self.random.choice([*self.buffers[-3:], None]),
                  "to": lambda: self.random.choice([*self.buffers[-3:], None]), "table": lambda: self.random.choice([*self.buffers[-3:], self.array()]),
                  "array": self.array, "pattern": lambda: self.random.choice((None, "P0101", "P1000")), "cmp": lambda: self.random.choice((None, "gt", "eq")), "mode": lambda: self.random.choice(WORDS[:2]), "oob": lambda: self.random.choice(WORDS[2:6]),
                  "dtype": lambda: self.random.choice(WORDS[12:16]), "rows": self.number, "cols": self.number, "shape": lambda: (4, 8),
                  "reference": lambda: (lambda **_: 0), "name": lambda: self.random.choice(["tadd", "tmax", "mgather", "tgather", "tload", "x"]), "max_steps": lambda: 2000, "seconds": lambda: 0.2, "blocks": lambda: self.random.choice((1, 2, 5))}
        return makers[name]() if name in makers and self.random.random() < 0.75 else self.value()

    # ---- calls

    def functions(self):
        yield from (pg.take, pg.mgather, pg.tgather, pg.run, pg.check, pg.repair, pg.prove, pg.reduce, pg.explain, pg.empty, pg.synthetic_inputs, pg.assert_same,
                    pg.Program, pg.Tile, pg.Device, self.element(), self.element().view)
        for thing in [*self.devices[-3:], *self.cores[-6:], *self.buffers[-2:], *self.results[-3:]]:
            for name in dir(thing):
                if not name.startswith("_") or name in ("__getitem__", "_repr_html_", "__repr__"):
                    yield (thing, name)

    def arguments(self, function):
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):
            return [self.value()], {}
        given, named = [], {}
        for parameter in parameters:
            if parameter.kind is parameter.VAR_KEYWORD:
                named.update({name: self.value() for name in self.random.sample(["table", "idx", "out", "t", "i", "a", "n", "x"], 3)})
            elif parameter.name in ("path", "self"):
                continue
            elif parameter.kind is parameter.VAR_POSITIONAL:
                given += [self.likely(self.random.choice(("tile", "source"))) for _ in range(self.random.randrange(5))]
            elif parameter.default is parameter.empty:
                given.append(self.likely(parameter.name))
            elif self.random.random() < 0.3:
                named[parameter.name] = self.likely(parameter.name)
        return given, named

    def call(self):
        function = self.random.choice(list(self.functions()))
        if isinstance(function, tuple):
            function = getattr(*function)  # a property may raise
            if not callable(function) or "cdata" in repr(function)[:8]:
                return repr(function)
        if getattr(function, "__name__", "") in ("report", "save_trace"):
            return function(os.devnull + "/no")
        if function is pg.run and self.random.random() < 0.5:
            text = self.text()
            return pg.run(text, self.random.choice(pg.TARGETS), inputs=pg.synthetic_inputs(text), max_steps=2000)
        given, named = self.arguments(function)
        if "max_steps" in inspect.signature(function).parameters and not isinstance(named.get("max_steps"), str):
            named["max_steps"] = 2000
        return function(*given, **named)

    def keep(self, result):
        for kind, place in ((pg.Device, self.devices), (pg.Core, self.cores), ((pg.Buffer, pg.View), self.buffers),
                            (pg.Result, self.results)):
            if isinstance(result, kind):
                place.append(result)
                del place[:-8]
        if isinstance(result, (np.ndarray, pg.FloatArray)):
            repr(result)


def named(error):
    """Whether the message of an exception is one line with a name in front."""
    text = str(error)
    return "\n" not in text and (": " in text or "is closed" in text)


@pytest.mark.filterwarnings("ignore")
def test_anything_anywhere(embed, racy):
    seed = SEED or random.SystemRandom().randrange(1, 2**31)
    fuzz, seen = Fuzz(seed, embed, racy), {"results": 0, "exceptions": 0}
    fuzz.devices = [pg.Device("a2a3"), pg.Device("host"), pg.Device("a5", automatic=True)]
    fuzz.cores = [device.core(0) for device in fuzz.devices]
    fuzz.buffers = [device.buffer(np.zeros((8, 8), np.float32)) for device in fuzz.devices]
    for call in range(CALLS):
        if call % 50 == 0:
            fuzz.devices.append(pg.Device(fuzz.random.choice(pg.TARGETS), automatic=fuzz.random.random() < 0.5, max_instructions=500))
            fuzz.cores.append(fuzz.devices[-1].core(0))
            fuzz.buffers.append(fuzz.devices[-1].buffer(np.zeros((8, 8), fuzz.random.choice(["f4", "i4"]))))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                fuzz.keep(fuzz.call())
            seen["results"] += 1
        except ALLOWED as error:
            seen["exceptions"] += 1
            if isinstance(error, NAMED) and not isinstance(error, UnicodeError):
                assert named(error), f"PTOG_TEST_SEED={seed}: {type(error).__name__}: {error}"
        except Exception as error:
            raise AssertionError(f"PTOG_TEST_SEED={seed}, call {call}: {type(error).__name__}: {error}") from error
    assert seen["results"] > CALLS / 20 and seen["exceptions"] > CALLS / 20, (seed, seen)
