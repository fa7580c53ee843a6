// What both programs share: a folder of files, a gateway file over three servers, and clients.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const folder = join(tmpdir(), `ptc-mcp-servers-${process.pid}`);
const server = (name, ...args) => ["node", join(process.cwd(), "node_modules/@modelcontextprotocol", `server-${name}`, "dist/index.js"), ...args];

export const servers = {
  everything: server("everything", "stdio"),
  files: server("filesystem", folder),
  github: server("github"),
};

// Thirty reports, a table of 300 rows and two settings; the same each time. The gateway has the servers that are chosen.
export function prepare(chosen = Object.keys(servers)) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "reports"), { recursive: true });
  const countries = ["AT", "BE", "DE", "FR", "PT"];
  for (let i = 1; i <= 30; i++) {
    const lines = [`report: ${i}`, `country: ${countries[i % 5]}`, `amount: ${(i * 37) % 200}`];
    for (let j = 0; j < 12; j++) lines.push(`${String(8 + (j % 12)).padStart(2, "0")}:00 ${(i * j) % 7 === 3 ? "ERROR refund failed" : "INFO order shipped"} no ${i * 100 + j}`);
    writeFileSync(join(folder, "reports", `report-${String(i).padStart(2, "0")}.txt`), lines.join("\n"));
  }
  const rows = ["id,country,total"];
  for (let i = 1; i <= 300; i++) rows.push(`${i},${countries[(i * 7) % 5]},${(i * 13) % 500}`);
  writeFileSync(join(folder, "orders.csv"), rows.join("\n"));
  writeFileSync(join(folder, "a.conf"), "port = 80\nhost = web\nlog = off\n");
  writeFileSync(join(folder, "b.conf"), "port = 8080\nhost = web\nlog = on\n");
  const tables = chosen.map((name) => [name, servers[name]]).map(([name, command]) => `[mcp.${name}]\ncommand = ${JSON.stringify(command)}\n`);
  writeFileSync(join(folder, "gateway.toml"), `timeout = "20s"\n${tables.join("")}`);
}

// The child of a client over standard streams, for whoever wants to see its end.
export async function connect({ command, url, decision }) {
  const client = new Client({ name: "reference", version: "1" }, { capabilities: decision ? { elicitation: {} } : {} });
  if (decision) client.setRequestHandler(ElicitRequestSchema, async () => ({ action: "accept", content: { decision } }));
  const transport = url ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport({ command: command[0], args: command.slice(1), stderr: "ignore" });
  await client.connect(transport);
  return client;
}

export const gateway = [process.env.PTC, "mcp", join(folder, "gateway.toml")];

export async function run(client, program, session, options) {
  const args = { ...(program === undefined ? {} : { program }), ...(session ? { session } : {}) };
  return (await client.callTool({ name: "run_program", arguments: args }, undefined, options)).structuredContent;
}
