"""Is a picture of `ptog draw` a good one? XML, everything within the frame, no label on another or over the edge of its cell, and
colours for light and dark ground that can be read. Labels are measured by the widths of a common monospaced font.

  svg.py PICTURE.svg...     prints what is wrong
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np

SVG = "{http://www.w3.org/2000/svg}"
CHAR, ABOVE, BELOW = 0.602, 0.76, 0.22  # of the font size: the width of a character, how high it reaches, how low
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
STATES = 9
READABLE, READABLE_NOTE = 4.5, 3.0  # contrast: of text, and of the small print in a cell


class Picture:
    def __init__(self, text):
        self.root = ElementTree.fromstring(text)
        self.width, self.height = int(self.root.get("width")), int(self.root.get("height"))
        self.labels, self.cells, self.points, self.arrows, self.titles = [], [], [], [], []
        for element in self.root.iter():
            self.take(element)

    def take(self, element):
        kind, classes = element.tag.replace(SVG, ""), element.get("class", "").split()
        title = element.find(f"{SVG}title")
        if kind == "text":
            self.labels.append((box_of(element), element.text or ""))
        elif kind == "rect":
            x, y = float(element.get("x", 0)), float(element.get("y", 0))
            box = (x, y, x + float(element.get("width")), y + float(element.get("height")))
            self.points += [box[:2], box[2:]]
            if "grid" in classes and title is not None:
                self.cells.append((box, int(classes[1][1:]), title.text))
        elif kind == "circle":
            x, y, r = (float(element.get(name)) for name in ("cx", "cy", "r"))
            self.points += [(x - r, y - r), (x + r, y + r)]
        elif kind == "path":
            self.points += path_points(element.get("d"))
            if "arrow" in classes:
                self.arrows.append((int(classes[1][1:]), title.text))


def box_of(text):
    size, x, y = float(text.get("font-size")), float(text.get("x")), float(text.get("y"))
    width = len(text.text or "") * size * CHAR
    left = {None: x, "middle": x - width / 2, "end": x - width}[text.get("text-anchor")]
    return left, y - size * ABOVE, left + width, y + size * BELOW


def path_points(path):
    """Where a path goes, and the points that its curves lean to."""
    points, x, y = [], 0.0, 0.0
    for command, text in re.findall(r"([MLHCVlvz])([^MLHCVlvz]*)", path):
        numbers = [float(number) for number in NUMBER.findall(text)]
        if command in "MLC":
            points += list(zip(numbers[::2], numbers[1::2]))
            x, y = points[-1]
        elif command == "H":
            x = numbers[0]
        elif command == "l":
            x, y = x + numbers[0], y + numbers[1]
        elif command == "v":
            y += numbers[0]
        points.append((x, y))
    return points


def overlaps(a, b):
    """Which boxes of a lie on which of b: a matrix."""
    shared = np.minimum(a[:, None, 2:], b[None, :, 2:]) - np.maximum(a[:, None, :2], b[None, :, :2])
    return (shared > 0.5).all(axis=2)


def inside(a, b):
    """Which boxes of a lie inside which of b."""
    return (a[:, None, :2] >= b[None, :, :2]).all(axis=2) & (a[:, None, 2:] <= b[None, :, 2:]).all(axis=2)


def place_problems(picture):
    labels, cells = np.array([box for box, _ in picture.labels]), np.array([box for box, _, _ in picture.cells])
    frame = np.array([(0, 0, picture.width, picture.height)])
    for i in np.flatnonzero(~inside(labels, frame)[:, 0]):
        yield f"'{picture.labels[i][1]}' leaves the frame"
    for x, y in picture.points:
        if not (0 <= x <= picture.width and 0 <= y <= picture.height):
            yield f"something at ({x}, {y}) leaves the frame of {picture.width} x {picture.height}"
    for i, j in np.argwhere(np.tril(overlaps(labels, labels), -1)):
        yield f"'{picture.labels[i][1]}' lies on '{picture.labels[j][1]}'"
    for i, j in np.argwhere(overlaps(labels, cells) & ~inside(labels, cells)):
        yield f"'{picture.labels[i][1]}' leaves the cell {picture.cells[j][2]}"


# ---- colours


def rules_of(css):
    return {name.strip(): dict(part.split(":", 1) for part in body.split(";") if ":" in part)
            for name, body in re.findall(r"([^{}]+)\{([^{}]*)\}", css)}


def schemes(text):
    """The rules of light and of dark ground."""
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1]
    light, dark = style.split("@media (prefers-color-scheme: dark) {")
    base = rules_of(light)
    changed = rules_of(dark.rstrip().rstrip("}") + "}")
    return {"light": base, "dark": {name: {**base.get(name, {}), **changed.get(name, {})} for name in {**base, **changed}}}


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def colour_problems(text):
    both = schemes(text)
    for name in [".ground", ".dim", "text", *(f".{kind}{state}" for kind in "cah" for state in range(STATES))]:
        if name not in both["light"] or both["light"][name] == both["dark"][name]:
            yield f"{name} has one colour for both grounds, or none"
    for scheme, rules in both.items():
        ink, dim, ground = (rules[name]["fill"] for name in ("text", ".dim", ".ground"))
        pairs = [("text", ink, ground, READABLE), ("dim text", dim, ground, READABLE)]
        pairs += [(f"text in state {i}", ink, rules[f".c{i}"]["fill"], READABLE) for i in range(STATES)]
        pairs += [(f"a note in state {i}", dim, rules[f".c{i}"]["fill"], READABLE_NOTE) for i in range(STATES)]
        pairs += [(f"an arrow of state {i}", rules[f".a{i}"]["stroke"], ground, READABLE_NOTE) for i in range(STATES)]
        yield from (f"{what} is hard to read on {scheme} ground: {contrast(a, b):.1f}" for what, a, b, least in pairs
                    if contrast(a, b) < least)


def problems(text):
    try:
        picture = Picture(text)
    except ElementTree.ParseError as error:
        return [f"no XML: {error}"]
    if not picture.cells or not picture.labels:
        return ["there is no cell, or no word"]
    return list(place_problems(picture)) + list(colour_problems(text))


def main():
    wrong = 0
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            for problem in problems(file.read()):
                print(f"{name}: {problem}")
                wrong = 1
    sys.exit(wrong)


if __name__ == "__main__":
    main()
