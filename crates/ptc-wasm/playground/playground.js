
// ---- playground.js: examples, settings, running, links. ----

const $ = (id) => document.getElementById(id);
const gallery = JSON.parse($("gallery").textContent);
const result = $("result");
const LIMITS = ["fuel", "memoryBytes", "milliseconds", "depth"];
const slug = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");

// What the open session was made of; null when there is none.
let opened = null;
let isRunning = false;

const toolText = (name) => {
  const { signature, description, js } = gallery.tools[name];
  const body = js.trim().replace(/\n/g, "\n    ");
  return `  ${name}: {\n    signature: ${JSON.stringify(signature)},\n    description: ${JSON.stringify(description)},\n    run: ${body},\n  },\n`;
};
const toolsText = (names) => (names && names.length ? `{\n${names.map(toolText).join("")}}` : "");

function fill({ program, data, tools, limits }) {
  editor.set(program);
  $("data").value = data;
  $("tools").value = tools;
  for (const name of LIMITS) $(name).value = (limits && limits[name]) || "";
  forget("Run the program to see its value, what it printed, its calls and its definitions.");
}

function forget(text) {
  opened = null;
  replace(result, h("p", { class: "muted" }, text));
}

function choose(index) {
  const example = gallery.examples[index];
  $("title").textContent = example.title;
  $("says").textContent = example.says;
  fill({ program: example.program.trim(), data: (example.data || "{}").trim(), tools: toolsText(example.tools), limits: example.limits });
  mark(index);
  history.replaceState(null, "", "#" + slug(example.title));
  later();
}

function mark(index) {
  document.querySelectorAll(".side a").forEach((link, i) => (i === index ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
  const current = document.querySelector(".side a[aria-current]");
  if (current) current.scrollIntoView({ block: "nearest" });
}

function drawGallery() {
  let group = null;
  const parts = gallery.examples.flatMap((example, index) => {
    const link = h("li", {}, h("a", { href: "#" + slug(example.title), onclick: (event) => { event.preventDefault(); choose(index); } }, example.title));
    const heading = example.group === group ? [] : [h("li", { class: "group" }, example.group)];
    group = example.group;
    return [...heading, link];
  });
  replace(document.querySelector(".side"), h("ul", { class: "examples" }, parts));
  append($("add"), Object.entries(gallery.tools).map(([name, { description }]) => h("option", { value: name }, `${name}: ${description}`)));
}

function settings() {
  const limits = {};
  for (const name of LIMITS) if ($(name).value !== "") limits[name] = Number($(name).value);
  return { data: $("data").value.trim() || "{}", tools: $("tools").value, limits };
}

// A session of these settings; the old one stays while they are the same. Problems are shown where they are.
async function open() {
  const given = settings();
  const key = JSON.stringify(given);
  if (opened === key) return true;
  for (const pane of ["data", "tools", "limits"]) $(pane + "-problem").textContent = "";
  try {
    await engine.ask("open", given);
    opened = key;
    return true;
  } catch (error) {
    if (error.isEnd) throw error;
    const pane = /^(data|tools?|limits)/.exec(error.message);
    $((pane ? { tool: "tools" }[pane[1]] || pane[1] : "limits") + "-problem").textContent = error.message;
    return false;
  }
}

async function run() {
  if (isRunning || $("run").disabled) return;
  isRunning = true;
  runs += 1;
  clearTimeout(timer);
  $("run").disabled = true;
  // Short programs do not flicker.
  const slow = setTimeout(() => { $("stop").hidden = false; hint("Running …"); }, 300);
  try {
    if (await open()) {
      const program = editor.text;
      const outcome = await engine.ask("run", { program });
      replace(result, showOutcome(outcome));
      if (editor.text === program) markProblems(outcome);
    } else {
      replace(result, h("p", { class: "muted" }, "Not run: see the message in the pane of the data, the tools or the limits."));
    }
  } catch (error) {
    await restart(error);
  } finally {
    clearTimeout(slow);
    isRunning = false;
    $("stop").hidden = true;
    $("run").disabled = engine.module === null;
    hint("");
  }
}

// The worker is gone, or its module cannot be used any more: start another one.
async function restart(error) {
  opened = null;
  if (!error.isEnd) engine.end("ended");
  replace(result, h("p", { class: "failure f-bad" }, error.isEnd ? "Stopped. " : `The interpreter broke: ${error.message}. `, "All definitions are forgotten."));
  await engine.start();
}

function markProblems({ problems = [], warnings = [] }) {
  editor.mark([...problems.map((one) => ({ ...one, level: "bad" })), ...warnings.map((one) => ({ ...one, level: "warn" }))]);
}

// Checks what is typed, after a moment. What a run has found since stays.
let timer = null;
let runs = 0;
function later() {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    if (isRunning || engine.module === null) return;
    try {
      const before = runs;
      if (!(await open())) return;
      const program = editor.text;
      const checked = await engine.ask("check", { program });
      if (editor.text !== program || runs !== before) return;
      markProblems(checked);
      hint(checked.problems.length ? checked.problems[0].text : "");
    } catch { /* The worker was ended: its end is shown where it was asked to run. */ }
  }, 250);
}

function hint(text) {
  replace($("hint"), texts(text || "Ready."));
}

async function explain() {
  const name = editor.nameAt(true);
  if (isRunning || !name || editor.marks.length) return;
  const doc = await engine.ask("doc", { name }).catch(() => null);
  if (doc) replace($("hint"), h("code", {}, doc.calls.join("  ")), " ", texts(doc.doc));
}

async function complete() {
  if (isRunning || !(await open())) return;
  const prefix = editor.nameAt(false);
  const names = await engine.ask("complete", { prefix });
  if (names.length === 0) return hint(`nothing begins with ${prefix}`);
  let common = names[0];
  while (!names.every((name) => name.startsWith(common))) common = common.slice(0, -1);
  if (common.length > prefix.length) editor.insert(common.slice(prefix.length));
  if (names.length > 1) replace($("hint"), names.slice(0, 40).map((name) => button(name, () => editor.insert(name.slice(editor.nameAt(false).length)), { class: "quiet" })));
}

// ---- Links: the settings, packed, after #p= ----

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function link() {
  const text = JSON.stringify({ program: editor.text, ...settings() });
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const code = btoa(String.fromCharCode(...packed)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  return location.href.split("#")[0] + "#p=" + code;
}

// A program of a link is shown and never run without being asked to.
async function follow(code) {
  try {
    const packed = Uint8Array.from(atob(code.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
    const given = JSON.parse(new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw"))));
    if (typeof given.program !== "string") throw new Error("no program");
    $("title").textContent = "A shared program";
    $("says").textContent = "From a link. Read its tools before you run it.";
    fill({ program: given.program, data: String(given.data || "{}"), tools: String(given.tools || ""), limits: given.limits });
    mark(-1);
  } catch {
    choose(0);
    hint("The link is damaged: this is the first example.");
  }
}

async function arrive() {
  const place = decodeURIComponent(location.hash.slice(1));
  if (place.startsWith("p=")) return follow(place.slice(2));
  const index = gallery.examples.findIndex((example) => slug(example.title) === place);
  choose(Math.max(0, index));
}

function theme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  kept.set("theme", root.dataset.theme);
}

async function begin() {
  const chosen = kept.get("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
  drawGallery();
  await arrive();
  $("run").addEventListener("click", run);
  $("stop").addEventListener("click", () => engine.end("stopped"));
  $("reset").addEventListener("click", () => { forget("All definitions are forgotten."); later(); });
  $("theme").addEventListener("click", theme);
  $("share").addEventListener("click", async () => { const text = await link(); history.replaceState(null, "", text); hint((await copied(text)) ? "The link is copied." : "The link is in the address bar."); });
  $("add").addEventListener("change", () => {
    const name = $("add").value;
    const text = $("tools").value.trim();
    $("tools").value = text ? text.replace(/,?\s*\}\s*$/, `,\n${toolText(name)}}`) : toolsText([name]);
    $("add").value = "";
    later();
  });
  editor.area.addEventListener("input", () => { editor.mark([]); hint(""); later(); });
  editor.area.addEventListener("keyup", (event) => { if (/^(Arrow|Home|End)/.test(event.key)) explain(); });
  editor.area.addEventListener("click", explain);
  for (const id of ["data", "tools", ...LIMITS]) $(id).addEventListener("input", later);
  addEventListener("hashchange", arrive);
  addEventListener("keydown", (event) => {
    const isControl = event.ctrlKey || event.metaKey;
    const step = event.altKey && { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (isControl && event.key === "Enter") { event.preventDefault(); run(); }
    else if (event.ctrlKey && event.key === " " && document.activeElement === editor.area) { event.preventDefault(); complete(); }
    else if (step) {
      event.preventDefault();
      const links = [...document.querySelectorAll(".side a")];
      const at = links.findIndex((one) => one.hasAttribute("aria-current"));
      choose(Math.min(links.length - 1, Math.max(0, at + step)));
    }
  });
  try {
    const version = await engine.start();
    document.querySelector(".banner h1").title = `ptc-wasm ${version}`;
    $("run").disabled = false;
    hint("");
    later();
    document.documentElement.dataset.ready = "yes";
  } catch (error) {
    hint(`The interpreter does not start in this browser: ${error.message}`);
  }
}

begin();
