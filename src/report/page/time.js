// The slider over time, what is true at its cycle, and where the lives of tiles lie.
"use strict";
if (report) (() => {
  const lanes = document.getElementById("lanes");
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  report.make = make;
  report.paddingAt = () => [];
  report.showValues = () => {};
  const number = n => Math.round(n).toLocaleString("en");
  const lineLink = line => line ? make("a", { href: `#L${line}`, textContent: `line ${line}` }) : "";

  // ---- the slider
  const slider = make("input", { type: "range", id: "cycle", min: 0, max: report.end, step: 1, value: 0 });
  slider.setAttribute("aria-label", "cycle");
  const shown = make("output", { id: "at" });
  const step = (label, title, act) => make("button", { textContent: label, title, onclick: act, id: title.replaceAll(" ", "-") });
  const steps = () => report.shown.issues.map(b => Math.round(b.from));
  const back = step("◀", "previous instruction", () => report.go(steps().findLast(at => at < report.at) ?? 0));
  const on = step("▶", "next instruction", () => report.go(steps().find(at => at > report.at) ?? report.end));
  for (const button of [back, on]) button.setAttribute("aria-label", button.title);
  const panel = make("div", { id: "state" });
  panel.setAttribute("aria-live", "polite");
  lanes.after(make("div", { id: "time" }, back, slider, on, shown), panel);
  slider.oninput = () => report.go(Number(slider.value));

  // ---- what is true there
  const text = line => {
    const li = document.getElementById(`L${line}`);
    return li ? li.querySelector("span").textContent.trim() : "";
  };
  function pipes(state) {
    const rows = state.doing.map(([name, box]) => make("tr", {}, make("th", { textContent: name }), make("td", {}, box ? `${box.name} ` : "idle ",
      box ? lineLink(box.line) : "", box ? ` ${number(report.at - box.from)} of ${number(box.to - box.from)} cycles` : "")));
    return make("table", { id: "pipes" }, ...rows,
      make("tr", {}, make("th", { textContent: "flags" }), make("td", { textContent: state.flags.length ? state.flags.join(", ") : "none is set" })),
      make("tr", {}, make("th", { textContent: "issued" }), make("td", {}, lineLink(state.line), state.line ? make("code", { textContent: ` ${text(state.line)}` }) : "nothing yet")));
  }
  const hex = byte => `0x${byte.toString(16)}`;
  function strip({ name, start, bytes }, all) {
    const bar = make("div", { className: "strip" }), pieces = all.filter(p => p[0] >= start && p[0] < start + bytes), of = kind => pieces.filter(p => p[2] === kind).length;
    bar.setAttribute("role", "img");
    bar.setAttribute("aria-label", `${name}: ${of("defined")} pieces defined, ${of("writing")} being written, ${of("padding")} padding`);
    for (const [from, to, kind] of pieces) {
      const part = make("i", { className: kind, title: `${name} ${hex(from - start)}..${hex(to - 1 - start)}: ${kind === "writing" ? "being written" : kind}` });
      part.style.left = `${100 * (from - start) / bytes}%`;
      part.style.width = `${100 * (to - from) / bytes}%`;
      bar.append(part);
    }
    return bar;
  }
  const LEGEND = [["undefined", "undefined"], ["writing", "being written"], ["defined", "defined"], ["padding", "padding"]];
  const legend = () => LEGEND.flatMap(([kind, words]) => [make("span", {}, make("i", { className: kind }), ` ${words}`), " "]);
  function memory() {
    const pieces = [...report.paddingAt(report.shown, report.at), ...report.bytesAt(report.shown, report.at)];
    return make("div", { id: "bytes" }, make("p", { className: "hint legend" }, ...legend()), ...report.shown.memories.map(held =>
      make("div", { className: "held" }, make("span", { textContent: `${held.name}, ${number(held.bytes)} bytes` }), strip(held, pieces))));
  }
  let line = 0;
  report.go = at => {
    report.at = Math.min(Math.max(0, at), report.end);
    slider.value = report.at;
    shown.textContent = `cycle ${number(report.at)} of ${number(report.end)}`;
    const state = report.stateAt(report.shown, report.at);
    panel.replaceChildren(pipes(state), ...(report.shown.memories.length ? [memory()] : []));
    report.showValues(report.shown, report.at);
    document.getElementById(`L${line}`)?.classList.remove("now");
    line = state.line;
    document.getElementById(`L${line}`)?.classList.add("now");
    if (parent !== window) parent.postMessage({ ptog: "issued", line }, "*"); // the page is part of another one, as in the playground
    report.reveal();
  };

  // ---- lives of tiles: from the first write of an address to its last use, over time
  const bar = (from, to, whole, title = "") => {
    const part = make("i", { title });
    part.style.left = `${100 * from / whole}%`;
    part.style.width = `${100 * (to - from) / whole}%`;
    return part;
  };
  const usesOf = (from, to) => report.ownerOf(from, to).work.filter(b => [...b.reads, ...b.writes].some(s => s[0] < to && s[1] > from)).sort((a, b) => a.from - b.from);
  function life(uses) {
    const first = Math.min(...uses.map(b => b.from)), last = Math.max(...uses.map(b => b.to));
    return uses.length ? bar(first, last, report.end, `cycles ${number(first)} to ${number(last)}`) : "";
  }
  report.showLives = () => {
    for (const row of document.querySelectorAll("#memory tr[data-from]"))
      row.querySelector(".life").replaceChildren(life(usesOf(Number(row.dataset.from), Number(row.dataset.to))));
  };

  // The tiles of a cube core, a table for each memory: the page itself has those of UB only.
  function cubeMemories(memories) {
    const section = document.getElementById("memory"), table = section && section.querySelector(".ub");
    if (table && !memories.length && table.rows.length === 1) table.remove(); // of a run that used no tile
    if (!table || !memories.length) return;
    const head = table.rows[0].cloneNode(true), onlyCube = !report.memories.some(held => held.name === "UB");
    if (onlyCube) for (const part of section.querySelectorAll(".hint, .wide")) part.remove();
    for (const held of memories)
      section.append(make("p", { className: "hint", textContent: `${held.name}: ${number(held.bytes)} bytes are reached.` }), make("div", { className: "wide" },
        make("table", { className: "ub" }, head.cloneNode(true), ...report.tiles.filter(tile => tile.memory === held.name).sort((a, b) => a.at - b.at).map(tile => tileRow(tile, held)))));
  }
  function tileRow(tile, held) {
    const uses = usesOf(tile.at, tile.end), lines = uses.map(b => b.line), from = tile.address, to = from + tile.end - tile.at;
    const used = uses.length ? [lineLink(lines[0]), " to ", lineLink(lines.at(-1))] : [];
    const row = make("tr", {}, ...[tile.name, `${hex(from)}..${hex(to - 1)}`, `${tile.rows}x${tile.cols} ${tile.type}`].map(textContent => make("td", { textContent })),
      make("td", {}, ...used), make("td", { className: "life" }), make("td", { className: "bar" }, bar(from, to, held.bytes)));
    [row.dataset.from, row.dataset.to] = [tile.at, tile.end];
    return row;
  }

  report.ready = () => {
    cubeMemories(report.memories.filter(held => held.name !== "UB"));
    report.showLives();
    report.go(0);
  };
})();
