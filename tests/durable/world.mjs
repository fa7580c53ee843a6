// What missions talk to: a model, and tools whose effects are lines of a file. One process, never killed.
//
//   node world.mjs PORT FOLDER
//
// `/v1/chat/completions` is the model, stateless: which turn it is follows from what programs have printed. `/mcp/LABEL` is an MCP
// server (streamable HTTP without sessions) that writes FOLDER/LABEL.jsonl. `/set` changes latency (ms of a reply), failures
// (share of requests that get 429), delay (ms of a call); `/count/LABEL` says how many calls have begun.
import { mkdirSync, openSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { reply, valueOf } from "./missions.mjs";
import { random, sleep } from "./time.mjs";

const [port, folder] = process.argv.slice(2);
const settings = { latency: 0, failures: 0, delay: 0, seed: 1 };
const counts = { requests: 0, refused: 0 };
const ledgers = new Map();
let next = random(settings.seed);
mkdirSync(folder, { recursive: true });

function ledger(label) {
  if (!ledgers.has(label)) ledgers.set(label, { file: openSync(join(folder, `${label}.jsonl`), "a"), attempts: new Map(), begun: 0 });
  return ledgers.get(label);
}

async function model(body) {
  counts.requests += 1;
  if (next() < settings.failures) {
    counts.refused += 1;
    return { status: 429, headers: { "retry-after": "1" }, body: { error: { message: "too many requests", type: "rate_limit" } } };
  }
  if (settings.latency > 0) await sleep(settings.latency * (0.5 + next()));
  const content = reply(body.model, body.messages);
  const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };
  const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
  return { body: { id: "1", object: "chat.completion", created: 1, model: body.model, choices, usage } };
}

const call = { type: "object", properties: { n: { type: "integer" }, turn: { type: "integer" }, call: { type: "integer" } }, required: ["n", "turn", "call"] };
const value = { type: "object", properties: { value: { type: "integer" }, attempt: { type: "integer" } }, required: ["value", "attempt"] };
const done = { type: "object", properties: { done: { type: "boolean" }, value: { type: "integer" } }, required: ["done", "value"] };
const tools = [
  { name: "put", description: "Does it; once more changes nothing", inputSchema: call, outputSchema: value, annotations: { idempotentHint: true } },
  { name: "add", description: "Does it; once more does it twice", inputSchema: call, outputSchema: value, annotations: { idempotentHint: false } },
  { name: "was_done", description: "Whether `add` was done", inputSchema: call, outputSchema: done, annotations: { readOnlyHint: true } },
];

// The effect is there before the answer: what dies in between has happened, and nobody knows.
async function act(label, { name, arguments: args, _meta }, answer) {
  const { file, attempts } = ledger(label);
  const key = `${args.n}/${args.turn}/${args.call}`;
  if (name === "was_done") return { done: attempts.has(key), value: valueOf(args) };
  const attempt = (attempts.get(key) ?? 0) + 1;
  attempts.set(key, attempt);
  const line = (what) => writeSync(file, `${JSON.stringify({ what, at: Date.now(), tool: name, ...args, attempt, ...(_meta ? { meta: _meta } : {}) })}\n`);
  line("begin");
  ledger(label).begun += 1;
  answer.once("finish", () => line("end"));
  if (settings.delay > 0) await sleep(settings.delay * (0.5 + next()));
  // Programs read the value. The attempt tells which answer was recorded.
  return { value: valueOf(args), attempt };
}

async function mcp(label, { id, method, params }, answer) {
  if (id === undefined) return { status: 202 };
  const say = (result) => ({ body: { jsonrpc: "2.0", id, result } });
  if (method === "initialize") {
    return say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "effects", version: "1" } });
  }
  if (method === "ping") return say({});
  if (method === "tools/list") return say({ tools });
  if (method === "tools/call") {
    const structuredContent = await act(label, params, answer);
    return say({ content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent });
  }
  return { body: { jsonrpc: "2.0", id, error: { code: -32601, message: `no method ${method}` } } };
}

function set(changes) {
  Object.assign(settings, changes);
  if (changes.seed !== undefined) next = random(changes.seed);
  return { body: settings };
}

async function serve(request, body, answer) {
  const [, first, label] = request.url.split("/");
  if (first === "count") return { body: { ...counts, begun: ledger(label).begun } };
  if (request.method !== "POST") return { status: 405 };
  if (first === "v1") return model(body);
  if (first === "mcp") return mcp(label, body, answer);
  if (first === "set") return set(body);
  return { status: 404 };
}

createServer(async (request, answer) => {
  try {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { status = 200, headers = {}, body } = await serve(request, text ? JSON.parse(text) : {}, answer);
    answer.writeHead(status, { "content-type": "application/json", ...headers }).end(body && JSON.stringify(body));
  } catch (error) {
    // A worker that was killed in the middle of a request is nobody to answer to.
    if (!request.destroyed || answer.writable) answer.writeHead(500).end(String(error));
  }
}).listen(Number(port), "127.0.0.1");
