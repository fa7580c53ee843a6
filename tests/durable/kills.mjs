// Workers and the server are killed at random points while missions run, one of which ends its workers itself.
import { check } from "./ledger.mjs";
import { calls, turns } from "./missions.mjs";
import { alone, compare } from "./outcomes.mjs";
import { site, world } from "./site.mjs";
import { each, random, range, sleep } from "./time.mjs";

// Bytes that a worker may map for writing: its allocator maps a gigabyte ahead.
const MEMORY = 1_600_000_000;

export async function kills(options, folder, report) {
  const { missions = 1000, workers, latency, failures, delay, seed } = options;
  const around = await world(options, folder);
  const steps = await alone(report, folder, around, "effects", missions);
  await around.set({ latency, failures, delay, seed });
  const place = await site(options, folder, { missions: ["effects", "poison"], workers, world: around, memory: MEMORY });
  const points = killPoints(options, missions * turns * calls.length);

  const began = Date.now();
  let submitted = false;
  const submitting = each(range(missions), 16, (n) => place.engine.submit("effects", String(n), { data: { n } })).then(() => (submitted = true));
  await place.engine.submit("poison", "1", {});
  const killing = strike(report, place, points);
  await submitting;
  report.say(`${missions} missions are submitted after ${((Date.now() - began) / 1000).toFixed(1)} s`);
  await place.engine.reach("effects", "completed", missions, watch(report));
  report.figure("time until all had ended", (Date.now() - began) / 1000, "s");
  const struck = await killing.end();

  report.figure("kills of workers", struck.filter(({ what }) => what === "worker").length);
  report.figure("kills of the server", struck.filter(({ what }) => what === "server").length);
  report.holds(struck.length === points.length && submitted, `all kills were made while missions ran (${points.length})`, `${struck.length} were`);
  await givenUp(report, place);
  const { refused } = await around.counts("workers");
  report.figure("requests of models that got 429", refused);
  await compare(report, place.engine, "effects", steps);
  await check(report, place.engine, "effects", around.ledger("workers"), missions);
}

// The mission that ends its workers has ended, with what it had done, and all workers run.
async function givenUp(report, { engine, workers }) {
  const outcome = await engine.outcome("poison", "1");
  const [first, second] = outcome.step?.json?.turns ?? [];
  const isWhole = first?.tool_calls?.length === 1 && second?.program?.includes("loop");
  report.holds(outcome.fail?.reason === "poisoned" && isWhole, "the mission that ends its workers is given up, with its step", JSON.stringify(outcome).slice(0, 3000));
  const deaths = workers.reduce((sum, worker) => sum + worker.deaths, 0);
  report.figure("workers that it ended", deaths);
  report.holds(deaths <= 8, "and ended few of them", `${deaths}`);
  await Promise.all(workers.map((worker) => worker.revived));
  report.holds(workers.every((worker) => worker.running()), "all workers run at the end");
}

// After how many calls what is killed: anywhere but in the first and last fiftieth.
function killPoints({ seed, ...options }, all) {
  const next = random(seed);
  const point = (what) => ({ what, after: Math.floor(all * (0.02 + 0.96 * next())), choice: next() });
  const points = [...range(options["worker-kills"]).map(() => point("worker")), ...range(options["server-kills"]).map(() => point("server"))];
  return points.sort((one, other) => one.after - other.after);
}

// Kills at the points, and starts again at once what was killed. A server that is away holds the next kill up until it is back.
function strike(report, place, points) {
  const struck = [];
  let over = false;
  const work = (async () => {
    for (const point of points) {
      while (!over && (await place.world.counts("workers")).begun < point.after) await sleep(10);
      if (over) break;
      const victims = point.what === "server" ? place.engine.servers : place.workers;
      const victim = victims[Math.floor(point.choice * victims.length)];
      struck.push({ ...point, at: Date.now() });
      await victim.again();
      if (point.what === "server") report.say(`the server was killed after ${point.after} calls, and listens again ${Date.now() - struck.at(-1).at} ms later`);
    }
  })();
  return {
    async end() {
      over = true;
      await work;
      return struck;
    },
  };
}

// A line whenever the states have changed a lot, or ten seconds are over.
export function watch(report) {
  let last = 0;
  return (states) => {
    if (Date.now() - last < 10_000) return;
    last = Date.now();
    report.say(Object.entries(states).map(([state, count]) => `${count} ${state}`).join(", "));
  };
}
