// The trace of a report as blocks of lanes, and what is true at a cycle. The other scripts of the page draw it.
"use strict";
const report = (() => {
  const held = document.getElementById("trace");
  if (!held) return null;
  const trace = JSON.parse(held.textContent), mhz = trace.otherData.MHz || 1;
  const blocks = new Map(), counters = new Map(); // a block, or of a kernel for both kinds of cores one core of it
  const blockOf = pid => blocks.get(pid) || blocks.set(pid, { pid, name: `block ${pid}`, lanes: new Map(), live: [], flows: new Map() }).get(pid);
  const laneOf = e => {
    const lanes = blockOf(e.pid).lanes;
    return lanes.get(e.tid) || lanes.set(e.tid, { name: "", sort: e.tid, boxes: [], marks: [] }).get(e.tid);
  };
  const lineOf = args => Number((/:(\d+)$/.exec(args.generated || args.place || "") || [])[1] || 0);
  const box = (e, from, to) => ({ from, to, name: e.name, kind: e.cat, args: e.args || {}, line: lineOf(e.args || {}) });
  let end = 0;
  for (const e of trace.traceEvents) {
    const from = e.ts * mhz;
    if (e.ph === "M" && e.name === "process_name") blockOf(e.pid).name = e.args.name;
    if (e.ph === "M" && e.name === "thread_name") laneOf(e).name = e.args.name;
    if (e.ph === "M" && e.name === "thread_sort_index") laneOf(e).sort = e.args.sort_index;
    if (e.ph === "X") laneOf(e).boxes.push(box(e, from, from + e.dur * mhz));
    if (e.ph === "i") laneOf(e).marks.push(box(e, from, from));
    if (e.ph === "C") blockOf(e.pid).live.push([from, e.args.bytes]);
    if (e.ph === "s" || e.ph === "f") {
      const flows = e.cat === "counter" ? counters : blockOf(e.pid).flows, flow = flows.get(e.id) || flows.set(e.id, { name: e.name }).get(e.id);
      flow[e.ph] = { at: from, pid: e.pid, tid: e.tid };
    }
    if (e.ph !== "M") end = Math.max(end, from + (e.dur || 0) * mhz);
  }

  // ---- the memories of the cores: UB, or those of a cube core, side by side in one range of bytes as values have them
  const memories = new Map([["UB", { name: "UB", start: 0, bytes: 0 }]]);
  for (const tile of trace.otherData?.tiles || [])
    if (!memories.has(tile.memory)) memories.set(tile.memory, { name: tile.memory, start: tile.at - tile.address, bytes: 0 });

  // "tile (L1 0x0..0xf)": the bytes on the chip that a box reads or writes, as [from, to] of that range
  function spans(words) {
    const found = [];
    for (const [, name, first, last] of (words || "").matchAll(/\(([^()]*?) 0x([0-9a-f]+)\.\.0x([0-9a-f]+)\)/g)) {
      const memory = memories.get(name);
      if (!memory) continue;
      memory.bytes = Math.max(memory.bytes, parseInt(last, 16) + 1);
      found.push([memory.start + parseInt(first, 16), memory.start + parseInt(last, 16) + 1]);
    }
    return found;
  }
  for (const block of blocks.values()) {
    block.live.sort((a, b) => a[0] - b[0]);
    block.most = block.live.reduce((most, point) => Math.max(most, point[1]), 0);
    block.ordered = [...block.lanes.values()].sort((a, b) => a.sort - b.sort);
    block.all = block.ordered.flatMap(lane => lane.boxes);
    for (const lane of block.ordered)
      for (const b of lane.boxes) b.pipe = lane.name.split(" ")[0];
    block.work = block.all.filter(b => b.kind === "work");
    block.issues = block.all.filter(b => b.kind === "issue").sort((a, b) => a.from - b.from);
    block.shape = block.all.map(b => `${b.name} ${Math.round(b.from)} ${Math.round(b.to)}`).join();
    for (const b of block.work) [b.reads, b.writes] = [spans(b.args.reads), spans(b.args.writes)];
  }
  const used = [...memories.values()].filter(memory => memory.bytes > 0).sort((a, b) => a.start - b.start);

  // A core of a kernel for both kinds: its block's number, and which launch it is of.
  const names = new Map();
  for (const block of blocks.values()) {
    const launch = names.get(block.name) || 0;
    names.set(block.name, launch + 1);
    block.family = block.name.includes("core") ? `${parseInt(block.name.slice(6), 10)} ${launch}` : "";
    block.memories = used.filter(m => block.work.some(b => [...b.reads, ...b.writes].some(s => s[0] >= m.start && s[0] < m.start + m.bytes)));
  }

  // Blocks that did the same at the same cycles are one group.
  const groups = [];
  for (const block of blocks.values()) {
    const group = groups.find(g => g[0].shape === block.shape);
    if (group) group.push(block);
    else groups.push([block]);
  }
  return {
    blocks, groups, counters: [...counters.values()].filter(c => c.s && c.f), memories: used, other: trace.otherData || {}, end: Math.ceil(end) || 1, shown: groups.length ? groups[0][0] : null, at: 0, races: [],

    titleOf(block) {
      const group = groups.find(g => g[0] === block) || [block];
      return group.length > 1 ? `${block.name} and ${group.length - 1} like it` : block.name;
    },

    // The cores of its block, which is all of them where it has one.
    coresOf: block => block.family ? [...blocks.values()].filter(b => b.family === block.family) : [block],

    // The block that uses these bytes, best the one that is shown.
    ownerOf(from, to) {
      const uses = block => block.work.some(b => [...b.reads, ...b.writes].some(s => s[0] < to && s[1] > from));
      return [this.shown, ...groups.map(g => g[0])].find(uses) || this.shown;
    },

    // What each pipe does, which flags are set, and which line was issued last, when `at` cycles have passed.
    stateAt(block, at) {
      const doing = block.ordered.map(lane => [lane.name, lane.boxes.findLast(b => b.from <= at && at < b.to && b.kind !== "flag")]);
      const flags = [...block.flows.values()].filter(f => f.s && f.s.at <= at && !(f.f && f.f.at <= at)).map(f => f.name);
      for (const counter of this.counters)
        if (counter.f.pid === block.pid && counter.s.at <= at && at < counter.f.at) flags.push(counter.name);
      const issued = block.issues.findLast(b => b.from <= at);
      return { doing, flags, line: issued ? issued.line : 0, issued };
    },

    // Pieces of all memories with what is in them, each once: being written wins over defined, which wins over undefined.
    bytesAt(block, at) {
      const pieces = new Map();
      for (const b of block.work)
        if (b.from <= at)
          for (const [from, to] of b.writes)
            if (b.to > at || !pieces.has(`${from} ${to}`)) pieces.set(`${from} ${to}`, [from, to, b.to > at ? "writing" : "defined"]);
      return [...pieces.values()].sort((a, b) => (a[2] === "writing") - (b[2] === "writing"));
    },
  };
})();
