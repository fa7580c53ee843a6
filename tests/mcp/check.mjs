// The gateway before server-everything and server-filesystem, over both transports.
import assert from "node:assert/strict";
import { execSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { connect, folder, gateway, prepare, run } from "./common.mjs";

const sum = `(tool/everything-get-sum {:a i :b 1})`;

async function drive(client) {
  const many = await run(client, `(reduce + (map (fn [s] (parse-long (second (re-find #"is (\\d+)" s)))) (pmap (fn [i] ${sum}) (range 50))))`);
  assert.equal(many.value, 1275);
  const { session } = many;

  // Cancelled in the middle: it stops at once, and what it did is told.
  const stop = new AbortController();
  setTimeout(() => stop.abort("enough"), 1000);
  const since = Date.now();
  const made = join(folder, "made.txt");
  const long = `(tool/files-write_file {:path ${JSON.stringify(made)} :content "x"}) (tool/everything-trigger-long-running-operation {:duration 20 :steps 4})`;
  await assert.rejects(run(client, long, session, { signal: stop.signal }));
  assert.ok(Date.now() - since < 5000);
  let next;
  do {
    await new Promise((done) => setTimeout(done, 100));
    next = await run(client, "(+ 1 1)", session);
  } while (next.error?.reason === "busy");
  assert.equal(next.value, 2);
  assert.match(next.notes[0], /files-write_file.*: done/);
  assert.ok(existsSync(made));

  // A server is killed in the middle: what only reads is asked once more, and the next call finds it started again.
  setTimeout(() => execSync("pkill -9 -f '[s]erver-everything/dist/index.js'"), 1000);
  const killed = await run(client, `[(tool/everything-trigger-long-running-operation {:duration 3 :steps 3}) (let [i 1] ${sum})]`, session);
  assert.equal(killed.status, "ok", JSON.stringify(killed));
  assert.match(killed.value[1], /is 2/);
  await client.close();
}

prepare();
await drive(await connect({ command: gateway, decision: "approve" }));
console.log("standard streams: passed");
const served = spawn(gateway[0], [...gateway.slice(1), "--http", "127.0.0.1:0"], { stdio: ["ignore", "ignore", "pipe"] });
let told = "";
const url = await new Promise((ready) =>
  served.stderr.on("data", (text) => {
    told += text;
    const found = /http:\S+\/mcp/.exec(told);
    if (found) ready(found[0]);
  }),
);
await drive(await connect({ url, decision: "approve" }));
served.kill();
console.log("streamable HTTP: passed");
process.exit(0);
