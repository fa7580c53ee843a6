// Tokens of ten tasks: a model with the tools of all servers, and one with the gateway. The calls and programs are
// recorded ones; results are those of the servers. Calls that do not depend on each other go out together.
import { getEncoding } from "js-tiktoken";
import { connect, folder, gateway, prepare, run, servers } from "./common.mjs";

const vocabulary = getEncoding("o200k_base");
const tokens = (value) => vocabulary.encode(typeof value === "string" ? value : JSON.stringify(value)).length;
const offered = (tools) => tokens(tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })));
const path = (name) => `${folder}/${name}`;
const reports = Array.from({ length: 30 }, (_, i) => path(`reports/report-${String(i + 1).padStart(2, "0")}.txt`));
const read = (name) => ["files", "read_text_file", { path: name }];
const write = (name, content) => ["files", "write_file", { path: path(name), content }];
const list = ["files", "list_directory", { path: path("reports") }];
const lines = `(map :content (pmap (fn [n] (tool/files-read_text_file {:path n})) (map (fn [l] (str "${path("reports")}/" (subs l 7))) (str/split-lines (:content (tool/files-list_directory {:path "${path("reports")}"}))))))`;

// What is asked, the turns of calls, and the program.
const tasks = [
  ["What does a.conf say?", [[read(path("a.conf"))]], `(:content (tool/files-read_text_file {:path "${path("a.conf")}"}))`],
  ["What is 17 + 25?", [[["everything", "get-sum", { a: 17, b: 25 }]]], `(tool/everything-get-sum {:a 17 :b 25})`],
  ["How many reports are there?", [[list]], `(count (str/split-lines (:content (tool/files-list_directory {:path "${path("reports")}"}))))`],
  ["How do a.conf and b.conf differ?", [[read(path("a.conf")), read(path("b.conf"))]], `(let [[a b] (map (fn [n] (set (str/split-lines (:content (tool/files-read_text_file {:path n}))))) ["${path("a.conf")}" "${path("b.conf")}"])] {:only-a (set/difference a b) :only-b (set/difference b a)})`],
  ["The sum of the amounts of all reports", [[list], reports.map(read)], `(reduce + (map (fn [t] (parse-long (second (re-find #"amount: (\\d+)" t)))) ${lines}))`],
  ["Which report has most errors?", [[list], reports.map(read)], `(apply max-key second (map (fn [t] [(first (str/split-lines t)) (count (re-seq #"ERROR" t))]) ${lines}))`],
  ["Amounts by country", [[list], reports.map(read)], `(reduce (fn [m t] (update m (second (re-find #"country: (\\w+)" t)) (fnil + 0) (parse-long (second (re-find #"amount: (\\d+)" t))))) {} ${lines})`],
  ["Totals of orders.csv by country, into totals.txt", [[read(path("orders.csv"))], [write("totals.txt", "AT 14950\nBE 14890\nDE 15010\nFR 14930\nPT 14970")]], `(let [rows (map (fn [l] (str/split l #",")) (rest (str/split-lines (:content (tool/files-read_text_file {:path "${path("orders.csv")}"}))))) totals (reduce (fn [m [_ c t]] (update m c (fnil + 0) (parse-long t))) {} rows)] (tool/files-write_file {:path "${path("totals.txt")}" :content (str/join "\\n" (map (fn [[c t]] (str c " " t)) (sort totals)))}) totals)`],
  ["Reports with refunds that failed, into refunds.txt", [[list], reports.map(read), [write("refunds.txt", "report: 1\nreport: 2\nreport: 3\nreport: 4\nreport: 5\nreport: 6")]], `(let [found (map (comp first str/split-lines) (filter (fn [t] (str/includes? t "refund failed")) ${lines}))] (tool/files-write_file {:path "${path("refunds.txt")}" :content (str/join "\\n" found)}) (count found))`],
  ["Add up 1 to 20 with the tool, one after the other", Array.from({ length: 19 }, (_, i) => [["everything", "get-sum", { a: ((i + 1) * (i + 2)) / 2, b: i + 2 }]]), `(reduce (fn [sum n] (parse-long (second (re-find #"is (\\d+)" (tool/everything-get-sum {:a sum :b n}))))) 1 (range 2 21))`],
];

// What is read in all requests, and what is written.
function count(offer, question, turns) {
  let [held, readInAll, written] = [offer + tokens(question), 0, 0];
  for (const [said, heard] of turns) {
    readInAll += held;
    written += said;
    held += said + heard;
  }
  return { read: readInAll + held, written };
}

// The table of the tasks that these servers are enough for.
async function table(chosen) {
  prepare(chosen);
  const clients = {};
  let tools = [];
  for (const name of chosen) {
    clients[name] = await connect({ command: servers[name] });
    tools = tools.concat((await clients[name].listTools()).tools);
  }
  const front = await connect({ command: gateway, decision: "approve_all" });
  const listed = (await front.listTools()).tools;
  const [direct, behind] = [offered(tools), offered(listed)];
  // Where the signatures of all tools are told, nobody looks for them.
  const isTold = listed[0].description.includes("All tools:");
  console.log(`${tools.length} tools of ${chosen.join(", ")}: ${direct} tokens; the gateway: ${behind}\n`);
  console.log("| task | requests | read | written | requests | read | written |\n|---|--:|--:|--:|--:|--:|--:|");
  const sums = [0, 0, 0, 0, 0, 0];
  for (const [question, turns, program] of tasks.filter(([, turns]) => turns.flat().every(([server]) => chosen.includes(server)))) {
    const answered = [];
    for (const calls of turns) {
      const results = await Promise.all(calls.map(([server, name, args]) => clients[server].callTool({ name, arguments: args })));
      answered.push([
        calls.reduce((sum, [, name, args]) => sum + tokens({ name, arguments: args }), 0),
        results.reduce((sum, { content }) => sum + tokens(content.map(({ text }) => text).join("\n")), 0),
      ]);
    }
    const programs = [];
    if (!isTold) {
      const query = { query: program.includes("everything") ? "sum of numbers" : "list directory read write text file" };
      const found = (await front.callTool({ name: "search_tools", arguments: query })).structuredContent;
      programs.push([tokens({ name: "search_tools", arguments: query }), tokens(found)]);
    }
    const said = await run(front, program);
    if (said.status !== "ok") throw new Error(`${question}: ${JSON.stringify(said)}`);
    programs.push([tokens({ name: "run_program", arguments: { program } }), tokens(said)]);
    const [one, other] = [count(direct, question, answered), count(behind, question, programs)];
    const row = [turns.length + 1, one.read, one.written, programs.length + 1, other.read, other.written];
    row.forEach((figure, at) => (sums[at] += figure));
    console.log(`| ${question} | ${row.map((figure) => figure.toLocaleString("en")).join(" | ")} |`);
  }
  console.log(`| together | ${sums.map((figure) => figure.toLocaleString("en")).join(" | ")} |\n`);
  for (const client of [front, ...Object.values(clients)]) await client.close();
}

await table(Object.keys(servers));
await table(["files"]);
process.exit(0);
