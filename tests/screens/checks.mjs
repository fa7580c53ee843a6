// What pages must do. Keyboard only: no check clicks.
import fs from "node:fs";
import path from "node:path";

import { PHONE, hash, holds, press, same, text, until, drawn } from "./browser.mjs";

const heading = (page) => page.evaluate(() => (document.querySelector("main h2, main h3") || {}).textContent);

export const checks = {
  "a run is read by keyboard": (browser, runs) => browser.page(runs.orders, {}, async (page) => {
    same(await heading(page), "Mission", "first page");
    await press(page, "j", "j", "ArrowDown");
    same([await hash(page), await heading(page)], ["#turn-3", "Turn 3 of 5"]);
    await press(page, "k", "ArrowUp", "ArrowUp");
    same(await hash(page), "#run");
    await press(page, "End");
    same(await hash(page), "#turn-5");
    await press(page, "Home", "f");
    same(await hash(page), "#turn-3", "the turn that failed");
    same(await text(page, "main .m-bad.c-outside"), "tool/country-currency", "marked expression");
    await press(page, "e");
    holds(await page.$$eval("main details", (all) => all.every((one) => one.open)), "e unfolds everything");
    await press(page, "?");
    holds(await page.$eval(".help", (help) => !help.hidden), "? shows the keys");
    await press(page, "Escape");
    await press(page, "t", "t");
    same(await page.evaluate(() => [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor]), ["dark", "rgb(15, 18, 24)"]);
    await press(page, "t");
    await page.goBack();
    await drawn(page);
    same(await hash(page), "#run", "the way back");
  }),

  "links to turns open them": (browser, runs) => browser.page(`${runs.orders}#turn-4`, {}, async (page) => {
    same(await heading(page), "Turn 4 of 5");
  }),

  "hits are counted and gone through": (browser, runs) => browser.page(runs.orders, {}, async (page) => {
    await press(page, "/");
    await page.keyboard.type("country-currency");
    await until("hits are counted", async () => (await text(page, ".found")).includes(" in "));
    await press(page, "Enter");
    same(await hash(page), "#turn-1", "the request says which tools there are");
    const turns = new Set();
    await press(page, "Tab");
    await page.evaluate(() => document.activeElement.blur());
    for (let i = 0; i < 60; i++) { await press(page, "n"); turns.add(await hash(page)); }
    holds(turns.has("#turn-3") && turns.has("#turn-4"), `n goes on to other turns: ${[...turns]}`);
    await press(page, "Escape");
    same(await text(page, ".found"), "");
  }),

  "agents are looked into and left again": (browser, runs) => browser.page(`${runs.bookings}#turn-3`, {}, async (page) => {
    await press(page, "o");
    same([await hash(page), await text(page, "h1")], ["#agent-1/run", "pricer"]);
    await press(page, "o");
    same([await hash(page), await text(page, "h1")], ["#agent-1.1/run", "season"]);
    holds((await text(page, ".crumbs")).includes("bookings"), "the crumbs name the run");
    await press(page, "u", "u");
    same(await hash(page), "#turn-3");
  }),

  "calls at once are beside each other": (browser, runs) => browser.page(`${runs.bookings}#turn-1`, {}, async (page) => {
    const spans = await page.$$eval(".track .span", (all) => all.map((span) => [parseFloat(span.style.marginLeft), parseFloat(span.style.width)]));
    same(spans.length, 5);
    const ends = spans.map(([from, width]) => from + width);
    holds(Math.max(...ends) > 99 && Math.min(...ends) < 95, `bars end at ${ends}`);
  }),

  "every text is only text": (browser, runs) => browser.page(runs.many, {}, async (page) => {
    for (const key of ["Home", "j", "f", "End"]) {
      await press(page, key, "e");
      same(await page.$$eval("img, script:not([id]), iframe, [onclick], main b[onclick]", (all) => all.length), 1, "elements that texts could have made, and our script");
    }
    holds(await page.$$eval("main .odd", (all) => all.some((one) => one.textContent === "U+202E")), "characters that turn the direction are shown");
  }),

  "a run of 500 turns opens in two seconds": async (browser, runs) => {
    const times = [];
    for (let i = 0; i < 3; i++) {
      times.push(await browser.page(runs.many, {}, async (page, opened) => {
        await drawn(page);
        const ready = await page.evaluate(() => performance.getEntriesByType("navigation")[0].loadEventEnd);
        const began = Date.now();
        await press(page, "End");
        await press(page, "k", "k", "k");
        return { opened, ready, four: Date.now() - began };
      }));
    }
    const best = times.reduce((one, other) => (one.opened < other.opened ? one : other));
    const worst = Math.max(...times.map(({ opened }) => opened));
    holds(worst < 2000, `it took ${worst.toFixed(0)} ms`);
    return `${best.opened.toFixed(0)} to ${worst.toFixed(0)} ms until it is shown, ${(runs.bytes("many") / 1e6).toFixed(1)} MB; four turns in ${best.four} ms`;
  },

  "a narrow page has no bar to scroll sideways": async (browser, runs) => {
    for (const place of ["orders#run", "orders#turn-3", "bookings#turn-3", "many#turn-25"]) {
      const [name, to] = place.split("#");
      await browser.page(`${runs[name]}#${to}`, { viewport: PHONE }, async (page) => {
        const [wide, inside] = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.querySelector("main").scrollWidth - document.querySelector("main").clientWidth]);
        holds(wide <= 0 && inside <= 0, `${place} is ${Math.max(wide, inside)} pixels too wide`);
      });
    }
  },

  "the list of runs is used by keyboard, and a run is followed": async (browser, runs) => {
    const goOn = await runs.wait();
    const url = await runs.view(runs.folder);
    await browser.page(url, { allowed: [url] }, async (page) => {
      const row = () => page.$$eval("tbody tr", (rows) => rows.map((one) => one.textContent));
      await until("the run that goes on is in the list", async () => (await row()).some((one) => one.includes("running")));
      await press(page, "/");
      await page.keyboard.type("parcels");
      await until("the list is filtered", async () => (await row()).length === 1);
      await press(page, "Enter");
      await page.keyboard.press("Enter");
      await until("its page", () => page.$(".turn-head, .list a"));
      await press(page, "j");
      same([await hash(page), await text(page, ".badge")], ["#turn-1", "running"]);
      await page.$eval("main", (main) => main.scrollTo(0, 100));
      const [place, marked] = await page.evaluate(() => { const main = document.querySelector("main"); main.firstChild.dataset.marked = "yes"; return [main.scrollTop, main.firstChild.dataset.marked]; });
      goOn();
      await until("its end", async () => (await text(page, ".title .badge")) !== "running");
      same(await page.$$eval(".list a", (all) => all.length), 4, "the run and three turns");
      same(await page.evaluate(() => { const main = document.querySelector("main"); return [main.scrollTop, main.firstChild.dataset.marked]; }), [place, marked], "where the reader is");
    });
  },

  "runs are grouped by mission, by keyboard": async (browser, runs) => {
    const url = await runs.view(runs.several);
    await browser.page(url, { allowed: [url] }, async (page) => {
      const rows = (selector) => page.$$eval(`tbody ${selector}`, (all) => all.map((one) => one.textContent));
      await until("all runs are read", async () => (await rows("tr")).length === 3 && !(await rows("tr")).some((one) => one.includes("is being read")));
      await press(page, "g");
      same((await rows(".group .opener")).length, 2, "groups");
      const group = (await rows(".group")).find((one) => one.includes("100 euros"));
      holds(group.includes("2 runs, 2 with an answer") && group.includes("6.4k"), `sums of the two runs: ${group}`);
      same(await page.$eval(".bar-tools [aria-pressed]", (one) => one.getAttribute("aria-pressed")), "true");
      // The group is a place of the keyboard; Enter folds it.
      await press(page, "Home");
      same(await page.evaluate(() => document.activeElement.className), "opener");
      await page.keyboard.press("Enter");
      await until("the group is folded", async () => (await rows("tr")).length === 3);
      same(await page.evaluate(() => document.activeElement.getAttribute("aria-expanded")), "false", "it keeps the focus");
      await page.keyboard.press("Enter");
      await until("it is open again", async () => (await rows("tr")).length === 5);
      await press(page, "/");
      await page.keyboard.type("add one");
      same([(await rows(".group")).length, (await rows("tr")).length], [1, 2], "the filter is of the runs in the groups");
      await page.keyboard.press("Escape");
      await press(page, "g");
      same((await rows(".group")).length, 0);
    });
  },

  "two runs are compared, by keyboard": async (browser, runs) => {
    const url = await runs.view(runs.several);
    await browser.page(url, { allowed: [url] }, async (page) => {
      await until("all runs are read", () => page.$$eval("tbody tr", (all) => all.length === 3 && !all.some((one) => one.textContent.includes("is being read"))));
      await press(page, "/");
      await page.keyboard.type("100 euros");
      // The older one first.
      await press(page, "Enter", "End", "x");
      same(await text(page, ".pair-choice"), "Choose another run to compare");
      await press(page, "Home", "x");
      same(await page.$$eval("[data-choose]:checked", (all) => all.length), 2);
      await page.keyboard.press("c");
      await until("the comparison", () => page.$(".turn-of-two"));
      same(await text(page, ".title .muted"), "3 of 3 turns differ");
      const facts = await page.$$eval(".facts-of-two tr", (all) => all.map((one) => one.textContent));
      holds(facts.some((one) => one === "Tokens2,4403,926"), `tokens of both: ${facts}`);
      const first = await page.$$eval(".turn-of-two:nth-of-type(2) .text-line.fresh, .turn-of-two .text-line.fresh", (all) => all.slice(0, 2).map((one) => one.textContent.trim()));
      same(first, ["(println rates)", '(println "rates:" rates)'], "only the line that differs is marked");
      await press(page, "n", "n", "n");
      same(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Turn 3");
      holds((await page.evaluate(() => document.activeElement.textContent)).includes("no such turn"), "the shorter run has no third turn");
      same(await page.$$eval("main img, main script, main [onclick]", (all) => all.length), 0, "texts of runs are only texts");
      await press(page, "e");
      holds(await page.$$eval("main details", (all) => all.every((one) => one.open)), "e unfolds everything");
      await page.keyboard.press("u");
      await until("the list", () => page.$(".run-table"));
    });
  },

  "calls are folded above five on a phone": (browser, runs) => browser.page(`${runs.orders}#turn-4`, { viewport: PHONE }, async (page) => {
    const rows = () => page.$$eval(".calls .call", (all) => all.length);
    const all = Number(await page.$eval(".part:has(.calls) .count", (one) => one.textContent));
    same([all > 5, await rows()], [true, 5]);
    const more = await text(page, ".part:has(.calls) .more");
    same(more, `${all - 5} of ${all} calls are hidden: show all`);
    await page.focus(".part:has(.calls) .more");
    await page.keyboard.press("Enter");
    same([await rows(), await page.$(".part:has(.calls) .more")], [all, null]);
  }),

  "times of a turn add up": (browser, runs) => browser.page(`${runs.bookings}#turn-1`, {}, async (page) => {
    const words = await text(page, ".facts dd");
    const found = /^([\d.]+) (ms|s) = (.*)$/.exec(words);
    holds(found, `the time is ${words}`);
    const parts = found[3].split(" + ").map((part) => /^(.+) ([\d.]+) (ms|s)$/.exec(part).slice(1, 3));
    same(parts.map(([name]) => name), ["model", "calls", "rest"].filter((name) => parts.some(([one]) => one === name)));
    holds(parts.some(([name]) => name === "calls"), `there are calls: ${words}`);
    const sum = parts.reduce((all, [, time]) => all + Math.round(Number(time) * 100), 0);
    same(sum, Math.round(Number(found[1]) * 100), words);
    const together = await text(page, ".part:has(.calls) .sums");
    const [, one, other] = /^5 calls, ([\d.]+ \w+) together, ([\d.]+ \w+) on the clock$/.exec(together) || [];
    const ms = (time) => Number.parseFloat(time) * (time.endsWith(" s") ? 1000 : 1);
    holds(ms(one) > ms(other), together);
  }),

  "the list and a comparison fit on a phone": async (browser, runs) => {
    const url = await runs.view(runs.several);
    await browser.page(url, { allowed: [url], viewport: PHONE, scheme: "dark" }, async (page) => {
      await until("all runs are read", () => page.$$eval("tbody tr", (all) => all.length === 3 && !all.some((one) => one.textContent.includes("is being read"))));
      await press(page, "g");
      const wide = () => page.evaluate(() => Math.max(document.documentElement.scrollWidth - innerWidth, document.querySelector("main").scrollWidth - document.querySelector("main").clientWidth));
      holds((await wide()) <= 0, `the list is ${await wide()} pixels too wide`);
      const boxes = await page.$$("[data-choose]");
      await boxes[0].tap();
      await boxes[1].tap();
      await (await page.$(".pair-choice a")).tap();
      await until("the comparison", () => page.$(".turn-of-two"));
      holds((await wide()) <= 0, `the comparison is ${await wide()} pixels too wide`);
    });
  },

  "a gateway and an evaluation are in the list": async (browser, runs) => {
    const url = await runs.view(runs.attacked, ".ptc/mcp", "results.jsonl");
    await browser.page(url, { allowed: [url] }, async (page) => {
      await until("the gateway", () => page.$(".question"));
      holds((await text(page, ".question pre")).includes("tool/pay"), "the question is shown");
      const [, id] = /ptc mcp approve ([0-9a-f]{16}-[0-9a-f]{6}) --state '\.ptc\/mcp'/.exec(await text(page, ".question p")) || [];
      holds(id, "how it is decided is shown");
      same(await page.$$eval("main img, main script, main [onclick]", (all) => all.length), 0, "texts of programs are only texts");
      const sessions = await page.$$eval("main section tbody tr", (all) => all.map((one) => one.textContent));
      same([sessions.length, sessions.some((one) => one.endsWith("00waiting")), sessions.some((one) => one.endsWith("15idle"))], [2, true, true], sessions.join());
      await until("the results", () => page.$$eval(".run-table tbody tr", (all) => all.length > 3 && !all.some((one) => one.textContent.includes("is being read"))));
      holds(await page.$$eval(".run-table tbody .badge", (all) => all.every((one) => one.textContent === "passed")), "all cases passed");
      same(await page.$$eval(".run-table tbody a, .run-table tbody input", (all) => all.length), 0, "results have no page");
      await press(page, "g");
      holds(await page.$$eval(".group", (all) => all.length > 3), "a group for each case");
      // The last program of a session is a run.
      await page.evaluate(() => [...document.querySelectorAll("main section tbody tr")].find((row) => row.textContent.endsWith("15idle")).querySelector("a").focus());
      await page.keyboard.press("Enter");
      await until("its page", () => page.$(".list a"));
      await press(page, "j");
      same(await text(page, ".calls .tool"), "stock");
    });
  },

  "the page of a gateway has servers, questions, sessions and the audit log": async (browser, runs) => {
    const log = path.join(runs.attacked, ".ptc/mcp/audit.jsonl");
    fs.appendFileSync(log, "no entry\n");
    const url = await runs.view(runs.attacked, ".ptc/mcp");
    await browser.page(url, { allowed: [url] }, async (page) => {
      await until("the gateway", () => page.$(".question"));
      await page.focus("section .tools a");
      await page.keyboard.press("Enter");
      await until("its page", () => page.$(".audit tbody tr"));
      const rows = (selector) => page.$$eval(`${selector} tbody tr`, (all) => all.map((one) => [...one.cells].map((cell) => cell.textContent)));
      const server = (await rows("main section:nth-of-type(1)"))[0];
      same([server.slice(0, 4), server[5]], [["files", "stdio", "1", "not running"], ""], "its server");
      holds(/^\d{4}-/.test(server[4]), `since when it was connected: ${server[4]}`);
      holds((await text(page, ".question pre")).includes("tool/pay"), "the question is shown");
      holds((await text(page, ".title .muted")).startsWith("not running, 1 question waits"), "whether it runs is shown");
      // The newest first: the program that waits, before it the one that ended.
      const events = (await rows(".audit")).map((row) => row[1]);
      same(events, ["program", "end", ...Array(5).fill(["result", "call"]).flat(), "program"], "events");
      holds((await text(page, "main .remark")).includes("1 line of audit.jsonl is damaged"), "the damaged line is counted");
      same(await page.$$eval("main img, main script, main [onclick]", (all) => all.length), 0, "texts of programs are only texts");
      await press(page, "/");
      await page.keyboard.type("FILES-read stock/2");
      await until("the log is searched", async () => (await rows(".audit")).length === 1);
      same((await rows(".audit"))[0].slice(-1), ["approve"]);
      await page.keyboard.press("Escape");
      await until("all entries again", async () => (await rows(".audit")).length === events.length);
      await press(page, "s");
      await page.keyboard.type("end");
      await until("only ends", async () => (await rows(".audit")).length === 1);
      holds((await text(page, ".gateway > div:last-child .count")).startsWith(`1 of ${events.length} entries`), "the count says so");
      // A new entry is shown as it is written; the choice stays.
      fs.appendFileSync(log, `${JSON.stringify({ at: "2026-11-29T05:00:00Z", event: "end", id: "x/1", status: "given up", by: "a client" })}\n`);
      await until("the new entry", async () => (await rows(".audit")).length === 2);
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press("u");
      await until("the list", () => page.$(".run-table"));
    });
  },

  "a case of an evaluation leads to its run": async (browser, runs) => {
    const url = await runs.view(runs.governed, "kept.jsonl");
    await browser.page(url, { allowed: [url] }, async (page) => {
      const read = () => page.$$eval(".run-table tbody tr", (all) => all.length > 3 && !all.some((one) => one.textContent.includes("is being read")));
      await until("the results", read);
      holds(await page.$$eval(".run-table tbody tr", (all) => all.every((row) => row.querySelector("a") && row.querySelector("input"))), "each case has a page, and can be compared");
      await press(page, "/");
      await page.keyboard.type("order-revenue");
      await until("one case", () => page.$$eval(".run-table tbody tr", (all) => all.length === 1));
      await press(page, "Enter");
      await page.keyboard.press("Enter");
      await until("its page", () => page.$(".list a"));
      await press(page, "j");
      holds((await text(page, "main .program")).includes("data/orders"), "its program is shown");
    });
  },

  "a gateway fits on a phone": async (browser, runs) => {
    const url = await runs.view(runs.attacked, ".ptc/mcp", "results.jsonl");
    await browser.page(url, { allowed: [url], viewport: PHONE, scheme: "dark" }, async (page) => {
      await until("the gateway", () => page.$(".question"));
      await until("the results", () => page.$$eval(".run-table tbody tr", (all) => all.length > 3));
      const wide = await page.evaluate(() => Math.max(document.documentElement.scrollWidth - innerWidth, document.querySelector("main").scrollWidth - document.querySelector("main").clientWidth));
      holds(wide <= 0, `it is ${wide} pixels too wide`);
      await (await page.$("section .tools a")).tap();
      await until("its page", () => page.$(".audit tbody tr"));
      const wider = await page.evaluate(() => Math.max(document.documentElement.scrollWidth - innerWidth, document.querySelector("main").scrollWidth - document.querySelector("main").clientWidth));
      holds(wider <= 0, `its page is ${wider} pixels too wide`);
    });
  },

  "no column of an evaluation is cut on a screen of 1300 pixels": (browser, runs) => browser.page(runs.evaluation, { viewport: { width: 1300, height: 900 } }, async (page) => {
    const cut = await page.$$eval(".wide", (all) => all.map((one) => one.scrollWidth - one.clientWidth));
    holds(cut.length > 2 && cut.every((wide) => wide <= 0), `tables are ${cut} pixels too wide`);
  }),
};
