// The timeline: lanes by block and pipe, arrows from sets to waits, and, of a race, the arrow that is missing. Boxes lie at the bottom,
// arrows above them, names on top.
"use strict";
if (report) (() => {
  const place = document.getElementById("lanes");
  const LANE = 26, HEAD = 22, LEFT = 92, COUNTER = 44, GAP = 12, MAX_ARROWS = 300, MAX_BLOCKS = 4;
  const COLOURS = [[/^tload|^tprefetch/, "--load"], [/^tstore/, "--store"], [/gather|scatter|^tmatmul|^tgemv/, "--gather"]]; // other work: --pick
  const { end } = report, onUB = report.memories.every(held => held.name === "UB");
  let height = 0, width = 0, from = 0, to = end, drawn = [];

  function layOut() {
    drawn = report.groups.length > MAX_BLOCKS ? report.coresOf(report.shown) : report.groups.map(group => group[0]);
    let y = HEAD;
    for (const block of drawn) {
      block.y = y;
      y += report.blocks.size > 1 ? HEAD : 0;
      for (const lane of block.ordered) {
        lane.y = y;
        y += LANE;
      }
      block.liveY = y;
      y += (block.most > 0 ? COUNTER : 0) + GAP;
    }
    height = y;
    canvas.style.height = `${height}px`;
  }

  // ---- drawing
  const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "timeline of the pipes; the table below says what happens at a cycle");
  place.prepend(canvas);
  let colours = new Map(); // of this drawing: asking for one takes long
  const colour = name => colours.get(name) || colours.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim()).get(name);
  const x = cycle => LEFT + (cycle - from) / (to - from) * (width - LEFT);
  const cycle = at => from + (at - LEFT) / (width - LEFT) * (to - from);
  const paint = box => {
    if (box.kind === "wait") return colour("--wait");
    if (box.kind === "issue" || box.kind === "flag") return colour("--issue");
    if (box.kind === "barrier") return colour("--barrier");
    return colour((COLOURS.find(([of]) => of.test(box.args.instruction)) || [0, "--pick"])[1]);
  };

  function axis() {
    const rough = (to - from) * 90 / Math.max(90, width - LEFT), power = 10 ** Math.floor(Math.log10(rough));
    const step = Math.max(1, power * [1, 2, 5, 10].find(n => n * power >= rough));
    pen.fillStyle = colour("--soft");
    pen.strokeStyle = colour("--line");
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
      pen.beginPath();
      pen.moveTo(x(at) + .5, HEAD);
      pen.lineTo(x(at) + .5, height);
      pen.stroke();
      const words = at.toLocaleString("en");
      if (x(at) + 3 + pen.measureText(words).width < width) pen.fillText(words, x(at) + 3, 15);
    }
    pen.fillText("cycles", 8, 15);
  }

  function boxes(lane, names) {
    let last = -1;
    for (const box of lane.boxes) {
      if (box.to < from || box.from > to) continue;
      const left = Math.max(x(box.from), LEFT), right = Math.max(x(box.to), left + 1.5);
      if (right - left < 2 && Math.floor(left) === last) continue; // already a line there
      last = Math.floor(left);
      pen.fillStyle = paint(box);
      pen.fillRect(left, lane.y + 4, right - left, LANE - 8);
      const wide = right - left > 26 ? pen.measureText(box.name).width : right;
      if (wide + 8 < right - left) names.push([box.name, left + 4, lane.y, wide, pen.fillStyle]);
    }
    for (const mark of lane.marks) {
      if (mark.from < from || mark.from > to) continue;
      const at = x(mark.from);
      pen.fillStyle = colour("--error");
      pen.beginPath();
      pen.moveTo(at, lane.y + 9);
      pen.lineTo(at - 6, lane.y - 2);
      pen.lineTo(at + 6, lane.y - 2);
      pen.fill();
    }
  }

  // Names hide what lies under them, which are arrows and frames.
  function writeNames(names, ink) {
    for (const [name, left, y, wide, paper] of names) {
      pen.fillStyle = paper;
      pen.fillRect(left - 2, y + 6, wide + 4, LANE - 12);
      pen.fillStyle = ink;
      pen.fillText(name, left, y + LANE / 2 + 4);
    }
  }

  function arrow(x1, y1, x2, y2) {
    const bend = Math.max(8, Math.abs(x2 - x1) / 2);
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
    pen.lineTo(x2 - 5, y2 - 4);
    pen.moveTo(x2, y2);
    pen.lineTo(x2 - 5, y2 + 4);
    pen.stroke();
  }

  function arrows(block) {
    const seen = [...block.flows.values()].filter(flow => flow.s && flow.f && flow.f.at >= from && flow.s.at <= to);
    if (seen.length > MAX_ARROWS) return; // they would hide the boxes: zoom in to see them
    pen.strokeStyle = colour("--soft");
    for (const flow of seen)
      arrow(x(flow.s.at), block.lanes.get(flow.s.tid).y + LANE / 2, x(flow.f.at), block.lanes.get(flow.f.tid).y + LANE / 2);
  }

  // From core to core: those whose both ends are drawn.
  function counterArrows() {
    const at = end => drawn.find(block => block.pid === end.pid)?.lanes.get(end.tid).y + LANE / 2;
    const seen = report.counters.filter(c => c.f.at >= from && c.s.at <= to && at(c.s) && at(c.f));
    if (seen.length > MAX_ARROWS) return;
    pen.strokeStyle = colour("--note");
    pen.lineWidth = 1.5;
    for (const { s, f } of seen) arrow(x(s.at), at(s), x(f.at), at(f));
    pen.lineWidth = 1;
  }

  // Both boxes of a race, and the arrow that would order them.
  function races(block) {
    pen.save();
    pen.strokeStyle = colour("--error");
    pen.lineWidth = 2;
    for (const race of report.races) {
      const pair = race.in(block), inside = pair && pair.filter(found => drawn.includes(found.block));
      if (!pair) continue;
      const middle = pair.map(found => found.lane.y + LANE / 2);
      pen.setLineDash([]);
      for (const { box, lane } of inside) pen.strokeRect(x(box.from) - 1, lane.y + 3, Math.max(3, x(box.to) - x(box.from)) + 2, LANE - 6);
      pen.setLineDash([5, 4]);
      if (inside.length === 2) arrow(x(pair[0].box.to), middle[0], x(pair[1].box.from), middle[1]);
    }
    pen.restore();
  }

  function live(block) {
    if (!block.most) return;
    const floor = block.liveY + COUNTER - 4, scale = (COUNTER - 12) / block.most;
    pen.fillStyle = colour("--load") + "66";
    pen.beginPath();
    pen.moveTo(x(from), floor);
    let bytes = 0;
    for (const [at, next] of block.live) {
      pen.lineTo(x(Math.min(Math.max(at, from), to)), floor - bytes * scale);
      pen.lineTo(x(Math.min(Math.max(at, from), to)), floor - next * scale);
      bytes = next;
    }
    pen.lineTo(x(to), floor - bytes * scale);
    pen.lineTo(x(to), floor);
    pen.fill();
  }

  function cursor() {
    if (report.at < from || report.at > to) return;
    pen.strokeStyle = colour("--ink");
    pen.beginPath();
    pen.moveTo(x(report.at) + .5, HEAD - 4);
    pen.lineTo(x(report.at) + .5, height);
    pen.stroke();
  }

  // Beside the lanes: what they are.
  function margins(block) {
    if (report.blocks.size > 1) {
      const words = report.titleOf(block);
      pen.fillStyle = colour("--paper");
      pen.fillRect(4, block.y + 3, pen.measureText(words).width + 8, 17);
      pen.fillStyle = colour("--ink");
      pen.fillText(words, 8, block.y + 15);
    }
    pen.fillStyle = colour("--ink");
    for (const lane of block.ordered) pen.fillText(lane.name, 8, lane.y + LANE / 2 + 4);
    pen.fillStyle = colour("--soft");
    if (block.most) pen.fillText(`${onUB ? "UB" : "bytes"} ${block.most.toLocaleString("en")}`, 8, block.liveY + COUNTER - 8);
  }

  function draw() {
    const ratio = window.devicePixelRatio || 1;
    colours = new Map();
    layOut();
    width = place.clientWidth;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.font = "12px system-ui, sans-serif";
    axis();
    const names = [];
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, 0, width - LEFT, height);
    pen.clip();
    for (const block of drawn) {
      for (const lane of block.ordered) boxes(lane, names);
      live(block);
    }
    for (const block of drawn) arrows(block);
    counterArrows();
    for (const block of drawn) races(block);
    writeNames(names, colour("--on"));
    cursor();
    pen.restore();
    for (const block of drawn) margins(block);
  }
  report.draw = draw;

  // Draws, with the chosen cycle in sight.
  report.reveal = () => {
    if (report.at < from || report.at > to) {
      const span = to - from;
      from = Math.min(Math.max(0, report.at - span / 2), end - span);
      to = from + span;
    }
    draw();
  };

  // ---- looking closer: wheel with ctrl, drag, buttons; what is under the pointer
  function zoom(factor, around) {
    const span = Math.min(end, Math.max((to - from) * factor, 4)), share = (around - from) / (to - from);
    from = Math.min(Math.max(0, around - span * share), end - span);
    to = from + span;
    draw();
  }
  report.look = (first, last) => {
    const span = Math.min(end, Math.max(20, (last - first) * 1.5));
    from = Math.min(Math.max(0, (first + last) / 2 - span / 2), end - span);
    to = from + span;
    draw();
  };
  const tools = document.createElement("div");
  tools.className = "tools";
  for (const [label, title, act] of [["+", "closer", () => zoom(.5, (from + to) / 2)], ["−", "farther", () => zoom(2, (from + to) / 2)],
    ["all", "the whole run", () => { from = 0; to = end; draw(); }]]) {
    const button = document.createElement("button");
    button.textContent = label;
    button.title = title;
    button.onclick = act;
    tools.append(button, " ");
  }
  const about = document.createElement("div");
  about.id = "about";
  place.parentElement.querySelector(".hint").prepend(tools);
  const legend = document.createElement("p");
  legend.className = "hint legend";
  for (const [name, words] of [["load", "load"], ["store", "store"], ["gather", "gather, scatter, product"], ["pick", "other work"], ["wait", "waiting"], ["barrier", "barrier"], ["issue", "issue, flags"]]) {
    const part = document.createElement("span"), swatch = document.createElement("i");
    swatch.style.background = `var(--${name})`;
    part.append(swatch, ` ${words}`);
    legend.append(part, " ");
  }
  place.before(legend);
  place.append(about);

  const under = event => {
    const box = canvas.getBoundingClientRect(), px = event.clientX - box.left, py = event.clientY - box.top;
    for (const block of drawn)
      for (const lane of block.ordered)
        if (py >= lane.y - 3 && py < lane.y + LANE - 3) {
          const near = lane.marks.find(mark => Math.abs(x(mark.from) - px) < 6);
          return near || lane.boxes.findLast(b => x(b.from) - 1.5 <= px && px <= Math.max(x(b.to), x(b.from) + 3));
        }
    return undefined;
  };
  const tell = (box, event) => {
    about.style.display = box ? "block" : "none";
    if (!box) return;
    const lines = [`cycles ${Math.round(box.from)} to ${Math.round(box.to)}`];
    for (const [name, value] of Object.entries(box.args))
      if (name !== "instruction" && name !== "cycles") lines.push(`${name}: ${value}`);
    about.replaceChildren(Object.assign(document.createElement("b"), { textContent: box.name }),
      ...lines.flatMap((line, n) => n ? [document.createElement("br"), line] : [line]));
    const frame = place.getBoundingClientRect();
    about.style.left = `${Math.max(0, Math.min(event.clientX - frame.left + 14, frame.width - about.offsetWidth - 4))}px`;
    about.style.top = `${Math.min(event.clientY - frame.top + 14, frame.height - about.offsetHeight - 4)}px`;
  };
  let grip = null;
  canvas.onpointerdown = event => { grip = { at: event.clientX, from, moved: false }; canvas.setPointerCapture(event.pointerId); };
  canvas.onpointermove = event => {
    if (!grip) return tell(under(event), event);
    const span = to - from, by = (grip.at - event.clientX) / (width - LEFT) * span;
    grip.moved = grip.moved || Math.abs(grip.at - event.clientX) > 3;
    from = Math.min(Math.max(0, grip.from + by), end - span);
    to = from + span;
    draw();
  };
  canvas.onpointerup = event => {
    const moved = grip && grip.moved, box = moved ? undefined : under(event);
    grip = null;
    if (moved) return;
    report.go(Math.round(box ? box.from : cycle(event.clientX - canvas.getBoundingClientRect().left)));
    if (box && box.line) location.hash = `L${box.line}`;
  };
  canvas.onpointerleave = event => tell(undefined, event);
  canvas.addEventListener("wheel", event => {
    if (!event.ctrlKey && !event.shiftKey) return;
    event.preventDefault();
    zoom(event.deltaY + event.deltaX > 0 ? 1.25 : .8, cycle(event.clientX - canvas.getBoundingClientRect().left));
  }, { passive: false });
  new ResizeObserver(draw).observe(place);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
})();
