// The pictures of docs/guide/images. What they show comes from the checks' runs; a picture above 150 kB is refused.
import fs from "node:fs";
import path from "node:path";

import { PHONE, drawn, holds, press, until } from "./browser.mjs";

const folder = path.join(process.env.ROOT, "docs/guide/images");
const MOST_BYTES = 150_000;

async function picture(page, name) {
  await drawn(page);
  const file = path.join(folder, `${name}.png`);
  fs.mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: file, optimizeForSpeed: false });
  const bytes = fs.statSync(file).size;
  holds(bytes <= MOST_BYTES, `${name}.png has ${bytes} bytes`);
  return `${name}.png, ${Math.round(bytes / 1000)} kB`;
}

export const pictures = {
  "picture of a run, light": (browser, runs) => browser.page(runs.orders, {}, (page) => picture(page, "viewer-run")),

  "picture of a turn that recovers, of a real run, light": (browser, runs) => browser.page(`${runs.support}#turn-2`, { viewport: { width: 1280, height: 720 } }, (page) => picture(page, "viewer-support")),

  "picture of an evaluation": (browser, runs) => browser.page(runs.evaluation, { viewport: { width: 1300, height: 860 } }, (page) => picture(page, "evaluation")),

  "picture of a turn that failed, light": (browser, runs) => browser.page(`${runs.orders}#turn-3`, { viewport: { width: 1280, height: 820 } }, (page) => picture(page, "viewer-turn")),

  "picture of calls at once, dark": (browser, runs) => browser.page(`${runs.bookings}#turn-1`, { scheme: "dark" }, (page) => picture(page, "viewer-dark")),

  "picture on a phone": (browser, runs) => browser.page(`${runs.bookings}#turn-3`, { viewport: { ...PHONE, deviceScaleFactor: 1.5 } }, (page) => picture(page, "viewer-phone")),

  "picture of what the model saw": (browser, runs) => browser.page(`${runs.bookings}#turn-3`, {}, async (page) => {
    await page.evaluate(() => {
      const part = [...document.querySelectorAll("details.part")].find((one) => one.textContent.startsWith("What the model saw"));
      part.open = true;
    });
    await drawn(page);
    await page.evaluate(() => [...document.querySelectorAll("h3")].find((one) => one.textContent.startsWith("Definitions")).scrollIntoView());
    return picture(page, "viewer-request");
  }),

  "picture of 500 turns, with a search": (browser, runs) => browser.page(runs.many, { viewport: { width: 1180, height: 660 } }, async (page) => {
    await press(page, "/");
    await page.keyboard.type("turn 123");
    await until("hits", () => page.$eval(".found", (found) => found.textContent.includes(" in ")));
    await press(page, "Enter");
    return picture(page, "viewer-500-turns");
  }),

  "pictures of the list and of a run that goes on": async (browser, runs) => {
    const goOn = await runs.wait();
    const url = await runs.view(path.dirname(runs.folder), "missions", "orders", "several");
    const said = await browser.page(url, { allowed: [url], viewport: { width: 1280, height: 560 } }, async (page) => {
      await until("all runs are read", () => page.$$eval("tbody tr", (rows) => rows.length > 3 && rows.every((row) => !row.textContent.includes("is being read"))));
      await press(page, "g");
      const list = await picture(page, "viewer-list");
      const link = await page.evaluate(() => [...document.querySelectorAll("tbody tr")].find((row) => row.textContent.includes("running")).querySelector("a").href);
      await page.goto(`${link}#turn-2`);
      await until("the run", () => page.$(".turn-head"));
      return `${list}; ${await picture(page, "viewer-live")}`;
    });
    goOn();
    return said;
  },

  "picture of two runs next to each other": async (browser, runs) => {
    const url = await runs.view(runs.several);
    return browser.page(url, { allowed: [url], viewport: { width: 1180, height: 760 } }, async (page) => {
      await until("all runs are read", () => page.$$eval("tbody tr", (rows) => rows.length === 3 && rows.every((row) => !row.textContent.includes("is being read"))));
      await press(page, "/");
      await page.keyboard.type("100 euros");
      await press(page, "Enter", "End", "x", "Home", "x");
      await page.keyboard.press("c");
      await until("the comparison", () => page.$(".turn-of-two"));
      return picture(page, "viewer-diff");
    });
  },

  "pictures of a gateway and of an evaluation": async (browser, runs) => {
    const url = await runs.view(runs.governed, ".ptc/mcp", "results.jsonl");
    return browser.page(url, { allowed: [url], viewport: { width: 1180, height: 700 } }, async (page) => {
      await until("the gateway", () => page.$(".question"));
      await until("the results", () => page.$$eval(".run-table tbody tr", (rows) => rows.length > 3 && rows.every((row) => !row.textContent.includes("is being read"))));
      const list = await picture(page, "viewer-gateway");
      await (await page.$("section .tools a")).click();
      await until("its page", () => page.$(".audit tbody tr"));
      await page.setViewport({ width: 1180, height: 820 });
      return `${list}; ${await picture(page, "viewer-audit")}`;
    });
  },
};
