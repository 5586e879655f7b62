#!/usr/bin/env python3
"""Makes what the kernels of this folder read, and what they should write according to numpy.

    data.py DIR     writes DIR/KERNEL/NAME.npy for every argument of every kernel; needs numpy

Arguments that a kernel only writes have the expected result, those that it also reads what they hold before. Everything is computed in double precision from the rounded inputs;
a kernel computes in single precision, so it may differ in the last digits (TOLERANCE).
"""

import sys
from pathlib import Path

import numpy as np

TOLERANCE = 2e-6  # of the largest number of a result


def embedding(random):
    table = random.standard_normal((100, 64)).astype("<f4")
    words = random.integers(0, 100, (1, 64)).astype("<i4")
    position = np.sin(np.arange(64)[:, None] / 10000 ** (np.arange(64) / 64)).astype("<f4")
    return {"table": table, "words": words, "position": position}, {"out": table[words[0]] * 8.0 + position}


def softmax_of(x):
    e = np.exp(x.astype("<f8") - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def softmax(random):
    x = (random.standard_normal((64, 128)) * 4 + 90).astype("<f4")  # exp alone would overflow
    return {"x": x}, {"out": softmax_of(x)}


def rope(random):
    x = random.standard_normal((64, 64)).astype("<f4")
    weight = random.uniform(0.5, 1.5, (1, 64)).astype("<f4")
    angle = np.arange(64)[:, None] / 10000 ** (np.arange(64) // 2 * 2 / 64)
    cos, sin = np.cos(angle).astype("<f4"), (np.sin(angle) * np.tile([-1, 1], 32)).astype("<f4")
    pairs = (np.arange(16 * 64) ^ 1).reshape(16, 64).astype("<i4")
    y = x / np.sqrt((x.astype("<f8") ** 2).mean(1, keepdims=True) + 1e-6) * weight
    swapped = y.reshape(64, 32, 2)[:, :, ::-1].reshape(64, 64)
    return {"x": x, "weight": weight, "cos": cos, "sin": sin, "pairs": pairs}, {"out": y * cos + swapped * sin}


def gate(random):
    scores = random.standard_normal((64, 64)).astype("<f4")
    experts = np.sort(np.argsort(-scores, 1)[:, :2], 1)
    chosen = np.take_along_axis(softmax_of(scores), experts, 1)
    counts = np.bincount(experts.ravel(), minlength=64)[None]
    return {"scores": scores}, {"experts": experts.astype("<i4"), "shares": chosen / chosen.sum(1, keepdims=True), "counts": counts}


def merge(random):
    partial = random.standard_normal((200, 64)).astype("<f4")
    which = random.integers(0, 200, (8, 32)).astype("<i4")
    lse = random.standard_normal((8, 32)).astype("<f4")
    skipped = np.arange(8)[:, None] >= random.integers(1, 9, 32)  # the last blocks of a query
    which[skipped], lse[skipped] = -1, -np.inf
    weight = np.exp(lse.astype("<f8") - lse.max(0))
    weight /= weight.sum(0)
    rows = np.where((which >= 0)[:, :, None], partial[which], 0)
    return {"partial": partial, "which": which, "lse": lse}, {"out": (weight[:, :, None] * rows).sum(0)}


def topk(random):
    scores = (random.integers(-4000, 4000, (4, 4096)) / 16).astype("<f4")  # many are equal: the first one wins
    which = np.argsort(-scores, 1, kind="stable")[:, :64]
    ids = np.arange(4096, dtype="<u4")[None]
    return {"scores": scores, "ids": ids}, {"best": np.take_along_axis(scores, which, 1), "which": which.astype("<i4")}


def kvcache(random):
    pages, position = np.array([5, 2, 7, 0]), np.arange(64)  # where the pages of a sequence lie, and its tokens
    keys, cache = random.standard_normal((64, 64)).astype("<f4"), random.standard_normal((128, 64)).astype("<f4")
    slots = np.where(position < 61, pages[position // 16] * 16 + position % 16, -1).astype("<i4")  # three only fill up the batch
    updated = cache.copy()
    updated[slots[:61]] = keys[:61]
    return {"keys": keys, "slots": slots[None], "cache": cache}, {"cache": updated}


def matmul(random):
    a, b = random.standard_normal((64, 128)).astype("<f2"), random.standard_normal((128, 96)).astype("<f2")
    return {"a": a, "b": b}, {"out": a.astype("<f8") @ b.astype("<f8")}


def projection(random):
    table, weight = random.standard_normal((100, 64)).astype("<f2"), random.standard_normal((64, 32)).astype("<f2")
    words = random.integers(0, 100, (1, 64)).astype("<i4")
    return {"table": table, "words": words, "weight": weight}, {"out": table[words[0]].astype("<f8") @ weight.astype("<f8")}


def attention(random):
    tokens, heads, chosen = 4, 16, random.integers(0, 256, (4, 64)).astype("<i4")
    q, keys = random.standard_normal((tokens * heads, 64)).astype("<f2"), random.standard_normal((256, 64)).astype("<f2")
    values = random.standard_normal((256, 64)).astype("<f4")
    out = [softmax_of(q[t * heads:(t + 1) * heads].astype("<f8") @ keys[chosen[t]].astype("<f8").T / 8) @ values[chosen[t]].astype("<f8")
           for t in range(tokens)]
    return {"q": q, "keys": keys, "values": values, "chosen": chosen}, {"out": np.concatenate(out)}


KERNELS = {kernel.__name__: kernel for kernel in (embedding, softmax, rope, gate, merge, topk, kvcache, matmul, projection, attention)}


def make(name):
    """The inputs and the expected outputs of a kernel, by argument; always the same."""
    inputs, outputs = KERNELS[name](np.random.default_rng(7))
    return inputs, {key: array if array.dtype == "<i4" else array.astype("<f4") for key, array in outputs.items()}


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: data.py DIR")
    for name in KERNELS:
        place = Path(sys.argv[1]) / name
        place.mkdir(parents=True, exist_ok=True)
        for arrays in reversed(make(name)):
            for key, array in arrays.items():
                np.save(place / f"{key}.npy", array)


if __name__ == "__main__":
    main()
