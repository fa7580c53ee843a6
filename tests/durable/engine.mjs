// The server: how it is configured, and what is asked of it over HTTP.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Process, nobodyDied, port } from "./processes.mjs";
import { sleep } from "./time.mjs";

const json = { "content-type": "application/json", accept: "application/json" };

// `nodes` servers that know each other; with more than one every record of the log is on two of them.
export async function engine(options, folder, nodes = 1) {
  const places = [];
  for (let at = 0; at < nodes; at++) {
    places.push({ ingress: await port(options.port), admin: await port(options.port), node: await port(options.port) });
  }
  const peers = places.map((place) => `http://127.0.0.1:${place.node}`);
  const servers = places.map((place, at) => {
    const name = `server-${at + 1}`;
    const base = join(folder, name);
    mkdirSync(base, { recursive: true });
    const file = join(folder, `${name}.toml`);
    writeFileSync(file, config({ name, base, place, peers, first: at === 0, partitions: options.partitions }));
    const started = new Process(name, process.env.SERVER, ["--no-logo", "--config-file", file], { folder, ready: place.admin });
    return Object.assign(started, { base, node: `${peers[at]}/`, ingress: `http://127.0.0.1:${place.ingress}`, admin: `http://127.0.0.1:${place.admin}` });
  });
  return new Engine(servers);
}

const config = ({ name, base, place, peers, first, partitions }) => `
cluster-name = "durable"
node-name = "${name}"
base-dir = "${base}"
disable-telemetry = true
listen-mode = "tcp"
log-format = "compact"
log-disable-ansi-codes = true
bind-address = "127.0.0.1:${place.node}"
advertised-address = "http://127.0.0.1:${place.node}"
auto-provision = ${first}
default-num-partitions = ${partitions}
default-replication = ${peers.length > 1 ? 2 : 1}
rocksdb-total-memory-size = "512 MiB"

[metadata-client]
addresses = ${JSON.stringify(peers)}

[ingress]
bind-address = "127.0.0.1:${place.ingress}"
advertised-address = "http://127.0.0.1:${place.ingress}"

[admin]
bind-address = "127.0.0.1:${place.admin}"
advertised-address = "http://127.0.0.1:${place.admin}"
`;

class Engine {
  constructor(servers) {
    this.servers = servers;
    this.turn = 0;
  }

  async start() {
    await Promise.all(this.servers.map((server) => server.start()));
    await this.until("the partitions are led", () => this.sql("select count(*) as n from sys_invocation"));
  }

  // One of the servers that run, each in its turn.
  server() {
    const running = this.servers.filter((server) => server.running());
    return (running.length > 0 ? running : this.servers)[this.turn++ % Math.max(1, running.length)];
  }

  async until(what, ask, seconds = 60) {
    let last;
    for (const since = Date.now(); Date.now() - since < seconds * 1000; await sleep(100)) {
      try {
        return await ask();
      } catch (error) {
        last = error;
      }
    }
    throw new Error(`after ${seconds} s not yet: ${what}; ${last?.message}${last?.cause ? `: ${last.cause.message}` : ""}`);
  }

  async register(uri) {
    return this.until(`${uri} is registered`, async () => {
      const answer = await fetch(`${this.server().admin}/deployments`, { method: "POST", headers: json, body: JSON.stringify({ uri, use_http_11: false }) });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    });
  }

  // The rows of a query over the tables of the server.
  async sql(query) {
    const answer = await fetch(`${this.server().admin}/query`, { method: "POST", headers: json, body: JSON.stringify({ query }), signal: AbortSignal.timeout(30_000) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return JSON.parse(text).rows;
  }

  // A POST of JSON to the ingress. What is sent while the server is away is sent again: only for what may come twice.
  async post(path, body = {}) {
    return this.until(`an answer to ${path}`, async () => {
      const answer = await fetch(`${this.server().ingress}${path}`, { method: "POST", headers: json, body: JSON.stringify(body), signal: AbortSignal.timeout(30_000) });
      const text = await answer.text();
      if (answer.status >= 500) throw new Error(`${answer.status}: ${text}`);
      return { status: answer.status, text };
    });
  }

  // The key makes sure that a submission that comes twice is one mission.
  async submit(mission, key, submission) {
    const { status, text } = await this.post(`/${mission}/${key}/run/send`, submission);
    if (status >= 300) throw new Error(`${mission}/${key} was refused, ${status}: ${text}`);
  }

  async outcome(mission, key) {
    return this.until(`the outcome of ${mission}/${key}`, async () => {
      const answer = await fetch(`${this.server().ingress}/restate/workflow/${mission}/${key}/attach`, { signal: AbortSignal.timeout(600_000) });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text);
      if (answer.status === 503 || answer.status === 404) throw new Error(`${answer.status}: ${text}`);
      return { ending: `status ${answer.status}`, failure: text };
    });
  }

  // How many missions are `running`, `backing-off`, `suspended`, `completed` and so on.
  async states(mission) {
    const rows = await this.until("the states of missions", () =>
      this.sql(`select status, count(*) as n from sys_invocation where target_service_name = '${mission}' and target_handler_name = 'run' group by status`),
    );
    return Object.fromEntries(rows.map((row) => [row.status, row.n]));
  }

  // Until so many missions have this state; tells on the way where they are.
  async reach(mission, state, count, say = () => {}, every = 1000) {
    let [before, since] = [0, Date.now()];
    for (;;) {
      nobodyDied();
      const states = await this.states(mission);
      say(states);
      const now = states[state] ?? 0;
      if (now >= count) return;
      if (now !== before) [before, since] = [now, Date.now()];
      if (Date.now() - since > 300_000) throw new Error(`for five minutes no more than ${now} of ${count} missions are ${state}: ${JSON.stringify(await this.failures(mission))}`);
      if (states.paused) throw new Error(`${states.paused} missions were paused by the server after too many attempts: ${JSON.stringify(await this.failures(mission))}`);
      await sleep(every);
    }
  }

  // Why missions do not go on.
  failures(mission) {
    return this.sql(`select target_service_key as key, status, retry_count, last_failure from sys_invocation where target_service_name = '${mission}' and status <> 'completed' limit 3`);
  }

  // Bytes of the entries of all journals of a mission, and how many they are; what missions came to is beside them.
  async journal(mission) {
    const rows = await this.sql(
      `select j.entry_type = 'Command: Output' as is_outcome, sum(j.raw_length) as bytes, count(*) as entries from sys_journal j join sys_invocation i on j.id = i.id where i.target_service_name = '${mission}' and i.target_handler_name = 'run' group by j.entry_type = 'Command: Output'`,
    );
    const of = (wanted) => rows.find((row) => row.is_outcome === wanted) ?? { bytes: 0, entries: 0 };
    return { bytes: of(false).bytes, entries: of(false).entries, outcomes: of(true).bytes };
  }

  // Bytes on the disks, without what was only set aside.
  stored() {
    const sizes = this.servers.map((server) => execFileSync("du", ["-s", "--apparent-size", "--block-size=1", server.base], { encoding: "utf8" }));
    return sizes.reduce((sum, size) => sum + Number.parseInt(size, 10), 0);
  }

  memory() {
    return this.servers.reduce((sum, server) => sum + server.memory(), 0);
  }
}
