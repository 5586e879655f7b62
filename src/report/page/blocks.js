// Many blocks, or the cores of a block: an overview with a row for each group of them that did the same, and which one is shown.
"use strict";
if (report && report.blocks.size > 1) (() => {
  const { make, groups } = report, lanes = document.getElementById("lanes"), isCores = groups.some(g => g[0].family);
  const ROW = Math.max(4, Math.min(16, Math.floor(320 / groups.length)));
  const canvas = make("canvas", { id: "heat", tabIndex: 0 }), pen = canvas.getContext("2d");
  canvas.setAttribute("aria-label", "how busy each row is over time: arrow keys choose a row");
  const choice = make("select", { id: "block" }, ...groups.map((group, i) => make("option", { value: i, textContent: report.titleOf(group[0]) })));
  choice.setAttribute("aria-label", isCores ? "core" : "block");
  const chosen = () => groups.findIndex(g => g[0] === report.shown);

  const columns = () => Math.max(100, canvas.clientWidth);
  function paintRow(block, row, colour) {
    const wide = columns(), busy = new Float64Array(wide), width = report.end / wide;
    for (const b of block.work)
      for (let c = Math.floor(b.from / width); c < wide && c * width < b.to; c++)
        busy[c] += (Math.min(b.to, (c + 1) * width) - Math.max(b.from, c * width)) / width;
    pen.fillStyle = colour;
    busy.forEach((share, c) => {
      pen.globalAlpha = Math.min(1, share / 2);
      pen.fillRect(c, row * ROW, 1, ROW - (ROW > 5));
    });
    pen.globalAlpha = 1;
  }
  function paint() {
    const style = getComputedStyle(document.documentElement);
    canvas.width = columns();
    canvas.height = groups.length * ROW;
    canvas.style.height = `${canvas.height}px`;
    groups.forEach(([block], row) => paintRow(block, row, style.getPropertyValue("--gather").trim()));
    pen.strokeStyle = style.getPropertyValue("--ink").trim();
    if (groups.length > 1) pen.strokeRect(.5, chosen() * ROW + .5, canvas.width - 1, ROW - 1);
  }
  const choose = i => {
    report.shown = groups[i][0];
    choice.value = i;
    paint();
    report.showLives();
    report.go(report.at);
  };
  report.choose = block => choose(Math.max(0, groups.findIndex(g => g.includes(block))));
  choice.onchange = () => choose(Number(choice.value));
  canvas.onclick = event => choose(Math.min(groups.length - 1, Math.floor(event.offsetY / ROW)));
  canvas.onkeydown = event => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    choose(Math.min(groups.length - 1, Math.max(0, chosen() + by)));
  };
  const what = `${report.blocks.size} ${isCores ? "cores" : "blocks"}`;
  const words = groups.length === 1 ? `${what} did the same at the same cycles: one stands for all. Darker: more pipes are busy.`
    : `${what} in ${groups.length} rows: those that did the same at the same cycles are one. Darker: more pipes are busy. `;
  lanes.before(make("p", { className: "hint", textContent: words }, groups.length > 1 ? make("label", {}, " Show ", choice) : ""), canvas);
  new ResizeObserver(paint).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
})();
