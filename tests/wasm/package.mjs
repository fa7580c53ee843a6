// The package in Node.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { holds, same } from "../screens/browser.mjs";
import { comparable, outcomes, sittings } from "./native.mjs";

const { ROOT, BUILT, HOME_OF_SCREENS } = process.env;
const folder = path.join(BUILT, "pkg");
const { initSync, Session, doc, version } = await import(pathToFileURL(path.join(folder, "ptc_wasm.js")));
initSync({ module: readFileSync(path.join(folder, "ptc_wasm_bg.wasm")) });

const rejection = async (promise) => promise.then(() => null, (error) => error.message);

// The same sessions here and natively; returns how many programs were equal, or throws with the first differences.
function compare(given, allowed = () => false) {
  const wanted = outcomes(given);
  let count = 0;
  let differences = 0;
  const found = [];
  given.forEach(({ options, data, programs }, i) => {
    const session = new Session({ ...options, data });
    programs.forEach((program, j) => {
      const [here, there] = [comparable(session.runSync(program)), comparable(wanted[i][j])];
      count += 1;
      if (here !== there && !allowed(program, here, there)) found.push(`${program}\n  here   ${here.slice(0, 400)}\n  native ${there.slice(0, 400)}`);
      else if (here !== there) differences += 1;
    });
    session.free();
  });
  if (found.length) throw new Error(`${found.length} of ${count} programs differ:\n${found.slice(0, Number(process.env.SHOW || 12)).join("\n")}`);
  return `${count} programs, ${differences} of them differ as they may`;
}

// A vector that becomes a trie costs fuel by its bytes, which are fewer with pointers of 32 bits.
const isAlmost = (here, there) => {
  const [{ fuel: some, ...one }, { fuel: others, ...other }] = [JSON.parse(here), JSON.parse(there)];
  return Math.abs(some - others) <= others / 100 && JSON.stringify(one) === JSON.stringify(other);
};

const isNear = (here, there) => {
  const numbers = (text) => [...text.matchAll(/-?\d+\.\d+(?:[eE][-+]?\d+)?/g)].map(Number);
  const [some, others] = [numbers(here), numbers(there)];
  return some.length > 0 && some.length === others.length && some.every((number, i) => Math.abs(number - others[i]) <= 1e-9 * Math.abs(number));
};

// Runs the JavaScript of a page, and compares what it prints first with its comments.
function exampleOf(name) {
  const page = readFileSync(path.join(ROOT, name), "utf8");
  const example = /```js\n([\s\S]*?)```/.exec(page)[1];
  const inNode = example
    .replace(/^import init, \{(.*)\} from/m, "import { readFileSync } from \"node:fs\";\nimport { initSync,$1} from")
    .replace("await init();", "initSync({ module: readFileSync(new URL(\"ptc_wasm_bg.wasm\", import.meta.url)) });");
  holds(inNode !== example && inNode.includes("initSync({"), "the example imports and starts the package");
  const file = path.join(folder, "example.mjs");
  writeFileSync(file, inNode);
  const lines = execFileSync("node", [file]).toString().trim().split("\n");
  const promised = [...example.matchAll(/\);\s+\/\/ (.*)$/gm)].map((match) => match[1]);
  same(lines.slice(0, promised.length), promised, "what the example prints");
  return lines.join(" | ");
}

export const packageChecks = {
  "the example of the crate page runs in Node": () => exampleOf("crates/ptc-wasm/README.md"),

  "the example of the guide runs in Node": () => exampleOf("docs/guide/playground.md"),

  "the types are checked, and none is any": () => {
    const types = readFileSync(path.join(folder, "ptc_wasm.d.ts"), "utf8");
    const own = types.slice(0, types.indexOf("export type InitInput"));
    holds(own.includes("run(program: string): Promise<Outcome>") && !/\bany\b/.test(own.replace(/\/\*\*[\s\S]*?\*\//g, "")), "types of our own are named");
    const file = path.join(folder, "types.check.ts");
    writeFileSync(file, `import { Session, doc, type Outcome, type SessionOptions } from "./ptc_wasm.js";
const options: SessionOptions = { data: { n: [1, null, "a"] }, tools: { twice: { signature: "(n :int) -> :int", run: async ({ n }) => Number(n) * 2 }, now: () => 1 }, limits: { fuel: 10 } };
const session = new Session(options);
const outcome: Outcome = await session.run("1");
const line: number | null | undefined = outcome.problems?.[0]?.line;
const calls: string[] = doc("map").calls;
// @ts-expect-error an outcome has no such key
outcome.valu;
// @ts-expect-error an option has no such key
new Session({ dat: {} });
// @ts-expect-error a program is a text
session.runSync(1);
const called: Outcome = session.callSync("area", [2, { n: 3 }]);
const frame: string | null | undefined = called.problems?.[0]?.frames?.[0]?.function;
export { line, calls, frame };
`);
    const tsc = path.join(HOME_OF_SCREENS, "node_modules/typescript/bin/tsc");
    execFileSync("node", [tsc, "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck", "false", "--lib", "es2022,dom,esnext.disposable", file], { stdio: ["ignore", "inherit", "inherit"] });
  },

  "tools are called, awaited together, and their failures are caught": async () => {
    let running = 0;
    let most = 0;
    const slow = async ({ n }) => { running += 1; most = Math.max(most, running); await new Promise((resolve) => setTimeout(resolve, 20)); running -= 1; return n * 2; };
    const tools = { slow: { signature: "(n :int) -> :int", run: slow }, broken: () => { throw new Error("no disk"); }, odd: () => 10n, nothing: () => undefined };
    const session = new Session({ tools });
    same((await session.run("(reduce + (pmap (fn [n] (tool/slow {:n n})) (range 5)))")).value, 20);
    same(most, 5, "calls at once");
    same((await session.run("(try (tool/broken {}) (catch Exception e (ex-message e)))")).value, "tool 'broken' failed: no disk");
    holds((await session.run("(tool/odd {})")).problems[0].message.includes("BigInt"), "what is no JSON is named");
    same((await session.run("(tool/nothing {})")).text, "nil");
    holds(session.runSync("(tool/slow {:n 1})").problems[0].message.includes("call run instead"), "runSync says what to call");
    await session.run("(defn twice [{:keys [n]}] (tool/slow {:n n}))\n(defn add [n] (+ n 1))");
    same((await session.call("twice", [{ n: 4 }])).value, 8);
    const { problems } = session.callSync("add", ["1"]);
    same(problems[0].frames.map((frame) => [frame.function, frame.line]), [["add", 2]]);
    holds(problems[0].snippet.includes("(defn add [n] (+ n 1))"), "the line of the function");
    const first = session.run("(tool/slow {:n 1})");
    holds((await rejection(session.run("1"))).includes("await it first"), "two programs at once");
    same((await first).value, 2);
    const seen = [];
    const inner = new Session({ tools: { again: () => { try { inner.runSync("1"); } catch (error) { seen.push(error.message); } return 1; } } });
    same(inner.runSync("(tool/again {})").value, 1);
    holds(seen[0].includes("is running"), "a tool that calls its session");
  },

  "options that cannot be read are named": () => {
    const error = (options) => { try { new Session(options); return null; } catch (error) { return error.message; } };
    holds(error({ limit: 1 }).includes("unknown field `limit`"), "key");
    holds(error({ tools: { t: 1 } }).includes("tool t: expected a function"), "tool");
    holds(error({ tools: { t: { signature: "(a", run: () => 1 } } }).startsWith("tool t: signature, line 1"), "signature");
    holds(error({ data: [1] }).includes("expected a JSON object"), "data");
    same([error(), error({}), error({ data: '{"n": 9007199254740993}' })], [null, null, null]);
    same(new Session({ data: '{"n": 9007199254740993}' }).runSync("data/n").text, "9007199254740993", "a long integer");
    same(doc("reduce").kind, "function");
    same(version(), JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")).version);
  },

  "deep and endless programs end in a problem, and the module lives on": () => {
    const deep = "(reduce (fn [v _] [v]) [] (range 300000))";
    const programs = {
      "nested deeper than 200": ["(".repeat(60_000), "[".repeat(60_000) + "]".repeat(60_000), "(inc ".repeat(20_000) + "1" + ")".repeat(20_000), "'".repeat(100_000) + "a", "#_".repeat(60_000)],
      "nested more than 512 deep": [`(= ${deep} ${deep})`, `(hash ${deep})`],
      "memory limit of": ["(reduce (fn [v _] [v]) [] (range 3000000))", "(loop [x \"ab\"] (recur (str x x)))", "(vec (repeat 60000000 1))", "(apply str (repeat 100000 (apply str (repeat 1000 \"abc\"))))"],
      "call depth exceeded": ["(defn f [n] (inc (f n))) (f 1)", "(defn g [x] (map g [x])) (defn h [x] (first (map h [x]))) (h 1)", "(defn k [x] (sort-by k [x x])) (k 1)"],
      "stopped after": ["(loop [] (recur))", "(vec (range 100000000))"],
    };
    const session = new Session({ limits: { milliseconds: 60_000, fuel: 20_000_000 } });
    let count = 0;
    for (const [text, all] of Object.entries(programs)) {
      for (const program of all) {
        const { problems } = session.runSync(program);
        holds(problems && problems[0].message.includes(text), `${program.slice(0, 60)}: ${JSON.stringify(problems)}`);
        count += 1;
      }
    }
    const quick = new Session({ limits: { milliseconds: 200, fuel: 1e15 } });
    const began = performance.now();
    const { problems } = quick.runSync("(loop [] (recur))");
    const took = performance.now() - began;
    holds(problems[0].reason === "timeout" && took < 400, `${problems[0].message} after ${took} ms`);
    same(session.runSync("(+ 1 2)").value, 3);
    return `${count} programs; a deadline of 200 ms after ${took.toFixed(0)} ms`;
  },

  "the language corpus ends as it does natively": () => compare(sittings("corpus"), (program, here, there) => isAlmost(here, there) || (program.includes("(math/") && isNear(here, there))),

  // The functions of the mathematics library of the system may differ in the last bit.
  "every function with odd arguments ends as it does natively": () => compare(sittings("rows"), (program, here, there) => program.includes("(math/") && isNear(here, there)),
};
