
// ---- runs.js: the list of runs of `ptc view`. ----

const total = (runs, of) => runs.reduce((sum, run) => sum + (of(run) || 0), 0);

// `sum` is what a column says of several runs.
const COLUMNS = [
  { key: "when", label: "When", text: (run) => (run.began_ms ? date(run.began_ms) : "–"), value: (run) => run.began_ms || 0 },
  { key: "title", label: "Mission", value: (run) => run.title.toLowerCase(), sum: (runs) => `${grouped(runs.filter((run) => run.ok).length)} with an answer` },
  { key: "ending", label: "Ending", value: (run) => run.ending },
  { key: "model", label: "Model", text: (run) => run.model || "–", value: (run) => run.model || "" },
  { key: "turns", label: "Turns", number: true, text: (run) => grouped(run.turns), value: (run) => run.turns, sum: (runs) => grouped(total(runs, (run) => run.turns)) },
  { key: "tokens", label: "Tokens", number: true, text: (run) => (run.tokens ? short(run.tokens) : "–"), value: (run) => run.tokens || 0, sum: (runs) => short(total(runs, (run) => run.tokens)) },
  { key: "cost", label: "Cost", number: true, text: (run) => (run.cost === undefined ? "–" : money(run.cost)), value: (run) => (run.cost === undefined ? -1 : run.cost), sum: (runs) => (runs.some((run) => run.cost !== undefined) ? money(total(runs, (run) => run.cost)) : "–") },
  { key: "took", label: "Time", number: true, text: (run) => duration(run.took_ms), value: (run) => run.took_ms, sum: (runs) => duration(total(runs, (run) => run.took_ms)) },
];

const runsPage = {
  runs: [],
  gateways: [],
  sort: { key: "when", down: true },
  isGrouped: kept.get("grouped") === "yes",
  folded: new Set(),
  // The runs to be compared, by id, in the order in which they were chosen.
  chosen: [],

  open() {
    document.title = "Runs · ptc";
    this.filter = h("input", { type: "search", placeholder: "Filter  /", "aria-label": "Filter the runs", spellcheck: "false", oninput: () => this.show() });
    this.filter.addEventListener("keydown", (event) => { if (event.key === "Escape") { this.filter.value = ""; this.show(); this.filter.blur(); } if (event.key === "Enter" || event.key === "ArrowDown") this.focus(0); event.stopPropagation(); });
    this.count = h("span", { class: "muted", role: "status" });
    this.pair = h("span", { class: "pair-choice", role: "status" });
    this.groups = button("By mission", () => this.group(), { class: "quiet", title: "Group the runs by mission (g)" });
    this.table = h("table", { class: "grid run-table" });
    this.empty = h("p", { class: "muted" });
    this.states = h("div");
    append(document.body, [h("div", { class: "app runs" },
      h("div", { class: "head" }, h("header", { class: "top" }, h("div", { class: "title" }, h("h1", {}, "Runs"), this.count)), h("div", { class: "bar-tools" }, this.pair, this.filter, this.groups, themeButton())),
      h("main", { class: "page" }, this.states, this.table, this.empty))]);
    addEventListener("keydown", (event) => this.key(event));
  },

  update({ runs, from, gateways = [] }) {
    Object.assign(this, { runs, from, gateways });
    // Only what has changed is drawn again: somebody may be reading it.
    const drawn = JSON.stringify(gateways);
    if (drawn !== this.drawn) replace(this.states, gateways.map((gateway) => gatewayPart(gateway)));
    this.drawn = drawn;
    this.chosen = this.chosen.filter((id) => runs.some((run) => run.id === id));
    this.show();
  },

  show() {
    const some = this.filtered();
    const focused = document.activeElement && { ...document.activeElement.dataset };
    replace(this.table, h("thead", {}, this.headings()), this.bodies(some), h("tfoot", {}, some.length > 1 ? h("tr", {}, h("td"), COLUMNS.map((column) => this.sum(column, some))) : null));
    const again = focused && [...this.table.querySelectorAll("[data-id], [data-choose]")].find(({ dataset }) => (focused.id && dataset.id === focused.id) || (focused.choose && dataset.choose === focused.choose));
    if (again) again.focus();
    this.groups.setAttribute("aria-pressed", String(this.isGrouped));
    this.showPair();
    replace(this.count, this.runs.length ? `${grouped(some.length)}${some.length < this.runs.length ? ` of ${grouped(this.runs.length)}` : ""} in ${this.from}` : null);
    replace(this.empty, some.length || (this.gateways.length && !this.runs.length) ? null : this.runs.length ? "No run has all of these words." : `There is no run in ${this.from} yet: ptc run keeps each one there. This page shows it as soon as it starts.`);
  },

  // The runs that have all words of the filter, sorted.
  filtered() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (run) => [run.title, run.inputs, run.answer, run.ending, run.model, run.file, run.problem].join(" ").toLowerCase();
    const column = COLUMNS.find(({ key }) => key === this.sort.key);
    const some = this.runs.filter((run) => words.every((word) => text(run).includes(word)));
    return some.sort((one, other) => {
      const [a, b] = [column.value(one), column.value(other)];
      return (a < b ? -1 : a > b ? 1 : 0) * (this.sort.down ? -1 : 1);
    });
  },

  headings() {
    const heading = ({ key, label, number }) => {
      const isSorted = key === this.sort.key;
      const sort = () => { this.sort = { key, down: isSorted ? !this.sort.down : Boolean(number) || key === "when" }; this.show(); };
      return h("th", { scope: "col", class: number ? "number" : null, "aria-sort": isSorted ? (this.sort.down ? "descending" : "ascending") : null },
        button([label, isSorted ? (this.sort.down ? " ↓" : " ↑") : ""], sort, { class: "sort" }));
    };
    return h("tr", {}, h("th", { scope: "col", class: "choose", "aria-label": "Compare" }), COLUMNS.map(heading));
  },

  // One list, or one for each mission: the mission whose run comes first in the list is the first.
  bodies(some) {
    if (!this.isGrouped) return h("tbody", {}, some.map((run) => this.row(run)));
    const groups = new Map();
    for (const run of some) {
      const mission = run.mission || run.title;
      if (!groups.has(mission)) groups.set(mission, []);
      groups.get(mission).push(run);
    }
    return [...groups].map(([mission, runs]) => h("tbody", {}, this.groupRow(mission, runs), this.folded.has(mission) ? null : runs.map((run) => this.row(run))));
  },

  groupRow(mission, runs) {
    const isFolded = this.folded.has(mission);
    const toggle = () => { if (isFolded) this.folded.delete(mission); else this.folded.add(mission); this.show(); };
    const opener = button(runs[0].title, toggle, { class: "opener", "aria-expanded": String(!isFolded), "data-id": `mission ${mission}` });
    const title = (column) => h("th", { scope: "rowgroup", class: "title-cell" }, opener, h("span", { class: "file" }, `${counted(runs.length, "run")}, ${column.sum(runs)}`));
    return h("tr", { class: "group" }, h("td"), COLUMNS.map((column) => (column.key === "title" ? title(column) : this.sum(column, runs))));
  },

  sum({ label, number, sum }, runs) {
    return h("td", { class: number ? "number" : null, "data-label": label }, sum ? sum(runs) : "");
  },

  row(run) {
    const kind = run.live ? "live" : run.ok ? "good" : "bad";
    return h("tr", {}, this.choice(run), COLUMNS.map(({ key, number, label, text }) => {
      if (key === "title") {
        const file = h("span", { class: "file", title: run.path }, run.file);
        if (run.pending) return h("td", { class: "title-cell" }, h("span", { class: "muted" }, "is being read…"), file);
        const title = run.problem ? h("span", { class: "bad" }, run.problem) : run.url ? h("a", { href: run.url, "data-id": run.id }, run.title) : h("b", { tabindex: "0", "data-id": run.id }, run.title);
        const said = [run.inputs && `with ${run.inputs}`, run.answer && `→ ${run.answer}`].filter(Boolean).join(" ");
        // Of an evaluation: a record for each further text of the user.
        const further = (run.records || []).slice(1).map((record, at) => [" ", h("a", { class: "text-of-user", href: record.url }, `text ${at + 2} ›`)]);
        return h("td", { class: "title-cell" }, title, further.length ? h("span", {}, further) : null, said ? h("span", { class: "file" }, said) : null, file);
      }
      if (run.pending) return h("td", {});
      if (key === "ending") return h("td", { "data-label": label }, badge(run.live ? "running" : run.ending, kind));
      return h("td", { class: number ? "number" : null, "data-label": label }, run.problem ? "–" : text(run));
    }));
  },

  choice(run) {
    if (run.pending || run.problem || !run.url) return h("td", { class: "choose" });
    const box = h("input", { type: "checkbox", "data-choose": run.id, "aria-label": `Compare the run of ${run.title}`, title: "Choose for a comparison (x)", onchange: () => this.choose(run.id) });
    box.checked = this.chosen.includes(run.id);
    return h("td", { class: "choose" }, box);
  },

  // Two are compared: a third one replaces the first.
  choose(id) {
    this.chosen = this.chosen.includes(id) ? this.chosen.filter((one) => one !== id) : [...this.chosen, id].slice(-2);
    for (const box of this.table.querySelectorAll("[data-choose]")) box.checked = this.chosen.includes(box.dataset.choose);
    this.showPair();
  },

  showPair() {
    const [one, other] = this.chosen;
    replace(this.pair, other ? h("a", { href: this.pairUrl(), title: "Compare the two runs turn by turn (c)" }, "Compare 2 runs ›") : one ? h("span", { class: "muted" }, "Choose another run to compare") : null);
  },

  pairUrl() {
    return this.chosen.length === 2 ? `diff/${this.chosen.join("/")}` : null;
  },

  group() {
    this.isGrouped = !this.isGrouped;
    kept.set("grouped", this.isGrouped ? "yes" : "no");
    this.show();
  },

  // Where the keyboard is: the place among the links of runs and the buttons of groups, -1 for nowhere.
  places() {
    const links = [...this.table.querySelectorAll("[data-id]")];
    const row = document.activeElement && document.activeElement.closest("tr");
    return [links, links.findIndex((link) => row && link.closest("tr") === row)];
  },

  focus(at) {
    const [links] = this.places();
    const link = links[Math.max(0, Math.min(links.length - 1, at))];
    if (link) link.focus();
  },

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [links, at] = this.places();
    const run = at >= 0 && this.runs.find(({ id, url }) => url && id === links[at].dataset.id);
    const actions = {
      j: () => this.focus(at + 1), ArrowDown: () => this.focus(at + 1), k: () => this.focus(at - 1), ArrowUp: () => this.focus(at - 1),
      Home: () => this.focus(0), End: () => this.focus(links.length - 1), "/": () => this.filter.focus(), t: () => nextTheme(),
      g: () => this.group(), x: () => run && this.choose(run.id), c: () => { const url = this.pairUrl(); if (url) location.href = url; },
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  },
};
