// The native interpreter, asked the same as the module.
import { execFileSync } from "node:child_process";

const ROOT = process.env.ROOT;

function native(what, input) {
  const options = { cwd: ROOT, input, maxBuffer: 1 << 30, stdio: ["pipe", "pipe", "inherit"] };
  const lines = execFileSync(process.env.NATIVE, [what], options).toString().split("\n");
  return lines.filter(Boolean).map((line) => JSON.parse(line));
}

// Sessions `{ options, data, programs }` that the native side makes up: of the `corpus`, or calls of all `rows`.
export const sittings = (what) => native(what, "");

// The outcomes of sessions, a list of them for each.
export const outcomes = (given) => native("run", given.map((one) => JSON.stringify(one) + "\n").join(""));

// An outcome without what differs between machines: times, and the bytes of values, which are fewer with 32 bits.
export function comparable(outcome) {
  const { usage, calls, ...rest } = outcome;
  return JSON.stringify({ ...rest, fuel: usage.fuel, calls: calls.map(({ milliseconds, ...call }) => call) });
}
