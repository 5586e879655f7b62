// Bytes of UB over time, and tiles made of them: the trace has what arrived, and when.
"use strict";
if (report) (() => {
  const { tiles = [], values = [], "values cut": cut = false } = report.other;
  const mhz = report.other.MHz || 1, MOST_ROWS = 32, MOST_COLUMNS = 16, MOST_AT_ONCE = 3;
  const bytesOf = hex => Uint8Array.from(hex.match(/../g) || [], two => parseInt(two, 16));
  for (const block of report.blocks.values()) block.values = [];
  for (const [pid, time, at, hex] of values) report.blocks.get(pid)?.values.push({ time: time / 1000 * mhz, at, bytes: bytesOf(hex) });
  for (const block of report.blocks.values()) block.values.sort((a, b) => a.time - b.time);

  // ---- UB of a block at a cycle: its bytes, and which of them were ever written
  const size = Math.max(report.bytes, ...tiles.map(t => t.at + t.rows * t.cols * 8), 8);
  let state = null;
  function ubAt(block, at) {
    if (!state || state.block !== block || state.at > at) state = { block, at: -1, next: 0, bytes: new Uint8Array(size), known: new Uint8Array(size) };
    for (state.at = at; state.next < block.values.length && block.values[state.next].time <= at + .5; state.next++) {
      const piece = block.values[state.next];
      if (piece.at + piece.bytes.length > size) continue;
      state.bytes.set(piece.bytes, piece.at);
      state.known.fill(1, piece.at, piece.at + piece.bytes.length);
    }
    return state;
  }

  // ---- elements
  const float = (bits, e, m) => {
    const sign = bits >> (e + m) & 1 ? -1 : 1, exponent = bits >> m & ((1 << e) - 1), rest = bits & ((1 << m) - 1), bias = (1 << (e - 1)) - 1;
    if (exponent === (1 << e) - 1) return rest ? NaN : sign * Infinity;
    return sign * (exponent ? 2 ** (exponent - bias) * (1 + rest / 2 ** m) : 2 ** (1 - bias) * rest / 2 ** m);
  };
  const TYPES = {
    f32: [4, (v, a) => v.getFloat32(a, true)], f16: [2, (v, a) => float(v.getUint16(a, true), 5, 10)], bf16: [2, (v, a) => float(v.getUint16(a, true), 8, 7)],
    i8: [1, (v, a) => v.getInt8(a)], u8: [1, (v, a) => v.getUint8(a)], i16: [2, (v, a) => v.getInt16(a, true)], u16: [2, (v, a) => v.getUint16(a, true)],
    i32: [4, (v, a) => v.getInt32(a, true)], u32: [4, (v, a) => v.getUint32(a, true)], i64: [8, (v, a) => v.getBigInt64(a, true)], u64: [8, (v, a) => v.getBigUint64(a, true)],
    f64: [8, (v, a) => v.getFloat64(a, true)],
  };
  const typeOf = tile => TYPES[tile.type] || [1, (v, a) => `0x${v.getUint8(a).toString(16)}`];
  function place(tile, r, c) { // in elements
    const wide = 32 / typeOf(tile)[0];
    if (tile.order === "col_major") return c * tile.rows + r;
    return tile.order === "nz" ? Math.floor(c / wide) * tile.rows * wide + r * wide + c % wide : r * tile.cols + c;
  }
  const words = value => typeof value === "number" && !Number.isInteger(value) && Number.isFinite(value) ? String(+value.toPrecision(6)) : String(value);
  report.valueAt = (block, tile, r, c, at) => {
    const ub = ubAt(block, at), [bytes, read] = typeOf(tile), from = tile.at + place(tile, r, c) * bytes;
    if (!ub.known.subarray(from, from + bytes).every(Boolean)) return null;
    return words(read(new DataView(ub.bytes.buffer), from));
  };

  // ---- names: those of the table of UB
  const names = new Map([...document.querySelectorAll("#memory tr[data-from]")].map(row => [`${row.dataset.from} ${row.dataset.to}`, row.cells[0].textContent]));
  for (const tile of tiles) {
    tile.end = tile.at + tile.rows * tile.cols * typeOf(tile)[0];
    tile.name = names.get(`${tile.at} ${tile.end}`) || `0x${tile.at.toString(16)}`;
    tile.high = tile.valid_row || tile.rows;
    tile.wide = tile.valid_col || tile.cols;
  }
  report.tiles = tiles;

  // Bytes of tiles behind their valid region, where something of the tile is there.
  report.paddingAt = (block, at) => {
    const ub = ubAt(block, at), pieces = [];
    for (const tile of tiles) {
      const bytes = typeOf(tile)[0];
      if (tile.order !== "row_major" || (tile.wide === tile.cols && tile.high === tile.rows) || tile.rows > 256 || !ub.known[tile.at]) continue;
      for (let r = 0; r < tile.high && tile.wide < tile.cols; r++) pieces.push([tile.at + (r * tile.cols + tile.wide) * bytes, tile.at + (r + 1) * tile.cols * bytes, "padding"]);
      if (tile.high < tile.rows) pieces.push([tile.at + tile.high * tile.cols * bytes, tile.end, "padding"]);
    }
    return pieces;
  };

  // ---- a tile as a table; `spans`: bytes that are being written
  function grid(tile, block, at, spans) {
    const rows = Math.min(tile.high, MOST_ROWS), columns = Math.min(tile.wide, MOST_COLUMNS), bytes = typeOf(tile)[0];
    const table = report.make("table", { className: "values" });
    const head = table.createTHead().insertRow();
    head.append(report.make("td", {}), ...Array.from({ length: columns }, (_, c) => report.make("th", { textContent: c, scope: "col" })));
    const body = table.createTBody();
    for (let r = 0; r < rows; r++) {
      const row = body.insertRow();
      row.append(report.make("th", { textContent: r, scope: "row" }));
      for (let c = 0; c < columns; c++) {
        const value = report.valueAt(block, tile, r, c, at), from = tile.at + place(tile, r, c) * bytes;
        const busy = spans.some(s => s[0] <= from && from < s[1]);
        row.append(report.make("td", { textContent: value === null ? "–" : value, className: busy ? "writing" : value === null ? "undefined" : "", title: value === null ? "undefined" : `0x${from.toString(16)}` }));
      }
    }
    const left = [tile.high > rows ? `${tile.high - rows} more rows` : "", tile.wide > columns ? `${tile.wide - columns} more columns` : ""].filter(Boolean).join(", ");
    return report.make("figure", {}, report.make("figcaption", {}, report.make("b", { textContent: tile.name }), ` ${tile.high}x${tile.wide} ${tile.type}${tile.order === "row_major" ? "" : `, ${tile.order}`}`),
      report.make("div", { className: "wide" }, table), left ? report.make("p", { className: "hint", textContent: left }) : "");
  }

  // ---- the panel: the tiles of the work that is under way, else of the last that was, or a tile that was chosen
  const panel = report.make("div", { id: "values" });
  const choice = report.make("select", { id: "tile" }, new Option("what is being computed", ""), ...tiles.map((tile, i) => new Option(`${tile.name}, ${tile.rows}x${tile.cols} ${tile.type}`, i)));
  choice.setAttribute("aria-label", "tile");
  choice.onchange = () => report.go(report.at);
  if (tiles.length) document.getElementById("state").after(report.make("p", { className: "hint" }, report.make("label", {}, "Values of ", choice),
    cut ? " The run is longer than what is kept: later values are missing." : ""), panel);

  // The smallest tiles that hold these bytes, each once.
  const tilesOf = spans => [...new Set(spans.map(s => tiles.filter(t => t.at <= s[0] && s[0] < t.end).sort((a, b) => a.end - a.at - (b.end - b.at))[0]).filter(Boolean))];
  report.showValues = (block, at) => {
    if (!tiles.length) return;
    const spans = block.work.filter(b => b.from <= at && at < b.to).flatMap(b => b.writes);
    const chosen = choice.value === "" ? null : tiles[choice.value];
    if (chosen) return panel.replaceChildren(grid(chosen, block, at, spans));
    const begun = block.work.filter(b => b.from <= at && b.reads.length + b.writes.length), last = begun.at(-1);
    const lines = new Set(begun.filter(b => at < b.to).map(b => b.line));
    if (!lines.size && last) lines.add(last.line);
    panel.replaceChildren(...[...lines].slice(0, MOST_AT_ONCE).map(line => {
      const boxes = begun.filter(b => b.line === line), sources = tilesOf(boxes.flatMap(b => b.reads)), results = tilesOf(boxes.flatMap(b => b.writes));
      return report.make("div", { className: "operands" }, ...sources.map(t => grid(t, block, at, spans)),
        report.make("span", { className: "becomes" }, report.make("a", { href: `#L${line}`, textContent: boxes[0].args.instruction }), " →"), ...results.map(t => grid(t, block, at, spans)));
    }));
  };
})();
if (report) report.ready();
