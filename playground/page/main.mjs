// The page: what is chosen and typed, who is asked about it, and where the answers go.
import {applyEdits, goToLine, makeEditor, setText, showFindings, showLine} from "./editor.mjs";
import {Cancelled, Engine} from "./engine.mjs";
import {makeData} from "./data.mjs";
import {makeExplain} from "./explain.mjs";
import {fragmentOf, stateOf} from "./share.mjs";

const {examples, targets, ids} = self.PTOG_EXAMPLES;
const $ = id => document.getElementById(id);
const PAUSE = 250; // milliseconds without an edit before the program runs in the background
const checker = new Engine(), runner = new Engine(), helper = new Engine();
let findings = [], functions = [], timer = 0, all = null, stale = false, judged = "", ran = []; // ran: findings of the last run

const text = () => view.state.doc.toString();
const settings = () => ({target: $("target").value, func: $("func").value, inputs: data.inputs()});
const quiet = error => { if (!(error instanceof Cancelled)) console.error(error); };

// ---- tabs

const tabs = [...document.querySelectorAll("[role=tab]")];
function showTab(name) {
  for (const tab of tabs) {
    const chosen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", chosen);
    tab.tabIndex = chosen ? 0 : -1;
    $(tab.getAttribute("aria-controls")).hidden = !chosen;
  }
  if (name === "drawing") draw();
  showStale();
}

// Says so where a report or outputs are those of another program, target or inputs than there are now.
function showStale() {
  const shown = document.querySelector("[role=tab][aria-selected=true]").id, same = judged === "" || judged === JSON.stringify([text(), settings()]);
  $("stale").hidden = same || !["tab-report", "tab-data"].includes(shown);
}
for (const tab of tabs) {
  tab.onclick = () => showTab(tab.id.slice(4));
  tab.onkeydown = event => {
    const by = {ArrowRight: 1, ArrowLeft: -1}[event.key], next = by && tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];
    if (!next) return;
    showTab(next.id.slice(4));
    next.focus();
  };
}

// ---- findings, at every keystroke those of a check; after a pause also those of a run

const make = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
const KINDS = ["", "error", "warning", "note", "note"];

function fix(finding) {
  applyEdits(view, finding.data.edits);
  view.focus();
}

function listFindings() {
  const rows = findings.map(d => {
    const [message, ...more] = d.message.split("\n"), kind = KINDS[d.severity];
    const row = make("li", {className: kind}, make("button", {className: "where", textContent: `line ${d.range.start.line + 1}`, onclick: () => goToLine(view, d.range.start.line + 1, d.range.start.character + 1)}),
      make("span", {className: "what"}, make("b", {textContent: kind}), ` ${message} `, ...more.map(line => make("small", {textContent: line}))));
    const buttons = make("span", {className: "acts"});
    if (d.data?.edits) buttons.append(make("button", {className: "fix", textContent: "Fix", title: d.data.title, onclick: () => fix(d)}));
    buttons.append(make("button", {className: "why", textContent: "Why?", title: `ptog explain ${d.code}`, onclick: () => { explain.show(d.code); showTab("explain"); }}));
    row.append(buttons);
    return row;
  });
  if (all && findings.filter(d => d.data?.edits).length > 1)
    rows.unshift(make("li", {className: "all"}, make("span", {className: "what", textContent: "Flags and barriers can be repaired together."}),
      make("span", {className: "acts"}, make("button", {id: "fix-all", textContent: "Fix all", onclick: () => { applyEdits(view, Object.values(all.edit.changes)[0]); view.focus(); }}))));
  $("findings").replaceChildren(...rows);
}

function tell(words, kind) {
  $("status").textContent = words;
  $("status").className = kind;
}
const counted = () => {
  const of = kind => findings.filter(d => KINDS[d.severity] === kind).length;
  return ["error", "warning", "note"].filter(of).map(kind => `${of(kind)} ${kind}${of(kind) > 1 ? "s" : ""}`).join(", ");
};
const worst = () => findings.some(d => d.severity === 1) ? "wrong" : findings.some(d => d.severity === 2) ? "warned" : "clean";

// What a run said, as the language server says it; its fixes are those of the server.
function findingsOf(done) {
  return (done.json?.diagnostics || []).filter(d => d.line > 0 && !d.suppressed).map(d => ({
    severity: Math.max(1, KINDS.indexOf(d.severity)), code: d.id, message: d.message,
    range: {start: {line: d.line - 1, character: Math.max(0, d.column - 1)}, end: {line: d.line - 1, character: Math.max(0, (d.end_column || d.column + 1) - 1)}},
  }));
}

function take(found, isRun) {
  const known = new Set(found.map(d => `${d.code} ${d.range.start.line}`)), same = judged === JSON.stringify([text(), settings()]);
  findings = [...found, ...(same ? ran.filter(d => !known.has(`${d.code} ${d.range.start.line}`)) : [])];
  showFindings(view, findings, fix);
  listFindings();
  const target = $("target").value, run = isRun ? "for all timings" : "checked; not run yet";
  if (!same) // else the verdict of a run stands there, which says more
    tell(`${counted() || "no findings"} on ${target}, ${run}`, worst());
}

async function look() {
  clearTimeout(timer);
  const asked = {text: text(), settings: settings()};
  all = null;
  showStale();
  try {
    const checked = await checker.ask("check", asked, {supersedes: true});
    functions = checked.args.functions.length ? checked.args.functions : functions.filter(name => asked.text.includes(`@${name}`));
    showFunctions();
    if (!checked.args.functions.length) data.setArguments(checked.args.list);
    take(checked.diagnostics, false);
    timer = setTimeout(races, PAUSE, asked);
  } catch (error) { quiet(error); }
}

async function races(asked) {
  try {
    const found = await checker.ask("races", asked);
    if (asked.text !== text()) return;
    all = found.answers[0]?.find(action => action.kind === "source.fixAll.ptog") || null;
    take(found.diagnostics, true);
    document.body.dataset.looked = asked.text.length;
  } catch (error) { quiet(error); }
}

function showFunctions() {
  const select = $("func"), now = select.value;
  $("func-label").hidden = functions.length < 2;
  if (functions.length < 2) return select.replaceChildren();
  if (select.options.length === functions.length && functions.every((name, i) => select.options[i].value === name)) return;
  select.replaceChildren(...functions.map(name => new Option(name)));
  select.value = functions.includes(now) ? now : functions[0];
  look();
}

// ---- run

let pageUrl = "";
function showReport(html) {
  URL.revokeObjectURL(pageUrl);
  pageUrl = URL.createObjectURL(new Blob([html], {type: "text/html"}));
  const frame = make("iframe", {id: "page", title: "report", src: html.includes('id="timeline"') ? `${pageUrl}#timeline` : pageUrl});
  frame.setAttribute("sandbox", "allow-scripts");
  frame.setAttribute("allow", "clipboard-write");
  $("report").replaceChildren(frame);
}
addEventListener("message", event => {
  const frame = $("page");
  if (!frame || event.source !== frame.contentWindow || stale) return;
  if (event.data?.ptog === "issued") showLine(view, Number(event.data.line) || 0);
  if (event.data?.ptog === "line") goToLine(view, Number(event.data.line) || 1);
});

async function run() {
  const button = $("run");
  if (button.textContent === "Stop") {
    runner.cancel();
    return;
  }
  button.textContent = "Stop";
  tell(`running on ${$("target").value}…`, "");
  try {
    const asked = {text: text(), settings: settings()}, done = await runner.ask("run", asked);
    stale = asked.text !== text();
    judged = JSON.stringify([asked.text, asked.settings]);
    ran = findingsOf(done);
    if (!stale) take(findings, true);
    if (done.report) showReport(done.report);
    else $("report").replaceChildren(make("pre", {className: "said", textContent: done.stderr}));
    data.setOutputs(done);
    const verdict = done.json?.programs?.[0]?.verdict || "failed";
    tell(`${verdict} on ${$("target").value}${counted() ? `: ${counted()}` : ""}`, verdict === "passed" ? "clean" : "wrong");
    if (document.querySelector("[role=tab][aria-selected=true]").id !== "tab-data") showTab("report");
    showStale();
    document.body.dataset.ran = Number(document.body.dataset.ran || 0) + 1;
  } catch (error) {
    tell(error instanceof Cancelled ? "stopped" : `the run failed: ${error.message}`, "wrong");
    quiet(error);
  }
  button.textContent = "Run";
}

// ---- the drawing of the line with the cursor

let drawnFor = "";
async function draw() {
  if ($("drawing").hidden) return;
  const line = view.state.doc.lineAt(view.state.selection.main.head).number, asked = {text: text(), settings: settings(), line}, key = JSON.stringify(asked);
  if (key === drawnFor) return;
  drawnFor = key;
  try {
    const {svg} = await helper.ask("draw", asked, {supersedes: true});
    const place = $("drawing");
    if (!svg) return place.replaceChildren(make("p", {className: "hint", textContent: `Line ${line} is not a tile instruction that runs. Move the cursor to one, such as pto.tload or pto.mgather.`}));
    const image = make("img", {alt: `drawing of the instruction in line ${line}`, src: `data:image/svg+xml,${encodeURIComponent(svg)}`});
    place.replaceChildren(make("p", {className: "hint", textContent: `Line ${line}, the first time that it runs.`}), image);
  } catch (error) { quiet(error); }
}

// ---- what was chosen

function choose(example) {
  $("target").value = example.target && targets.includes(example.target) ? example.target : $("target").value;
  data.setInputs(example.inputs || {});
  functions = [];
  showFunctions();
  setText(view, example.text);
  $("example").value = examples.indexOf(example) < 0 ? "" : examples.indexOf(example);
}

async function share() {
  const state = {...settings(), text: text()}, fragment = await fragmentOf(state), button = $("share");
  history.replaceState(null, "", fragment);
  const done = await (navigator.clipboard?.writeText(location.href) || Promise.reject(new Error())).then(() => true, () => false);
  button.textContent = done ? "Link copied" : "Link is in the address bar";
  setTimeout(() => { button.textContent = "Share"; }, 2500);
}

function listExamples() {
  const select = $("example"), groups = new Map();
  select.append(new Option("choose…", ""));
  examples.forEach((example, i) => {
    if (!groups.has(example.group)) groups.set(example.group, select.appendChild(make("optgroup", {label: example.group})));
    groups.get(example.group).append(new Option(example.name, i));
  });
  select.onchange = () => { if (select.value !== "") choose(examples[select.value]); };
}

// ---- start

const data = makeData($("data"), {make, changed: look});
const explain = makeExplain($("explain"), {make, ids, ask: word => helper.ask("explain", {word}), open: choose});
const view = makeEditor($("editor"), {
  run, ask: (question, whole) => helper.ask("ask", {text: whole, settings: settings(), question}).catch(() => null),
  changed() {
    stale = true;
    if ($("example").value !== "" && examples[$("example").value].text !== text()) $("example").value = "";
    showLine(view, 0);
    look();
  },
  moved() { draw(); },
});
for (const name of targets) $("target").append(new Option(name));
$("target").onchange = $("func").onchange = () => { look(); draw(); };
$("run").onclick = $("again").onclick = run;
$("share").onclick = share;
addEventListener("keydown", event => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
  event.preventDefault();
  run();
});
addEventListener("hashchange", () => open(false));
listExamples();
showTab("report");

async function open(first) {
  const shared = await stateOf(location.hash);
  if (shared) choose(shared);
  else if (first) choose(examples[0]);
  if (shared && shared.func) $("func").value = shared.func;
}
open(true);
self.playground = {view, setText: whole => setText(view, whole)}; // for tests, and for those who try things in the console
