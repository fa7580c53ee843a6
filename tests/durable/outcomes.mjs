// Outcomes of workers beside those of one process.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { answerOf, missionFiles } from "./missions.mjs";
import { each, range } from "./time.mjs";

const run = promisify(execFile);

// What one process says about a mission: `ptc run` with the same file.
async function inProcess(files, mission, n) {
  const args = ["run", join(files, `${mission}.toml`), "--set", `n=${n}`, "--json", "--no-keep"];
  const options = { maxBuffer: 64 << 20, cwd: files };
  const { stdout } = await run(process.env.PTC, args, options).catch((error) => (error.stdout ? error : Promise.reject(error)));
  return JSON.parse(stdout);
}

// The steps of missions 1 to `count`, each of a process without workers; two at once. Their effects go to the ledger `alone`.
export async function alone(report, folder, world, mission, count) {
  const files = missionFiles(join(folder, "alone"), [mission], world.url, "alone");
  await world.set({ latency: 0, failures: 0, delay: 0 });
  const began = Date.now();
  const steps = await each(range(count), 2, (n) => inProcess(files, mission, n));
  report.say(`${count} missions by \`ptc run\` in ${((Date.now() - began) / 1000).toFixed(1)} s`);
  return steps;
}

const canonical = (value) => JSON.stringify(value, (_, part) => (part && typeof part === "object" && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort()) : part));

// What must be equal: how it ended, the answer, and how many turns it took.
export const essence = ({ ending, value, turns }) => canonical({ ending, value, turns });
const ofStep = (step) => essence({ ending: step.ending, value: step.return, turns: step.usage.turns });
const ofOutcome = (outcome) => essence({ ending: outcome.ending, value: outcome.value?.json, turns: outcome.usage?.turns });

export async function compare(report, engine, mission, steps) {
  const outcomes = await each(range(steps.length), 16, (n) => engine.outcome(mission, String(n)));
  const wrong = [];
  outcomes.forEach((outcome, at) => {
    if (ofOutcome(outcome) !== ofStep(steps[at])) wrong.push({ n: at + 1, workers: outcome, alone: ofStep(steps[at]) });
  });
  report.holds(wrong.length === 0, `outcomes of ${steps.length} missions equal those of one process`, `${wrong.length} differ: ${JSON.stringify(wrong.slice(0, 3)).slice(0, 3000)}`);
  const lost = steps.filter((step, at) => step.ending !== "return" || canonical(step.return) !== canonical(answerOf(at + 1)));
  report.holds(lost.length === 0, "and are what the inputs say", JSON.stringify(lost.slice(0, 3)).slice(0, 2000));
}
