// Findings and source: a race in both orders, totals of each line, copy buttons.
"use strict";
(() => {
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  // ---- races: the two boxes in the timeline, and the two orders side by side
  const workOf = (blocks, line) => blocks.flatMap(block => block.ordered.flatMap(lane => lane.boxes.filter(b => b.line === line && b.kind === "work").map(box => ({ box, lane, block }))));
  const finder = (first, second) => block => {
    const later = workOf([block], second), others = report.coresOf(block).filter(core => core !== block);
    const own = workOf([block], first), earlier = own.length ? own : workOf(others, first);
    if (!earlier.length || !later.length) return null;
    for (const b of later) {
      const a = earlier.findLast(found => found.box !== b.box && found.lane !== b.lane && found.box.from <= b.box.from);
      if (a) return [a, b];
    }
    return [earlier[0], later[0]];
  };
  const firstPair = race => report && (race.in(report.shown) || [...report.blocks.values()].reduce((pair, block) => pair || race.in(block), null));
  function orders(article, [late, other, what, wrong, right]) {
    const way = (title, first, second, value, kind) => make("div", { className: kind }, make("b", { textContent: title }), make("ol", {},
      make("li", { textContent: first }), make("li", { textContent: second })), what ? make("code", { textContent: `${what} = ${value}` }) : "");
    article.append(make("div", { className: "orders" }, way("in order", late, other, right, "right"),
      way("also possible", other, late, wrong, "wrong")));
  }
  // What the witness says; without one, which a race between cores has not, the instructions alone.
  function ordersOf(article, pair) {
    const witness = [...article.querySelectorAll("dt")].find(dt => dt.textContent === "witness")?.nextElementSibling.textContent;
    const said = /^if (\S+) at line (\d+) completes late \(.*?\), (.+?) comes first(?:, and (.+) is (.+) instead of (.+))?$/.exec(witness || "");
    const other = [article.dataset.line, article.dataset.other].find(line => said && line !== said[2]) || (said && said[2]);
    if (said) return [`${said[1]}, line ${said[2]}`, said[3].includes("line") ? said[3] : `${said[3]}, line ${other}`, ...said.slice(4)];
    const words = ({ box, block }) => `${box.args.instruction}, line ${box.line}${pair[0].block === pair[1].block ? "" : `, on ${block.name}`}`;
    return pair ? pair.map(words) : null;
  }
  const isBetweenBlocks = article => new Set(article.querySelector("h3").textContent.match(/\bblock \d+/g)).size > 1; // the timeline has one of those alike
  for (const article of document.querySelectorAll("article[data-line]")) {
    if (isBetweenBlocks(article)) continue;
    const race = { in: finder(Number(article.dataset.other), Number(article.dataset.line)) };
    const pair = firstPair(race), ways = ordersOf(article, pair);
    if (ways) orders(article, ways);
    if (!pair) continue;
    report.races.push(race);
    article.append(make("button", {
      className: "show", textContent: "show in the timeline", onclick: () => {
        const now = race.in(report.shown) || pair;
        if (now === pair && report.choose) report.choose(pair[1].block);
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
    ["DMAs", ([, sum]) => number(sum.transfers), "transfers"], ["transactions", ([, sum]) => sum.transactions ? number(sum.transactions) : "", "transactions"],
    ["used", ([, sum]) => sum.transactions ? share(sum) : "", "transactions"]];
  const known = [...lines].filter(([line]) => document.getElementById(`L${line}`)).sort((a, b) => b[1].cycles - a[1].cycles);
  if (known.length) {
    const told = columns.filter(([, , is]) => !is || known.some(([, sum]) => sum[is] > 0));
    const table = make("table", { id: "work" }, make("tr", {}, ...told.map(([title]) => make("th", { textContent: title }))),
      ...known.slice(0, MAX_LINES).map(entry => make("tr", {}, ...told.map(([, cell]) => make("td", {}, cell(entry))))));
    list.before(make("p", { className: "hint", textContent: `The lines that took longest: cycles of work, bytes moved${known.some(([, sum]) => sum.transfers) ? ", DMA transfers" : ""}${known.some(([, sum]) => sum.transactions) ? ", transactions of 128 bytes and the share of their bytes that is used" : ""}. The cycles of every line stand beside the program.` }),
      make("div", { className: "wide" }, table));
    list.classList.add("counted");
  }
  for (const [line, sum] of known) {
    const total = make("em", { className: "total", textContent: number(sum.cycles), title: `${number(sum.cycles)} cycles, ${number(sum.bytes)} bytes` });
    total.style.setProperty("--share", `${100 * sum.cycles / most}%`);
    document.getElementById(`L${line}`).firstElementChild.after(total);
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
