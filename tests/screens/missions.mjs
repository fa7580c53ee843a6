// The runs that are looked at: made by `ptc run` from recorded answers, so that no model is asked.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const { PTC, ROOT, HOME_OF_SCREENS } = process.env;

const ptc = (folder, ...args) => execFileSync(PTC, args, { cwd: folder, stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 30 });

const line = (content, input, cached, output, more = {}) => JSON.stringify({ content, usage: { input, cached, output }, ...more });

function write(folder, files) {
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
}

// A page of a run of this mission, which is kept.
function page(folder, name) {
  ptc(folder, "run", `${name}.toml`);
  ptc(folder, "show", "--html", path.join(folder, `${name}.html`), "--force");
  return `file://${path.join(folder, `${name}.html`)}`;
}

// Texts that would do harm if they were anything but text.
export const ODD = "</script><img src=x onerror=alert(1)><!--<script> \u2028 \u202e שלום <b onclick='alert(2)'> &lt;script&gt; ]]>";

const BOOKINGS = `
mission = "Which rooms fit into 700 euros for three nights? Price each of them, and say what is left."
name = "bookings"
max_turns = 6
replay = "bookings.jsonl"
[data]
limit = 700
_token = "nobody sees this"
[tools.look-up]
signature = "(room :int) -> {beds :int, quiet :bool}"
description = "What a room is like"
command = ["node", "-e", "const a = JSON.parse(require('fs').readFileSync(0)); setTimeout(() => console.log(JSON.stringify({beds: a.room % 3 + 1, quiet: a.room % 2 === 0})), a.room % 7 * 60)"]
[agents.pricer]
mission = "Price {{room}} for {{nights}} nights"
signature = "(room :int, nights :int) -> {total :float}"
description = "Prices one room"
max_turns = 3
[agents.pricer.agents.season]
mission = "Factor of the season for {{room}}"
signature = "(room :int) -> :float"
description = "Factor of the season"
max_turns = 2
`;

function bookings(folder) {
  const rooms = [12, 14, 15, 17, 19];
  const answers = [
    line("I look at all rooms at once.\n\n```clojure\n(def rooms [12 14 15 17 19])\n(def known (zipmap rooms (pmap (fn [room] (tool/look-up {:room room})) rooms)))\n(println \"quiet:\" (filter (fn [room] (:quiet (known room))) rooms))\n```", 2900, 0, 120, { agent: null, reasoning: "The rooms do not depend on each other." }),
    line("Now a price for each.\n\n```clojure\n(def prices\n  (pmap (fn [room]\n          (:total (tool/pricer {:room room :nights \"three\"})))\n        rooms))\n```", 3150, 2800, 90, { agent: null }),
    line("The number of nights is a number.\n\n```clojure\n(def prices\n  (pmap (fn [room]\n          (:total (tool/pricer {:room room :nights 3})))\n        rooms))\n(def rooms (vec (take 5 rooms)))\n(println prices)\n```", 3420, 2800, 95, { agent: null }),
    line("```clojure\n(return {:fits (filter (fn [row] (<= (:total row) data/limit))\n                       (map (fn [room total] {:room room :beds (:beds (known room)) :total total :left (- data/limit total)})\n                            rooms prices))})\n```", 3700, 3300, 110, { agent: null }),
  ];
  // Which of the agents asks first is not known: all get the same answer.
  for (const _ of rooms) answers.push(line("(def factor (tool/season {:room data/room}))\n(println \"factor\" factor)\n(return {:total (* 1.0 data/nights 14 data/room factor)})", 860, 700, 55, { agent: "pricer" }));
  for (const _ of rooms) answers.push(line("(return (if (> data/room 16) 1.1 0.9))", 500, 0, 15, { agent: "season" }));
  write(folder, { "bookings.toml": BOOKINGS, "bookings.jsonl": answers.join("\n") + "\n" });
  return page(folder, "bookings");
}

// 500 turns with calls at once, failures, and odd texts everywhere.
function many(folder, turns = 500) {
  const odd = JSON.stringify(ODD);
  const answers = Array.from({ length: turns }, (_, at) => {
    const turn = at + 1;
    const use = [3000 + at * 40, at ? 2900 + at * 38 : 0, 60 + (at % 50)];
    if (turn === turns) return line("(return (map (fn [n] {:turn n :text " + odd + "}) (range 40)))", ...use);
    if (turn % 25 === 0) return line("(pmap (fn [n] (tool/get {:n n :text " + odd + "})) (range 120))", ...use);
    if (turn % 9 === 0) return line(`Turn ${turn} ${ODD}\n\n\`\`\`clojure\n(def v${turn} (map inc (range 30)))\n(println ${odd})\n(tool/get {:n "no number"})\n\`\`\``, ...use);
    if (turn % 31 === 0) return line(`No program here. ${ODD}`, ...use);
    return line(`(def total-${turn % 40} "sum so far" (reduce + (map :n (pmap (fn [n] (tool/get {:n n :text "t${turn}"})) (range ${(turn % 6) + 1})))))\n(println "turn ${turn}:" total-${turn % 40} ${odd})`, ...use);
  });
  const mission = `mission = "Count to five hundred.\\n${ODD.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\u2028", "\\u2028").replaceAll("\u202e", "\\u202e")}"\nmax_turns = ${turns}\nreplay = "many.jsonl"\n[tools.get]\nsignature = "(n :int, text :string?) -> {n :int}"\neffect = "read"\nprogram = "{:n n}"\n`;
  write(folder, { "many.toml": mission, "many.jsonl": answers.join("\n") + "\n" });
  return page(folder, "many");
}

// A run that waits in its second turn until the file `go` is there.
function waiting(folder) {
  const mission = `
mission = "Follow the parcels until all of them have arrived."
replay = "parcels.jsonl"
[tools.wait]
signature = "(parcel :int) -> {parcel :int, place :string}"
command = ["sh", "-c", "touch started; while [ ! -e go ]; do sleep 0.05; done; echo '{\\"parcel\\": 3, \\"place\\": \\"Lyon\\"}'"]
[tools.place]
signature = "(parcel :int) -> :string"
program = "(nth [\\"Lyon\\" \\"Bern\\" \\"Graz\\"] (mod parcel 3))"
`;
  const answers = [
    line("First where they are now.\n\n```clojure\n(def places (into {} (map (fn [n] [n (tool/place {:parcel n})]) (range 6))))\n(println places)\n```", 1200, 0, 60),
    line("Then I wait for the last one.\n\n```clojure\n(def last-one (tool/wait {:parcel 3}))\n```", 1350, 1100, 40),
    line("(return [last-one])", 1500, 1300, 20),
  ];
  write(folder, { "parcels.toml": mission, "parcels.jsonl": answers.join("\n") + "\n" });
}

// Two missions in one folder, one of them run twice with other answers.
function several(folder) {
  const rates = `
mission = "What do 100 euros cost in each currency?"
replay = "rates-1.jsonl"
[tools.rate]
signature = "(currency :string) -> :float"
effect = "read"
program = '(get {"SEK" 11.2 "DKK" 7.46} currency 1.0)'
`;
  const program = (last) => `(def currencies ["SEK" "DKK"])\n(def rates (pmap (fn [c] (tool/rate {:currency c})) currencies))\n${last}`;
  const same = line(program("(println rates)"), 1100, 0, 60);
  write(folder, {
    "rates.toml": rates,
    "rates-1.jsonl": [same, line("(return (zipmap currencies (map (fn [r] (* 100 r)) rates)))", 1250, 1100, 30)].join("\n") + "\n",
    "rates-2.jsonl": [line(program("(println \"rates:\" rates)"), 1100, 0, 66), line(`(def all (zipmap currencies rates))\n(println ${JSON.stringify(ODD)})`, 1300, 1100, 25), line("(return (zipmap currencies (map (fn [r] (* 100.0 r)) (map all currencies))))", 1400, 1200, 35)].join("\n") + "\n",
    "sum.toml": 'mission = "Add one and two."\nreplay = "sum.jsonl"\n',
    "sum.jsonl": line("(return (+ 1 2))", 700, 0, 9) + "\n",
  });
  ptc(folder, "run", "rates.toml");
  ptc(folder, "run", "sum.toml");
  ptc(folder, "run", "rates.toml", "--llm", "replay:rates-2.jsonl");
  return folder;
}

// An MCP server with one tool, which says what it is asked for.
const SERVER = `
import readline from "node:readline";
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say(id, { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "files", version: "1" } });
  else if (method === "tools/list") say(id, { tools: [{ name: "read", annotations: { readOnlyHint: true }, inputSchema: { type: "object", properties: { path: { type: "string" } } } }] });
  else if (method === "tools/call") say(id, { content: [{ type: "text", text: params.arguments.path }] });
  else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no such method" } }));
}
`;

// The state of a gateway with a session that ended a program and one that waits for a decision, and results of an
// evaluation next to it.
async function gateway(folder, to) {
  write(folder, {
    "server.mjs": SERVER,
    "gateway.toml": '[mcp.files]\ncommand = ["node", "server.mjs"]\n\n[tools.stock]\nprogram = "{:left 4}"\neffect = "read"\n\n[tools.pay]\ncommand = ["sh", "-c", "echo 1"]\n',
  });
  const child = spawn(PTC, ["mcp", "gateway.toml"], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  const waits = new Map();
  let rest = "";
  child.stdout.on("data", (data) => {
    const lines = (rest + data).split("\n");
    rest = lines.pop();
    for (const message of lines.map((one) => JSON.parse(one))) if (waits.has(message.id)) waits.get(message.id)(message);
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = (id, method, params) => new Promise((resolve) => { waits.set(id, resolve); send({ id, method, params }); });
  await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "an-editor", version: "1.2" } });
  send({ method: "notifications/initialized" });
  await ask(2, "tools/call", { name: "run_program", arguments: { program: `(def left (:left (tool/stock {})))\n(mapv (fn [n] (tool/files-read {:path (str "stock/" n ".txt")})) [1 2 3])\n(tool/files-read {:path ${JSON.stringify(to)}})` } });
  await ask(3, "tools/call", { name: "run_program", arguments: { program: `(tool/pay {:euros 40 :to ${JSON.stringify(to)}})` } });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  child.stdin.end();
  await ended;
  const example = path.join(ROOT, "docs/examples/evaluation");
  ptc(folder, "eval-suite", example, "--level", "basic", "--results", "results.jsonl");
  ptc(folder, "eval-suite", example, "--level", "basic", "--results", "kept.jsonl", "--keep-runs");
  return folder;
}

export async function makeRuns() {
  const home = path.join(HOME_OF_SCREENS, "runs");
  fs.rmSync(home, { recursive: true, force: true });
  const orders = path.join(home, "orders");
  fs.cpSync(path.join(ROOT, "docs/examples/orders"), orders, { recursive: true });
  ptc(orders, "run", "mission.toml");
  ptc(orders, "show", "--html", "orders.html", "--force");
  const missions = path.join(home, "missions");
  // Answers that a strong model wrote.
  const support = path.join(home, "support");
  fs.cpSync(path.join(ROOT, "tests/study/live/tools-m01"), support, { recursive: true });
  ptc(support, "run", "mission.toml");
  ptc(support, "show", "--html", "support.html", "--force");
  // Two prompts asked of two recorded models.
  const prompts = path.join(home, "prompts");
  fs.cpSync(path.join(ROOT, "docs/examples/two-prompts"), prompts, { recursive: true });
  // Some answers are wrong, so it ends with 1.
  spawnSync(PTC, ["eval-suite", "tickets.csv", "--mission", "short.toml", "--mission", "strict.toml", "--llm", "replay:small.jsonl", "--llm", "replay:large.jsonl", "--prices", "gpt-5-mini", "--report", "report.html"], { cwd: prompts, stdio: "ignore" });
  const pages = { evaluation: `file://${prompts}/report.html`, support: `file://${support}/support.html`, orders: `file://${orders}/orders.html`, bookings: bookings(missions), many: many(path.join(home, "many")) };
  waiting(missions);
  const twice = several(path.join(home, "several"));
  const governed = await gateway(path.join(home, "governed"), "ines");
  const attacked = await gateway(path.join(home, "attacked"), ODD);
  const started = [];
  return {
    ...pages,
    folder: missions,
    several: twice,
    governed,
    attacked,
    bytes: (name) => fs.statSync(pages[name].replace("file://", "")).size,

    // `ptc view` over these paths: its address.
    view: (folder, ...paths) => new Promise((resolve, reject) => {
      const child = spawn(PTC, ["view", "--json", ...paths], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
      started.push(child);
      let said = "";
      child.stdout.on("data", (data) => { said += data; if (said.includes("\n")) resolve(JSON.parse(said).url); });
      child.on("exit", () => reject(new Error("ptc view ended")));
    }),

    // A run that waits, and what lets it go on.
    wait: async () => {
      for (const name of ["go", "started"]) fs.rmSync(path.join(missions, name), { force: true });
      const child = spawn(PTC, ["run", "parcels.toml"], { cwd: missions, stdio: "ignore" });
      started.push(child);
      while (!fs.existsSync(path.join(missions, "started"))) await new Promise((resolve) => setTimeout(resolve, 20));
      return () => fs.writeFileSync(path.join(missions, "go"), "");
    },
    end: () => started.forEach((child) => child.kill()),
  };
}
