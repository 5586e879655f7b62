// The tab that explains: every rule, fault and instruction, each with its example one click away.
export function makeExplain(place, {make, ids, ask, open}) {
  const search = make("input", {id: "search", type: "search", placeholder: `search ${ids.length} rules, faults and instructions`, autocomplete: "off"});
  search.setAttribute("aria-label", "search rules, faults and instructions");
  const text = make("pre", {id: "explained", className: "said", tabIndex: 0, hidden: true}), list = make("ul", {id: "ids"});

  async function show(word) {
    text.textContent = await ask(word).catch(() => "") || `there is nothing about ${word}`;
    text.hidden = false;
    place.scrollTop = 0;
  }
  const rows = ids.map(item => {
    const buttons = item.examples.map(example => make("button", {textContent: example.name, title: `open the example: ${example.name}`, onclick: () => open(example)}));
    const row = make("li", {}, make("button", {className: "id", textContent: item.id, onclick: () => show(item.id)}), make("span", {className: "acts"}, ...buttons), make("span", {className: "what", textContent: item.what}));
    row.dataset.words = `${item.id} ${item.what}`.toLowerCase();
    return row;
  });
  search.oninput = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every(word => row.dataset.words.includes(word));
  };
  list.append(...rows);
  place.append(search, text, list);
  return {show};
}
