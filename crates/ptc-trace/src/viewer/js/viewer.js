
// ---- viewer.js: the page of a run: what is chosen, keys, the address, and runs that go on. ----

const viewer = {
  document: null,
  root: null,
  list: null,
  chosen: { run: null, number: 0 },

  // Builds the frame once.
  open(doc, list) {
    this.list = list;
    this.header = h("header", { class: "top" });
    this.lane = h("div", { class: "strip" });
    this.side = h("nav", { class: "side", "aria-label": "Turns" });
    this.main = h("main", { class: "page", tabindex: "-1" });
    this.news = h("div", { class: "news", role: "status" });
    this.bar = this.tools();
    append(document.body, [h("div", { class: "app" }, h("div", { class: "head" }, this.header, this.bar), this.lane, h("div", { class: "body" }, this.side, this.main), this.news), help]);
    this.load(doc);
    for (const event of ["hashchange", "popstate"]) addEventListener(event, () => this.follow(route(this.root, location.hash)));
    addEventListener("keydown", (event) => this.key(event));
    this.choose(route(this.root, location.hash));
  },

  load(doc) {
    this.document = doc;
    this.root = new Run(doc.run, null, 0);
    document.title = plain(`${this.root.title} · ptc`);
  },

  tools() {
    this.input = h("input", {
      type: "search", placeholder: "Search  /", "aria-label": "Search in all turns", spellcheck: "false", autocomplete: "off",
      oninput: () => { clearTimeout(this.typing); this.typing = setTimeout(() => this.search(this.input.value), 150); },
      onkeydown: (event) => {
        if (event.key === "Enter") { event.preventDefault(); this.search(this.input.value); this.hit(event.shiftKey ? -1 : 1); }
        if (event.key === "Escape") { this.input.value = ""; this.search(""); this.main.focus(); }
        event.stopPropagation();
      },
    });
    this.found = h("span", { class: "found", role: "status" });
    return h("div", { class: "bar-tools" }, this.input, this.found,
      h("span", { class: "found-steps", hidden: true }, button("‹", () => this.hit(-1), { class: "quiet", title: "Previous hit (N)", "aria-label": "Previous hit" }), button("›", () => this.hit(1), { class: "quiet", title: "Next hit (n)", "aria-label": "Next hit" })),
      themeButton(), button("?", () => toggleHelp(), { class: "quiet", title: "Keys (?)", "aria-label": "Keys" }));
  },

  // Shows a run or a turn; the frame of the run only when it is another one.
  choose({ run, number }, keepsPlace = false) {
    const isOther = this.chosen.run !== run;
    this.chosen = { run, number };
    if (isOther) this.frame();
    for (const link of [...this.side.querySelectorAll("a"), ...this.lane.querySelectorAll("a")]) {
      const isChosen = Number(link.dataset.turn) === number;
      if (isChosen) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
    }
    const current = this.side.querySelector("[aria-current]");
    if (current) current.scrollIntoView({ block: "nearest", inline: "nearest" });
    const top = keepsPlace ? this.main.scrollTop : 0;
    replace(this.main, number ? turnPage(run, number - 1) : runPage(run));
    this.main.scrollTop = top;
    markHits(this.main);
    finding.at = -1;
    this.count();
  },

  // Where the address leads, unless that is shown.
  follow({ run, number }) {
    if (run !== this.chosen.run || number !== this.chosen.number) this.choose({ run, number });
  },

  frame() {
    const { run } = this.chosen;
    replace(this.header, runHeader(run));
    replace(this.lane, strip(run));
    this.lane.hidden = run.turns.length < 2;
    replace(this.side, turnList(run));
    this.hitCounts();
  },

  go(run, number) {
    const to = address(run, number);
    // At once: the event of a new address comes later than a second key may.
    if (location.hash !== to) history.pushState(null, "", to);
    this.choose({ run, number });
  },

  move(by) {
    const { run, number } = this.chosen;
    const to = Math.max(0, Math.min(run.turns.length, number + by));
    if (to !== number) this.go(run, to);
  },

  // To the run that called this one, at the call.
  up() {
    const { run, number } = this.chosen;
    if (run.parent) {
      const found = run.parent.callOf(run);
      this.go(run.parent, found ? found.turn.number : 0);
    } else if (number) this.go(run, 0);
    else if (this.list) location.href = this.list;
  },

  // Into the first agent that this turn called, or that the run called.
  down() {
    const { run, number } = this.chosen;
    const call = number ? (run.turns[number - 1].calls || []).find((one) => one.child !== undefined) : null;
    const child = number ? call && run.children[call.child] : run.children[0];
    if (child) this.go(child, 0);
  },

  nextFailed() {
    const { run, number } = this.chosen;
    const isBad = (turn) => STATUS[turn.status].class === "bad";
    const next = run.turns.find((turn) => turn.number > number && isBad(turn)) || run.turns.find(isBad);
    if (next) this.go(run, next.number);
  },

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea")) return;
    const isInScroller = event.target !== this.main && event.target.closest("pre, .scroll");
    if (isInScroller && event.key.startsWith("Arrow")) return;
    if (helpIsOpen() && event.key !== "?") { if (event.key === "Escape") toggleHelp(); return; }
    const actions = {
      j: () => this.move(1), k: () => this.move(-1), ArrowDown: () => this.move(1), ArrowUp: () => this.move(-1),
      ArrowRight: () => this.move(1), ArrowLeft: () => this.move(-1),
      Home: () => this.go(this.chosen.run, 0), End: () => this.go(this.chosen.run, this.chosen.run.turns.length),
      f: () => this.nextFailed(), o: () => this.down(), u: () => this.up(), Backspace: () => this.up(),
      Escape: () => (finding.query ? (this.input.value = "", this.search("")) : this.up()),
      "/": () => { this.input.focus(); this.input.select(); }, n: () => this.hit(1), N: () => this.hit(-1),
      e: () => unfoldIn(this.main), t: () => nextTheme(), "?": () => toggleHelp(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  },


  search(text) {
    const query = text.toLowerCase();
    if (query === finding.query) return;
    const hadQuery = Boolean(finding.query);
    finding.query = query;
    finding.places = find(this.root, query);
    this.hitCounts();
    if (query || hadQuery) this.choose(this.chosen, true);
  },

  hitCounts() {
    for (const link of this.side.querySelectorAll("a")) {
      const place = finding.places.find(({ run, number }) => run === this.chosen.run && number === Number(link.dataset.turn));
      const hits = link.querySelector(".hits");
      if (hits) replace(hits, place ? grouped(place.hits) : null);
      link.classList.toggle("missed", Boolean(finding.query) && !place);
    }
  },

  // `3 of 12 here, 40 in 5 turns`
  count() {
    const total = finding.places.reduce((sum, place) => sum + place.hits, 0);
    const inTurns = counted(finding.places.length, "place");
    const here = finding.ranges.length ? `${finding.at >= 0 ? finding.at + 1 + " of " : ""}${finding.ranges.length} here · ` : "";
    replace(this.found, finding.query ? (total ? `${here}${grouped(total)} in ${inTurns}` : "nothing found") : null);
    this.bar.querySelector(".found-steps").hidden = !total;
  },

  // The next hit: here, or in the next place that has any.
  hit(by) {
    if (!finding.places.length) return;
    const next = finding.at < 0 ? (by > 0 ? 0 : finding.ranges.length - 1) : finding.at + by;
    if (next >= 0 && next < finding.ranges.length) {
      showHit(next);
      this.count();
      return;
    }
    const order = withBelow(this.root);
    const key = ({ run, number }) => order.indexOf(run) * 1e6 + number;
    const here = key(this.chosen);
    const others = finding.places.filter((place) => key(place) !== here);
    if (!others.length) { if (finding.ranges.length) { showHit(by > 0 ? 0 : finding.ranges.length - 1); this.count(); } return; }
    const after = by > 0 ? others.find((place) => key(place) > here) || others[0] : others.findLast((place) => key(place) < here) || others.at(-1);
    history.pushState(null, "", address(after.run, after.number));
    this.choose(after);
    if (finding.ranges.length) { showHit(by > 0 ? 0 : finding.ranges.length - 1); this.count(); }
  },

  // The same run, further on: what is read stays where it is.
  update(doc) {
    const { run, number } = this.chosen;
    const [path, before] = [run.path, run.turns.length];
    const same = (one, other) => JSON.stringify(one, skipped) === JSON.stringify(other, skipped);
    const old = number ? run.turns[number - 1] : run.view;
    this.load(doc);
    const now = runAt(this.root, path) || this.root;
    finding.places = find(this.root, finding.query);
    const isSame = number > 0 && now.turns[number - 1] && same(old, now.turns[number - 1]);
    const place = this.side.scrollTop;
    this.chosen = { run: now, number: Math.min(number, now.turns.length) };
    this.frame();
    this.side.scrollTop = place;
    if (isSame) {
      for (const link of document.querySelectorAll(`[data-turn="${number}"]`)) link.setAttribute("aria-current", "true");
      replaceOf(this.main, number, now.turns.length);
    } else this.choose(this.chosen, true);
    const more = now.turns.length - before;
    if (more > 0) this.tell(`${counted(more, "new turn")}: End shows the last one`);
    if (!doc.live) this.tell(doc.run.ok ? "The run is over." : "The run ended without an answer.");
  },

  tell(text) {
    replace(this.news, h("span", {}, text));
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => replace(this.news), 6000);
  },
};

// Opens what is folded here.
function unfoldIn(main) {
  const closedIn = () => main.querySelectorAll("details:not([open])");
  let found = false;
  // What is opened may have folded parts, too.
  for (let folded = closedIn(); folded.length; folded = closedIn()) {
    found = true;
    for (const details of folded) { details.open = true; if (details.fill) details.fill(); }
  }
  for (const more of main.querySelectorAll("button.more")) more.click();
  if (!found) for (const opener of main.querySelectorAll(".opener[aria-expanded=false]")) opener.click();
}

const skipped = (name, part) => (name === "findable" ? undefined : part);

// The turns behind a turn that is shown have become more.
function replaceOf(main, number, all) {
  const of = main.querySelector(".turn-head .of");
  if (of) replace(of, ` of ${all}`);
  const next = main.querySelector(".steps button:last-child");
  if (next) next.disabled = number === all;
}

const KEYS = [
  ["j  ↓  →", "next turn"], ["k  ↑  ←", "previous turn"], ["Home", "the run: mission, answer, totals"], ["End", "last turn"],
  ["f", "next turn that failed"], ["o", "into the agent that this turn called"], ["u  Esc", "back to the caller"],
  ["/", "search"], ["n  N", "next hit, previous hit"], ["e", "unfold everything here"], ["t", "light, dark, as the system"], ["?", "these keys"],
];

const help = h("div", { class: "help", hidden: true, role: "dialog", "aria-label": "Keys", onclick: () => toggleHelp() },
  h("div", { class: "sheet" }, h("h2", {}, "Keys"), h("dl", {}, KEYS.map(([keys, text]) => [h("dt", {}, keys.split("  ").map((key) => h("kbd", {}, key))), h("dd", {}, text)])), h("p", { class: "muted" }, "In a box that scrolls, the arrow keys scroll it.")));

const helpIsOpen = () => !help.hidden;

function toggleHelp() { help.hidden = !help.hidden; }

const THEMES = ["auto", "light", "dark"];

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  for (const label of document.querySelectorAll(".theme")) label.textContent = { auto: "Auto", light: "Light", dark: "Dark" }[name];
}

function nextTheme() {
  const now = THEMES.indexOf(document.documentElement.dataset.theme);
  const next = THEMES[(now + 1) % THEMES.length];
  kept.set("theme", next);
  setTheme(next);
}

function themeButton() {
  const now = document.documentElement.dataset.theme;
  return button({ auto: "Auto", light: "Light", dark: "Dark" }[now], () => nextTheme(), { class: "quiet theme", title: "Light, dark, or as the system (t)" });
}
