// The colours of the program: words of PTO, C, C++ and Python. What goes over several lines is remembered from line to line.
"use strict";
(() => {
  const KINDS = ["comment", "string", "name", "type", "op", "word", "number"], python = /\.py$/.test(document.querySelector("h1").textContent);
  // What begins a comment or a string, and its end, where that may be in a later line.
  const LONG = python ? [[/"{3}|'{3}/y, null, "string"]] : [[/\/\*/y, "*/", "comment"]];
  const WORDS = new RegExp([
    python ? /(#.*)/ : /(\/\/.*)/, python ? /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')/ : /("(?:\\.|[^"\\])*")/, /(%[\w.$-]+|@[\w.$-]+)/,
    /(![\w.]+|\b(?:f16|bf16|f32|f64|i8|i16|i32|i64|u8|u16|u32|u64|float|half|int|void|auto|index)\b)/, /(\bpto\.[\w.]+|\b[A-Z]{4,}(?=\s*[<(]))/,
    /(^\s*#\s*\w+|\b(?:module|func\.\w+|return|scf\.\w+|arith\.\w+|for|if|else|while|const|template|def|import|from|with|struct|using|PIPE_\w+|EVENT_ID\d+)\b)/, /(-?\b\d[\w.]*)/,
  ].map(part => part.source).join("|"), "y");

  let open = null; // [end, kind] of what goes on
  const word = (kind, text) => Object.assign(document.createElement("i"), { className: kind, textContent: text });
  // The part of a line from `at` on that has one colour: [kind, end]; null where a character has none.
  function partAt(text, at) {
    if (!open)
      for (const [begin, end, kind] of LONG) {
        begin.lastIndex = at;
        const found = begin.exec(text);
        if (found) open = [end || found[0], kind, at + found[0].length];
      }
    if (open) {
      const [end, kind, from] = open, found = text.indexOf(end, from);
      open = found < 0 ? [end, kind, 0] : null;
      return [kind, found < 0 ? text.length : found + end.length];
    }
    WORDS.lastIndex = at;
    const found = at > 0 && /\w/.test(text[at - 1]) ? null : WORDS.exec(text);
    return found && found[0] ? [KINDS[found.slice(1).findIndex(part => part !== undefined)], at + found[0].length] : null;
  }
  for (const span of document.querySelectorAll("ol.lines li > span")) {
    const text = span.textContent, parts = [];
    let plain = 0;
    for (let at = 0; at < text.length;) {
      const part = partAt(text, at);
      if (!part) {
        at++;
        continue;
      }
      parts.push(text.slice(plain, at), word(part[0], text.slice(at, part[1])));
      plain = at = part[1];
    }
    if (parts.length) span.replaceChildren(...parts, text.slice(plain));
  }
})();
