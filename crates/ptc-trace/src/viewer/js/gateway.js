
// ---- gateway.js: what a gateway keeps, in the list of runs and on its page. ----

// Questions that wait for a decision, and the sessions: the part of the list that links to the page.
function gatewayPart(gateway) {
  const { state, url, waiting, problem } = gateway;
  const count = [runningWords(gateway), waitingWords(waiting)].filter(Boolean).join(", ");
  return section(`Gateway ${state}`, [problem ? h("p", { class: "remark" }, problem) : null, questions(gateway), sessionTable(gateway, "")],
    { count, tools: [problem ? null : h("a", { href: url }, "Servers and audit log ›")] });
}

const runningWords = ({ running }) => (running === null ? null : running ? "running" : "not running");

const waitingWords = (waiting) => (waiting.length ? `${counted(waiting.length, "question")} ${waiting.length === 1 ? "waits" : "wait"} for a decision` : "nothing waits");

function questions({ waiting, state }) {
  return waiting.map((question) => h("div", { class: "question" }, h("pre", { class: "prose", tabindex: "0" }, question.text), decision(question.id, state)));
}

// How a question is decided: this page only shows. A name that no gateway gives is not made part of a command.
function decision(id, state) {
  if (!/^[0-9a-f]{16}-[0-9a-f]{1,16}$/.test(id)) return null;
  const folder = `'${state.replaceAll("'", "'\\''")}'`;
  return h("p", { class: "muted" }, "Decide with ", h("code", {}, `ptc mcp approve ${id} --state ${folder}`), " or ", h("code", {}, `ptc mcp deny ${id} --state ${folder}`), ". To approve takes the code that the gateway shows.");
}

// The sessions; `base` is where the addresses of their runs begin.
function sessionTable({ sessions }, base) {
  const number = (of) => h("td", { class: "number" }, of === null ? "–" : grouped(of));
  const row = (session) => h("tr", {}, h("td", {}, session.url ? h("a", { href: base + session.url }, session.session) : session.session),
    h("td", {}, session.used_ms === null ? "–" : date(session.used_ms)), number(session.programs), number(session.calls),
    h("td", {}, badge(session.progress, { waiting: "warn", interrupted: "bad", idle: "soft" }[session.progress])),
    h("td", { class: "code" }, session.program ? coloured(session.program) : ""));
  if (!sessions.length) return h("p", { class: "muted" }, "No session yet.");
  return table(["Session", "Used", "Programs ended", "Their calls", "Now", "Interrupted program"], sessions, row, { class: "grid" }, { numbers: [0, 0, 1, 1, 0, 0], one: "session" });
}

// The servers as the gateway last wrote them down. None is connected when no gateway runs.
function serverTable({ servers, running, own_tools: own, at }) {
  if (!at) return h("p", { class: "muted" }, "This gateway has not written down its servers: a newer version of ptc does when it starts.");
  const now = ({ since, problem, is_starting: starting }) => (running === false ? badge("not running", "soft") : since ? badge("connected", "good") : starting ? badge("starting", "soft") : problem ? badge("not connected", "bad") : badge("not connected", "warn"));
  const row = (server) => h("tr", {}, h("td", {}, h("b", {}, server.name)), h("td", {}, server.transport), h("td", { class: "number" }, grouped(server.tools)),
    h("td", {}, now(server)), h("td", {}, server.since ? date(Date.parse(server.since)) : "–"), h("td", {}, [server.problem, ...(server.left_out || [])].filter(Boolean).map((text) => h("div", {}, text))));
  return [servers.length ? table(["Server", "Transport", "Tools", "Now", "Connected at", "Problems"], servers, row, { class: "grid" }, { numbers: [0, 0, 1, 0, 0, 0], one: "server" }) : h("p", { class: "muted" }, "No server."),
    h("p", { class: "muted" }, [own ? `${counted(own, "tool")} of the gateway file. ` : null, `Written down at ${date(Date.parse(at))}. A server that has ended is connected again by the next call; one that never was is tried again.`])];
}

const KINDS = { ok: "good", approve: "good", failed: "bad", unknown: "warn", stopped: "warn", deny: "bad", "given up": "soft" };

// What an entry of the audit log is about, and its outcome. Every event that a gateway writes has a line here.
const ENTRIES = {
  program: ({ client, resumed, reach, program }) => [[`${client || "a client"} ${resumed ? "resumes it" : "starts it"}`, programText(program), reach.length ? h("div", { class: "muted" }, `can call ${reach.map((one) => `${one.tool} (${one.at_most})`).join(", ")}`) : null], null],
  rejected: ({ client, denied, error, program }) => [[`${client || "a client"} tried to run it`, programText(program), denied.length ? h("div", {}, `names what the policy denies: ${denied.join(", ")}`) : null, error ? h("div", { class: "muted" }, error) : null], [badge("rejected", "bad")]],
  waits: ({ calls }) => [calls.map(({ tool, args }) => h("div", {}, h("b", {}, tool), " ", h("code", {}, coloured(args)))), [badge("waits", "warn")]],
  call: (entry) => callWords(entry),
  refused: (entry) => callWords(entry),
  result: ({ status, bytes: size, error, ms }) => [error || null, [badge(status, KINDS[status]), timeAndSize(ms, size)]],
  end: ({ status, reason, by, calls, ms }) => [[reason, by && `by ${by}`].filter(Boolean).join(", "), [badge(status, KINDS[status]), timeAndSize(ms), calls === undefined ? null : ` ${counted(calls, "call")}`]],
  removed: ({ session, why }) => [`the session ${session}: ${why}`, [badge("removed", "soft")]],
  tools: ({ error }) => [error, [badge("conflict", "bad")]],
};

// The text of a program, or its hash; earlier versions kept neither.
function programText(program) {
  if (!program) return null;
  return h("div", {}, program.text === undefined ? `SHA-256 ${program.sha256}` : h("code", {}, coloured(program.text)));
}

function callWords({ server, tool, args, ruling, decision: decided, by, reason }) {
  const said = [`the policy says ${ruling}`, `decided by ${by}`, reason].filter(Boolean).join("; ");
  return [[h("b", { title: server ? `of the server ${server}` : "of the gateway file" }, tool), " ", h("code", {}, coloured(args)), h("div", { class: "muted" }, said)], [badge(decided, KINDS[decided])]];
}

function timeAndSize(ms, size) {
  return [ms === undefined ? null : ` ${duration(ms)}`, size === undefined ? null : `, ${bytes(size)}`];
}

const gatewayPage = {
  gateway: null,
  event: "",

  open({ list }) {
    document.title = "Gateway · ptc";
    this.list = list;
    this.name = h("h1", {}, "Gateway");
    this.state = h("span", { class: "muted", role: "status" });
    this.filter = h("input", { type: "search", placeholder: "Search the log  /", "aria-label": "Search the audit log", spellcheck: "false", oninput: () => this.showLog() });
    this.filter.addEventListener("keydown", (event) => { if (event.key === "Escape") { this.filter.value = ""; this.showLog(); this.filter.blur(); } event.stopPropagation(); });
    this.events = h("select", { "aria-label": "Events of the audit log", onchange: () => { this.event = this.events.value; this.showLog(); } });
    this.events.addEventListener("keydown", (event) => event.stopPropagation());
    this.parts = h("div");
    this.log = h("div");
    this.main = h("main", { class: "page gateway", tabindex: "-1" }, this.parts, this.log);
    append(document.body, [h("div", { class: "app" },
      h("div", { class: "head" }, h("header", { class: "top" }, h("div", { class: "title" }, h("a", { class: "back", href: list, title: "All runs (u)" }, "‹ Runs"), this.name, this.state)),
        h("div", { class: "bar-tools" }, this.filter, this.events, themeButton())), this.main)]);
    addEventListener("keydown", (event) => this.key(event));
  },

  update(gateway) {
    this.gateway = gateway;
    const { state, waiting, problem } = gateway;
    const top = this.main.scrollTop;
    replace(this.name, `Gateway ${state}`);
    replace(this.state, [runningWords(gateway), waitingWords(waiting)].filter(Boolean).join(", "));
    replace(this.parts, problem ? h("p", { class: "remark" }, problem) : [
      section("Servers", serverTable(gateway)),
      waiting.length ? section("Questions", questions(gateway)) : null,
      section("Sessions", sessionTable(gateway, this.list)),
    ]);
    this.showLog();
    this.main.scrollTop = top;
  },

  // The entries that have all words of the search, of the chosen event.
  found() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (entry) => Object.values(entry).map((part) => (typeof part === "object" ? JSON.stringify(part) : String(part))).join(" ").toLowerCase();
    const ofEvent = this.gateway.log.entries.filter((entry) => !this.event || entry.event === this.event);
    return words.length ? ofEvent.filter((entry) => { const all = text(entry); return words.every((word) => all.includes(word)); }) : ofEvent;
  },

  showLog() {
    if (!this.gateway) return;
    const { log, problem } = this.gateway;
    this.showEvents(log.entries);
    const some = this.found();
    const row = (entry) => {
      const [what, outcome] = ENTRIES[entry.event](entry);
      return h("tr", {}, h("td", {}, date(Date.parse(entry.at))), h("td", {}, entry.event), h("td", { class: "code" }, entry.id || ""), h("td", { class: "what-happened" }, what), h("td", {}, outcome));
    };
    const count = some.length < log.entries.length ? `${grouped(some.length)} of ${counted(log.entries.length, "entry", "entries")}` : counted(some.length, "entry", "entries");
    replace(this.log, problem ? null : section("Audit log", [
      this.left(log),
      some.length ? table(["When", "Event", "Program or call", "What", "Outcome"], some, row, { class: "grid audit" }, { few: 100, most: 150, one: "entry", many: "entries" })
        : h("p", { class: "muted" }, log.entries.length ? "No entry has all of these words." : "No program has run yet."),
    ], { count: `${count}, the newest first` }));
  },

  // What the table does not have.
  left({ older_lines: lines, unread_bytes: unread, damaged, damaged_lines: all }) {
    const older = [lines ? counted(lines, "older line") : null, unread ? `${bytes(unread)} before ${lines ? "them" : "it"}` : null].filter(Boolean).join(" and ");
    const named = all > damaged.length ? `The newest ${damaged.length} of them: ` : "";
    return [
      older ? h("p", { class: "muted" }, `Not shown: ${older}. They are in audit.jsonl.`) : null,
      all ? h("div", { class: "remark" }, h("p", {}, `${counted(all, "line")} of audit.jsonl ${all === 1 ? "is" : "are"} damaged and left out; the entries around ${all === 1 ? "it" : "them"} are shown. ${named}`),
        h("ul", {}, damaged.map((line) => h("li", {}, `after ${grouped(line.at)} bytes: ${line.problem}`)))) : null,
    ];
  },

  // The events of the log with their numbers.
  showEvents(entries) {
    const counts = new Map();
    for (const { event } of entries) counts.set(event, (counts.get(event) || 0) + 1);
    if (this.event && !counts.has(this.event)) counts.set(this.event, 0);
    const options = [["", `all events (${grouped(entries.length)})`], ...[...counts].sort().map(([event, count]) => [event, `${event} (${grouped(count)})`])];
    const drawn = JSON.stringify(options);
    // A choice that is open stays open.
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    replace(this.events, options.map(([event, label]) => h("option", { value: event, selected: event === this.event }, label)));
  },

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = {
      "/": () => this.filter.focus(), t: () => nextTheme(), u: () => { location.href = this.list; }, Escape: () => { location.href = this.list; },
      s: () => this.events.focus(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  },
};
