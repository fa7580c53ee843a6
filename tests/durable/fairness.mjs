// A flood of one tenant, then a few missions of another one under the same limit of a model: what they wait.
import { turns } from "./missions.mjs";
import { site, world } from "./site.mjs";
import { each, quantile, range, sleep } from "./time.mjs";

// Requests a minute of the model; a tenth of them may come at once.
const rate = 600;
const few = 10;

export async function fairness(options, folder, report) {
  const { missions = 500, workers } = options;
  const around = await world(options, folder);
  const more = ["--limit", `${around.url}/v1#inner=${rate}`];
  const { engine } = await site(options, folder, { missions: ["inner"], workers, world: around, more });
  const run = (tenant, name) =>
    each(range(few), few, async (n) => {
      const began = Date.now();
      await engine.submit("inner", `${name}-${n}`, { data: { n }, tenant });
      const outcome = await engine.outcome("inner", `${name}-${n}`);
      if (outcome.ending !== "return") throw new Error(JSON.stringify(outcome).slice(0, 2000));
      return (Date.now() - began) / 1000;
    });
  const requests = async () => (await around.counts("workers")).requests;
  const tell = (times, when) => {
    report.figure(`${few} missions of B ${when}: median`, quantile(times, 0.5), "s");
    report.figure(`${few} missions of B ${when}: longest`, Math.max(...times), "s");
  };

  report.figure("limit of the model", rate, "requests a minute");
  // What may come at once is used up before anything is measured.
  await run("c", "before");
  tell(await run("b", "quiet"), "without a flood");

  const began = Date.now();
  await each(range(missions), 32, (n) => engine.submit("inner", `flood-${n}`, { data: { n }, tenant: "a" }));
  report.say(`${missions} missions of A are submitted after ${((Date.now() - began) / 1000).toFixed(1)} s`);
  await sleep(10_000);
  const [before, since] = [await requests(), Date.now()];
  const times = await run("b", "behind");
  const seconds = (Date.now() - since) / 1000;
  const all = (await requests()) - before;
  tell(times, "behind a flood of A");
  report.figure("requests of the model meanwhile", (all / seconds) * 60, "a minute");
  report.figure("share of B in them", (few * turns * 100) / all, "%");
  report.figure("what first come, first served would have meant for B", (missions * turns) / (rate / 60), "s");
  const { completed = 0 } = await engine.states("inner");
  report.figure("missions of A that had ended by then", completed - 3 * few);
  // Half of what the model gives, with half as much again for what is not asked for in time.
  const fair = (few * turns) / (rate / 60 / 2);
  report.holds(Math.max(...times) < 1.5 * fair + 5, `B has about half of the model, and is done in ${fair} s`, times.join(", "));
  report.holds(all <= (rate / 60) * seconds + rate / 10, "the limit is kept", `${all} requests in ${seconds} s`);
}
