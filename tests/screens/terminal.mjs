// What is typed, and the pictures of it; `terminal` beside this file starts it.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const { PTC, CHROMIUM, HOME_OF_MODULES, OUT } = process.env;
const modules = join(HOME_OF_MODULES, "node_modules");
const puppeteer = createRequire(join(modules, "x"))("puppeteer-core");

/** What is typed, line by line: a line break is Enter, `⇥` is Tab. The last line stands as it is typed. */
const PICTURES = {
  run: { columns: 134, rows: 60, lines: ["ptc run docs/examples/orders/mission.toml", ""] },
  repl: {
    columns: 100,
    rows: 60,
    lines: [
      "ptc repl docs/examples/orders/mission.toml --no-history",
      ":data",
      "(frequencies (map :status data/orders))",
      "(count (filter (fn [o] (= (:status o) :returned)) data/orders))",
      "(defn euros [amount currency date]\n  (* amount\n     (tool/rate {:currency currency\n                 :month (subs date 0 7)})))",
      '(map (fn [c] (euros 100 c "2024-03-01")) ["SEK" "DKK" "XXX"])',
      "(map :status data/⇥",
    ],
  },
};

const SETTLED = 700; // ms without a change
const PATIENCE = 60_000;
const tmux = (...args) => execFileSync("tmux", ["-L", `ptc-screens-${process.pid}`, "-f", "/dev/null", ...args], { encoding: "utf8" });

/** The screen when it has not changed for a while. */
async function settled() {
  const began = Date.now();
  let [screen, since] = ["", Date.now()];
  while (Date.now() - since < SETTLED) {
    if (Date.now() - began > PATIENCE) throw new Error(`the terminal does not come to rest:\n${screen}`);
    await sleep(50);
    const now = tmux("capture-pane", "-e", "-p");
    if (now !== screen) [screen, since] = [now, Date.now()];
  }
  return screen;
}

/** Type the lines of a picture in a folder of its own with our `docs`; the screen with its colours, and the place of the cursor. */
async function typed({ columns, rows, lines }) {
  const home = mkdtempSync(join(tmpdir(), "ptc-screens-"));
  symlinkSync(join(process.cwd(), "docs"), join(home, "docs"));
  const shell = ["env", "-i", `HOME=${home}`, `PTC=${PTC}`, "TERM=xterm-256color", "LANG=C.UTF-8", "PATH=/usr/bin:/bin", "PS1=$ ", "HISTFILE=", "bash", "--norc", "--noprofile"];
  tmux("new-session", "-d", "-c", home, "-x", `${columns}`, "-y", `${rows}`, ...shell);
  try {
    tmux("send-keys", "-l", 'ptc() { "$PTC" "$@"; }; clear\n');
    await settled();
    for (const [at, line] of lines.entries()) {
      for (const part of line.split(/([\n⇥])/).filter((part) => part !== "")) {
        if (part === "\n") tmux("send-keys", "Enter");
        else if (part === "⇥") tmux("send-keys", "Tab");
        else tmux("send-keys", "-l", part);
      }
      if (at + 1 < lines.length) tmux("send-keys", "Enter");
      // The first line starts something that may be silent for a moment.
      if (at === 0) await sleep(3_000);
      await settled();
    }
    const screen = (await settled()).replace(/\n+$/, "");
    const [x, y] = tmux("display-message", "-p", "#{cursor_x} #{cursor_y}").trim().split(" ").map(Number);
    return { screen, x, y, rows: Math.max(screen.split("\n").length, y + 1) };
  } finally {
    tmux("kill-server");
    rmSync(home, { recursive: true, force: true, maxRetries: 9, retryDelay: 100 });
  }
}

const THEME = {
  background: "#16181d", foreground: "#d7dae0", cursor: "#d7dae0", black: "#16181d", red: "#f07178", green: "#9ece6a", yellow: "#e0af68",
  blue: "#7aa2f7", magenta: "#bb9af7", cyan: "#7dcfff", white: "#d7dae0", brightBlack: "#7f8694", brightRed: "#ff8b92", brightGreen: "#b6e38a",
  brightYellow: "#f5cb8b", brightBlue: "#9bbcff", brightMagenta: "#d2b8ff", brightCyan: "#a8e0ff", brightWhite: "#ffffff",
};

/** A page with a terminal of this size, as `window.terminal`. */
function page(columns, rows) {
  const options = { cols: columns, rows, scrollback: 0, fontFamily: "DejaVu Sans Mono, monospace", fontSize: 14, lineHeight: 1.2, theme: THEME };
  return `<!doctype html><meta charset="utf-8"><style>${readFileSync(join(modules, "@xterm/xterm/css/xterm.css"), "utf8")}
body { margin: 0; background: ${THEME.background} } #terminal { display: inline-block; padding: 16px } .xterm-viewport { overflow: hidden !important }
</style><div id="terminal"></div><script>${readFileSync(join(modules, "@xterm/xterm/lib/xterm.js"), "utf8")}</script><script>
window.terminal = new Terminal(${JSON.stringify(options)}); terminal.open(document.getElementById("terminal")); terminal.focus();</script>`;
}

async function photographed(browser, name, { columns }, { screen, x, y, rows }) {
  const tab = await browser.newPage();
  tab.on("pageerror", (error) => { throw error; });
  await tab.setViewport({ width: 1200, height: 900, deviceScaleFactor: 1.5 });
  await tab.setContent(page(columns, rows));
  const text = `${screen.replaceAll("\n", "\r\n")}\x1b[${y + 1};${x + 1}H`;
  await tab.evaluate((text) => new Promise((done) => window.terminal.write(text, done)), text);
  await sleep(300);
  const path = join(OUT, `terminal-${name}.png`);
  await (await tab.$("#terminal")).screenshot({ path });
  await tab.close();
  console.log(path);
}

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in PICTURES));
if (unknown) {
  console.error(`there is no picture ${unknown}; there are ${Object.keys(PICTURES).join(", ")}`);
  process.exit(2);
}
const browser = await puppeteer.launch({ executablePath: CHROMIUM, headless: true, args: ["--no-sandbox"] });
try {
  for (const [name, picture] of Object.entries(PICTURES)) {
    if (wanted.length === 0 || wanted.includes(name)) await photographed(browser, name, picture, await typed(picture));
  }
} finally {
  await browser.close();
}
