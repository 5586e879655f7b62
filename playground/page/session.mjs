// A session with `ptog lsp` for one text: the messages that go in, and what comes out of them.
export const URI = "file:///kernel.pto";
const encoder = new TextEncoder();

const frame = message => {
  const body = JSON.stringify({jsonrpc: "2.0", ...message});
  return `Content-Length: ${encoder.encode(body).length}\r\n\r\n${body}`;
};
const notice = (method, params) => frame({method, params});

// What goes in, in two parts. Between them the server has nothing to read, and runs the program when `run` is set.
export function sessionInput(text, {target, run}, questions = []) {
  const open = frame({id: 0, method: "initialize", params: {capabilities: {}, initializationOptions: {target, run, delay: 0}}})
    + notice("initialized", {}) + notice("textDocument/didOpen", {textDocument: {uri: URI, languageId: "pto", version: 1, text}});
  const ask = questions.map(([method, params], i) => frame({id: i + 1, method: `textDocument/${method}`, params: {textDocument: {uri: URI}, ...params}}));
  const end = frame({id: questions.length + 1, method: "shutdown"}) + notice("exit");
  return [encoder.encode(open), encoder.encode(ask.join("") + end)];
}

// The messages of the server, in order.
export function messagesOf(bytes) {
  const decoder = new TextDecoder(), messages = [];
  let at = 0;
  while (at < bytes.length) {
    let head = at;
    while (head < bytes.length && !(bytes[head] === 13 && bytes[head + 2] === 13)) head++;
    const length = Number((/Content-Length: (\d+)/i.exec(decoder.decode(bytes.subarray(at, head))) || [0, 0])[1]);
    if (head >= bytes.length) break;
    messages.push(JSON.parse(decoder.decode(bytes.subarray(head + 4, head + 4 + length))));
    at = head + 4 + length;
  }
  return messages;
}

// The last findings that the server published, and the answers to the questions.
export function sessionResult(bytes, count) {
  const messages = messagesOf(bytes), found = messages.filter(m => m.method === "textDocument/publishDiagnostics");
  return {
    diagnostics: found.length ? found.at(-1).params.diagnostics : [],
    answers: Array.from({length: count}, (_, i) => messages.find(m => m.id === i + 1)?.result ?? null),
  };
}
