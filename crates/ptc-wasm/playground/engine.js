
// ---- engine.js: the worker that runs programs, and what it is asked. ----

async function unpacked() {
  const text = document.getElementById("module").textContent.trim();
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

const engine = {
  module: null,
  worker: null,
  asked: new Map(),
  next: 1,

  async start() {
    engine.module ||= await unpacked();
    const source = new Blob([document.getElementById("worker").textContent], { type: "text/javascript" });
    const url = URL.createObjectURL(source);
    engine.worker = new Worker(url);
    engine.worker.onmessage = ({ data }) => {
      const waiting = engine.asked.get(data.id);
      engine.asked.delete(data.id);
      if (data.error === undefined) waiting.resolve(data.result);
      else waiting.reject(Object.assign(new Error(data.error), { isTrap: data.isTrap }));
    };
    engine.worker.onerror = (event) => engine.end(event.message || "the worker did not start");
    const version = await engine.ask("start", { module: engine.module });
    URL.revokeObjectURL(url);
    return version;
  },

  ask(operation, given) {
    return new Promise((resolve, reject) => {
      const id = engine.next++;
      engine.asked.set(id, { resolve, reject });
      engine.worker.postMessage({ id, operation, given });
    });
  },

  // Ends the worker; whatever waits for it fails with this text.
  end(text) {
    engine.worker.terminate();
    for (const { reject } of engine.asked.values()) reject(Object.assign(new Error(text), { isEnd: true }));
    engine.asked.clear();
  },
};
