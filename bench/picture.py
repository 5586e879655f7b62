"""The picture of README.md: how many times as fast as the best peer, by size of the table and width of a row."""

import math

LEFT, TOP, CELL_WIDTH, CELL_HEIGHT, RIGHT, BOTTOM = 92, 92, 88, 46, 20, 70
SLOWER, EVEN, FASTER = (214, 120, 70), (243, 243, 240), (36, 112, 178)


def size_name(size):
    for unit, shift in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if size >= 1 << shift:
            return f"{size >> shift} {unit}"
    return f"{size} B"


def mixed(ratio):
    """White at 1, blue at 2 and above, orange at a half and below."""
    share = max(-1.0, min(1.0, math.log2(ratio)))
    end = FASTER if share > 0 else SLOWER
    return [round(a + (b - a) * abs(share)) for a, b in zip(EVEN, end)]


def text(x, y, words, size=13, anchor="middle", colour="#333", weight="normal"):
    return (f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}" '
            f'font-weight="{weight}">{words}</text>')


def cell(x, y, ratio):
    red, green, blue = mixed(ratio)
    dark = 0.3 * red + 0.6 * green + 0.1 * blue < 150
    return [f'<rect x="{x}" y="{y}" width="{CELL_WIDTH - 2}" height="{CELL_HEIGHT - 2}" rx="3" fill="rgb({red},{green},{blue})"/>',
            text(x + CELL_WIDTH / 2 - 1, y + CELL_HEIGHT / 2 + 4, f"{ratio:.2f}", 15, colour="#fff" if dark else "#222")]


def draw(cells, peers, machine):
    """An SVG of the cells of bench/gather.py --grid."""
    widths, tables = sorted({c["width"] for c in cells}), sorted({c["table"] for c in cells})
    width = LEFT + CELL_WIDTH * len(widths) + RIGHT
    height = TOP + CELL_HEIGHT * len(tables) + BOTTOM
    parts = [text(LEFT, 26, "Gathers: how many times as fast as the best peer", 17, "start", "#111", "bold"),
             text(LEFT, 46, f"the fastest of {peers} in each cell;", 12, "start", "#666"),
             text(LEFT, 62, "float32, one thread, uniformly random indices, 4 KiB pages", 12, "start", "#666"),
             text(LEFT - 10, TOP - 10, "table", 12, "end", "#666")]
    for r, table in enumerate(tables):
        parts.append(text(LEFT - 10, TOP + CELL_HEIGHT * r + CELL_HEIGHT / 2 + 4, size_name(table), 13, "end"))
        for c, wide in enumerate(widths):
            found = next((x["ratio"] for x in cells if (x["table"], x["width"]) == (table, wide)), None)
            if found:
                parts += cell(LEFT + CELL_WIDTH * c, TOP + CELL_HEIGHT * r, found)
    below = TOP + CELL_HEIGHT * len(tables)
    for c, wide in enumerate(widths):
        name = "one element" if wide == 4 else size_name(wide)
        parts.append(text(LEFT + CELL_WIDTH * (c + 0.5) - 1, below + 18, name))
    parts += [text(LEFT + CELL_WIDTH * len(widths) / 2, below + 38, "bytes of a row", 12, colour="#666"),
              text(LEFT, below + 60, machine, 11, "start", "#888")]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            'font-family="sans-serif">\n<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n")
