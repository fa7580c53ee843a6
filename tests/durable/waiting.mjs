// Missions that wait for an approval: what they cost, and that they survive a restart of everything.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { watch } from "./kills.mjs";
import { site } from "./site.mjs";
import { each, range, sleep } from "./time.mjs";

const megabytes = (bytes) => bytes / 1e6;
const ptc = promisify(execFile);

export async function waiting(options, folder, report) {
  const { missions = 10_000, workers } = options;
  const place = await site(options, folder, { missions: ["waits"], workers });
  const { engine } = place;
  await warm(engine);
  const memory = (when) => {
    report.figure(`memory of the workers ${when}`, megabytes(place.memory()), "MB");
    report.figure(`memory of the server ${when}`, megabytes(engine.memory()), "MB");
  };
  await sleep(2000);
  memory("before");
  const before = { ...(await engine.journal("waits")), stored: engine.stored(), server: engine.memory(), workers: place.memory() };

  let peak = 0;
  const watching = setInterval(() => (peak = Math.max(peak, place.memory())), 200);
  const began = Date.now();
  await each(range(missions), 32, (n) => engine.submit("waits", String(n), { data: { n } }));
  report.figure("submitted after", (Date.now() - began) / 1000, "s");
  await engine.reach("waits", "suspended", missions, watch(report));
  clearInterval(watching);
  report.figure("all wait, and no worker holds them, after", (Date.now() - began) / 1000, "s");
  report.figure("memory of the workers at its highest", megabytes(peak), "MB");
  await sleep(5000);
  memory("while they wait");
  const journal = await engine.journal("waits");
  const of = {
    journal: (journal.bytes - before.bytes) / missions,
    stored: (engine.stored() - before.stored) / missions,
    server: (engine.memory() - before.server) / missions,
    workers: (place.memory() - before.workers) / missions,
  };
  report.figure("a waiting mission: entries of its journal", (journal.entries - before.entries) / missions);
  report.figure("a waiting mission: its journal", of.journal, "bytes");
  report.figure("a waiting mission: on the disk", of.stored, "bytes");
  report.figure("a waiting mission: memory of the server", of.server, "bytes");
  report.figure("a waiting mission: memory of the workers", of.workers, "bytes");
  report.figure("1,000,000 of them: on the disk, extrapolated", (of.stored * 1e6) / 1e9, "GB");
  report.figure("1,000,000 of them: memory of the server, extrapolated, at most", (of.server * 1e6) / 1e9, "GB");

  await everythingAgain(place, report);
  await approveOne(place, report, missions);
  memory("after a restart");
  await approveAll(place, report, missions);
  memory("after all have ended");
}

// What is loaded once is no cost of a mission.
async function warm(engine) {
  for (const n of range(20)) await engine.submit("waits", `warm-${n}`, { data: { n } });
  await each(range(20), 8, (n) => decide(engine, `warm-${n}`));
  await each(range(20), 8, (n) => engine.outcome("waits", `warm-${n}`));
}

// The call that waits, as `status` tells it.
async function call(engine, key) {
  return engine.until(`waits/${key} waits`, async () => {
    const { status, text } = await engine.post(`/waits/${key}/status`);
    const [waiting] = status === 200 ? (JSON.parse(text).waiting ?? []) : [];
    if (!waiting) throw new Error(`${status}: ${text}`);
    return waiting.id;
  });
}

async function decide(engine, key) {
  const { status, text } = await engine.post(`/waits/${key}/approve`, { call: await call(engine, key), decision: "approve" });
  if (status !== 200) throw new Error(`approving waits/${key}: ${status}: ${text}`);
}

async function everythingAgain({ workers, engine, proxy }, report) {
  const began = Date.now();
  await Promise.all([...workers, ...engine.servers, proxy].map((each) => each.kill()));
  await engine.start();
  await Promise.all([...workers, proxy].map((each) => each.start()));
  report.figure("everything was killed, and listens again after", (Date.now() - began) / 1000, "s");
}

async function approveOne({ engine }, report, missions) {
  const n = Math.ceil(missions / 2);
  const id = await call(engine, String(n));
  const began = Date.now();
  await ptc(process.env.PTC, ["mission", "approve", `waits/${n}`, id, "--engine", engine.server().ingress]);
  const outcome = await engine.outcome("waits", String(n));
  report.figure("from `ptc mission approve` to the outcome", Date.now() - began, "ms");
  const { ending, value } = outcome;
  report.holds(ending === "return" && value.json?.paid === n && value.json?.n === n, "a mission that waited over a restart goes on with `ptc mission approve`", JSON.stringify(outcome).slice(0, 2000));
}

async function approveAll({ engine }, report, missions) {
  const began = Date.now();
  const others = range(missions).filter((n) => n !== Math.ceil(missions / 2));
  await each(others, 16, (n) => decide(engine, String(n)));
  await engine.reach("waits", "completed", missions + 20, watch(report));
  report.figure("all others were approved and ended after", (Date.now() - began) / 1000, "s");
  const outcomes = await each(others, 16, (n) => engine.outcome("waits", String(n)));
  const wrong = outcomes.filter(({ ending, value }, at) => ending !== "return" || value.json?.paid !== others[at]);
  report.holds(wrong.length === 0, `all ${others.length} others have their answer`, JSON.stringify(wrong.slice(0, 2)).slice(0, 2000));
}
