
// ---- results.js: an outcome as a page shows it. ----

const ENDINGS = {
  value: ["value", "good"],
  return: ["returned", "good"],
  fail: ["failed", "warn"],
  error: ["error", "bad"],
};

function badge(label, kind) {
  return h("span", { class: "badge b-" + kind }, label);
}

function part(title, count, ...body) {
  return h("section", { class: "part" }, h("h3", {}, title, count === null ? null : h("span", { class: "count" }, count)), body);
}

function grid(headings, rows, numbers = []) {
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table" }, h("table", {},
    h("thead", {}, h("tr", {}, headings.map((heading, i) => h("th", { scope: "col", class: numbers[i] ? "number" : null }, heading)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, i) => h("td", { class: numbers[i] ? "number" : null }, cell)))))));
}

const MOST_ROWS = 200;

// Columns of a list of flat maps; null for anything else.
function columnsOf(value) {
  const isRow = (row) => row !== null && typeof row === "object" && !Array.isArray(row);
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRow)) return null;
  const columns = [...new Set(value.flatMap(Object.keys))];
  const isFlat = value.every((row) => Object.values(row).every((cell) => cell === null || typeof cell !== "object" || JSON.stringify(cell).length < 60));
  return isFlat && columns.length > 0 && columns.length <= 12 ? columns : null;
}

function valueTable(value) {
  const columns = columnsOf(value);
  if (!columns) return null;
  const numbers = columns.map((column) => value.every((row) => row[column] === undefined || row[column] === null || typeof row[column] === "number"));
  const cell = (content) => (content === null || content === undefined ? h("span", { class: "none" }, "–") : typeof content === "object" ? JSON.stringify(content) : String(content));
  const rows = value.slice(0, MOST_ROWS).map((row) => columns.map((column) => cell(row[column])));
  const cut = value.length > MOST_ROWS ? h("p", { class: "muted" }, `${grouped(MOST_ROWS)} of ${grouped(value.length)} rows`) : null;
  return [grid(columns, rows, numbers), cut];
}

function shownValue({ value, text }) {
  const shownText = (given) => h("pre", { class: "value", tabindex: "0" }, coloured(pretty(given.length > 200_000 ? given.slice(0, 200_000) + " …" : given, 78)));
  const table = valueTable(value);
  return table ? [table, h("details", {}, h("summary", {}, "As text"), shownText(text))] : shownText(text);
}

function problemPart(problem, level) {
  const { line, column } = problem;
  const place = line ? button(`Line ${line}, column ${column}`, () => editor.goTo(problem), { class: "place" }) : null;
  const functions = (problem.frames || []).map((frame) => frame.function).filter(Boolean);
  const trace = functions.length ? h("p", { class: "muted" }, `in ${functions.join(", called by ")}`) : null;
  return h("div", { class: `failure f-${level}` }, h("p", { class: "what" }, h("b", {}, problem.reason || problem.code), place), h("p", {}, texts(problem.message)), trace);
}

function usageText({ fuel, memory, milliseconds }) {
  return `${duration(milliseconds)} · ${counted(fuel, "unit", "units")} of fuel · ${bytes(memory)}`;
}

function json(value) {
  const text = value === undefined || value === null ? "null" : JSON.stringify(value);
  return h("code", {}, texts(text.length > 300 ? text.slice(0, 300) + " …" : text));
}

function showOutcome(outcome) {
  const problems = outcome.problems || [];
  const isLimit = problems.some((problem) => problem.isLimit);
  const [label, kind] = isLimit ? ["stopped by a limit", "warn"] : ENDINGS[outcome.ending];
  const { prints, warnings, calls, definitions } = outcome;
  return [
    h("p", { class: "ending" }, badge(label, kind), h("span", { class: "muted" }, usageText(outcome.usage))),
    problems.map((problem) => problemPart(problem, problem.isLimit ? "warn" : "bad")),
    outcome.text === undefined ? null : h("div", { class: "answer" }, shownValue(outcome)),
    prints.length ? part("Printed", counted(prints.length, "line"), h("pre", { class: "output", tabindex: "0" }, texts(prints.join("\n")))) : null,
    warnings.length ? part("Warnings", null, warnings.map((warning) => problemPart(warning, "warn"))) : null,
    calls.length ? part("Calls", counted(calls.length, "call"), grid(["Tool", "Arguments", "Result", "Time"], calls.map((call) => [
      h("code", {}, call.tool), json(call.args), call.error === undefined ? json(call.result) : h("span", { class: "bad" }, texts(call.error)), duration(call.milliseconds)]), [0, 0, 0, 1])) : null,
    definitions.length ? part("Definitions", "kept for the next program", grid(["Name", "Value", "Type"], definitions.map((one) => [
      h("code", {}, one.params === undefined ? one.name : `(${one.name} ${one.params})`), h("code", {}, coloured(one.text.slice(0, 400))), one.params === undefined ? one.type : one.doc || "function"]))) : null,
  ];
}
