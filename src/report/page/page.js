// The timeline of a report, drawn from the trace in the page: lanes by block and pipe, arrows from sets to waits.
"use strict";
(() => {
  const place = document.getElementById("lanes"), held = document.getElementById("trace");
  if (!place || !held) return;
  const trace = JSON.parse(held.textContent), mhz = trace.otherData.MHz || 1;
  const LANE = 26, HEAD = 22, LEFT = 92, COUNTER = 44, GAP = 12, MOST_ARROWS = 300;
  const COLOURS = { tload: "--load", tstore: "--store", mgather: "--gather", tgather: "--pick" };

  // ---- what there is: blocks of lanes, each lane its boxes in order
  const blocks = new Map();
  const blockOf = pid => blocks.get(pid) || blocks.set(pid, { name: `block ${pid}`, lanes: new Map(), live: [], flows: new Map() }).get(pid);
  const laneOf = e => {
    const lanes = blockOf(e.pid).lanes;
    return lanes.get(e.tid) || lanes.set(e.tid, { name: "", sort: e.tid, boxes: [], marks: [] }).get(e.tid);
  };
  let end = 0;
  for (const e of trace.traceEvents) {
    const from = e.ts * mhz;
    if (e.ph === "M" && e.name === "process_name") blockOf(e.pid).name = e.args.name;
    if (e.ph === "M" && e.name === "thread_name") laneOf(e).name = e.args.name;
    if (e.ph === "M" && e.name === "thread_sort_index") laneOf(e).sort = e.args.sort_index;
    if (e.ph === "X") laneOf(e).boxes.push({ from, to: from + e.dur * mhz, name: e.name, kind: e.cat, args: e.args || {} });
    if (e.ph === "i") laneOf(e).marks.push({ from, to: from, name: e.name, kind: e.cat, args: e.args || {} });
    if (e.ph === "C") blockOf(e.pid).live.push([from, e.args.bytes]);
    if (e.ph === "s" || e.ph === "f") {
      const flows = blockOf(e.pid).flows, flow = flows.get(e.id) || flows.set(e.id, {}).get(e.id);
      flow[e.ph] = { at: from, tid: e.tid };
    }
    if (e.ph !== "M") end = Math.max(end, from + (e.dur || 0) * mhz);
  }
  end = end || 1;
  let y = HEAD;
  for (const block of blocks.values()) {
    block.y = y;
    y += blocks.size > 1 ? HEAD : 0;
    for (const lane of [...block.lanes.values()].sort((a, b) => a.sort - b.sort)) {
      lane.y = y;
      y += LANE;
    }
    block.live.sort((a, b) => a[0] - b[0]);
    block.most = block.live.reduce((most, point) => Math.max(most, point[1]), 0);
    block.liveY = y;
    y += (block.most > 0 ? COUNTER : 0) + GAP;
  }
  const height = y;

  // ---- drawing
  const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
  place.prepend(canvas);
  canvas.style.height = `${height}px`;
  let width = 0, from = 0, to = end;
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const x = cycle => LEFT + (cycle - from) / (to - from) * (width - LEFT);
  const cycle = at => from + (at - LEFT) / (width - LEFT) * (to - from);
  const paint = box => {
    if (box.kind === "wait") return colour("--wait");
    if (box.kind === "issue" || box.kind === "flag") return colour("--issue");
    return colour(COLOURS[box.args.instruction] || "--barrier");
  };

  function axis() {
    const rough = (to - from) / 8, power = 10 ** Math.floor(Math.log10(rough));
    const step = Math.max(1, power * [1, 2, 5, 10].find(n => n * power >= rough));
    pen.fillStyle = colour("--soft");
    pen.strokeStyle = colour("--line");
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
      pen.beginPath();
      pen.moveTo(x(at) + .5, HEAD);
      pen.lineTo(x(at) + .5, height);
      pen.stroke();
      pen.fillText(at.toLocaleString("en"), x(at) + 3, 15);
    }
    pen.fillText("cycles", 8, 15);
  }

  function boxes(lane, ink) {
    let last = -1;
    for (const box of lane.boxes) {
      if (box.to < from || box.from > to) continue;
      const left = Math.max(x(box.from), LEFT), right = Math.max(x(box.to), left + 1.5);
      if (right - left < 2 && Math.floor(left) === last) continue; // already a line there
      last = Math.floor(left);
      pen.fillStyle = paint(box);
      pen.fillRect(left, lane.y + 4, right - left, LANE - 8);
      const words = right - left > 26 && pen.measureText(box.name).width + 8 < right - left ? box.name : "";
      pen.fillStyle = ink;
      pen.fillText(words, left + 4, lane.y + LANE / 2 + 4);
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

  function arrows(block) {
    const seen = [...block.flows.values()].filter(flow => flow.s && flow.f && flow.f.at >= from && flow.s.at <= to);
    if (seen.length > MOST_ARROWS) return; // they would hide the boxes: zoom in to see them
    pen.strokeStyle = colour("--soft");
    for (const flow of seen) {
      const a = block.lanes.get(flow.s.tid), b = block.lanes.get(flow.f.tid);
      const x1 = x(flow.s.at), x2 = x(flow.f.at), y1 = a.y + LANE / 2, y2 = b.y + LANE / 2, bend = Math.max(8, (x2 - x1) / 2);
      pen.beginPath();
      pen.moveTo(x1, y1);
      pen.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
      pen.lineTo(x2 - 4, y2 - 3);
      pen.moveTo(x2, y2);
      pen.lineTo(x2 - 4, y2 + 3);
      pen.stroke();
    }
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

  function draw() {
    const ratio = window.devicePixelRatio || 1;
    width = place.clientWidth;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.font = "12px system-ui, sans-serif";
    axis();
    const ink = "#101418";
    for (const block of blocks.values()) {
      pen.save();
      pen.beginPath();
      pen.rect(LEFT, 0, width - LEFT, height);
      pen.clip();
      for (const lane of block.lanes.values()) boxes(lane, ink);
      arrows(block);
      live(block);
      pen.restore();
      pen.fillStyle = colour("--ink");
      if (blocks.size > 1) pen.fillText(block.name, 8, block.y + 15);
      for (const lane of block.lanes.values()) pen.fillText(lane.name, 8, lane.y + LANE / 2 + 4);
      pen.fillStyle = colour("--soft");
      if (block.most) pen.fillText(`UB ${block.most.toLocaleString("en")}`, 8, block.liveY + COUNTER - 8);
    }
  }

  // ---- looking closer: wheel with ctrl, drag, buttons; what is under the pointer
  function zoom(factor, around) {
    const span = Math.min(end, Math.max((to - from) * factor, 4)), share = (around - from) / (to - from);
    from = Math.min(Math.max(0, around - span * share), end - span);
    to = from + span;
    draw();
  }
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
  place.append(about);

  const under = event => {
    const box = canvas.getBoundingClientRect(), px = event.clientX - box.left, py = event.clientY - box.top;
    for (const block of blocks.values())
      for (const lane of block.lanes.values())
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
    about.style.left = `${Math.min(event.clientX - frame.left + 14, frame.width - about.offsetWidth - 4)}px`;
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
    const box = grip && !grip.moved ? under(event) : undefined, line = box && /:(\d+)$/.exec(box.args.generated || box.args.place || "");
    grip = null;
    if (line) location.hash = `L${line[1]}`;
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
