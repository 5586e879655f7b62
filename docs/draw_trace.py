#!/usr/bin/env python3
"""Draws a trace of `ptog run --trace` as a picture: draw_trace.py TRACE.json PICTURE.svg

A lane per pipe, boxes for work and waits, arrows for flags, and the live bytes of UB below. Of a trace with several blocks, the
first is drawn. Only Python's own library is needed.
"""
import json
import sys
from html import escape

WIDTH, LEFT, RIGHT, TOP = 1200, 76, 24, 64
LANE, BOX, COUNTER = 58, 30, 56
WORK = {"tload": "#4e79a7", "tstore": "#59a14f", "mgather": "#f28e2b", "tgather": "#b07aa1"}
OTHER_WORK, WAIT, BARRIER, FAULT = "#9c755f", "#e8e4dd", "#d4a6c8", "#c0392b"
OWN, CALLERS = "#b8b2a8", "#2b2b2b"
NICE = [1, 2, 5]


class Picture:
    def __init__(self, trace):
        events = trace["traceEvents"]
        self.pid = min(e["pid"] for e in events)
        self.events = [e for e in events if e["pid"] == self.pid]
        self.other = trace["otherData"]
        self.end = max(e["ts"] + e.get("dur", 0) for e in self.events if "ts" in e)
        names = {e["tid"]: e["args"]["name"] for e in self.events if e["name"] == "thread_name"}
        order = {e["tid"]: e["args"]["sort_index"] for e in self.events if e["name"] == "thread_sort_index"}
        self.lanes = sorted(names, key=order.get)
        self.names = names
        self.lines = []

    def x(self, time):
        return round(LEFT + (WIDTH - LEFT - RIGHT) * time / self.end, 1)

    def y(self, tid):
        return TOP + LANE * self.lanes.index(tid) + (LANE - BOX) / 2

    @property
    def bottom(self):
        return TOP + LANE * len(self.lanes)

    def put(self, text):
        self.lines.append(text)

    def text(self, x, y, words, size=12, colour="#333", anchor="start", more=""):
        self.put(f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"{more}>{escape(words)}</text>')

    # ---- the parts

    def axis(self):
        step = next(n * 10 ** p for p in range(-6, 9) for n in NICE if self.end / (n * 10 ** p) <= 10)
        decimals = max(0, -len(str(int(1 / step))) + 1) if step >= 1 else len(f"{step:.6f}".rstrip("0").split(".")[1])
        for i in range(int(self.end / step) + 1):
            x = self.x(i * step)
            self.put(f'<line x1="{x}" y1="{TOP - 6}" x2="{x}" y2="{self.bottom + COUNTER + 14}" stroke="#ece8e1"/>')
            self.text(x, TOP - 12, f"{i * step:.{decimals}f}" + (" µs" if i == 0 else ""), 11, "#777", "middle")

    def lane(self, tid):
        y = self.y(tid)
        self.put(f'<rect x="{LEFT}" y="{y}" width="{WIDTH - LEFT - RIGHT}" height="{BOX}" fill="#faf8f5"/>')
        self.text(LEFT - 10, y + BOX / 2 + 5, self.names[tid], 14, "#333", "end", ' font-weight="bold"')

    def box(self, event):
        kind, words = event["cat"], event["name"]
        x, y = self.x(event["ts"]), self.y(event["tid"])
        width = round(self.x(event["ts"] + event["dur"]) - x, 1)
        if kind in ("issue", "flag") or width < 0.3:
            return
        if kind == "work":
            colour, ink = WORK.get(words, OTHER_WORK), "#fff"
        else:
            colour, ink = (WAIT, "#8a8378") if kind == "wait" else (BARRIER, "#333")
        place = event["args"].get("place", "")
        self.put(f'<rect x="{x}" y="{y}" width="{width}" height="{BOX}" fill="{colour}" stroke="#fff" stroke-width="0.6" rx="2">'
                 f'<title>{escape(words)} {escape(place)}, {event["args"].get("cycles", 0)} cycles</title></rect>')
        short = words.replace("wait_flag ", "wait ")
        for label in (short, short.split()[0]):
            if width > 6.4 * len(label) + 6:
                self.text(round(x + width / 2, 1), y + BOX / 2 + 4, label, 11, ink, "middle")
                break

    def arrows(self):
        """Those of the instructions themselves are thin, the author's are dark. Neighbours bow by their height."""
        own, ends = self.own_flags(), {}
        for event in (e for e in self.events if e["ph"] in "sf"):
            ends.setdefault(event["id"], {})[event["ph"]] = event
        for number, pair in sorted(ends.items(), key=lambda item: item[0] not in own):
            a, b = pair["s"], pair["f"]
            down = self.y(b["tid"]) > self.y(a["tid"])
            x1, y1 = self.x(a["ts"]), self.y(a["tid"]) + (BOX if down else 0)
            x2, y2 = self.x(b["ts"]), self.y(b["tid"]) + (0 if down else BOX)
            bow = min(14, 4 + abs(x2 - x1) / 4)
            colour, width, head = (OWN, 0.8, "own") if number in own else (CALLERS, 1.2, "callers")
            self.put(f'<path d="M{x1} {y1} C{round(x1 + bow, 1)} {y1 + (10 if down else -10)} {round(x2 + bow, 1)} '
                     f'{y2 - (10 if down else -10)} {x2} {y2}" fill="none" stroke="{colour}" stroke-width="{width}" '
                     f'marker-end="url(#{head})"><title>{escape(a["name"])}</title></path>')

    def own_flags(self):
        """The arrows that begin at a flag of an instruction: its box stands right before them."""
        own = set()
        for before, event in zip(self.events, self.events[1:]):
            if event["ph"] == "s" and "flag of" in before.get("args", {}):
                own.add(event["id"])
        return own

    def faults(self):
        for event in (e for e in self.events if e["ph"] == "i"):
            x, y = self.x(event["ts"]), self.y(event["tid"])
            self.put(f'<path d="M{x} {y - 3} l-5 -9 h10 z" fill="{FAULT}"><title>{escape(event["name"])}</title></path>')

    def counter(self):
        steps = [(e["ts"], e["args"]["bytes"]) for e in self.events if e["ph"] == "C"]
        most, base = max((value for _, value in steps), default=0), self.bottom + COUNTER + 8
        if not most:
            return
        path, last = f"M{LEFT} {base}", base
        for time, value in steps:
            y = round(base - COUNTER * value / most, 1)
            path += f" L{self.x(time)} {last} L{self.x(time)} {y}"
            last = y
        self.put(f'<path d="{path} L{self.x(self.end)} {last} L{self.x(self.end)} {base} Z" fill="#d7e3ef" stroke="#4e79a7"/>')
        self.text(LEFT - 10, base - COUNTER / 2 - 2, "live UB", 12, "#333", "end", ' font-weight="bold"')
        self.text(LEFT - 10, base - COUNTER / 2 + 12, f"{most / 1024:.0f} KiB", 11, "#777", "end")

    def legend(self):
        x = LEFT
        seen = {e["name"] for e in self.events if e["ph"] == "X" and e["cat"] == "work"}
        keys = [(name, colour) for name, colour in WORK.items() if name in seen] + [("waits for a flag", WAIT)]
        for name, colour in keys:
            self.put(f'<rect x="{x}" y="14" width="14" height="14" fill="{colour}" rx="2"/>')
            self.text(x + 20, 25, name)
            x += 40 + 7 * len(name)
        flags = [("flag of the author", CALLERS)] + [("flag of an instruction", OWN)] * bool(self.own_flags())
        for name, colour in flags:
            self.put(f'<path d="M{x} 21 h18" stroke="{colour}" marker-end="url(#{"own" if colour == OWN else "callers"})"/>')
            self.text(x + 28, 25, name)
            x += 48 + 7 * len(name)
        self.text(WIDTH - RIGHT, 25, f"{self.other['target']}, {self.end:.2f} µs", 14, "#333", "end", ' font-weight="bold"')

    def draw(self):
        height = self.bottom + COUNTER + 24
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
                'font-family="Helvetica, Arial, sans-serif">')
        for name, colour in (("own", OWN), ("callers", CALLERS)):
            self.put(f'<marker id="{name}" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6" markerHeight="6" '
                     f'orient="auto"><path d="M0 0 L6 3 L0 6 z" fill="{colour}"/></marker>')
        self.put(f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>')
        self.axis()
        for tid in self.lanes:
            self.lane(tid)
        for event in (e for e in self.events if e["ph"] == "X"):
            self.box(event)
        self.arrows()
        self.faults()
        self.counter()
        self.legend()
        return "\n".join([head, *self.lines, "</svg>"]) + "\n"


def draw(trace):
    return Picture(trace).draw()


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n")[0])
    with open(sys.argv[1], encoding="utf-8") as file:
        picture = draw(json.load(file))
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(picture)


if __name__ == "__main__":
    main()
