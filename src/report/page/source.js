// Findings and source: a race in both orders, totals of each line, colours of words, copy buttons.
"use strict";
(() => {
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  // ---- races: the two boxes in the timeline, and the two orders side by side
  const finder = (first, second) => block => {
    const of = line => block.ordered.flatMap(lane => lane.boxes.filter(b => b.line === line && b.kind === "work").map(box => ({ box, lane })));
    const earlier = of(first), later = of(second);
    if (!earlier.length || !later.length) return null;
    for (const b of later) {
      const a = earlier.findLast(found => found.box !== b.box && found.lane !== b.lane && found.box.from <= b.box.from);
      if (a) return [a, b];
    }
    return [earlier[0], later[0]];
  };
  function orders(article, words) {
    const said = /^if (\S+) at line (\d+) completes late \(.*?\), (.+?) comes first(?:, and (.+) is (.+) instead of (.+))?$/.exec(words);
    if (!said) return;
    const [, late, line, other, what, wrong, right] = said;
    const way = (title, first, second, value, kind) => make("div", { className: kind }, make("b", { textContent: title }), make("ol", {},
      make("li", { textContent: first }), make("li", { textContent: second })), what ? make("code", { textContent: `${what} = ${value}` }) : "");
    article.append(make("div", { className: "orders" }, way("in order", `${late}, line ${line}`, other, right, "right"),
      way("also possible", other, `${late}, line ${line}`, wrong, "wrong")));
  }
  for (const article of document.querySelectorAll("article[data-line]")) {
    const race = { in: finder(Number(article.dataset.other), Number(article.dataset.line)) };
    const witness = [...article.querySelectorAll("dt")].find(dt => dt.textContent === "witness");
    if (witness) orders(article, witness.nextElementSibling.textContent);
    const pair = report && report.shown && race.in(report.shown);
    if (!pair) continue;
    report.races.push(race);
    article.append(make("button", {
      className: "show", textContent: "show in the timeline", onclick: () => {
        const now = race.in(report.shown) || pair;
        report.look(Math.min(now[0].box.from, now[1].box.from), Math.max(now[0].box.to, now[1].box.to));
        report.go(Math.round(now[1].box.from));
        document.getElementById("timeline").scrollIntoView();
      },
    }));
  }

  // ---- totals of each line
  const list = document.querySelector("ol.lines"), lines = new Map(), DMA = ["MTE2", "MTE3", "FIX"];
  for (const block of report ? report.blocks.values() : [])
    for (const b of block.work) {
      const sum = lines.get(b.line) || lines.set(b.line, { cycles: 0, bytes: 0, transfers: 0, transactions: 0, used: 0 }).get(b.line);
      sum.cycles += Number(b.args.cycles) || 0;
      sum.bytes += Number(b.args.bytes) || 0;
      sum.transfers += "nBurst" in b.args || (DMA.includes(b.pipe) && /\(GM /.test(`${b.args.reads} ${b.args.writes}`)) ? 1 : 0;
      sum.transactions += Number(b.args.transactions) || 0;
      sum.used += Number(b.args["transaction bytes"]) || 0;
    }
  const number = n => n.toLocaleString("en"), MAX_LINES = 12;
  const most = Math.max(1, ...[...lines.values()].map(sum => sum.cycles));
  const share = sum => `${Math.round(100 * sum.used / (128 * sum.transactions))} %`;
  const columns = [["line", ([line]) => make("a", { href: `#L${line}`, textContent: line })], ["cycles", ([, sum]) => number(sum.cycles)], ["bytes", ([, sum]) => number(sum.bytes)],
    ["DMAs", ([, sum]) => number(sum.transfers)], ["transactions", ([, sum]) => sum.transactions ? number(sum.transactions) : ""], ["used", ([, sum]) => sum.transactions ? share(sum) : ""]];
  const known = [...lines].filter(([line]) => document.getElementById(`L${line}`)).sort((a, b) => b[1].cycles - a[1].cycles);
  if (known.length) {
    const table = make("table", { id: "work" }, make("tr", {}, ...columns.map(([title]) => make("th", { textContent: title }))),
      ...known.slice(0, MAX_LINES).map(entry => make("tr", {}, ...columns.map(([, cell]) => make("td", {}, cell(entry))))));
    list.before(make("p", { className: "hint", textContent: "The lines that took longest: cycles of work, bytes that were moved, transfers, and transactions of 128 bytes with the share of them that is used. Cycles of all lines stand beside the program." }),
      make("div", { className: "wide" }, table));
    list.classList.add("counted");
  }
  for (const [line, sum] of known) {
    const total = make("em", { className: "total", textContent: number(sum.cycles), title: `${number(sum.cycles)} cycles, ${number(sum.bytes)} bytes` });
    total.style.setProperty("--share", `${100 * sum.cycles / most}%`);
    document.getElementById(`L${line}`).firstElementChild.after(total);
  }

  // ---- colours: words of PTO, C++ and Python alike
  const WORDS = /(\/\/.*$|^\s*#.*$)|("(?:\\.|[^"\\])*")|(%[\w.$-]+|@[\w.$-]+)|(![\w.]+|\b(?:f16|bf16|f32|i8|i16|i32|i64|u8|u16|u32|float|half|int|void|auto|index)\b)|(\bpto\.[\w.]+|\b[A-Z]{4,}(?=\())|(\b(?:func\.func|return|scf\.\w+|arith\.\w+|for|if|else|while|const|template|def|import|with)\b)|(-?\b\d[\w.]*)/gm;
  const KINDS = ["comment", "string", "name", "type", "op", "word", "number"];
  for (const span of document.querySelectorAll("ol.lines li > span")) {
    const text = span.textContent, parts = [];
    let at = 0;
    for (const match of text.matchAll(WORDS)) {
      parts.push(text.slice(at, match.index), make("i", { className: KINDS[match.slice(1).findIndex(part => part !== undefined)], textContent: match[0] }));
      at = match.index + match[0].length;
    }
    if (parts.length) span.replaceChildren(...parts, text.slice(at));
  }

  // ---- copying
  const copy = (label, text) => make("button", {
    className: "copy", textContent: label, onclick: async event => {
      const button = event.target, write = navigator.clipboard?.writeText(text());
      await (write || Promise.reject()).then(() => { button.textContent = "copied"; }, () => { button.textContent = "not allowed here"; });
      setTimeout(() => { button.textContent = label; }, 1500);
    },
  });
  for (const fix of document.querySelectorAll("article dd pre")) fix.parentElement.append(copy("copy the fix", () => fix.textContent));
  const program = document.querySelector("#program h2");
  if (program) program.append(" ", copy("copy", () => [...document.querySelectorAll("ol.lines li > span")].map(s => s.textContent).join("\n")));
})();
