// A link that carries a program: the fragment is its JSON, compressed, in the letters of base64url.
const PREFIX = "#1=";

const squeeze = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

export async function fragmentOf(state) {
  const bytes = await squeeze(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  return PREFIX + btoa(Array.from(bytes, b => String.fromCharCode(b)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// The state of a fragment; null when it has none, or is not one of ours.
export async function stateOf(fragment) {
  if (!fragment.startsWith(PREFIX)) return null;
  try {
    const letters = atob(fragment.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    const state = JSON.parse(new TextDecoder().decode(await squeeze(Uint8Array.from(letters, c => c.charCodeAt(0)), new DecompressionStream("deflate-raw"))));
    return typeof state.text === "string" ? {text: state.text, target: String(state.target || ""), func: String(state.func || ""), inputs: state.inputs || {}} : null;
  } catch {
    return null;
  }
}
