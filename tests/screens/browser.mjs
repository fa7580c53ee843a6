// A browser whose pages fail the check that opened them when they say an error or ask for something.
import { createRequire } from "node:module";
import path from "node:path";

const home = process.env.HOME_OF_SCREENS;
const puppeteer = createRequire(path.join(home, "package.json"))("puppeteer-core");

export const WIDE = { width: 1280, height: 860 };
export const PHONE = { width: 360, height: 740, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

export async function openBrowser() {
  const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, headless: true, args: ["--no-sandbox", "--force-color-profile=srgb"] });
  return {
    close: () => browser.close(),

    // Opens a page, gives it to `work`, and closes it. `allowed` are beginnings of addresses that may be asked for.
    async page(url, options, work) {
      const { viewport = WIDE, scheme = "light", allowed = [] } = options;
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      const problems = [];
      page.on("console", (message) => { if (["error", "warn"].includes(message.type())) problems.push(`console: ${message.text()}`); });
      page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
      page.on("dialog", (dialog) => { problems.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
      page.on("request", (request) => { if (request.url().split("#")[0] !== url.split("#")[0] && !allowed.some((start) => request.url().startsWith(start))) problems.push(`request: ${request.url()}`); });
      await page.setViewport(viewport);
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      const began = performance.now();
      await page.goto(url, { waitUntil: "load" });
      await page.waitForSelector("main");
      const opened = performance.now() - began;
      try {
        const said = await work(page, opened);
        if (problems.length) throw new Error(problems.join("\n"));
        return said;
      } finally {
        await context.close();
      }
    },
  };
}

// Presses keys, one after the other, and waits until the page has drawn.
export async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await drawn(page);
}

export const drawn = (page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 30))));

export const text = (page, selector) => page.$eval(selector, (element) => element.textContent);

export const hash = (page) => page.evaluate(() => location.hash);

export function same(found, wanted, what = "value") {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
}

export function holds(condition, what) {
  if (!condition) throw new Error(what);
}

// Waits until `ask` gives something; fails after 20 seconds.
export async function until(what, ask) {
  const end = Date.now() + 20_000;
  for (;;) {
    // While a page is left for another one there is nothing to ask.
    const found = await ask().catch(() => null);
    if (found) return found;
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
