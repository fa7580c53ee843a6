
// ---- overview.js: the run as a whole: header, strip of turns by time, list of turns, first page. ----

function runHeader(run) {
  const { view } = run;
  const doc = viewer.document;
  const { totals } = view;
  const failed = run.turns.filter((turn) => turn.status === "failed" || turn.status === "gave_up").length;
  const crumbs = [];
  for (let one = run; one; one = one.parent) crumbs.unshift(one);
  const isGoing = doc.live && !run.parent;
  return [
    h("div", { class: "title" },
      viewer.list && h("a", { class: "back", href: viewer.list, title: "All runs" }, "‹ Runs"),
      crumbs.length > 1 && h("nav", { class: "crumbs", "aria-label": "Agents" }, crumbs.slice(0, -1).map((one, i) => {
        const found = one.callOf(crumbs[i + 1]);
        return [h("a", { href: address(one, found ? found.turn.number : 0) }, one.title), found && h("span", { class: "muted" }, ` turn ${found.turn.number}`), h("span", { class: "muted" }, " › ")];
      })),
      h("h1", { title: view.mission || null }, run.title),
      badge(isGoing ? "running" : view.fail ? view.fail.reason : view.ending, isGoing ? "live" : view.ok ? "good" : "bad")),
    h("div", { class: "stats" },
      stat("Model", view.model || (run.parent ? null : "not recorded"), view.model ? null : "A step does not say which model answered; a run that ptc keeps does."),
      doc.began_ms && !run.parent ? stat("Began", date(doc.began_ms)) : null,
      stat("Turns", `${totals.turns}${failed ? ` (${failed} failed)` : ""}`),
      totals.input === undefined ? null : stat("Tokens", `${short(totals.input)} in · ${short(totals.output || 0)} out`, `${grouped(totals.input)} in, ${grouped(totals.output || 0)} out`),
      totals.input ? stat("Cached", percent(totals.cached || 0, totals.input), `${grouped(totals.cached || 0)} of the input tokens were in the cache of the provider`) : null,
      totals.cost !== undefined ? stat("Cost", money(totals.cost), `by prices of ${totals.prices}${totals.below_cost === undefined && run.children.length ? ", without agents that were called" : ""}`)
        : totals.input && !run.parent ? stat("Cost", totals.unpriced || !view.model ? "no price known" : "none", totals.unpriced || (view.model ? "No paid model was asked: recorded answers, or a model of this machine." : "The model is not recorded.")) : null,
      totals.below_tokens ? stat("Called agents", short(totals.below_tokens) + (totals.below_cost === undefined ? "" : ` · ${money(totals.below_cost)}`), `${grouped(totals.below_tokens)} tokens of the agents that were called, in addition`) : null,
      stat("Time", duration(runTime(run)), timeWords(runTime(run), timesOf(run.turns)))),
  ];
}

// Milliseconds.
const runTime = ({ view, turns }) => view.totals.took_ms || turns.reduce((sum, turn) => sum + turn.took_ms, 0);

function stat(name, text, title) {
  return text === null ? null : h("span", { class: "stat", title }, h("span", { class: "name" }, name), h("span", { class: "fact" }, text));
}

// All turns by time.
function strip(run) {
  const total = run.turns.reduce((sum, turn) => sum + turn.took_ms, 0);
  if (run.turns.length < 2) return null;
  const even = total <= 0;
  const bars = run.turns.map((turn, index) => {
    const [left, width] = even ? [index / run.turns.length, 1 / run.turns.length] : [turn.at_ms / total, turn.took_ms / total];
    const bar = h("a", {
      class: "t s-" + STATUS[turn.status].class, href: address(run, turn.number), tabindex: "-1", "data-turn": turn.number,
      title: `Turn ${turn.number}: ${turn.reason || STATUS[turn.status].label}, ${duration(turn.took_ms)}`,
      style: { left: left * 100 + "%", width: `max(2px, calc(${width * 100}% - 1px))` },
    }, width > 0.03 ? h("span", {}, String(turn.number)) : null);
    return bar;
  });
  return h("div", { class: "lanes", "aria-hidden": "true" }, bars);
}

// What a turn did: "calls 14 × rate, defines rates".
function deed(turn) {
  const calls = new Map();
  for (const call of turn.calls || []) calls.set(call.tool, (calls.get(call.tool) || 0) + 1);
  const some = (list) => list.slice(0, 3).join(", ") + (list.length > 3 ? " …" : "");
  const called = [...calls].map(([tool, count]) => (count > 1 ? `${count} × ${tool}` : tool));
  const defined = ((turn.definitions && turn.definitions.set) || []).map((one) => one.name);
  return [called.length && `calls ${some(called)}`, defined.length && `defines ${some(defined)}`, !called.length && !defined.length && turn.prints && "prints"].filter(Boolean).join(", ") || "computes";
}

function turnList(run) {
  const item = (number, children, label) => h("li", {}, h("a", { href: address(run, number), "data-turn": number, "aria-label": label }, children));
  const isGoing = viewer.document.live && !run.parent;
  return h("ol", { class: "list" },
    item(0, [h("span", { class: "dot d-" + (isGoing ? "live" : run.view.ok ? "good" : "bad") }), h("span", { class: "n" }, "Run"), h("span", { class: "what" }, isGoing ? "running" : run.view.ok ? "answer and totals" : run.view.fail.reason)], "Run: answer and totals"),
    run.turns.map((turn) => {
      const status = STATUS[turn.status];
      const calls = (turn.calls || []).length;
      const below = (turn.calls || []).filter((call) => call.child !== undefined).length;
      const what = turn.reason || (turn.status === "ok" ? deed(turn) : status.label);
      return item(turn.number, [
        h("span", { class: "dot d-" + status.class }),
        h("span", { class: "n" }, String(turn.number)),
        h("span", { class: "what" + (status.class === "bad" ? " bad" : "") }, what, below ? h("span", { class: "agents" }, ` ⇣${below}`) : null),
        h("span", { class: "hits" }),
        h("span", { class: "small" }, turn.tokens.input ? `${turn.tokens.counted ? "" : "≈"}${short(turn.tokens.input)}` : ""),
        h("span", { class: "small" }, duration(turn.took_ms)),
      ], `Turn ${turn.number}: ${turn.reason || status.label}`);
    }));
}

function runPage(run) {
  const { view } = run;
  const last = run.turns.length - 1;
  const all = last >= 0 ? [...run.definitions(last).values()] : [];
  return [
    viewer.document.damage && !run.parent ? h("p", { class: "remark" }, `Note: ${viewer.document.damage}.`) : null,
    viewer.document.plain && !run.parent ? h("p", { class: "remark" }, "This step has plain values: keywords show as texts, and input data and requests are not there. The record of its run has them.") : null,
    calledWith(run),
    view.mission ? section("Mission", foldedText(view.mission, { class: "prose mission" }), { tools: [copyButton("mission", () => view.mission)] }) : null,
    view.answer ? section("Answer", shown(view.answer), { tools: [copyButton("answer", () => view.answer.text)] })
      : viewer.document.live && !run.parent ? section("Answer", h("p", { class: "muted" }, "The run is not over; this page follows it."))
      : view.fail ? section("No answer", h("div", { class: "failure" }, h("b", {}, view.fail.reason), h("pre", { class: "prose", "data-find": true }, view.fail.message))) : null,
    run.turns.length ? section(run.view.totals.cost === undefined ? "Tokens by turn" : "Tokens and cost by turn", chart(run)) : h("p", { class: "muted" }, view.turns === null ? "The turns of this run were not kept (keep_turns)." : "No turn has ended yet."),
    run.children.length ? section("Called agents", table(["#", "Agent", "Called in", "Ending", "Turns", "Tokens", "Time"], run.children, (child) => {
      const found = run.callOf(child);
      const { totals } = child.view;
      return h("tr", {}, h("td", { class: "number" }, String(child.place + 1)), h("td", {}, h("a", { href: address(child, 0) }, child.title)),
        h("td", {}, found ? h("a", { href: address(run, found.turn.number) }, `turn ${found.turn.number}, call ${found.call + 1}`) : "–"),
        h("td", {}, badge(child.view.fail ? child.view.fail.reason : child.view.ending, child.view.ok ? "good" : "bad")),
        h("td", { class: "number" }, String(totals.turns)), h("td", { class: "number" }, totals.input === undefined ? "–" : grouped(totals.input + (totals.output || 0))), h("td", { class: "number" }, duration(totals.took_ms)));
    }, { class: "grid" }, { numbers: [1, 0, 0, 0, 1, 1, 1] }), { count: grouped(run.children.length) }) : null,
    view.children_left_out ? h("p", { class: "remark" }, `${counted(view.children_left_out, "called agent")} below are left out: too many levels.`) : null,
    all.length ? closed("Definitions at the end", () => h("div", { class: "definitions" }, all.map((one) => definitionRow(one, null))), { note: grouped(all.length) }) : null,
    view.tools.length ? closed("Tools", () => h("dl", { class: "tool-list" }, view.tools.map((tool) => [h("dt", {}, h("code", {}, coloured(`tool/${tool.name} ${tool.signature || ""}`))), h("dd", {}, tool.description || "")])), { note: grouped(view.tools.length) }) : null,
    view.data.length ? closed("Data", () => h("dl", { class: "tool-list" }, view.data.map(([name, label]) => [h("dt", {}, h("code", {}, `data/${name}`)), h("dd", {}, label)])), { note: grouped(view.data.length) }) : null,
    view.system !== undefined ? closed("System text", () => messageText(view.system), { note: `${grouped(view.system.length)} characters`, tools: [copyButton("system text", () => view.system)] }) : null,
    h("p", { class: "muted foot" }, [`Time ${timeWords(runTime(run), timesOf(run.turns))}. `, view.signature && `Signature ${view.signature}. `, view.history.length ? `History shown as ${view.history.join("; ")}. ` : null, view.totals.memory_bytes ? `Memory at the end: ${bytes(view.totals.memory_bytes)}. ` : null, viewer.document.source && `Read from ${viewer.document.source}.`]),
  ];
}

// Of a run that answered a call: the arguments, and where the call is.
function calledWith(run) {
  const found = run.parent && run.parent.callOf(run);
  if (!found) return null;
  const { args } = found.turn.calls[found.call];
  return section("Called with", value(args), {
    count: h("a", { href: address(run.parent, found.turn.number) }, `turn ${found.turn.number}, call ${found.call + 1}`), tools: [copyButton("arguments", () => args)],
  });
}

// Bars of all turns: what the cache had, new input, output.
function chart(run) {
  const most = Math.max(1, ...run.turns.map(({ tokens }) => tokens.input + tokens.output));
  const costs = run.turns.map((turn) => turn.cost).filter((cost) => cost !== undefined);
  const height = (count) => ({ height: (count / most) * 100 + "%" });
  const isKnown = run.turns.some(({ tokens }) => tokens.input + tokens.output > 0);
  const isCounted = run.turns.every(({ tokens }) => tokens.counted || !tokens.input);
  if (!isKnown) return h("p", { class: "muted" }, "No token counts of this run are known.");
  const bars = run.turns.map((turn) => {
    const { tokens } = turn;
    return h("a", { class: "column", href: address(run, turn.number), tabindex: "-1", title: `Turn ${turn.number}: ${tokenWords(tokens)}${turn.cost === undefined ? "" : ", " + money(turn.cost)}` },
      h("span", { class: "t-out", style: height(tokens.output) }),
      h("span", { class: "t-new", style: height(Math.max(0, tokens.input - tokens.cached)) }),
      h("span", { class: "t-cached", style: height(tokens.cached) }));
  });
  const highest = Math.max(0, ...costs);
  const costBars = () => run.turns.map((turn) => h("a", { class: "column", href: address(run, turn.number), tabindex: "-1", title: `Turn ${turn.number}: ${turn.cost === undefined ? "cost not known" : money(turn.cost)}` },
    h("span", { class: "t-cost", style: { height: ((turn.cost || 0) / highest) * 100 + "%" } })));
  const step = Math.max(1, Math.ceil(run.turns.length / 12));
  return h("figure", { class: "chart" },
    h("div", { class: "plot" }, h("span", { class: "axis most" }, short(most)), h("span", { class: "axis least" }, "0"), h("div", { class: "columns" }, bars)),
    highest > 0 ? h("div", { class: "plot of-cost" }, h("span", { class: "axis most" }, money(highest)), h("div", { class: "columns" }, costBars())) : null,
    h("div", { class: "ticks" }, run.turns.map((turn, i) => h("span", {}, i % step === 0 ? h("span", {}, String(turn.number)) : null))),
    h("figcaption", {}, h("span", { class: "key" }, h("i", { class: "t-cached" }), isCounted ? "input from the cache" : "input that all requests begin with"), h("span", { class: "key" }, h("i", { class: "t-new" }), "new input"), h("span", { class: "key" }, h("i", { class: "t-out" }), "output"),
      highest > 0 ? h("span", { class: "key" }, h("i", { class: "t-cost" }), "cost") : null,
      costs.length ? h("span", { class: "muted" }, `${money(Math.min(...costs))} to ${money(Math.max(...costs))} a turn`) : null,
      isCounted ? null : h("span", { class: "muted" }, "estimated: the provider did not count")));
}
