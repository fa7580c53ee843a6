// Reads the options, runs the parts, prints what they measured, and ends with 1 when something does not hold.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bench } from "./bench.mjs";
import { cluster } from "./cluster.mjs";
import { fairness } from "./fairness.mjs";
import { kills } from "./kills.mjs";
import { stopAll } from "./processes.mjs";
import { Report } from "./report.mjs";
import { waiting } from "./waiting.mjs";

const parts = { kills, cluster, bench, waiting, fairness };

// The name, what it is without being said, and what it means.
const known = {
  missions: [undefined, "how many; each part has its own number otherwise: 1000, 200, 200, 10000, 500"],
  workers: ["3", "how many in kills, cluster, waiting and fairness"],
  "worker-kills": ["200", "kill -9 of workers in kills"],
  "server-kills": ["10", "kill -9 of the server in kills"],
  seed: [undefined, "of the points at which something is killed; printed by each run"],
  latency: ["100", "milliseconds that the model takes in kills and cluster, ±50 %"],
  failures: ["0.005", "share of requests to the model that get 429 there"],
  delay: ["20", "milliseconds that a call takes there, ±50 %"],
  partitions: ["8", "of the server"],
  port: ["28080", "the first port that may be taken"],
  json: [undefined, "a file for the figures"],
};

function help() {
  const lines = Object.entries(known).map(([name, [usual, what]]) => `  --${name.padEnd(14)} ${what}${usual ? `; ${usual}` : ""}`);
  console.log(`tests/durable/run ${Object.keys(parts).join("|")}|all [options]\n\n${lines.join("\n")}`);
}

function read(args) {
  const { values } = parseArgs({ args, options: Object.fromEntries(Object.keys(known).map((name) => [name, { type: "string" }])) });
  const options = {};
  for (const [name, [usual]] of Object.entries(known)) {
    const text = values[name] ?? usual;
    if (text === undefined || name === "json") continue;
    if (!(Number(text) >= 0)) throw new Error(`--${name} is a number, not '${text}'`);
    options[name] = Number(text);
  }
  return { ...options, seed: options.seed ?? Date.now() % 1_000_000, json: values.json };
}

async function main([wanted, ...args]) {
  if (wanted === "help") return help();
  const options = read(args);
  const report = new Report({ wanted, cores: cpus().length, node: process.version, seed: options.seed });
  for (const name of wanted === "all" ? Object.keys(parts) : [wanted]) {
    const folder = join(process.env.RUNS, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    report.part(name, folder);
    try {
      await parts[name](options, folder, report);
    } catch (error) {
      report.holds(false, `${name} came to its end`, error.stack);
    }
    await stopAll();
  }
  report.print();
  if (options.json) writeFileSync(options.json, report.json());
  process.exitCode = report.failed() ? 1 : 0;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
process.exit();
