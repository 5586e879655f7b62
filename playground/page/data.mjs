// The tab with data: an input for each argument, typed or generated, and afterwards all of them as coloured tables.
import {arrayTable, readNpy} from "./arrays.mjs";

const HELP = "Leave a field empty for generated data with indices in range. Or type elements (2,0,5,2), zeros, arange, full:3, random:7 or repeat:1,2; for a scalar, its value.";

export function makeData(place, {make, changed}) {
  const typed = new Map(); // by name
  const rows = make("div", {className: "inputs"}), outputs = make("div", {id: "outputs"});
  let names = "", known = [];
  place.append(make("h2", {textContent: "Inputs"}), make("p", {className: "hint", textContent: HELP}), rows, make("h2", {textContent: "After the run"}), outputs);
  outputs.append(make("p", {className: "hint", textContent: "Run the program to see its arguments here."}));

  function list() {
    rows.replaceChildren(...known.map(argument => {
      const field = make("input", {id: `in-${argument.name}`, value: typed.get(argument.name) || "", placeholder: "generated", spellcheck: false, autocomplete: "off"});
      field.onchange = () => { typed.set(argument.name, field.value.trim()); changed(); };
      field.oninput = () => typed.set(argument.name, field.value.trim());
      return make("label", {}, make("code", {textContent: `%${argument.name}`}), make("small", {textContent: argument.type.replace(/^!pto\./, "")}), field);
    }));
    if (!known.length) rows.append(make("p", {className: "hint", textContent: "The program has no arguments."}));
  }

  return {
    setArguments(list_) {
      const now = JSON.stringify(list_);
      if (now === names) return;
      names = now;
      known = list_;
      list();
    },
    setInputs(given) {
      typed.clear();
      for (const [name, value] of Object.entries(given)) typed.set(name, String(value.value ?? value));
      list();
    },
    inputs: () => Object.fromEntries(known.filter(a => typed.get(a.name)).map(a => [a.name, {number: a.number, value: typed.get(a.name)}])),
    setOutputs(done) {
      const tables = done.outputs.map(output => {
        const array = readNpy(output.npy, output.type);
        if (!array) return "";
        const {table, left} = arrayTable(array);
        return make("figure", {}, make("figcaption", {}, make("code", {textContent: `%${output.name}`}), ` ${array.shape.join("x")} ${array.dtype}`),
          make("div", {className: "wide", tabIndex: 0}, table), left ? make("p", {className: "hint", textContent: left}) : "");
      });
      const why = done.stderr.trim().split("\n").map(line => line.replace(/^ptog run: (note: )?/, "").replace(/; bind files with --in NAME=FILE$/, "")).join("\n");
      outputs.replaceChildren(make("p", {className: "hint command"}, make("code", {textContent: done.command})), make("pre", {className: "said", textContent: why}), ...tables);
    },
  };
}
