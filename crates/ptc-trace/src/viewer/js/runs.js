
// ---- runs.js: the list of runs of `ptc view`. ----

const COLUMNS = [
  { key: "when", label: "When", text: (run) => (run.began_ms ? date(run.began_ms) : "–"), value: (run) => run.began_ms || 0 },
  { key: "title", label: "Mission", value: (run) => run.title.toLowerCase() },
  { key: "ending", label: "Ending", value: (run) => run.ending },
  { key: "model", label: "Model", text: (run) => run.model || "–", value: (run) => run.model || "" },
  { key: "turns", label: "Turns", number: true, text: (run) => grouped(run.turns), value: (run) => run.turns },
  { key: "tokens", label: "Tokens", number: true, text: (run) => (run.tokens ? short(run.tokens) : "–"), value: (run) => run.tokens || 0 },
  { key: "cost", label: "Cost", number: true, text: (run) => (run.cost === undefined ? "–" : money(run.cost)), value: (run) => (run.cost === undefined ? -1 : run.cost) },
  { key: "took", label: "Time", number: true, text: (run) => duration(run.took_ms), value: (run) => run.took_ms },
];

const runsPage = {
  runs: [],
  sort: { key: "when", down: true },

  open() {
    document.title = "Runs · ptc";
    this.filter = h("input", { type: "search", placeholder: "Filter  /", "aria-label": "Filter the runs", spellcheck: "false", oninput: () => this.show() });
    this.filter.addEventListener("keydown", (event) => { if (event.key === "Escape") { this.filter.value = ""; this.show(); this.filter.blur(); } if (event.key === "Enter" || event.key === "ArrowDown") this.focus(0); event.stopPropagation(); });
    this.count = h("span", { class: "muted", role: "status" });
    this.head = h("tr");
    this.body = h("tbody");
    this.foot = h("tfoot");
    this.empty = h("p", { class: "muted" });
    append(document.body, [h("div", { class: "app runs" },
      h("div", { class: "head" }, h("header", { class: "top" }, h("div", { class: "title" }, h("h1", {}, "Runs"), this.count)), h("div", { class: "bar-tools" }, this.filter, themeButton())),
      h("main", { class: "page" }, h("table", { class: "grid run-table" }, h("thead", {}, this.head), this.body, this.foot), this.empty))]);
    addEventListener("keydown", (event) => this.key(event));
  },

  update({ runs, from }) {
    this.runs = runs;
    this.from = from;
    this.show();
  },

  show() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (run) => [run.title, run.inputs, run.answer, run.ending, run.model, run.file, run.problem].join(" ").toLowerCase();
    const column = COLUMNS.find(({ key }) => key === this.sort.key);
    const some = this.runs.filter((run) => words.every((word) => text(run).includes(word)));
    some.sort((one, other) => {
      const [a, b] = [column.value(one), column.value(other)];
      return (a < b ? -1 : a > b ? 1 : 0) * (this.sort.down ? -1 : 1);
    });
    replace(this.head, COLUMNS.map(({ key, label, number }) => h("th", { scope: "col", class: number ? "number" : null, "aria-sort": key === this.sort.key ? (this.sort.down ? "descending" : "ascending") : null },
      button([label, key === this.sort.key ? (this.sort.down ? " ↓" : " ↑") : ""], () => { this.sort = { key, down: key === this.sort.key ? !this.sort.down : Boolean(number) || key === "when" }; this.show(); }, { class: "sort" }))));
    const focused = document.activeElement && document.activeElement.dataset.id;
    replace(this.body, some.map((run) => this.row(run)));
    const again = focused && [...this.body.querySelectorAll("a")].find((link) => link.dataset.id === focused);
    if (again) again.focus();
    const sum = (of) => some.reduce((total, run) => total + (of(run) || 0), 0);
    replace(this.foot, some.length > 1 ? h("tr", {}, COLUMNS.map(({ key, number }) => h("td", { class: number ? "number" : null },
      key === "title" ? `${grouped(some.filter((run) => run.ok).length)} with an answer` : key === "turns" ? grouped(sum((run) => run.turns)) : key === "tokens" ? short(sum((run) => run.tokens)) : key === "cost" ? money(sum((run) => run.cost)) : key === "took" ? duration(sum((run) => run.took_ms)) : ""))) : null);
    replace(this.count, this.runs.length ? `${grouped(some.length)}${some.length < this.runs.length ? ` of ${grouped(this.runs.length)}` : ""} in ${this.from}` : null);
    replace(this.empty, some.length ? null : this.runs.length ? "No run has all of these words." : `There is no run in ${this.from} yet: ptc run keeps each one there. This page shows it as soon as it starts.`);
  },

  row(run) {
    const kind = run.live ? "live" : run.ok ? "good" : "bad";
    return h("tr", {}, COLUMNS.map(({ key, number, label, text }) => {
      if (key === "title") {
        const file = h("span", { class: "file", title: run.path }, run.file);
        if (run.pending) return h("td", { class: "title-cell" }, h("span", { class: "muted" }, "is being read…"), file);
        const title = run.problem ? h("span", { class: "bad" }, run.problem) : h("a", { href: run.url, "data-id": run.id }, run.title);
        const said = [run.inputs && `with ${run.inputs}`, run.answer && `→ ${run.answer}`].filter(Boolean).join(" ");
        return h("td", { class: "title-cell" }, title, said ? h("span", { class: "file" }, said) : null, file);
      }
      if (run.pending) return h("td", {});
      if (key === "ending") return h("td", { "data-label": label }, badge(run.live ? "running" : run.ending, kind));
      return h("td", { class: number ? "number" : null, "data-label": label }, run.problem ? "–" : text(run));
    }));
  },

  focus(at) {
    const links = [...this.body.querySelectorAll("a")];
    const link = links[Math.max(0, Math.min(links.length - 1, at))];
    if (link) link.focus();
  },

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const links = [...this.body.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    const actions = {
      j: () => this.focus(at + 1), ArrowDown: () => this.focus(at + 1), k: () => this.focus(at - 1), ArrowUp: () => this.focus(at - 1),
      Home: () => this.focus(0), End: () => this.focus(links.length - 1), "/": () => this.filter.focus(), t: () => nextTheme(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  },
};
