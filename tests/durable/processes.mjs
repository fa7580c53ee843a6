// Processes that are started, watched and killed, and the ports that they listen on.
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { sleep } from "./time.mjs";

const alive = new Set();
const died = [];

// Nothing stays when this program ends, however it ends.
process.on("exit", () => alive.forEach((each) => each.child.kill("SIGKILL")));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(130));

export class Process {
  // `ready` is a port: started is what listens there. What may die is started again when it does.
  constructor(name, command, args, { folder, ready, env = {}, cwd, mayDie = false }) {
    Object.assign(this, { name, command, args, folder, ready, env, cwd, mayDie, starts: 0, deaths: 0 });
    mkdirSync(folder, { recursive: true });
  }

  get log() {
    return join(this.folder, `${this.name}.log`);
  }

  async start() {
    const log = openSync(this.log, "a");
    this.child = spawn(this.command, this.args, { stdio: ["ignore", log, log], env: { ...process.env, ...this.env }, cwd: this.cwd });
    closeSync(log);
    this.starts += 1;
    this.ended = new Promise((done) => {
      this.child.once("exit", done);
      this.child.once("error", done);
    }).then(() => {
      if (!alive.delete(this) || this.killed) return;
      if (!this.mayDie) return died.push(this);
      this.deaths += 1;
      this.revived = this.start().catch(() => died.push(this));
    });
    this.killed = false;
    alive.add(this);
    if (this.ready) await this.listens();
    return this;
  }

  async listens() {
    for (const since = Date.now(); Date.now() - since < 60_000; await sleep(20)) {
      if (!alive.has(this)) throw new Error(`${this.name} ended at once; its last words, of ${this.log}:\n${this.tail()}`);
      if (await accepts(this.ready)) return;
    }
    throw new Error(`${this.name} does not listen on port ${this.ready} after a minute; see ${this.log}`);
  }

  tail() {
    return readFileSync(this.log, "utf8").split("\n").slice(-12).join("\n");
  }

  // A process that was killed holds its ports for a moment: this waits until it is gone.
  async kill(signal = "SIGKILL") {
    await this.revived;
    this.killed = true;
    this.child.kill(signal);
    await this.ended;
  }

  async again() {
    await this.kill();
    await this.start();
  }

  running() {
    return alive.has(this);
  }

  // Resident memory in bytes; 0 when it is gone.
  memory() {
    try {
      return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.child.pid}/status`, "utf8"))?.[1] ?? 0);
    } catch {
      return 0;
    }
  }

  // CPU time so far, in seconds, with that of processes that it started and that have ended.
  cpu() {
    try {
      const fields = readFileSync(`/proc/${this.child.pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
      return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
    } catch {
      return 0;
    }
  }
}

// Everything runs on that nobody here has killed.
export function nobodyDied() {
  const [first] = died.splice(0);
  if (first) throw new Error(`${first.name} ended by itself; its last words, of ${first.log}:\n${first.tail()}`);
}

export async function stopAll() {
  await Promise.all([...alive].map((each) => each.kill()));
}

const accepts = (port) =>
  new Promise((done) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => done(true) ?? socket.destroy());
    socket.once("error", () => done(false));
  });

const free = (port) =>
  new Promise((done) => {
    const server = createServer();
    server.once("error", () => done(false));
    server.listen(port, "127.0.0.1", () => server.close(() => done(true)));
  });

let next;

// A free port below those that the system gives to clients, so that it stays free while its process is restarted.
export async function port(base) {
  for (next ??= base; next < 32_768; ) {
    const candidate = next++;
    if (await free(candidate)) return candidate;
  }
  throw new Error(`no free port between ${base} and 32767; begin with another one: --port N`);
}
