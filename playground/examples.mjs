// The examples of the playground: the programs of examples/, and one for every rule, fault and instruction, which the command
// explains. Where that example is in C, a program of tests/pto that has the finding stands for it.
import fs from "node:fs";
import path from "node:path";
import {runCommand} from "./page/system.mjs";

const FIRST = ["embed.pto", "double_buffer.pto", "transposed.pto", "product.pto"];

function programs(root) {
  const from = path.join(root, "examples"), read = name => fs.readFileSync(path.join(from, name), "utf8");
  const single = FIRST.map(name => ({group: "Examples", name: name.replace(".pto", "").replaceAll("_", " "), target: "a2a3", text: read(name)}));
  const kernels = fs.readdirSync(path.join(from, "kernels")).filter(name => fs.statSync(path.join(from, "kernels", name)).isDirectory()).sort();
  return single.concat(kernels.flatMap(kernel => fs.readdirSync(path.join(from, "kernels", kernel)).filter(name => name.endsWith(".pto")).sort()
    .map(name => ({group: "Kernels", name: `${kernel}, ${name.replace(".pto", "")}`, target: "a5", text: read(path.join("kernels", kernel, name))}))));
}

// The shortest program of tests/pto that has a finding, without the lines that are for the test.
function findingsOf(root) {
  const found = new Map();
  for (const file of fs.readdirSync(path.join(root, "tests/pto"), {recursive: true}).filter(name => name.endsWith(".pto")).sort()) {
    const text = fs.readFileSync(path.join(root, "tests/pto", file), "utf8");
    const target = (/RUN: ptog \w+ %s.*--target (\S+)/.exec(text) || [])[1] || "a2a3";
    const program = text.split("\n").filter(line => !/^\s*\/\/ [A-Z-]+:/.test(line)).join("\n");
    for (const [, id] of text.matchAll(/\/\/ (?:ERROR|WARNING|NOTE): ([a-z0-9-]+)/g))
      if (!found.has(id) || found.get(id).text.length > program.length) found.set(id, {name: "example", target, text: program});
  }
  return found;
}

// Blocks of code in a page of `ptog explain --markdown`: what a kernel begins with, the wrong lines, the right ones.
function examplesIn(page) {
  const blocks = [...page.matchAll(/```mlir\n([\s\S]*?)```/g)].map(match => match[1]), target = (/^On (\S+), in a kernel/m.exec(page) || [])[1];
  if (blocks.length < 2) return blocks.map(text => ({name: "example", target, text}));
  const whole = text => blocks.length > 2 ? `${blocks[0]}${text}  return\n}\n` : text, [wrong, right] = blocks.slice(-2);
  return [{name: "wrong", target, text: whole(wrong)}, {name: "right", target, text: whole(right)}];
}

// An instruction is explained in plain text: its example is what is indented below that word.
function exampleOfInsn(text) {
  const found = /\n {2}example.*\n((?: {6}.*\n)+)/.exec(text);
  return found ? [{name: "example", text: found[1].replace(/^ {6}/gm, "")}] : [];
}

export function examplesOf(root, module) {
  const ask = (...words) => runCommand(module, words).stdout, others = findingsOf(root), seen = new Set();
  const entries = ask("explain").split(/\n(?=\S)/).map(entry => entry.replace(/\s+/g, " ").trim()).filter(entry => /^[a-z0-9_-]+ \S/i.test(entry) && !/^(?:text|faults) of /.test(entry));
  const ids = entries.map(entry => ({id: entry.split(" ")[0], what: entry.slice(entry.indexOf(" ") + 1)})).filter(({id}) => !seen.has(id) && seen.add(id));
  for (const item of ids) {
    const page = ask("explain", "--markdown", item.id);
    item.examples = page ? examplesIn(page) : exampleOfInsn(ask("explain", item.id));
    if (!item.examples.length && others.has(item.id)) item.examples = [others.get(item.id)];
  }
  const targets = ask("targets").split("\n").map(line => line.split(/\s+/)[0]).filter(word => ids.some(({id}) => id === word) || /^(host|cpu|a5|a2a3)/.test(word));
  return {examples: programs(root), ids, targets: [...new Set(targets)].sort((a, b) => (b === "a2a3") - (a === "a2a3") || (b === "a5") - (a === "a5"))};
}
