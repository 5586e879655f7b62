// The worker: ptog.wasm, and what the page asks of it. A question is {id, kind, ...}, an answer {id, result} or {id, error}.
// One question is answered at a time; the page ends the whole worker to cancel one.
import {sessionInput, sessionResult} from "./session.mjs";
import {runCommand} from "./system.mjs";

const PROGRAM = "kernel.pto";
let module;

const talk = (text, settings, questions) =>
  sessionResult(runCommand(module, ["lsp"], {input: sessionInput(text, settings, questions)}).bytes, (questions || []).length);

// The arguments of the function, each with its type as the text has it: what a run without data would miss.
function argumentsOf(text, settings) {
  const args = ["run", PROGRAM, "--target", settings.target, "--data", "none", "--format", "json", ...funcOf(settings)];
  const {stdout, stderr} = runCommand(module, args, {files: {[PROGRAM]: text}}), lines = text.split("\n");
  if (!stdout) return {list: [], functions: (/give --func with one of (.*)/.exec(stderr) || ["", ""])[1].split(", ").filter(Boolean)};
  const missing = JSON.parse(stdout).diagnostics.filter(d => d.id === "run-unbound");
  return {
    functions: [], list: missing.map(d => {
      const after = lines.slice(d.line - 1).join(" ").slice(d.end_column - 1), type = /^\s*:\s*((?:[^,<>()]|<[^>]*>)+)/.exec(after);
      return {name: (/%([\w.$-]+)/.exec(d.message) || [])[1], number: / a number$/.test(d.message), type: type ? type[1].trim() : ""};
    }),
  };
}

const funcOf = settings => settings.func ? ["--func", settings.func] : [];
const dataOf = settings => Object.entries(settings.inputs || {}).flatMap(([name, {number, value}]) => [number ? "--set" : "--in", `${name}=${value}`]);

function runProgram({text, settings}) {
  const {list} = argumentsOf(text, settings), memory = list.filter(a => !a.number);
  const dumps = memory.flatMap(a => ["--dump", `${a.name}=${a.name}.npy`]);
  const words = ["run", PROGRAM, "--target", settings.target, ...funcOf(settings), ...dataOf(settings)];
  const done = runCommand(module, [...words, ...dumps, "--format", "json", "--report", "report.html"], {files: {[PROGRAM]: text}});
  const page = done.file("report.html");
  return {
    status: done.status, stderr: done.stderr, report: page ? new TextDecoder().decode(page) : "", json: done.stdout ? JSON.parse(done.stdout) : null,
    command: ["ptog", ...words].join(" "),
    outputs: memory.map(a => ({...a, npy: done.file(`${a.name}.npy`)})).filter(a => a.npy),
  };
}

const answers = {
  check: ({text, settings}) => ({...talk(text, {...settings, run: false}), args: argumentsOf(text, settings)}),
  races: ({text, settings}) => talk(text, {...settings, run: true}, [["codeAction", {range: whole(text), context: {diagnostics: []}}]]),
  ask: ({text, settings, question}) => talk(text, {...settings, run: question[0] === "hover"}, [question]).answers[0],
  run: runProgram,
  explain: ({word}) => runCommand(module, ["explain", word]).stdout,
  draw: ({text, settings, line}) => {
    const done = runCommand(module, ["draw", PROGRAM, "--target", settings.target, "--line", String(line), "-o", "drawing.svg", ...funcOf(settings), ...dataOf(settings)],
      {files: {[PROGRAM]: text}}), svg = done.file("drawing.svg");
    return {svg: svg ? new TextDecoder().decode(svg) : "", stderr: done.stderr};
  },
};
const whole = text => ({start: {line: 0, character: 0}, end: {line: text.split("\n").length, character: 0}});

self.onmessage = ({data}) => {
  if (data.module) {
    module = data.module;
    return;
  }
  try {
    self.postMessage({id: data.id, result: answers[data.kind](data)});
  } catch (error) {
    self.postMessage({id: data.id, error: String(error)});
  }
};
