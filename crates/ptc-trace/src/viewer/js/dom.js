
// ---- dom.js: elements. Whatever comes from a run becomes a text node, never markup. ----

// Makes an element. `attributes` may hold `class`, `style` (an object), handlers (`onclick`), and plain attributes;
// null and false leave one out. Children are nodes, texts, or lists of these.
function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") element.className = value;
    else if (name === "style") for (const [key, part] of Object.entries(value)) element.style.setProperty(key, part);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : plain(String(value)));
  }
  append(element, children);
  return element;
}

function append(parent, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(parent, child);
    else if (child instanceof Node) parent.appendChild(child);
    else append(parent, texts(String(child)));
  }
}

// Characters that nobody sees, that turn the direction of writing, or that no page may hold.
const ODD = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ufffe\uffff\u{e0000}-\u{e0fff}]/gu;

function numbered(odd) {
  return "U+" + odd.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
}

// A text for places that hold no elements, such as attributes and the title of the page: odd characters are shown by
// their numbers.
function plain(text) {
  return text.replace(ODD, numbered);
}

// A text as nodes: odd characters are shown by their numbers, which look different.
function texts(text) {
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(ODD)) {
    if (found.index > from) nodes.push(document.createTextNode(text.slice(from, found.index)));
    const mark = document.createElement("span");
    mark.className = "odd";
    mark.appendChild(document.createTextNode(numbered(found[0])));
    nodes.push(mark);
    from = found.index + found[0].length;
  }
  if (from < text.length) nodes.push(document.createTextNode(from ? text.slice(from) : text));
  return nodes;
}

function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

function button(label, onclick, attributes) {
  return h("button", { type: "button", onclick, ...attributes }, label);
}

// A button that copies what `text()` gives, and says so.
function copyButton(what, text) {
  const copy = button("Copy", async () => {
    copy.textContent = (await copied(text())) ? "Copied" : "Not copied";
    setTimeout(() => { copy.textContent = "Copy"; }, 1500);
  }, { class: "quiet copy", title: `Copy the ${what}`, "aria-label": `Copy the ${what}` });
  return copy;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Files have no clipboard in some browsers: select and copy, as before there was one.
    const area = h("textarea", { class: "offscreen", "aria-hidden": "true" });
    area.value = text;
    document.body.appendChild(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

// A choice that stays, where the browser keeps any.
const kept = {
  get(name) { try { return localStorage.getItem("ptc-" + name); } catch { return null; } },
  set(name, value) { try { localStorage.setItem("ptc-" + name, value); } catch { /* it lasts as long as the page */ } },
};
