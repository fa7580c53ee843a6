// How many missions a second, and what a turn costs beside one in a single process. The model answers at once.
import { join } from "node:path";
import { turns } from "./missions.mjs";
import { alone } from "./outcomes.mjs";
import { site, world } from "./site.mjs";
import { each, quantile, range } from "./time.mjs";

export async function bench(options, folder, report) {
  const { missions = 200 } = options;
  const around = await world(options, folder);
  // Of one process: what the run itself says it took, without the start of the process.
  const few = Math.min(missions, 50);
  const steps = await alone(report, folder, around, "inner", few);
  const single = quantile(steps.map((step) => step.usage.duration_ms), 0.5) / turns;
  report.figure("one process: a turn", single, "ms");
  for (const workers of [1, 2, 4]) await measure(options, join(folder, String(workers)), report, { workers, missions, around, single });
  // A process for each mission.
  await measure(options, join(folder, "isolated"), report, { workers: 2, missions, around, single, more: ["--isolate"] });
}

async function measure(options, folder, report, { workers, missions, around, single, more = [] }) {
  const place = await site(options, folder, { missions: ["inner"], workers, world: around, more });
  const { engine } = place;
  const run = async (key) => {
    await engine.submit("inner", key, { data: { n: 1 } });
    return engine.outcome("inner", key);
  };
  const name = [`${workers} worker${workers > 1 ? "s" : ""}`, ...more].join(" ");
  await each(range(20), 4, (n) => run(`warm-${n}`));
  if (workers === 1) {
    const times = [];
    for (const n of range(20)) {
      const began = performance.now();
      await run(`alone-${n}`);
      times.push(performance.now() - began);
    }
    report.figure("a mission alone, submitted and waited for", quantile(times, 0.5), "ms");
    report.figure("its slowest of 20", Math.max(...times), "ms");
    report.figure("a turn of it", quantile(times, 0.5) / turns, "ms");
    report.figure("overhead of a turn", quantile(times, 0.5) / turns - single, "ms");
  }
  const before = { ...(await engine.journal("inner")), stored: engine.stored(), cpu: cpu(place) };
  const done = (await engine.states("inner")).completed;
  const began = Date.now();
  await each(range(missions), 32, (n) => engine.submit("inner", String(n), { data: { n } }));
  await engine.reach("inner", "completed", done + missions, () => {}, 100);
  const seconds = (Date.now() - began) / 1000;
  report.figure(`${name}: missions a second`, missions / seconds);
  const after = cpu(place);
  for (const part of Object.keys(after)) report.figure(`${name}: CPU of ${part} for a turn`, ((after[part] - before.cpu[part]) * 1000) / missions / turns, "ms");
  if (workers === 1) {
    const { bytes, entries, outcomes } = await engine.journal("inner");
    report.figure("journal of a turn", (bytes - before.bytes) / missions / turns, "bytes");
    report.figure("entries of a turn", (entries - before.entries) / missions / turns);
    report.figure("outcome of a mission, with its step and trace", (outcomes - before.outcomes) / missions, "bytes");
    report.figure("growth of the store for a mission", (engine.stored() - before.stored) / missions, "bytes");
  }
  const wrong = (await each(range(missions), 16, (n) => engine.outcome("inner", String(n)))).filter((outcome) => outcome.ending !== "return");
  report.holds(wrong.length === 0, `${name}: all missions have their answer`, JSON.stringify(wrong.slice(0, 2)).slice(0, 2000));
  await place.stop();
}

// Seconds so far.
const cpu = ({ workers, engine, proxy, world }) => {
  const sum = (list) => list.reduce((total, each) => total + each.cpu(), 0);
  return { "the workers": sum(workers), "the server": sum(engine.servers), "HAProxy": sum([proxy]), "the model": sum([world]) };
};
