// Bytes on the chip over time, and tiles made of them: the trace has what arrived, and when.
"use strict";
if (report) (() => {
  const { tiles = [], values = [], "values cut": cut = false } = report.other;
  const mhz = report.other.MHz || 1, MAX_ROWS = 64, MAX_ROWS_AT_ONCE = 16, MAX_COLUMNS = 16, MAX_AT_ONCE = 3;
  const bytesOf = hex => Uint8Array.from(hex.match(/../g) || [], two => parseInt(two, 16));
  for (const block of report.blocks.values()) block.values = [];
  for (const [pid, time, at, hex] of values) report.blocks.get(pid)?.values.push({ time: time / 1000 * mhz, at, bytes: bytesOf(hex) });
  for (const block of report.blocks.values()) block.values.sort((a, b) => a.time - b.time);

  // ---- the memories of a block at a cycle: their bytes, and which of them were ever written
  const size = Math.max(...report.memories.map(held => held.start + held.bytes), ...tiles.map(t => t.at + t.rows * t.cols * 8), 8);
  let state = null;
  function bytesOn(block, at) {
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
  // Where element (r, c) lies, in elements. The order of boxed tiles is two letters: that of the boxes, that in one; z is by rows.
  function place(tile, r, c) {
    if (tile.order === "row_major" || tile.order === "col_major") return tile.order === "row_major" ? r * tile.cols + c : c * tile.rows + r;
    const [outer, inner] = tile.order, wide = tile.order.endsWith("16x16 boxes") ? 16 : 32 / typeOf(tile)[0];
    const high = inner === "n" ? wide : 16, across = inner === "n" ? 16 : wide; // of a box
    const i = Math.floor(r / high), j = Math.floor(c / across), a = r % high, b = c % across;
    const boxes = outer === "n" ? j * (tile.rows * across) + i * high * across : i * (tile.cols * high) + j * high * across;
    return boxes + (inner === "n" ? b * high + a : a * across + b);
  }
  const words = value => typeof value === "number" && !Number.isInteger(value) && Number.isFinite(value) ? String(+value.toPrecision(6)) : String(value);
  report.valueAt = (block, tile, r, c, at) => {
    const chip = bytesOn(block, at), [bytes, read] = typeOf(tile), from = tile.at + place(tile, r, c) * bytes;
    if (!chip.known.subarray(from, from + bytes).every(Boolean)) return null;
    return words(read(new DataView(chip.bytes.buffer), from));
  };

  // ---- names: those of the table of UB, which knows the names of the text, else what the run was told
  const names = new Map([...document.querySelectorAll("#memory tr[data-from]")].map(row => [`${row.dataset.from} ${row.dataset.to}`, row.cells[0].textContent]));
  for (const tile of tiles) {
    tile.end = tile.at + tile.rows * tile.cols * typeOf(tile)[0];
    tile.name = (tile.memory === "UB" && names.get(`${tile.at} ${tile.end}`)) || tile.name || `${tile.memory} 0x${tile.address.toString(16)}`;
    tile.high = tile.valid_row || tile.rows;
    tile.wide = tile.valid_col || tile.cols;
  }
  report.tiles = tiles;

  // Bytes of a tile outside its valid region, in pieces.
  const MAX_PADDED = 1 << 14, pieces = new Map();
  function paddingOf(tile) {
    const bytes = typeOf(tile)[0], found = [];
    if (pieces.has(tile)) return pieces.get(tile);
    const valid = new Uint8Array(tile.rows * tile.cols);
    for (let r = 0; r < tile.high; r++)
      for (let c = 0; c < tile.wide; c++) valid[place(tile, r, c)] = 1;
    for (let from = valid.indexOf(0); from >= 0;) {
      const next = valid.indexOf(1, from), to = next < 0 ? valid.length : next;
      found.push([tile.at + from * bytes, tile.at + to * bytes, "padding"]);
      from = valid.indexOf(0, to);
    }
    pieces.set(tile, found);
    return found;
  }
  // Pieces where something of a tile is there.
  report.paddingAt = (block, at) => {
    const chip = bytesOn(block, at);
    return tiles.filter(tile => (tile.wide < tile.cols || tile.high < tile.rows) && tile.rows * tile.cols <= MAX_PADDED && chip.known[tile.at]).flatMap(paddingOf);
  };

  // ---- a tile as a table; `spans`: bytes that are being written
  function grid(tile, block, at, spans, most) {
    const rows = Math.min(tile.high, most), columns = Math.min(tile.wide, MAX_COLUMNS), bytes = typeOf(tile)[0];
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
        row.append(report.make("td", { textContent: value === null ? "–" : value, className: busy ? "writing" : value === null ? "undefined" : "", title: value === null ? "undefined" : `${tile.memory} 0x${(from - tile.at + tile.address).toString(16)}` }));
      }
    }
    const left = [tile.high > rows ? `${tile.high - rows} more rows` : "", tile.wide > columns ? `${tile.wide - columns} more columns` : ""].filter(Boolean).join(", ");
    return report.make("figure", {}, report.make("figcaption", {}, report.make("b", { textContent: tile.name }), ` ${tile.high}x${tile.wide} ${tile.type}${tile.order === "row_major" ? "" : `, ${tile.order}`}${tile.memory === "UB" ? "" : ` in ${tile.memory}`}${block === report.shown ? "" : ` of ${block.name}`}`),
      report.make("div", { className: "wide" }, table), left ? report.make("p", { className: "hint", textContent: left }) : "");
  }

  // ---- the panel: the tiles of the work that is under way, else of the last that was, or a tile that was chosen
  const panel = report.make("div", { id: "values" });
  const choice = report.make("select", { id: "tile" }, new Option("what is being computed", ""), ...tiles.map((tile, i) => new Option(`${tile.name}, ${tile.rows}x${tile.cols} ${tile.type}`, i)));
  choice.setAttribute("aria-label", "tile");
  choice.onchange = () => report.go(report.at);
  if (tiles.length) document.getElementById("state").after(report.make("p", { className: "hint" }, report.make("label", {}, "Values of ", choice),
    cut ? " The run is longer than what is kept: later values are missing." : ""), panel);

  // ---- pictures of the instruction, as ptog draw makes them: each place as it ran for the first time
  const pictures = new Map(), drawn = report.make("details", { id: "drawing", open: true });
  for (const [line, svg] of report.other.drawings || []) pictures.set(line, [...(pictures.get(line) || []), svg]);
  if (pictures.size) (tiles.length ? panel : document.getElementById("state")).after(drawn);
  function showPictures(line) {
    const of = pictures.get(line) || [];
    if (drawn.dataset.line === String(line)) return;
    drawn.dataset.line = line;
    drawn.hidden = !of.length;
    drawn.replaceChildren(report.make("summary", {}, "The instruction of ", report.make("a", { href: `#L${line}`, textContent: `line ${line}` }), ", the first time that it ran"),
      report.make("div", { className: "wide" }, ...of.map(svg => report.make("img", { alt: `drawing of the instruction in line ${line}`, src: `data:image/svg+xml,${encodeURIComponent(svg)}` }))));
  }

  // The smallest tiles that hold these bytes, each once.
  const tilesOf = spans => [...new Set(spans.map(s => tiles.filter(t => t.at <= s[0] && s[0] < t.end).sort((a, b) => a.end - a.at - (b.end - b.at))[0]).filter(Boolean))];
  // The lines whose work is under way, else that of the last that was.
  function linesAt(begun, at) {
    const lines = new Set(begun.filter(b => at < b.to).map(b => b.line));
    if (!lines.size && begun.length) lines.add(begun.reduce((last, b) => b.to >= last.to ? b : last).line);
    return [...lines];
  }
  const writtenAt = (block, at) => block.work.filter(b => b.from <= at && at < b.to).flatMap(b => b.writes);
  report.showValues = (block, at) => {
    const begun = block.work.filter(b => b.from <= at && b.reads.length + b.writes.length), lines = linesAt(begun, at);
    const latest = begun.filter(b => pictures.has(b.line) && (at < b.to || lines.includes(b.line))).sort((a, b) => b.from - a.from)[0];
    showPictures(latest ? latest.line : 0);
    if (!tiles.length) return;
    const spans = writtenAt(block, at);
    const chosen = choice.value === "" ? null : tiles[choice.value], owner = chosen && report.ownerOf(chosen.at, chosen.end);
    if (chosen) return panel.replaceChildren(grid(chosen, owner, at, owner === block ? spans : writtenAt(owner, at), MAX_ROWS));
    panel.replaceChildren(...lines.slice(0, MAX_AT_ONCE).map(line => {
      const boxes = begun.filter(b => b.line === line), sources = tilesOf(boxes.flatMap(b => b.reads)), results = tilesOf(boxes.flatMap(b => b.writes));
      return report.make("div", { className: "operands" }, ...sources.map(t => grid(t, block, at, spans, MAX_ROWS_AT_ONCE)),
        report.make("span", { className: "becomes" }, report.make("a", { href: `#L${line}`, textContent: boxes[0].args.instruction }), " →"), ...results.map(t => grid(t, block, at, spans, MAX_ROWS_AT_ONCE)));
    }));
  };
})();
if (report) report.ready();
