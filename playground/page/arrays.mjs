// Arrays as coloured tables: a file of numpy is read, and each value has a colour by its size and sign.
const MAX_ROWS = 64, MAX_COLUMNS = 32;

const small = (bits, exponentBits, mantissaBits) => {
  const sign = bits >> (exponentBits + mantissaBits) ? -1 : 1, exponent = (bits >> mantissaBits) & ((1 << exponentBits) - 1);
  const mantissa = bits & ((1 << mantissaBits) - 1), bias = (1 << (exponentBits - 1)) - 1;
  if (exponent === (1 << exponentBits) - 1) return mantissa ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - bias) * (1 + mantissa / 2 ** mantissaBits) : 2 ** (1 - bias) * mantissa / 2 ** mantissaBits);
};
const READERS = {
  f4: (v, at) => v.getFloat32(at, true), f8: (v, at) => v.getFloat64(at, true), f2: (v, at) => small(v.getUint16(at, true), 5, 10),
  i1: (v, at) => v.getInt8(at), u1: (v, at) => v.getUint8(at), i2: (v, at) => v.getInt16(at, true), u2: (v, at) => v.getUint16(at, true),
  i4: (v, at) => v.getInt32(at, true), u4: (v, at) => v.getUint32(at, true), i8: (v, at) => v.getBigInt64(at, true), u8: (v, at) => v.getBigUint64(at, true),
};

// {shape, dtype, at(i), undefinedAt(i)} of the bytes of an npy file; null when it is none. `type`: of the argument, for what numpy lacks.
export function readNpy(bytes, type = "") {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 10 || bytes[0] !== 0x93) return null;
  const wide = bytes[6] > 1, start = wide ? 12 : 10, length = wide ? view.getUint32(8, true) : view.getUint16(8, true);
  const head = new TextDecoder().decode(bytes.subarray(start, start + length)), descr = (/'descr': '[<|=]?([a-z]\d)'/.exec(head) || [])[1];
  const shape = ((/'shape': \(([^)]*)\)/.exec(head) || [, ""])[1].match(/\d+/g) || []).map(Number), data = start + length;
  const read = /bf16/.test(type) && descr?.[1] === "2" ? (v, at) => small(v.getUint16(at, true), 8, 7) : READERS[descr];
  if (!read) return null;
  const size = Number(descr[1]), undefinedAt = i => bytes.subarray(data + i * size, data + (i + 1) * size).every(b => b === 0xaa);
  return {shape, dtype: /bf16/.test(type) ? "bf16" : {f: "f", i: "i", u: "u"}[descr[0]] + 8 * size, at: i => read(view, data + i * size), undefinedAt};
}

export const words = value => typeof value === "bigint" ? String(value) : Number.isInteger(value) ? String(value) : Number.isFinite(value) ? String(+value.toPrecision(6)) : String(value);

// A table of the last two dimensions, the others one below the other.
export function arrayTable(array) {
  const columns = array.shape.at(-1) ?? 1, rows = array.shape.slice(0, -1).reduce((a, b) => a * b, 1);
  const seen = Math.min(rows, MAX_ROWS), wide = Math.min(columns, MAX_COLUMNS), cells = [];
  let most = 0;
  for (let r = 0; r < seen; r++) for (let c = 0; c < wide; c++) {
    const value = array.at(r * columns + c), size = Math.abs(Number(value));
    if (Number.isFinite(size) && !array.undefinedAt(r * columns + c)) most = Math.max(most, size);
  }
  const table = document.createElement("table");
  table.className = "array";
  const head = table.createTHead().insertRow();
  head.append(document.createElement("td"));
  for (let c = 0; c < wide; c++) head.append(Object.assign(document.createElement("th"), {textContent: c, scope: "col"}));
  const body = table.createTBody();
  for (let r = 0; r < seen; r++) {
    const row = body.insertRow();
    row.append(Object.assign(document.createElement("th"), {textContent: r, scope: "row"}));
    for (let c = 0; c < wide; c++) {
      const i = r * columns + c, value = array.at(i), cell = row.insertCell(), no = array.undefinedAt(i);
      cell.textContent = no ? "??" : words(value);
      cell.className = no ? "undefined" : Number(value) < 0 ? "minus" : "plus";
      cell.title = no ? "these bytes were never written" : `[${r}, ${c}]`;
      if (!no && most > 0 && Number.isFinite(Number(value))) cell.style.setProperty("--share", `${Math.round(55 * Math.abs(Number(value)) / most)}%`);
    }
  }
  const left = rows > seen || columns > wide ? `${rows - seen > 0 ? `${rows - seen} more rows` : ""}${rows > seen && columns > wide ? ", " : ""}${columns > wide ? `${columns - wide} more columns` : ""}` : "";
  return {table, left};
}
