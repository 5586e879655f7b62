// Builds the playground: one folder of static files. usage: node build.mjs --wasm PTOG.WASM --modules NODE_MODULES --out DIR
// The wasm goes into a script, compressed, and so do the examples: a page that is opened from disk may not fetch anything.
import fs from "node:fs";
import path from "node:path";
import {createRequire} from "node:module";
import {gzipSync} from "node:zlib";
import {parseArgs} from "node:util";
import {examplesOf} from "./examples.mjs";

const {values} = parseArgs({options: {wasm: {type: "string"}, modules: {type: "string"}, out: {type: "string"}}});
const here = path.dirname(new URL(import.meta.url).pathname), root = path.dirname(here), page = path.join(here, "page");
const modules = path.resolve(values.modules), esbuild = createRequire(path.join(modules, "x.js"))("esbuild");

const bundle = (entry, define = {}) => esbuild.buildSync({
  entryPoints: [path.join(page, entry)], bundle: true, minify: true, write: false, format: "iife", target: "es2022", legalComments: "none", nodePaths: [modules], define,
  metafile: true,
});
const save = (name, text) => fs.writeFileSync(path.join(values.out, name), text);

// The licences of what is bundled, each with its name: whose files are in the bundle is known, since esbuild lists them.
function licences(inputs) {
  const names = new Set(Object.keys(inputs).map(file => (/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file) || [])[1]).filter(Boolean));
  return [...names].sort().map(name => {
    const folder = path.join(modules, name), about = JSON.parse(fs.readFileSync(path.join(folder, "package.json")));
    const file = fs.readdirSync(folder).find(one => /^licen[sc]e/i.test(one));
    return `${name} ${about.version}, ${about.license}\n\n${file ? fs.readFileSync(path.join(folder, file), "utf8") : ""}`;
  });
}

// The colours of the report page, which stand in its style.
const colours = fs.readFileSync(path.join(root, "src/report/page/page.css"), "utf8").match(/:root \{[\s\S]*?\n\}\n@media[\s\S]*?\n\}\n/)[0];

fs.mkdirSync(values.out, {recursive: true});
const wasm = fs.readFileSync(values.wasm);
const worker = bundle("worker.mjs").outputFiles[0].text;
const main = bundle("main.mjs", {__WORKER__: JSON.stringify(worker)});
save("playground.js", main.outputFiles[0].text);
save("playground.css", colours + fs.readFileSync(path.join(page, "style.css"), "utf8"));
save("index.html", fs.readFileSync(path.join(page, "index.html"), "utf8"));
save("ptog.js", `self.PTOG_WASM="${gzipSync(wasm, {level: 9}).toString("base64")}";\n`);
save("examples.js", `self.PTOG_EXAMPLES=${JSON.stringify(examplesOf(root, new WebAssembly.Module(wasm)))};\n`);
save("LICENSES.txt", [`ptogather\n\n${fs.readFileSync(path.join(root, "LICENSE"), "utf8")}`, ...licences(main.metafile.inputs)].join(`\n${"-".repeat(80)}\n`));
for (const name of fs.readdirSync(values.out).sort()) console.log(`${String(fs.statSync(path.join(values.out, name)).size).padStart(9)}  ${path.join(values.out, name)}`);
