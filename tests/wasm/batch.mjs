// Runs commands in ptog.wasm, as the playground does. usage: node batch.mjs PTOG.WASM <JOBS >RESULTS
// A job is a line of JSON: {"args": [...], "files": {name: text}}; a result {"status", "stdout", "stderr"}, or {"trap": text}.
import fs from "node:fs";
import readline from "node:readline";
import {runCommand} from "../../playground/page/system.mjs";

const module = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
for await (const line of readline.createInterface({input: process.stdin})) {
  const {args, files} = JSON.parse(line);
  let result;
  try {
    const {status, stdout, stderr} = runCommand(module, args, {files: Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text, "base64")]))});
    result = {status, stdout, stderr};
  } catch (error) {
    result = {trap: String(error)};
  }
  process.stdout.write(JSON.stringify(result) + "\n");
}
