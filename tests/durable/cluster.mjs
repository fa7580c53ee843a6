// Three servers with a replicated log; one of them is killed while missions run, and does not come back.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { check, pausesAt } from "./ledger.mjs";
import { calls, turns } from "./missions.mjs";
import { alone, compare } from "./outcomes.mjs";
import { site, world } from "./site.mjs";
import { watch } from "./kills.mjs";
import { each, quantile, random, range, sleep } from "./time.mjs";

export async function cluster(options, folder, report) {
  const { missions = 200, workers, latency, failures, delay, seed } = options;
  const around = await world(options, folder);
  const steps = await alone(report, folder, around, "effects", missions);
  await around.set({ latency, failures, delay, seed });
  const place = await site(options, folder, { missions: ["effects"], workers, nodes: 3, world: around });
  const { ok, logs } = await replicated(place.engine, options.partitions);
  report.holds(ok, "records of every log are on two of three servers", logs);

  const began = Date.now();
  await each(range(missions), 16, (n) => place.engine.submit("effects", String(n), { data: { n } }));
  const half = (missions * turns * calls.length) / 2;
  while ((await around.counts("workers")).begun < half) await sleep(20);
  const chosen = Math.floor(random(seed)() * 3);
  const [, node] = new RegExp(`^ *(N\\d+) .* ${place.engine.servers[chosen].name} `, "m").exec(await ask(place.engine, "nodes", "list"));
  const led = Object.values(await holders(place.engine)).filter(([leader]) => leader === node).length;
  const at = Date.now();
  await place.engine.servers[chosen].kill();
  report.figure("partitions that the killed server led", led);
  await place.engine.reach("effects", "completed", missions, watch(report));
  report.figure("time until all had ended", (Date.now() - began) / 1000, "s");
  await compare(report, place.engine, "effects", steps);
  await check(report, place.engine, "effects", around.ledger("workers"), missions);
  const pauses = pausesAt(around.ledger("workers"), at);
  report.figure("missions under way when it was killed", pauses.length);
  report.figure("their pause, median", quantile(pauses, 0.5), "ms");
  report.figure("their pause, longest", Math.max(...pauses), "ms");
}

// What the tool of the server says to a running one.
async function ask(engine, ...what) {
  const { stdout } = await promisify(execFile)(process.env.CONTROL, ["--addresses", engine.server().node, ...what]);
  return stdout;
}

// The servers that hold each partition, the one that leads it first: `{ 0: ["N1", "N3"] }`.
async function holders(engine) {
  const found = {};
  for (const [, id, node, mode] of (await ask(engine, "partitions", "list")).matchAll(/^ *(\d+) +(N\d+):\d+ +(Leader|Follower) +Active/gm)) {
    found[id] ??= [];
    if (mode === "Leader") found[id].unshift(node);
    else found[id].push(node);
  }
  return found;
}

// Waits until every partition is held twice, and says whether the log is, too.
async function replicated(engine, partitions) {
  await engine.until("each partition is held by two servers", async () => {
    const found = Object.values(await holders(engine));
    if (found.length < partitions || found.some((nodes) => nodes.length < 2)) throw new Error(JSON.stringify(found));
  });
  const logs = await ask(engine, "logs", "list");
  const rows = [...logs.matchAll(/^ *\d+ .* replicated .*$/gm)].map(([row]) => row);
  return { ok: rows.length === partitions && rows.every((row) => row.includes("{node: 2}") && row.includes("[N1, N2, N3]")), logs };
}
