// The file of effects beside the journals of the server: what was done how often, and whether its end was on record by then.
import { readFileSync } from "node:fs";
import { calls, turns, valueOf } from "./missions.mjs";
import { each } from "./time.mjs";

// The calls by `n/turn/call`: the tool, and when each attempt began and was answered.
function read(file) {
  const found = new Map();
  for (const line of readFileSync(file, "utf8").trim().split("\n")) {
    const { what, at, tool, n, turn, call, attempt } = JSON.parse(line);
    const key = `${n}/${turn}/${call}`;
    if (!found.has(key)) found.set(key, { key, tool, attempts: [] });
    const { attempts } = found.get(key);
    attempts[attempt - 1] = { ...attempts[attempt - 1], [what]: at };
  }
  return found;
}

// Which attempts of each call have their answer on record, by `n/turn/call`; there should be one.
async function recorded(engine, mission) {
  const found = new Map();
  const end = new RegExp(`"id":"${mission}/(\\d+)/(\\d+)/\\d+","result":(\\{[^}]*"attempt"[^}]*\\})`);
  const invocations = await engine.sql(`select id from sys_invocation where target_service_name = '${mission}' and target_handler_name = 'run'`);
  await each(invocations, 4, async ({ id }) => {
    for (const { raw } of await engine.sql(`select raw from sys_journal where id = '${id}' and entry_type = 'Notification: Run'`)) {
      const [, n, turn, result] = end.exec(Buffer.from(raw, "hex").toString("latin1")) ?? [];
      if (result === undefined) continue;
      const { value, attempt } = JSON.parse(result);
      // The calls of a turn give different values.
      const call = calls.find((call) => valueOf({ n: Number(n), turn: Number(turn), call }) === value);
      const key = `${n}/${turn}/${call}`;
      found.set(key, [...(found.get(key) ?? []), attempt]);
    }
  });
  return found;
}

// Checks the effects of missions 1 to `missions`. A call that is made after its end was recorded has one more attempt than the
// one that is on record, whatever the clocks say.
export async function check(report, engine, mission, file, missions) {
  const done = [...read(file).values()];
  const all = missions * turns * calls.length;
  report.figure("calls that had an effect", done.length);
  report.holds(done.length === all, `every call of every mission was made (${all})`, `${done.length} of them`);
  const twice = done.filter(({ attempts }) => attempts.length > 1);
  const adds = twice.filter(({ tool }) => tool === "add");
  report.holds(adds.length === 0, "no call of the tool that is not idempotent was made twice", JSON.stringify(adds.slice(0, 5)));
  report.figure("calls of the idempotent tool that were made again", twice.length - adds.length);
  const lost = twice.flatMap(({ attempts }) => attempts.slice(0, -1)).filter(({ end }) => end !== undefined);
  report.figure("of their attempts, answered and not recorded", lost.length);

  const ends = await recorded(engine, mission);
  report.figure("calls whose end is on record", ends.size);
  const puts = done.filter(({ tool }) => tool === "put");
  const missing = puts.filter(({ key }) => ends.get(key)?.length !== 1);
  report.holds(missing.length === 0, "the end of every call of the idempotent tool is on record, once", JSON.stringify(missing.slice(0, 5)));
  const wrong = done.filter(({ key, attempts }) => ends.get(key)?.some((attempt) => attempt !== attempts.length));
  report.holds(wrong.length === 0, "no call was made after its end was recorded", JSON.stringify(wrong.slice(0, 5).map((each) => ({ ...each, recorded: ends.get(each.key) }))));
}

// Of each mission that was under way at that time: milliseconds from its last call before to its first one after.
export function pausesAt(file, at) {
  const missions = new Map();
  for (const { key, attempts } of read(file).values()) {
    const [n] = key.split("/");
    if (!missions.has(n)) missions.set(n, { before: -Infinity, after: Infinity });
    const mission = missions.get(n);
    for (const { begin } of attempts) {
      if (begin <= at) mission.before = Math.max(mission.before, begin);
      else mission.after = Math.min(mission.after, begin);
    }
  }
  return [...missions.values()].map(({ before, after }) => after - before).filter(Number.isFinite);
}
