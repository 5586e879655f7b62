// Workers with ptog.wasm. An engine answers one question after another; a question that `supersedes` ends what is under way.
const WORKER = __WORKER__; // its script, put here by build.mjs
const workerUrl = URL.createObjectURL(new Blob([WORKER], {type: "text/javascript"}));

// The wasm is in a script, compressed and as base64, since a page opened from disk may not fetch.
async function compile() {
  const bytes = Uint8Array.from(atob(self.PTOG_WASM), c => c.charCodeAt(0));
  const plain = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
  return WebAssembly.compile(await plain.arrayBuffer());
}
export const compiled = compile();

export class Cancelled extends Error {}

export class Engine {
  constructor() { this.waiting = new Map(); this.last = 0; this.start(); }

  start() {
    this.worker = new Worker(workerUrl);
    this.worker.onmessage = ({data}) => {
      const asked = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (asked && data.error) asked.no(new Error(data.error));
      else if (asked) asked.yes(data.result);
    };
    this.ready = compiled.then(module => this.worker.postMessage({module}));
  }

  // Ends whatever is being computed; those who wait for it are told.
  cancel() {
    if (!this.waiting.size) return;
    this.worker.terminate();
    for (const {no} of this.waiting.values()) no(new Cancelled());
    this.waiting.clear();
    this.start();
  }

  async ask(kind, question, {supersedes = false} = {}) {
    if (supersedes) this.cancel();
    const id = ++this.last, answer = new Promise((yes, no) => this.waiting.set(id, {yes, no})), worker = this.worker;
    await this.ready;
    if (this.waiting.has(id)) worker.postMessage({id, kind, ...question});
    return answer;
  }
}
