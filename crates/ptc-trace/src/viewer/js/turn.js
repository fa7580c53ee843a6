
// ---- turn.js: one turn. ----

function turnPage(run, index) {
  const turn = run.turns[index];
  const status = STATUS[turn.status];
  const most = Math.max(1, ...run.turns.map((one) => one.tokens.input + one.tokens.output));
  const kind = { must_return: "last turn: it had to return", retry: "paid from the retry turns" }[turn.kind];
  const words = [
    ["Time", timeWords(turn.took_ms, turn.times)],
    turn.tokens.input || turn.tokens.output ? ["Tokens", tokenWords(turn.tokens)] : null,
    turn.cost === undefined ? null : ["Cost", money(turn.cost)],
  ];
  return [
    h("div", { class: "turn-head" },
      h("h2", {}, `Turn ${turn.number}`, h("span", { class: "of" }, ` of ${run.turns.length}`)),
      badge(turn.reason && status.class === "bad" ? turn.reason : status.label, status.class),
      kind && h("span", { class: "muted" }, kind),
      h("span", { class: "steps" },
        button("‹", () => viewer.move(-1), { class: "quiet", title: "Previous turn (k)", "aria-label": "Previous turn", disabled: index === 0 }),
        button("›", () => viewer.move(1), { class: "quiet", title: "Next turn (j)", "aria-label": "Next turn", disabled: index + 1 === run.turns.length }))),
    h("div", { class: "turn-facts" }, facts(words), tokenBar(turn.tokens, most)),
    failure(turn),
    said(turn),
    programPart(turn),
    callsPart(run, turn),
    turn.prints && section("Output", foldedText(turn.prints.join("\n"), { class: "output" }), {
      count: turn.prints.length > 1 ? turn.prints.length : null, tools: [copyButton("output", () => turn.prints.join("\n"))],
    }),
    turn.result && resultPart(turn),
    definitionsPart(run, index),
    requestPart(run, index),
    turn.reasoning && closed("Reasoning", () => foldedText(turn.reasoning, { class: "prose" }), { note: `${grouped(turn.reasoning.length)} characters` }),
    closed("Answer of the model, as it came", () => messageText(turn.answer), {
      note: turn.stop ? `stopped: ${typeof turn.stop === "string" ? turn.stop : JSON.stringify(turn.stop)}` : `${grouped(turn.answer.length)} characters`,
      tools: [copyButton("answer", () => turn.answer)],
    }),
  ];
}

function failure(turn) {
  if (!turn.error) return null;
  const place = turn.failed_at ? `line ${turn.failed_at.line}, column ${turn.failed_at.column}` : null;
  return h("div", { class: "failure", role: "note" },
    h("b", {}, turn.reason || "fail"), place && h("span", { class: "muted" }, place), h("pre", { class: "prose", "data-find": true }, turn.error));
}

// What the model wrote around its program.
function said(turn) {
  const text = turn.program ? prose(turn) : "";
  return text ? h("div", { class: "said", "data-find": true }, text) : null;
}

function programPart(turn) {
  if (!turn.program) {
    const none = turn.status === "failed" ? "The answer holds no program." : "The model answered without a program.";
    return section("Program", [h("p", { class: "muted" }, none), foldedText(turn.answer || "(empty)", { class: "prose" })]);
  }
  const notes = (turn.warnings || []).map((warning) => ({ ...warning, level: "warn", text: `${warning.code}: ${warning.message}` }));
  if (turn.failed_at && turn.error) notes.push({ ...turn.failed_at, level: "bad", text: turn.reason || "fail" });
  const lines = turn.program.split(/\r\n|\r|\n/).length;
  return section("Program", program(turn.program, notes), {
    count: counted(lines, "line"), tools: [copyButton("program", () => turn.program)],
  });
}

// A short result is beside its heading.
function resultPart(turn) {
  const title = turn.status === "returned" ? "Answer" : "Result";
  const { text, table: rows } = turn.result;
  if (!rows && text.length <= 60) return h("section", { class: "part short" }, h("h3", {}, title), h("code", { class: "value", "data-find": true }, coloured(text)));
  return section(title, shown(turn.result), { tools: [copyButton("result", () => text)] });
}

const CALL_STATUS = { running: "live", ok: "ok", error: "bad", "perhaps done": "warn", cached: "soft", "from the failed turn": "soft" };

function callsPart(run, turn) {
  const calls = turn.calls;
  if (!calls) return null;
  const end = Math.max(...calls.map((call) => call.at_us + call.took_us));
  const isTimed = end > 0;
  const headings = ["#", "Tool", "Arguments", "Result", "Status", "Time", isTimed && "Timeline"].filter(Boolean);
  const rows = calls.map((call, place) => ({ call, place }));
  const list = table(headings, rows, ({ call, place }) => callRows(run, call, place, isTimed ? end : 0), { class: "calls" }, isNarrow() ? { few: FEW.calls, most: FEW.calls, one: "call" } : { one: "call" });
  return section("Tool calls", [atOnce(turn), bySum(calls), list], { count: grouped(calls.length) });
}

// Calls that were made at the same time take less on the clock than together.
function atOnce({ calls, times }) {
  if (times.calls_us - times.clock_us < 1000) return null;
  return h("p", { class: "sums" }, `${counted(calls.length, "call")}, ${duration(times.calls_us / 1000)} together, ${duration(times.clock_us / 1000)} on the clock`);
}

// `rate × 113 (2 failed), 1.2 s`
function bySum(calls) {
  const sums = new Map();
  for (const call of calls) {
    const sum = sums.get(call.tool) || { calls: 0, failed: 0, us: 0, known: 0 };
    sum.calls += 1;
    sum.us += call.took_us;
    if (call.status === "error" || call.status === "perhaps done") sum.failed += 1;
    if (call.status === "cached" || call.status === "from the failed turn") sum.known += 1;
    sums.set(call.tool, sum);
  }
  if (calls.length < 4) return null;
  const words = [...sums].map(([tool, sum]) => {
    const beside = [sum.failed && `${sum.failed} failed`, sum.known && `${sum.known} not made again`].filter(Boolean).join(", ");
    return h("span", { class: "sum" }, h("b", {}, tool), ` × ${grouped(sum.calls)}${beside ? ` (${beside})` : ""}, ${duration(sum.us / 1000)}`);
  });
  return h("p", { class: "sums" }, words);
}

// A call is a row, and opens into one with everything.
function callRows(run, call, place, end) {
  const kind = CALL_STATUS[call.status];
  const child = call.child === undefined ? null : run.children[call.child];
  const timeline = end > 0 && h("td", { class: "lane" }, h("span", { class: "track" },
    h("span", { class: "span s-" + kind, style: { "margin-left": (call.at_us / end) * 100 + "%", width: Math.max(0.8, (call.took_us / end) * 100) + "%" },
      title: `from ${duration(call.at_us / 1000)} to ${duration((call.at_us + call.took_us) / 1000)}` })));
  const cut = (text) => (text.length > 300 ? text.slice(0, 300) + "…" : text);
  const opener = button(String(place + 1), () => toggle(), { class: "opener", "aria-expanded": "false", title: "Show all of this call" });
  const row = h("tr", { class: "call k-" + kind },
    h("td", { class: "number" }, opener),
    h("td", { class: "tool" }, call.tool, child && h("a", { class: "into", href: address(child, 0), title: "Open the run of this agent" }, "open ›")),
    h("td", { class: "code args", "data-find": true, "data-label": "Arguments" }, coloured(cut(call.args))),
    h("td", { class: "code", "data-find": true, "data-label": "Result" }, kind === "bad" || kind === "warn" ? h("span", { class: "bad" }, cut(call.result)) : coloured(cut(call.result))),
    h("td", { class: "status" }, badge(call.status, kind), call.edited && badge("edited", "warn")),
    h("td", { class: "number time" }, duration(call.took_us / 1000)),
    timeline);
  let whole = null;
  const toggle = () => {
    if (whole) { whole.remove(); whole = null; } else {
      whole = h("tr", { class: "whole" }, h("td", { colspan: row.cells.length },
        h("div", { class: "heading" }, h("h4", {}, "Arguments"), copyButton("arguments", () => call.args)), value(call.args),
        h("div", { class: "heading" }, h("h4", {}, capital(call.status === "ok" ? "result" : call.status)), copyButton("result", () => call.result)),
        kind === "bad" || kind === "warn" ? foldedText(call.result, { class: "prose" }) : value(call.result)));
      row.after(whole);
    }
    row.classList.toggle("open", whole !== null);
    opener.setAttribute("aria-expanded", String(whole !== null));
  };
  row.addEventListener("click", (event) => {
    if (!event.target.closest("a, button") && !String(getSelection())) toggle();
  });
  return row;
}

function definitionsPart(run, index) {
  const { set = [], gone = [] } = run.turns[index].definitions;
  const before = index > 0 ? run.definitions(index - 1) : new Map((run.view.definitions || []).map((one) => [one.name, one]));
  const after = run.definitions(index);
  if (!after.size && !gone.length) return null;
  const changed = set.map((one) => definitionRow(one, before.has(one.name) ? "changed" : "new", before.get(one.name)));
  const lost = gone.map((name) => definitionRow({ name, label: "" }, "gone", before.get(name)));
  const names = new Set(set.map((one) => one.name));
  const same = [...after.values()].filter((one) => !names.has(one.name));
  const count = [set.length && counted(set.length, "change"), gone.length && `${gone.length} gone`, `${after.size} in all`].filter(Boolean).join(", ");
  return section("Definitions after the turn", [
    changed.length || lost.length ? h("div", { class: "definitions" }, changed, lost) : h("p", { class: "muted" }, "Nothing changed."),
    same.length ? closed(`Unchanged (${same.length})`, () => h("div", { class: "definitions" }, same.map((one) => definitionRow(one, null)))) : null,
  ], { count });
}

function definitionRow(one, change, before) {
  const sign = one.params === undefined ? one.name : `(${one.name}${one.params ? " " + one.params : ""})`;
  const hidden = one.text === undefined && one.params === undefined && change !== "gone";
  const text = change === "gone" ? (before && before.text) : one.text;
  return h("details", { class: "definition" },
    h("summary", {}, change && badge(change, { new: "ok", changed: "warn", gone: "bad" }[change]), h("code", {}, sign),
      h("span", { class: "muted" }, one.label), one.doc && h("span", { class: "doc" }, one.doc),
      text !== undefined && text !== null && h("code", { class: "preview" }, text.length > 120 ? text.slice(0, 120) + "…" : text)),
    hidden ? h("p", { class: "muted" }, "Its name begins with `_`: the value is not shown, as models do not see it either.")
      : text === undefined || text === null ? h("p", { class: "muted" }, "A function; its text is in the program that defined it.")
        : [value(text), change === "changed" && before && before.text !== undefined && before.text !== one.text ? [h("h4", {}, "Before"), value(before.text)] : null]);
}

// What the model saw: only what is new, or all of it.
function requestPart(run, index) {
  const messages = run.request(index);
  if (!messages) {
    const why = run.parent ? "Steps of called agents do not keep what was sent, unless messages are collected (collect_messages)."
      : "This step does not say what was sent; a journal or a step with typed values does.";
    return closed("What the model saw", () => h("p", { class: "muted" }, why));
  }
  const size = messages.reduce((sum, message) => sum + message.text.length, 0);
  const fresh = messages.reduce((sum, message) => sum + (message.isOld ? 0 : message.to - message.from), 0);
  const note = index === 0 ? `${counted(messages.length, "message")}, ${grouped(size)} characters`
    : `${counted(messages.length, "message")}, ${grouped(size)} characters, ${grouped(fresh)} new`;
  const body = () => {
    const box = h("div");
    const show = (isWhole) => {
      replace(box,
        index > 0 && h("div", { class: "switch", role: "group", "aria-label": "What is shown" },
          button("New in this turn", () => show(false), { "aria-pressed": String(!isWhole) }),
          button("The whole request", () => show(true), { "aria-pressed": String(isWhole) })),
        isWhole && run.view.system !== undefined ? closed("system", () => messageText(run.view.system), { note: `${grouped(run.view.system.length)} characters, the same in each turn` }) : null,
        messages.map((message) => messageBox(message, isWhole)));
    };
    show(index === 0);
    return box;
  };
  return closed("What the model saw", body, {
    note, tools: [copyButton("request", () => messages.map(({ role, text }) => `[${role}]\n${text}`).join("\n\n"))],
  });
}

function messageBox(message, isWhole) {
  const { role, text, from, to, isOld } = message;
  const unchanged = isOld || (from === to && to >= text.length);
  if (!isWhole && isOld) return null;
  const label = h("div", { class: "role" }, h("b", {}, role), h("span", { class: "muted" }, `${grouped(text.length)} characters${unchanged ? ", as before" : ""}`));
  if (isWhole) {
    const parts = unchanged || (from === 0 && to === text.length) ? messageText(text)
      : h("pre", { class: "raw", "data-find": true, tabindex: "0" }, text.slice(0, from), h("span", { class: "fresh" }, text.slice(from, to)), text.slice(to));
    return h("div", { class: "message r-" + role }, label, parts);
  }
  const around = (part, name) => part.length > 0 && h("p", { class: "same" }, `${grouped(part.length)} characters ${name} are those of the previous turn`);
  return h("div", { class: "message r-" + role }, label,
    around(text.slice(0, from), "before this"), from < to ? messageText(text.slice(from, to)) : h("p", { class: "muted" }, "Nothing new; something was left out."),
    around(text.slice(to), "after this"));
}
