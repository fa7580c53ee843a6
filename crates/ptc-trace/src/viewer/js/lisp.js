
// ---- lisp.js: PTC-Lisp as tokens, colours, lines, and values on several lines. ----

const TOKEN = /;[^\n\r]*|#?"(?:[^"\\]|\\[\s\S])*(?:"|$)|\\(?:newline|space|tab|return|backspace|formfeed|u[0-9a-fA-F]{4}|[\s\S])|#inst|#uuid|##[A-Za-z]+|#_|#[({']|[()[\]{}]|['`~@^]|[+-]?\d[^\s()[\]{}",;]*|:[^\s()[\]{}",;]+|[^\s()[\]{}",;'`~@^]+|[\s,]+/g;

const FORMS = new Set(("def defn defn- defonce defmacro fn let letfn loop recur if if-not if-let if-some when when-not when-let when-some " +
  "cond condp case do doseq dotimes for while and or not try catch finally throw -> ->> as-> cond-> cond->> some-> some->> " +
  "return fail pmap pcalls task step-done").split(" "));

// Pieces of a program: `{ text, kind, at }`. Together they are the text.
function tokens(source) {
  const found = [];
  let first = false;
  let at = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(source); match; match = TOKEN.exec(source)) {
    const text = match[0];
    if (match.index > at) found.push({ text: source.slice(at, match.index), kind: "", at });
    found.push({ text, kind: kindOf(text, first), at: match.index });
    if (!/^[\s,;]/.test(text)) first = text === "(" || text === "#(";
    at = match.index + text.length;
  }
  if (at < source.length) found.push({ text: source.slice(at), kind: "", at });
  return found;
}

function kindOf(text, isFirst) {
  const c = text[0];
  if (c === ";") return "comment";
  if (c === '"' || text.startsWith('#"')) return "string";
  if (c === ":" && text.length > 1) return "keyword";
  if (/^[+-]?\d/.test(text) || text.startsWith("##")) return "number";
  if (c === "\\") return "string";
  if (text.length <= 2 && /^#?[()[\]{}]$/.test(text)) return "bracket";
  if (text === "nil" || text === "true" || text === "false") return "number";
  if (text.startsWith("tool/") || text.startsWith("data/")) return "outside";
  if (isFirst && FORMS.has(text)) return "form";
  return isFirst && /^[^\s,]/.test(text) ? "call" : "";
}

// Where a line and a column, from 1 and in characters, are in a text of UTF-16 code units.
function offsetOf(source, place) {
  let at = 0;
  for (let line = 1; line < place.line; line++) {
    const end = /\r\n|\r|\n/g;
    end.lastIndex = at;
    if (!end.exec(source)) return source.length;
    at = end.lastIndex;
  }
  for (let column = 1; column < place.column && at < source.length; column++) at += source.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
}

// The expression that begins there: from and to. A bracket reaches to the one that closes it.
function expressionAt(parts, offset) {
  const first = parts.findIndex((part) => part.at + part.text.length > offset);
  if (first < 0) return null;
  let depth = 0;
  for (let i = first; i < parts.length; i++) {
    const { text, kind, at } = parts[i];
    if (kind === "bracket") depth += /[([{]$/.test(text) ? 1 : -1;
    const isPrefix = /^(?:['`~@^]|#_|#')$/.test(text) || /^[\s,]+$/.test(text);
    if (depth <= 0 && !isPrefix) return [parts[first].at, at + text.length];
  }
  return [parts[first].at, parts[first].at + parts[first].text.length];
}

// Text with colours. Very long texts go without.
function coloured(source) {
  if (source.length > 60_000) return texts(source);
  return tokens(source).map(({ text, kind }) => (kind ? h("span", { class: "c-" + kind }, text) : texts(text)));
}

// A program as numbered lines. `notes` are `{ line, column, text, level }`: the expression there is marked, and the text
// follows its line.
function program(source, notes) {
  const parts = tokens(source);
  const marks = notes.map((note) => ({ note, range: expressionAt(parts, offsetOf(source, note)) })).filter((mark) => mark.range);
  const levelAt = (at) => {
    const inside = marks.filter(({ range }) => at >= range[0] && at < range[1]);
    return inside.some(({ note }) => note.level === "bad") ? " m-bad" : inside.length ? " m-warn" : "";
  };
  const cuts = new Set(marks.flatMap(({ range }) => range));
  const lines = [];
  let line = [];
  const put = (text, kind, at) => { if (text) line.push(h("span", { class: ((kind ? "c-" + kind : "") + levelAt(at)).trim() || null }, text)); };
  const finish = () => {
    const number = lines.filter((one) => one.classList.contains("line")).length + 1;
    lines.push(h("span", { class: "line", "data-n": number }, line.length ? line : null, "\n"));
    for (const { note } of marks) {
      if (note.line === number) lines.push(h("span", { class: "note n-" + note.level }, note.text));
    }
    line = [];
  };
  for (const { text, kind, at } of parts) {
    let from = 0;
    for (let i = 0; i <= text.length; i++) {
      const isEnd = i === text.length;
      const isBreak = !isEnd && (text[i] === "\n" || text[i] === "\r");
      if (isEnd || isBreak || (i > from && cuts.has(at + i))) {
        put(text.slice(from, i), kind, at + from);
        from = i;
      }
      if (isBreak) {
        if (text[i] === "\r" && text[i + 1] === "\n") i++;
        from = i + 1;
        finish();
      }
    }
  }
  finish();
  return h("pre", { class: "program", tabindex: "0", "data-find": true }, h("code", {}, lines));
}

// A value that is written in one line, on as many lines as it takes to stay below `width`.
function pretty(source, width = 96) {
  if (source.length <= width || source.length > 200_000) return source;
  const parts = tokens(source).filter(({ text }) => !/^[\s,]+$/.test(text));
  let at = 0;
  // [text] or { open, items, close, length }; nesting is bounded by what the interpreter writes.
  const read = () => {
    const { text, kind } = parts[at++];
    if (/^(?:['`~@^]|#')$/.test(text) && at < parts.length) {
      const next = read();
      return { ...next, prefix: text + (next.prefix || ""), length: next.length + text.length };
    }
    if (kind !== "bracket" || /^[)\]}]/.test(text)) return { text, length: text.length };
    const items = [];
    while (at < parts.length && !/^[)\]}]$/.test(parts[at].text)) items.push(read());
    const close = at < parts.length ? parts[at++].text : "";
    const length = items.reduce((sum, item) => sum + item.length + 1, text.length + close.length - (items.length ? 1 : 0));
    return { open: text, items, close, length };
  };
  const flat = (node) => (node.prefix || "") + (node.items ? node.open + node.items.map(flat).join(" ") + node.close : node.text);
  const write = (node, indent) => {
    if (!node.items || node.length + indent <= width) return flat(node);
    const inner = indent + (node.prefix || "").length + node.open.length;
    const pad = "\n" + " ".repeat(inner);
    const rows = [];
    if (node.open === "{") {
      for (let i = 0; i < node.items.length; i += 2) {
        const key = write(node.items[i], inner);
        rows.push(i + 1 < node.items.length ? key + " " + write(node.items[i + 1], inner + key.length + 1) : key);
      }
    } else if (node.items.every((item) => !item.items)) {
      // Scalars fill lines.
      let row = "";
      for (const item of node.items.map(flat)) {
        if (row && inner + row.length + item.length + 1 > width) { rows.push(row); row = ""; }
        row += (row ? " " : "") + item;
      }
      rows.push(row);
    } else {
      rows.push(...node.items.map((item) => write(item, inner)));
    }
    return (node.prefix || "") + node.open + rows.join(pad) + node.close;
  };
  try {
    const nodes = [];
    while (at < parts.length) nodes.push(read());
    return nodes.map((node) => write(node, 0)).join(" ");
  } catch {
    // Deeper than the stack of this browser.
    return source;
  }
}
