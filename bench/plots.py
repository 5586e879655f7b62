#!/usr/bin/env python3
"""Draws what bench/gather.py --sweeps --json F measured: how many times as fast as each peer, one SVG per sweep.

usage: bench/plots.py F.json DIRECTORY
"""

import json
import math
import pathlib
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 380, 66, 110, 44, 52
COLOURS = {"numpy": "#1f6fb2", "torch": "#d1492e", "gcc": "#3a9b5c", "clang": "#8a5bb5", "memcpy": "#8a8a8a"}
TITLES = {"row width": ("Rows of a 1 GiB table", "bytes of a row", "ratio_row_width.svg"),
          "table size": ("Single elements, 256 Ki random indices", "bytes of the table", "ratio_table_size.svg")}


def size_name(size):
    for unit, shift in (("G", 30), ("M", 20), ("K", 10)):
        if size >= 1 << shift:
            return f"{size >> shift}{unit}"
    return str(size)


class Plot:
    def __init__(self, points):
        self.sizes = [size for size, _ in points]
        ratios = [r for _, peers in points for r in peers.values() if r > 0]
        self.low = math.floor(math.log2(min(ratios + [0.5])))
        self.high = math.ceil(math.log2(max(ratios + [2])))
        self.parts = []

    def x(self, size):
        first, last = math.log2(self.sizes[0]), math.log2(self.sizes[-1])
        return LEFT + (math.log2(size) - first) / (last - first) * (WIDTH - LEFT - RIGHT)

    def y(self, ratio):
        share = (math.log2(ratio) - self.low) / (self.high - self.low)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    def text(self, x, y, text, size=12, anchor="middle", colour="#333"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{text}</text>')

    def line(self, x1, y1, x2, y2, colour="#ddd", width=1):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>')

    def axes(self, title, below):
        self.text(LEFT, 24, title, 15, "start", "#111")
        self.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, below)
        for power in range(self.low, self.high + 1):
            y = self.y(2.0**power)
            self.line(LEFT, y, WIDTH - RIGHT, y, "#888" if power == 0 else "#e4e4e4")
            self.text(LEFT - 8, y + 4, f"{2.0**power:g}x", anchor="end")
        for i, size in enumerate(self.sizes):
            if len(self.sizes) < 12 or i % 2 == 1:
                self.text(self.x(size), HEIGHT - BOTTOM + 18, size_name(size))
                self.line(self.x(size), HEIGHT - BOTTOM, self.x(size), HEIGHT - BOTTOM + 5, "#888")

    def curve(self, peer, points, label_y):
        colour = COLOURS[peer]
        places = [(self.x(size), self.y(peers[peer])) for size, peers in points if peers.get(peer, 0) > 0]
        if not places:
            return
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for x, y in places:
            self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>')
        self.text(WIDTH - RIGHT + 10, label_y, peer, 12, "start", colour)

    def svg(self):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
                'font-family="sans-serif">\n<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


def draw(name, points):
    title, below, _ = TITLES[name]
    plot = Plot(points)
    plot.axes(f"{title}: ptog is so many times as fast as", below)
    ends = sorted((plot.y(points[-1][1][peer]), peer) for peer in COLOURS if points[-1][1].get(peer, 0) > 0)
    label = 0
    for y, peer in ends:  # labels keep their distance
        label = max(y + 4, label + 15)
        plot.curve(peer, points, label)
    return plot.svg()


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    lines = json.loads(pathlib.Path(sys.argv[1]).read_text())["sweeps"]
    for name, points in lines.items():
        path = pathlib.Path(sys.argv[2]) / TITLES[name][2]
        path.write_text(draw(name, points))
        print(path)


if __name__ == "__main__":
    main()
