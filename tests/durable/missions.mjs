// The missions: their files, what their model writes in each turn, and what must come out.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const turns = 10;
export const calls = [1, 2, 3, 4, 5];

// What a call gives; the answer of a mission is the sum of all of them.
export const valueOf = ({ n, turn, call }) => (n * 7919 + turn * 104_729 + call * 31) % 1000;

export function answerOf(n) {
  let total = 0;
  for (let turn = 1; turn <= turns; turn++) for (const call of calls) total += valueOf({ n, turn, call });
  return { n, total };
}

// `add` must not happen twice: when nobody knows whether it did, the program asks, and calls again only when it did not.
const sure = `(defn sure [args]
  (try (:value (tool/effects-add args))
    (catch Exception e
      (if (re-find #"outcome unknown" (ex-message e))
        (let [{:keys [done value]} (tool/effects-was_done args)]
          (if done value (sure args)))
        (throw e)))))`;

const effect = (turn) => `${turn === 1 ? `${sure}\n(defn put [args] (:value (tool/effects-put args)))\n(def total 0)` : ""}
(defn one [call]
  (let [args {:n data/n :turn ${turn} :call call}]
    (if (odd? (+ call ${turn})) (put args) (sure args))))`;

const inner = (turn) => `${turn === 1 ? "(def total 0)" : ""}
(defn one [call] (tool/value {:n data/n :turn ${turn} :call call}))`;

// Four calls at once and one alone. The marker is in what is printed, not in the text of the program.
const counting = (begin) => (turn) => `${begin(turn)}
(def total (+ total (reduce + (pmap one [1 2 3 4])) (one 5)))
${turn < turns ? `(println (str "turn=" ${turn}))` : "(return {:n data/n :total total})"}`;

// Takes a megabyte at a time, beyond what its worker may have.
const hungry = `(let [block (apply str (repeat 100000 "0123456789"))]
  (loop [all []] (recur (conj all (str block (count all))))))`;

const programs = {
  effects: counting(effect),
  inner: counting(inner),
  // Two turns: what was done before is in the step of a mission that is given up.
  poison: (turn) => (turn === 1 ? `(def done (tool/value {:n 1 :turn 1 :call 1}))\n(println (str "turn=" 1))` : hungry),
  waits: (turn) => (turn === 1 ? `(def paid (tool/pay {:n data/n}))\n(println (str "turn=" 1))` : "(return {:n data/n :paid (:paid paid)})"),
};

// What the model of this name writes: the turn behind the last one whose marker is in what programs have printed.
export function reply(model, messages) {
  const said = messages.filter((message) => message.role !== "assistant").map((message) => JSON.stringify(message.content));
  const over = said.flatMap((text) => [...text.matchAll(/turn=(\d+)/g)].map((found) => Number(found[1])));
  return `\`\`\`clojure\n${programs[model](Math.max(0, ...over) + 1)}\n\`\`\``;
}

const retry = `[llm_retry]\nmax_attempts = 20\nbase_delay = "200ms"\n`;

const value = `[tools.value]
signature = "(n :int, turn :int, call :int) -> :int"
effect = "read"
program = "(mod (+ (* n 7919) (* turn 104729) (* call 31)) 1000)"
`;

const files = {
  effects: (world, label) => `mission = "Do ten times five things, and add up what they give."
signature = "(n :int) -> {n :int, total :int}"
max_turns = ${turns + 2}
llm = "${world}/v1#effects"

${retry}
[mcp.effects]
url = "${world}/mcp/${label}"
`,
  inner: (world) => `mission = "Ask ten times for five values, and add them up."
signature = "(n :int) -> {n :int, total :int}"
max_turns = ${turns + 2}
llm = "${world}/v1#inner"

${retry}
${value}`,
  // Programs may have more than the process: a mission of a large machine on a small one.
  poison: (world) => `mission = "Take all memory."
max_heap = "64gb"
llm = "${world}/v1#poison"

${retry}
${value}`,
  waits: (world) => `mission = "Pay, once somebody has allowed it."
signature = "(n :int) -> {n :int, paid :int}"
llm = "${world}/v1#waits"

${retry}
[tools.pay]
signature = "(n :int) -> {paid :int}"
approve = true
program = "{:paid n}"
`,
};

// A folder with these missions; the effects of its workers go to the file `label`.
export function missionFiles(folder, names, world, label) {
  mkdirSync(folder, { recursive: true });
  for (const name of names) writeFileSync(join(folder, `${name}.toml`), files[name](world, label));
  return folder;
}
