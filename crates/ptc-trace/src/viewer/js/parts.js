
// ---- parts.js: what pages are made of. ----

// Lines, characters, rows, and calls on a phone, above which a part is folded.
const FEW = { lines: 40, characters: 6_000, rows: 25, calls: 5 };

const isNarrow = () => matchMedia("(max-width: 760px)").matches;

function badge(label, kind) {
  return h("span", { class: "badge b-" + kind }, label);
}

// A heading with what belongs to it. `tools` are buttons at its right.
function section(title, body, { tools = [], count = null, id = null } = {}) {
  const heading = h("div", { class: "heading" }, h("h3", {}, title, count === null ? null : h("span", { class: "count" }, count)), h("span", { class: "tools" }, tools));
  return h("section", { class: "part", id }, heading, body);
}

// A part that is closed until somebody opens it; `body()` is made then.
function closed(title, body, { open = false, tools = [], note = null } = {}) {
  const inside = h("div", { class: "inside" });
  const details = h("details", { class: "part", open },
    h("summary", {}, h("span", { class: "h3" }, title), note && h("span", { class: "summary-note" }, note)), inside);
  const fill = () => { if (!inside.hasChildNodes()) append(inside, [h("div", { class: "tools" }, tools), body()]); };
  details.addEventListener("toggle", () => details.open && fill());
  details.fill = fill;
  if (open || finding.query) fill();
  return details;
}

// A long text is cut after some lines, and says so. `show` makes nodes of a text.
function foldedText(text, attributes, show = texts) {
  const lines = text.split("\n");
  const isLong = lines.length > FEW.lines * 1.5 || text.length > FEW.characters * 1.5;
  const pre = (shown) => h("pre", { tabindex: "0", "data-find": true, ...attributes }, show(shown));
  if (!isLong || finding.query) return pre(text);
  const some = lines.slice(0, FEW.lines).join("\n").slice(0, FEW.characters);
  const box = h("div", { class: "folded" });
  const more = button(`Show all (${counted(lines.length, "line")}, ${grouped(text.length)} characters)`, () => box.replaceChildren(pre(text)), { class: "more" });
  append(box, [pre(some), more]);
  return box;
}

// What models are sent and answer: programs in it have colours.
function messageText(text, attributes = {}) {
  const fenced = /(^|\n)```(?:clojure|lisp|clj)[ \t]*\n([\s\S]*?)(?=\n```|$)/g;
  const show = (shown) => {
    const nodes = [];
    let from = 0;
    for (const found of shown.matchAll(fenced)) {
      const at = found.index + found[0].length - found[2].length;
      nodes.push(texts(shown.slice(from, at)), coloured(found[2]));
      from = at + found[2].length;
    }
    if (!from && shown.trimStart().startsWith("(")) return coloured(shown);
    return [...nodes, texts(shown.slice(from))];
  };
  return foldedText(text, { class: "raw", ...attributes }, show);
}

// A value as a program writes it.
function value(text, attributes = {}) {
  return foldedText(pretty(text), { class: "value", ...attributes }, coloured);
}

// A table; rows above `most` are folded to `few`. `cells(row)` gives the cells, which are nodes or texts.
function table(headings, rows, cells, attributes = {}, { numbers = [], few = FEW.rows, most = FEW.rows * 1.5, one = "row", many } = {}) {
  const body = h("tbody");
  const box = h("div", { class: "scroll", tabindex: "0" }, h("table", attributes, h("thead", {}, h("tr", {}, headings.map((heading, i) => h("th", { scope: "col", class: numbers[i] ? "number" : null }, heading)))), body));
  const put = (some) => append(body, some.map(cells));
  if (rows.length <= most || finding.query) {
    put(rows);
    return box;
  }
  put(rows.slice(0, few));
  const hidden = rows.length - few;
  const more = button(`${grouped(hidden)} of ${counted(rows.length, one, many)} ${hidden === 1 ? "is" : "are"} hidden: show all`, () => { more.remove(); put(rows.slice(few)); }, { class: "more" });
  return h("div", { class: "folded" }, box, more);
}

// The answer of a run: a table where it is a list of maps, and as a program writes it.
function shown(answer) {
  if (!answer.table) return value(answer.text, { class: "value answer" });
  const { under, columns, rows, total } = answer.table;
  const isNumber = columns.map((_, column) => rows.every((row) => row[column] === null || /^-?[\d.]+(?:[eE][+-]?\d+)?$/.test(row[column])));
  const grid = table(columns, rows, (row) => h("tr", {}, row.map((cell, column) =>
    h("td", { class: isNumber[column] ? "number" : null, "data-find": true }, cell === null ? h("span", { class: "none" }, "–") : cell))), { class: "grid" }, { numbers: isNumber });
  const cut = total > rows.length ? h("p", { class: "muted" }, `${grouped(rows.length)} of ${grouped(total)} rows; the value below has all.`) : null;
  const whole = under ? value(answer.text, { class: "value answer" }) : closed("As a value", () => value(answer.text));
  return [under ? [whole, h("p", { class: "under" }, ":" + under)] : null, grid, cut, under ? null : whole];
}

function facts(pairs) {
  return h("dl", { class: "facts" }, pairs.filter(Boolean).map(([name, text, title]) => h("div", { title }, h("dt", {}, name), h("dd", {}, text))));
}

// Bars of a request and its answer: what the cache had, what was new, what was written.
function tokenBar({ input, cached, output }, most) {
  const part = (kind, count) => count > 0 && h("span", { class: kind, style: { width: (count / Math.max(1, most)) * 100 + "%" } });
  return h("span", { class: "bar", role: "presentation" }, part("t-cached", cached), part("t-new", Math.max(0, input - cached)), part("t-out", output));
}

function tokenWords({ input, cached, output, counted: isCounted, write }) {
  const about = isCounted ? "" : "about ";
  const repeated = isCounted ? "from the cache" : "the same in each request";
  const words = [`${about}${grouped(input)} in`];
  if (cached) words.push(`${grouped(cached)} (${percent(cached, input)}) ${repeated}`);
  if (write) words.push(`${grouped(write)} written to the cache`);
  words.push(`${grouped(output)} out`);
  return words.join(", ");
}
