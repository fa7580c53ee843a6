
// ---- diff.js: two runs next to each other, turn by turn. ----

const SIDES = ["A", "B"];

const diffPage = {
  open({ list, runs }) {
    document.title = "Two runs · ptc";
    Object.assign(this, { list, urls: runs });
    this.state = h("span", { class: "muted", role: "status" });
    this.main = h("main", { class: "page diff", tabindex: "-1" });
    append(document.body, [h("div", { class: "app" },
      h("div", { class: "head" }, h("header", { class: "top" }, h("div", { class: "title" }, h("a", { class: "back", href: list, title: "All runs (u)" }, "‹ Runs"), h("h1", {}, "Two runs"), this.state)),
        h("div", { class: "bar-tools" }, button("Next difference", () => this.nextChanged(), { class: "quiet", title: "The next turn that differs (n)" }), themeButton())), this.main)]);
    addEventListener("keydown", (event) => this.key(event));
  },

  update(diff) {
    const changed = diff.turns.filter(isChanged).length;
    replace(this.state, `${changed ? `${grouped(changed)} of ${counted(diff.turns.length, "turn")} ${changed === 1 ? "differs" : "differ"}` : `${counted(diff.turns.length, "turn")}, all the same`}${diff.live ? ", one is running" : ""}`);
    const top = this.main.scrollTop;
    replace(this.main, this.runs(diff), partDiff(diff.answer, false), diff.turns.map(turnDiff));
    this.main.scrollTop = top;
  },

  // The facts of both runs, a row each.
  runs({ runs }) {
    const row = (name, cells, number) => h("tr", {}, h("th", { scope: "row" }, name), cells.map((cell) => h("td", { class: number ? "number" : null }, cell === undefined || cell === null ? "–" : cell)));
    const of = (name, text, number) => row(name, runs.map(text), number);
    return h("div", { class: "scroll", tabindex: "0" }, h("table", { class: "grid facts-of-two" },
      h("thead", {}, row("", SIDES.map((side, i) => h("a", { href: this.urls[i] }, `Run ${side}`)))),
      h("tbody", {},
        of("Mission", (run) => run.title), of("File", (run) => run.source),
        of("Began", (run) => run.began_ms && date(run.began_ms)), of("Model", (run) => run.model),
        of("Ending", (run) => badge(run.ending, run.ok ? "good" : "bad")),
        of("Turns", (run) => grouped(run.turns), true), of("Tokens", (run) => run.tokens !== undefined && run.tokens !== null ? grouped(run.tokens) : null, true),
        of("Cost", (run) => run.cost !== undefined && run.cost !== null ? money(run.cost) : null, true), of("Time", (run) => duration(run.took_ms), true))));
  },

  // The turns of the page, and which of them the keyboard is at.
  turns() {
    const all = [...this.main.querySelectorAll(".turn-of-two")];
    return [all, all.indexOf(document.activeElement && document.activeElement.closest(".turn-of-two"))];
  },

  move(by) {
    const [all, at] = this.turns();
    const next = all[Math.max(0, Math.min(all.length - 1, at + by))];
    if (next) next.focus();
  },

  nextChanged() {
    const [all, at] = this.turns();
    const next = all.find((turn, i) => i > at && turn.classList.contains("changed")) || all.find((turn) => turn.classList.contains("changed"));
    if (next) next.focus();
  },

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith("Arrow") && event.target.closest("pre, .scroll")) return;
    const actions = {
      j: () => this.move(1), ArrowDown: () => this.move(1), k: () => this.move(-1), ArrowUp: () => this.move(-1), n: () => this.nextChanged(),
      u: () => { location.href = this.list; }, Escape: () => { location.href = this.list; }, t: () => nextTheme(),
      e: () => unfoldIn(this.main),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  },
};

const isSamePart = ({ one, other }) => one === other;

const isChanged = (turn) => !turn.parts.every(isSamePart);

function turnDiff(turn) {
  const facts = turn.sides.map((side, i) => h("div", { class: "turn-facts" }, h("b", { class: "of-side" }, SIDES[i]), side ? sideFacts(side) : h("span", { class: "muted" }, "no such turn")));
  return h("section", { class: `part turn-of-two ${isChanged(turn) ? "changed" : "same-turn"}`, tabindex: "-1", "aria-label": `Turn ${turn.number}` },
    h("div", { class: "heading" }, h("h2", {}, `Turn ${turn.number}`), isChanged(turn) ? null : h("span", { class: "muted" }, "the same")),
    h("div", { class: "two" }, facts), turn.parts.map((part) => partDiff(part, true)));
}

function sideFacts({ status, reason, calls, tokens, cost, took_ms: took }) {
  const { label, class: kind } = STATUS[status];
  return [badge(reason && kind === "bad" ? reason : label, kind), h("span", { class: "muted" }, [
    calls ? counted(calls, "call") : null, tokens.input || tokens.output ? tokenWords(tokens) : null, cost === undefined ? null : money(cost), duration(took),
  ].filter(Boolean).join(" · "))];
}

// A text of both runs: once where it is the same, and side by side where it is not. `isFolded`: closed where it is the same.
function partDiff(part, isFolded) {
  const { what, one, other, head, tail } = part;
  const name = capital(what);
  if (isSamePart(part)) {
    if (!one) return null;
    return isFolded ? closed(name, () => textDiff(one, null), { note: "the same" }) : section(`${name}, the same`, textDiff(one, null));
  }
  const same = head + tail ? `${counted(head + tail, "line")} the same` : null;
  return section(name, h("div", { class: "two" }, [one, other].map((text, i) => h("div", { class: "side-of-two" }, h("b", { class: "of-side" }, SIDES[i]),
    text === null ? h("p", { class: "muted" }, "no such turn") : text ? textDiff(text, { head, tail }) : h("p", { class: "muted" }, "nothing")))), { count: same });
}

// The lines of a text; those between the first `head` and the last `tail` are marked.
function textDiff(text, changed) {
  const all = text.replace(/\n$/, "").split("\n").length;
  const isFresh = (line) => changed && line >= changed.head && line < all - changed.tail;
  const show = (shown) => h("code", {}, shown.split("\n").map((line, i) => h("span", { class: isFresh(i) ? "text-line fresh" : "text-line" }, coloured(line), "\n")));
  return foldedText(text, { class: "value" }, show);
}
