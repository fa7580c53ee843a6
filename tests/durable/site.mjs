// A site: the world, one server or several, workers, and HAProxy before the workers.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { engine } from "./engine.mjs";
import { missionFiles } from "./missions.mjs";
import { Process, port } from "./processes.mjs";

export async function world(options, folder) {
  const at = await port(options.port);
  const ledgers = join(folder, "ledgers");
  const main = fileURLToPath(new URL("world.mjs", import.meta.url));
  const started = await new Process("world", process.execPath, [main, String(at), ledgers], { folder, ready: at }).start();
  const url = `http://127.0.0.1:${at}`;
  const set = (settings) => fetch(`${url}/set`, { method: "POST", body: JSON.stringify(settings) });
  const counts = async (label) => (await fetch(`${url}/count/${label}`)).json();
  return Object.assign(started, { url, set, counts, ledger: (label) => join(ledgers, `${label}.jsonl`) });
}

// Everything runs when this returns. `label` names the ledger of the workers.
export async function site(options, folder, { missions, workers, nodes = 1, label = "workers", world: shared, more = [], memory }) {
  const around = shared ?? (await world(options, folder));
  const server = await engine(options, folder, nodes);
  await server.start();
  const files = missionFiles(join(folder, "missions"), missions, around.url, label);
  const blobs = join(folder, "blobs");
  mkdirSync(blobs, { recursive: true });
  const balancer = await port(options.port);
  const list = [];
  for (let at = 1; at <= workers; at++) {
    const listen = await port(options.port);
    const args = ["worker", files, "--listen", `127.0.0.1:${listen}`, "--blobs", blobs, ...more];
    const bound = memory ? ["prlimit", `--data=${memory}`] : [];
    const [command, ...rest] = [...bound, process.env.PTC, ...args];
    list.push(new Process(`worker-${at}`, command, rest, { folder, ready: listen, mayDie: memory !== undefined }));
  }
  await Promise.all(list.map((worker) => worker.start()));
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, haproxy(balancer, list));
  const proxy = await new Process("haproxy", "haproxy", ["-db", "-f", file], { folder, ready: balancer }).start();
  await server.register(`http://127.0.0.1:${balancer}`);
  return new Site({ world: around, engine: server, workers: list, proxy, blobs, shared: shared !== undefined });
}

// HTTP/2 clear text on both sides. Each request goes to the next worker, whichever connection of the server it came by; a worker
// that is gone gets none, and one that could not be delivered goes to another. An open stream may be silent for an hour.
const haproxy = (balancer, workers) => `global
  maxconn 4000
  log stdout format raw local0 notice
defaults
  mode http
  log global
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  retries 5
  retry-on conn-failure
  option redispatch 1
frontend engine
  bind 127.0.0.1:${balancer} proto h2
  default_backend workers
backend workers
  balance roundrobin
  default-server proto h2 check inter 200ms fall 1 rise 1
${workers.map((worker) => `  server ${worker.name} 127.0.0.1:${worker.ready}\n`).join("")}`;

class Site {
  constructor(parts) {
    Object.assign(this, parts);
  }

  // Resident bytes of all workers.
  memory() {
    return this.workers.reduce((sum, worker) => sum + worker.memory(), 0);
  }

  async stop() {
    const ours = [...this.workers, this.proxy, ...this.engine.servers, ...(this.shared ? [] : [this.world])];
    await Promise.all(ours.filter((each) => each.running()).map((each) => each.kill()));
  }
}
