
// ---- worker.js: the session and its tools. The bindings are above, in the same script. ----

const { initSync, Session, doc, version } = wasm_bindgen;

let session = null;

// The tools are one expression: an object whose values are functions or objects with `run`.
function toolsOf(source) {
  if (!source.trim()) return {};
  const tools = new Function(`"use strict"; return (${source}\n);`)();
  if (tools === null || typeof tools !== "object") throw new Error("expected an object: { name: { signature, run } }");
  return tools;
}

const operations = {
  start: ({ module }) => { initSync({ module }); return version(); },
  open: ({ data, tools, limits }) => {
    let functions;
    try {
      functions = toolsOf(tools);
    } catch (error) {
      throw new Error(`tools: ${error.message}`);
    }
    const next = new Session({ data, tools: functions, limits });
    if (session) session.free();
    session = next;
    return null;
  },
  run: ({ program }) => session.run(program),
  check: ({ program }) => session.check(program),
  complete: ({ prefix }) => session.complete(prefix),
  doc: ({ name }) => { try { return doc(name); } catch { return null; } },
};

onmessage = async ({ data: { id, operation, given } }) => {
  try {
    postMessage({ id, result: await operations[operation](given) });
  } catch (error) {
    postMessage({ id, error: error && error.message ? error.message : String(error), isTrap: error instanceof WebAssembly.RuntimeError || error instanceof RangeError });
  }
};
