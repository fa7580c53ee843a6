// The file of effects: what was done how often, and whether a repetition may be.
import { readFileSync } from "node:fs";
import { calls, turns } from "./missions.mjs";

// The calls by `n/turn/call`: the tool, and when each attempt began and was answered.
function read(file) {
  const found = new Map();
  for (const line of readFileSync(file, "utf8").trim().split("\n")) {
    const { what, at, tool, n, turn, call } = JSON.parse(line);
    const key = `${n}/${turn}/${call}`;
    if (!found.has(key)) found.set(key, { key, tool, attempts: [] });
    const { attempts } = found.get(key);
    // Two attempts of one call are never answered at once: what is answered is the oldest that is open, or was given up.
    if (what === "begin") attempts.push({ begun: at });
    else attempts.findLast((attempt) => attempt.ended === undefined).ended = at;
  }
  return found;
}

// Of each mission that was under way at that time: milliseconds from its last call before to its first one after.
export function pausesAt(file, at) {
  const missions = new Map();
  for (const { key, attempts } of read(file).values()) {
    const [n] = key.split("/");
    if (!missions.has(n)) missions.set(n, { before: -Infinity, after: Infinity });
    const mission = missions.get(n);
    for (const { begun } of attempts) {
      if (begun <= at) mission.before = Math.max(mission.before, begun);
      else mission.after = Math.min(mission.after, begun);
    }
  }
  return [...missions.values()].map(({ before, after }) => after - before).filter(Number.isFinite);
}

// How long after its answer a call may still be unrecorded, in milliseconds: from the tool through a worker into the log, on a busy machine.
const recording = 2000;
const sending = 200;

// Checks the ledger of missions 1 to `missions`; `kills` are the times at which something was killed, and until when
// nothing could be recorded because of it.
export function check(report, file, missions, kills) {
  const found = read(file);
  const all = missions * turns * calls.length;
  report.figure("calls that had an effect", found.size);
  report.holds(found.size === all, `every call of every mission was made (${all})`, `${found.size} of them`);
  const twice = [...found.values()].filter(({ attempts }) => attempts.length > 1);
  const adds = twice.filter(({ tool }) => tool === "add");
  report.holds(adds.length === 0, "no call of the tool that is not idempotent had its effect twice", JSON.stringify(adds.slice(0, 5)));
  const puts = twice.filter(({ tool }) => tool === "put");
  report.figure("calls of the idempotent tool that were made again", puts.reduce((sum, { attempts }) => sum + attempts.length - 1, 0));
  // From outside a recorded end is one behind which nothing was killed before it could be recorded.
  const waits = [];
  const wrong = puts.filter(({ attempts }) =>
    attempts.slice(0, -1).some(({ begun, ended = Infinity }, index) => {
      // What was sent before a kill may have been read behind it.
      const between = kills.filter(({ at, until }) => until >= begun - sending && at <= attempts[index + 1].begun);
      const nearest = Math.min(...between.map(({ at }) => Math.max(0, at - ended)));
      if (ended < Infinity && between.length > 0) waits.push(nearest);
      return nearest > recording;
    }),
  );
  report.figure("of those, answered before the kill", waits.filter((wait) => wait > 0).length);
  if (waits.length > 0) report.figure("longest time from an answer to the kill that lost it", Math.max(...waits), "ms");
  report.holds(wrong.length === 0, "none of the idempotent one was made again after its end was recorded", JSON.stringify({ wrong: wrong.slice(0, 5), kills }));
}
