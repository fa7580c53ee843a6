// Sizes, and times in Chromium.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { performance } from "node:perf_hooks";

const { BUILT } = process.env;
const file = (name) => readFileSync(path.join(BUILT, name));
const url = pathToFileURL(path.join(BUILT, "playground.html")).href;
const size = (bytes) => `${bytes.length.toLocaleString("en-US")} bytes, ${gzipSync(bytes, { level: 9 }).length.toLocaleString("en-US")} with gzip`;

// A million rounds of a loop, and ten thousand rows grouped: what users wait for.
const LOOP = "(loop [n 0 s 0] (if (= n 1000000) s (recur (inc n) (+ s (rem n 7)))))";
const ROWS = "(->> (range 10000) (map (fn [n] {:k (mod n 10) :v n})) (group-by :k) (map (fn [[k rows]] [k (reduce + (map :v rows))])) (sort-by first))";

export const summary = {
  "size of the module": () => size(file("pkg/ptc_wasm_bg.wasm")),
  "size of the JavaScript next to it": () => size(file("pkg/ptc_wasm.js")),
  "size of the page": () => size(file("playground.html")),
  "until a program can run, from a file": async (browser) => {
    const times = [];
    for (let i = 0; i < 5; i++) {
      const began = performance.now();
      await browser.page(url, { allowed: ["blob:"] }, async (page) => { await page.waitForSelector("html[data-ready]"); times.push(performance.now() - began); });
    }
    times.sort((a, b) => a - b);
    return `${times[2].toFixed(0)} ms, the middle of five`;
  },
  "times in Node": async () => {
    const { Session } = await import(pathToFileURL(path.join(BUILT, "pkg/ptc_wasm.js")));
    const session = new Session({ limits: { milliseconds: 60_000 } });
    const best = (program) => {
      const times = Array.from({ length: 9 }, () => session.runSync(program).usage.milliseconds);
      return Math.min(...times).toFixed(1);
    };
    return `a million rounds of a loop ${best(LOOP)} ms, 10,000 rows grouped ${best(ROWS)} ms`;
  },
};
