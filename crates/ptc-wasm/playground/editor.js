
// ---- editor.js: a text area under its own colours, with line numbers and marks. ----

const editor = {
  area: document.getElementById("program"),
  colours: document.querySelector(".colours"),
  gutter: document.querySelector(".gutter"),
  marks: [],

  get text() { return editor.area.value; },

  set(text) {
    editor.area.value = text;
    editor.area.scrollTop = 0;
    editor.area.setSelectionRange(0, 0);
    editor.mark([]);
  },

  // `marks` are `{ line, column, level, text }`: the expression there is underlined, its line number coloured.
  mark(marks) {
    editor.marks = marks.filter(({ line }) => line);
    editor.draw();
  },

  draw() {
    const source = editor.text;
    const parts = source.length > 60_000 ? [{ text: source, kind: "", at: 0 }] : tokens(source);
    const ranges = editor.marks.map((mark) => ({ ...mark, range: expressionAt(parts, offsetOf(source, mark)) })).filter(({ range }) => range);
    const cuts = [...new Set(ranges.flatMap(({ range }) => range))].sort((a, b) => a - b);
    const nodes = [];
    for (const { text, kind, at } of parts) {
      const inner = cuts.filter((cut) => cut > at && cut < at + text.length);
      [at, ...inner].forEach((from, i) => {
        const to = inner[i] ?? at + text.length;
        const level = ranges.filter(({ range }) => from >= range[0] && from < range[1]).map((mark) => mark.level).sort()[0];
        nodes.push(h("span", { class: [kind && "c-" + kind, level && "m-" + level].filter(Boolean).join(" ") || null }, document.createTextNode(source.slice(from, to))));
      });
    }
    replace(editor.colours, nodes, "\n");
    const levels = new Map(editor.marks.map(({ line, level }) => [line, level]));
    const count = source.split("\n").length;
    replace(editor.gutter, Array.from({ length: count }, (_, i) => h("span", { class: levels.has(i + 1) ? "g-" + levels.get(i + 1) : null }, `${i + 1}\n`)));
    editor.scroll();
  },

  scroll() {
    editor.colours.style.transform = `translate(${-editor.area.scrollLeft}px, ${-editor.area.scrollTop}px)`;
    editor.gutter.style.transform = `translateY(${-editor.area.scrollTop}px)`;
  },

  goTo({ line, column }) {
    const at = offsetOf(editor.text, { line, column });
    editor.area.focus();
    editor.area.setSelectionRange(at, at);
  },

  // The name before the cursor, or under it.
  nameAt(whole) {
    const at = editor.area.selectionStart;
    const before = /[^\s()[\]{}",;'`~@^#]*$/.exec(editor.text.slice(0, at))[0];
    const after = whole ? /^[^\s()[\]{}",;'`~@^]*/.exec(editor.text.slice(at))[0] : "";
    return before + after;
  },

  insert(text) {
    editor.area.focus();
    // Keeps what undo knows.
    if (!document.execCommand("insertText", false, text)) editor.area.setRangeText(text, editor.area.selectionStart, editor.area.selectionEnd, "end");
  },
};

editor.area.addEventListener("scroll", editor.scroll);
editor.area.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return;
  const line = editor.text.slice(0, editor.area.selectionStart).split("\n").pop();
  event.preventDefault();
  editor.insert("\n" + " ".repeat(indentAfter(line)));
});

// Two columns inside the innermost bracket that the line leaves open, one inside data, else like the line.
function indentAfter(line) {
  const open = [];
  for (const { text, kind, at } of tokens(line)) {
    if (kind !== "bracket") continue;
    if (/[([{]$/.test(text)) open.push(at + (text.endsWith("(") ? 2 : text.length));
    else open.pop();
  }
  return open.length ? open.pop() : /^ */.exec(line)[0].length;
}
