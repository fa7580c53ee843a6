
// ---- model.js: the document: runs by path, requests from their differences, definitions at a turn. ----

// A run knows its path: [] is the run itself, [0, 2] the third agent that its first agent called.
class Run {
  constructor(view, parent, place) {
    Object.assign(this, { view, parent, place });
    this.path = parent ? [...parent.path, place] : [];
    this.turns = view.turns || [];
    this.children = (view.children || []).map((child, index) => new Run(child, this, index));
    this.sent = [];
  }

  get title() {
    const called = this.parent && this.parent.callOf(this);
    return this.view.name || (called && called.turn.calls[called.call].tool) || firstLine(this.view.mission) || (this.parent ? "agent" : "Run");
  }

  // The turn and the call that a run below answered: `{ turn, call }`.
  callOf(child) {
    for (const turn of this.turns) {
      const call = (turn.calls || []).findIndex((one) => one.child === child.place);
      if (call >= 0) return { turn, call };
    }
    return null;
  }

  // The messages of the request of a turn (from 0); null where they are not known.
  request(index) {
    for (let i = this.sent.length; i <= index; i++) {
      const { request } = this.turns[i];
      if (!request) { this.sent.push(null); continue; }
      const before = (i > 0 && this.sent[i - 1]) || [];
      const added = request.add.map((message, place) => {
        const old = before[request.keep + place];
        const text = old ? old.text : "";
        const [head, tail] = [message.head || 0, message.tail || 0];
        return { role: message.role, text: text.slice(0, head) + message.text + (tail ? text.slice(text.length - tail) : ""), from: head, to: head + message.text.length };
      });
      this.sent.push([...before.slice(0, request.keep).map((message) => ({ ...message, isOld: true })), ...added]);
    }
    return this.sent[index];
  }

  // The definitions after a turn (from 0), by name.
  definitions(index) {
    const all = new Map((this.view.definitions || []).map((one) => [one.name, one]));
    for (const turn of this.turns.slice(0, index + 1)) {
      for (const name of turn.definitions.gone || []) all.delete(name);
      for (const one of turn.definitions.set || []) all.set(one.name, one);
    }
    return all;
  }
}

const firstLine = (text) => (text || "").trim().split(/[\r\n]/, 1)[0];

// The run and the runs below it, each before those below it.
const withBelow = (run) => [run, ...run.children.flatMap(withBelow)];

function runAt(root, path) {
  return path.reduce((run, place) => run && run.children[place], root);
}

// `#turn-3`, `#agent-1.2/turn-3`, `#run`: what is written to the address.
function address(run, number) {
  const path = run.path.length ? `agent-${run.path.map((place) => place + 1).join(".")}/` : "";
  return "#" + path + (number ? `turn-${number}` : "run");
}

function route(root, hash) {
  const found = /^#(?:agent-([\d.]+)\/)?(?:turn-(\d+)|run)?$/.exec(hash);
  if (!found) return { run: root, number: 0 };
  const path = found[1] ? found[1].split(".").map((place) => Number(place) - 1) : [];
  const run = runAt(root, path) || root;
  const number = Math.min(Number(found[2] || 0), run.turns.length);
  return { run, number };
}

// What the model said beside its program.
function prose(turn) {
  if (!turn.program) return turn.answer.trim();
  const at = turn.answer.indexOf(turn.program);
  if (at < 0) return "";
  const before = turn.answer.slice(0, at).replace(/```[\w-]*[ \t]*\r?\n?[ \t]*$/, "");
  const after = turn.answer.slice(at + turn.program.length).replace(/^\s*```/, "");
  return [before.trim(), after.trim()].filter(Boolean).join("\n\n");
}

const STATUS = {
  ok: { label: "ok", class: "ok" },
  recovered: { label: "recovered", class: "ok" },
  returned: { label: "returned", class: "good" },
  failed: { label: "failed", class: "bad" },
  running: { label: "running", class: "live" },
  gave_up: { label: "gave up", class: "bad" },
};
