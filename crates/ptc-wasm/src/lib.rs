//! PTC-Lisp in browsers and Node: programs of a language model run where their user is, with tools in JavaScript.
//!
//! `cargo xtask wasm` builds a package with types for TypeScript, and a [playground] that is one file. A [`Session`] keeps
//! definitions from program to program:
//!
//! ```js
//! import init, { Session, doc } from "./ptc_wasm.js";
//!
//! await init();
//! const session = new Session({
//!   data: { orders: [{ item: "tea", grams: 250 }, { item: "salt", grams: 40 }] },
//!   tools: {
//!     price: {
//!       signature: "(item :string) -> :float",
//!       run: async ({ item }) => ({ tea: 0.04, salt: 0.01 })[item],
//!     },
//!   },
//!   limits: { milliseconds: 500 },
//! });
//! const outcome = await session.run(`
//!   (defn cost [{:keys [item grams]}] (* grams (tool/price {:item item})))
//!   (reduce + (pmap cost data/orders))`);
//! console.log(outcome.value, outcome.calls.length);          // 10.4 2
//! console.log((await session.run("(cost {:item \"tea\" :grams 100})")).text);  // 4.0
//! console.log((await session.call("cost", [{ item: "salt", grams: 50 }])).value);   // 0.5
//! console.log((await session.run("(loop [] (recur))")).problems[0].message);
//! console.log(doc("reduce").calls);
//! ```
//!
//! * Tools are functions of JavaScript. They get the arguments as an object and return JSON or a promise; calls of one
//!   `pmap` are awaited together. What they throw is a failure that the program can catch. `runSync` runs without promises.
//! * `call` and `callSync` call a function that a program defined, with arguments of JavaScript.
//! * An outcome is a plain object: value as JSON and as text, prints, calls, definitions, usage, and problems with line,
//!   column and what to write instead, and the lines of all functions that were running. A program never throws.
//! * The limits of the language hold: fuel, memory, time and nesting. A session blocks its thread while a program computes,
//!   so pages run it in a worker.
//! * Nothing is requested and nothing is read but the clock: without tools, a program reaches nothing outside.
//!
//! In Node, give the module to `initSync`:
//! `initSync({ module: readFileSync(new URL(import.meta.resolve("ptc-wasm/ptc_wasm_bg.wasm"))) })`.
//!
//! [`Programs`] is the same without JavaScript, for tests and for other hosts that speak JSON.
//!
//! [playground]: https://github.com/ptc-runner/ptc-runner/blob/main/docs/guide/playground.md

#![forbid(unsafe_code)]

mod js;
mod options;
mod programs;
mod reference;
mod report;
#[cfg(test)]
mod tests;

pub use js::{Session, doc, start, version};
pub use options::OptionsError;
pub use programs::{Call, Programs, Step};
pub use report::{CheckReport, Definition, Report};
