// The playground, opened from a file.
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { PHONE, WIDE, drawn, holds, press, same, text, until } from "../screens/browser.mjs";
import { comparable, outcomes } from "./native.mjs";

const { BUILT } = process.env;
const url = pathToFileURL(path.join(BUILT, "playground.html")).href;
const gallery = JSON.parse(/id="gallery">(.*?)<\/script>/s.exec(readFileSync(path.join(BUILT, "playground.html"), "utf8"))[1]);
// A worker is made of a text of the page; nothing else is asked for.
const options = { allowed: ["blob:"], viewport: { width: 1440, height: 900 } };
const slug = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");

async function open(browser, place, more, work) {
  return browser.page(url + (place ? "#" + place : ""), { ...options, ...more }, async (page, opened) => {
    await page.waitForSelector("html[data-ready]");
    return work(page, opened);
  });
}

// Runs what is in the editor, by keyboard, and returns the badge of its ending.
async function run(page) {
  await page.evaluate(() => { const result = document.getElementById("result"); result.replaceChildren(); });
  await page.focus("#program");
  await page.keyboard.down("Control");
  await page.keyboard.press("Enter");
  await page.keyboard.up("Control");
  await until("a result", () => page.$("#result > *"));
  await until("the end of the run", () => page.$eval("#stop", (stop) => stop.hidden));
  return page.$eval("#result .badge", (badge) => badge.textContent).catch(() => text(page, "#result"));
}

async function type(page, id, what) {
  await page.$eval("#" + id, (area, value) => { area.value = value; area.dispatchEvent(new Event("input")); }, what);
}

const badgeOf = (ends) => ({ value: "value", return: "returned", fail: "failed", fuel_exceeded: "stopped by a limit", memory_exceeded: "stopped by a limit", recursion_limit_exceeded: "stopped by a limit" })[ends] || "error";

// What the worker answers is kept by the page, for comparison.
const listen = (page) => page.evaluateOnNewDocument(() => {
  window.heard = [];
  const { Worker } = window;
  window.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => { if (data.result && data.result.usage) window.heard.push(data.result); });
    }
  };
});

export const pageChecks = {
  "all programs of the gallery end as they say, and as they do natively": async (browser) => {
    const given = [];
    const heard = [];
    const times = [];
    for (const example of gallery.examples) {
      await open(browser, slug(example.title), {}, async (page) => {
        await listen(page);
        await page.reload({ waitUntil: "load" });
        await page.waitForSelector("html[data-ready]");
        same(await text(page, "#title"), example.title);
        same(await run(page), badgeOf(example.ends), example.title);
        const [outcome] = await page.evaluate(() => window.heard);
        const ends = outcome.ending === "error" ? outcome.problems[0].reason : outcome.ending;
        same(ends, example.ends, example.title);
        if (example.text) same(outcome.text, example.text, example.title);
        if (outcome.problems) {
          const { line } = outcome.problems[0];
          holds(await page.$$eval(".gutter span", (lines, line) => /g-(bad|warn)/.test(lines[line - 1].className), line), `${example.title}: line ${line} is marked`);
        }
        times.push(outcome.usage.milliseconds);
        heard.push(outcome);
        const spec = (name) => [name, { signature: gallery.tools[name].signature, description: gallery.tools[name].description }];
        const answers = outcome.calls.map(({ result, error }) => ({ result, error: error ?? null }));
        given.push({ options: { tools: Object.fromEntries((example.tools || []).map(spec)), limits: example.limits || {} }, data: JSON.parse(example.data || "{}"), programs: [example.program.trim()], answers });
      });
    }
    const native = outcomes(given);
    heard.forEach((outcome, i) => same(comparable(outcome), comparable(native[i][0]), gallery.examples[i].title));
    const calls = heard.reduce((sum, outcome) => sum + outcome.calls.length, 0);
    return `${heard.length} programs, ${calls} calls of tools, ${times.reduce((sum, time) => sum + time, 0).toFixed(0)} ms in all`;
  },

  "an endless loop ends by the time limit, and by Stop": (browser) => open(browser, "", {}, async (page) => {
    await type(page, "program", "(println 1)\n(loop [] (recur))");
    await type(page, "fuel", "1000000000000");
    await type(page, "milliseconds", "400");
    same(await run(page), "stopped by a limit");
    holds((await text(page, "#result .failure")).includes("run exceeded the 400 ms limit"), "the message");
    await type(page, "milliseconds", "3600000");
    await page.focus("#program");
    await page.keyboard.down("Control");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Control");
    await until("Stop is offered", () => page.$eval("#stop", (stop) => !stop.hidden));
    await page.$eval("#stop", (stop) => stop.focus());
    await page.keyboard.press("Enter");
    await until("it says so", async () => (await text(page, "#result")).includes("Stopped."));
    await type(page, "program", "(+ 40 2)");
    same([await run(page), await text(page, "#result .answer")], ["value", "42"]);
  }),

  "definitions stay until Reset, and new settings start a new session": (browser) => open(browser, "definitions-stay", {}, async (page) => {
    await run(page);
    await type(page, "program", "(area 5 8)");
    same([await run(page), await text(page, "#result .answer")], ["value", "40"]);
    await page.$eval("#reset", (reset) => reset.focus());
    await page.keyboard.press("Enter");
    same(await run(page), "error");
    await type(page, "data", '{"n": 7}');
    await type(page, "program", "(* data/n 6)");
    same([await run(page), await text(page, "#result .answer")], ["value", "42"]);
    await type(page, "data", '{"n": ');
    await until("wrong data is named", async () => (await text(page, "#data-problem")).includes("EOF"));
    await type(page, "data", "{}");
    await type(page, "tools", "{ a: 1 }");
    await until("a wrong tool is named", async () => (await text(page, "#tools-problem")).includes("expected a function"));
  }),

  "what is typed is checked, marked, explained and completed": (browser) => open(browser, "", {}, async (page) => {
    await type(page, "program", "(def a 1)\n(reduc + [a])");
    await until("the hint", async () => (await text(page, "#hint")).includes("Did you mean 'reduce'?"));
    holds(await page.$$eval(".gutter span", (lines) => lines[1].className === "g-bad"), "line 2 is marked");
    await until("the name is marked", async () => (await text(page, ".colours .m-bad")) === "reduc");
    await type(page, "program", "(reduce + [1 2])");
    await page.$eval("#program", (area) => { area.focus(); area.setSelectionRange(3, 3); });
    await until("it was checked", async () => (await text(page, "#hint")) === "Ready.");
    await press(page, "ArrowRight");
    await until("the form is explained", async () => (await text(page, "#hint")).includes("(reduce f init coll)"));
    await type(page, "program", "(interle");
    await page.$eval("#program", (area) => { area.focus(); area.setSelectionRange(8, 8); });
    await page.keyboard.down("Control");
    await page.keyboard.press("Space");
    await page.keyboard.up("Control");
    await until("the name is completed", async () => (await page.$eval("#program", (area) => area.value)) === "(interleave");
    await page.keyboard.press("Enter");
    same(await page.$eval("#program", (area) => area.value), "(interleave\n  ", "indentation");
  }),

  "tools of a page cannot reach the network": async (browser) => {
    let asked = 0;
    const server = createServer((_, response) => { asked += 1; response.writeHead(200, { "access-control-allow-origin": "*" }).end("reached"); });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${server.address().port}/`;
    same(await (await fetch(address)).text(), "reached");
    try {
      await open(browser, "", {}, async (page) => {
        await type(page, "tools", `{ reach: async () => { try { return await (await fetch("${address}")).text(); } catch (error) { return error.message; } } }`);
        await type(page, "program", "(tool/reach {})");
        same(await run(page), "value");
        same(await text(page, "#result .answer"), '"Failed to fetch"');
      });
      same(asked, 1, "requests, with the one of this check");
    } finally {
      server.close();
    }
  },

  "a link holds the program, its data and its tools, and runs nothing": (browser) => open(browser, "call-a-tool", {}, async (page) => {
    await type(page, "program", "(str \"é\" data/n)");
    await type(page, "data", '{"n": 5}');
    await page.$eval("#share", (share) => share.click());
    const link = await until("a link", () => page.evaluate(() => location.hash.startsWith("#p=") && location.href));
    const tools = await page.$eval("#tools", (area) => area.value);
    return open(browser, link.split("#")[1], {}, async (other) => {
      same(await other.$eval("#program", (area) => area.value), "(str \"é\" data/n)");
      same(await other.$eval("#tools", (area) => area.value), tools);
      holds((await text(other, "#result")).startsWith("Run the program"), "nothing ran");
      await run(other);
      same(await text(other, "#result .answer"), '"é5"');
      return `${link.length - url.length} characters`;
    });
  }),

  "everything has a name, and a narrow page does not scroll sideways": async (browser) => {
    for (const viewport of [PHONE, { width: 900, height: 800 }, WIDE]) {
      await open(browser, "calls-at-the-same-time", { viewport }, async (page) => {
        await run(page);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        holds(wide <= 0, `${wide} pixels too wide at ${viewport.width}`);
        const high = await page.$eval(".banner", (banner) => banner.offsetHeight);
        holds(high < 120, `the head is ${high} pixels high at ${viewport.width}`);
        const nameless = await page.$$eval("input, textarea, select, button", (all) => all.filter((one) => !(one.labels && one.labels.length) && !one.textContent.trim() && !one.getAttribute("aria-label")).map((one) => one.outerHTML));
        same(nameless, [], "controls without a name");
      });
    }
  },
};

const picture = (name, place, more = {}, work = () => {}) => async (browser) => open(browser, place, more, async (page) => {
  await run(page);
  await work(page);
  await page.evaluate(() => document.activeElement.blur());
  await drawn(page);
  const folder = path.join(BUILT, "pictures");
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, name + ".png") });
});

export const pictures = {
  "picture: a table": picture("table", "totals-by-customer"),
  "picture: tools, dark": picture("tools-dark", "calls-at-the-same-time", { scheme: "dark" }),
  "picture: problems": picture("problems", "a-misspelled-name"),
  "picture: an error while it runs": picture("error", "an-error-while-it-runs"),
  "picture: a limit, dark": picture("limit-dark", "an-endless-loop", { scheme: "dark" }),
  "picture: narrow": picture("narrow", "totals-by-customer", { viewport: PHONE }),
};
