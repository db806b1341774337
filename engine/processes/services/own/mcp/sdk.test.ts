// Tests a server that is made with the official SDK of MCP, from its page to a call of its tool. The process is the one in the manifest,
// with its flags and files.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { importing, pinned, saidBy } from "../../../../../compiler/dev/fixtures/imports.ts";
import { encodeMethods, listOwnServices } from "../../../../../targets/manifest/own.ts";
import { planProcesses } from "../../../../../targets/manifest/processes.ts";
import { NODE_FLAGS } from "../../../../../targets/manifest/roles.ts";
import { bundle } from "../../../../image/rootfs/bundle.ts";
import { NODE_ROLES, programPath } from "../../../../lib/roles/index.ts";
import type { Process } from "../../../../lib/wire/generated/manifest.ts";
import { type Connection, connect } from "../../../../lib/wire/index.ts";

const CHECKOUT = fileURLToPath(new URL("../../../../../", import.meta.url));
const PAGE = importing(`use mcp "./ruler.tools.json" as ruler
  interface ruler.Tools { method double : readOnly  method half : readOnly }
  service measures : ruler.Tools { exec "services/ruler.mcp.js" }`);

const folder = mkdtempSync(join(tmpdir(), "capos-mcp-sdk-"));
let server: Uint8Array;
let list: string;
let children: ChildProcess[] = [];

/** Returns a server's response to `tools/list`, as the author of a page requests it. */
function listOf(path: string): string {
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "operator", version: "1" } };
  const said = [
    { id: 1, method: "initialize", params: hello },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list", params: {} },
  ];
  const input = said.map((one) => `${JSON.stringify({ jsonrpc: "2.0", ...one })}\n`).join("");
  const answers = execFileSync(process.execPath, [path], { input, encoding: "utf8" }).trimEnd().split("\n");
  return JSON.stringify(answers.map((line) => JSON.parse(line)).find(({ id }) => id === 2)?.result);
}

beforeAll(async () => {
  const programs = await bundle(
    CHECKOUT,
    NODE_ROLES.filter(({ name }) => name === "own"),
  );
  writeFileSync(join(folder, "own.mjs"), programs.get("own") ?? "");
  // The command below is the one of examples/mcp-server's README. Without --minify the bundle is larger than a page's
  // program may be.
  const entryPoints = [fileURLToPath(new URL("testing/ruler.ts", import.meta.url))];
  const outfile = join(folder, "ruler.mcp.js");
  await build({ entryPoints, outfile, bundle: true, minify: true, platform: "node", format: "esm", logLevel: "error" });
  server = readFileSync(outfile);
  list = listOf(outfile);
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children = [];
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the process of the page's service, and the content of its files in the manifest. */
async function planned(program: Uint8Array) {
  const files = { "/ruler.tools.json": list, "/services/ruler.mcp.js": program };
  const compiled = await pinned(PAGE, files);
  const { policy, origins } = compiled;
  if (policy === undefined || origins === undefined) throw new Error(saidBy(compiled).join("\n"));
  const plan = planProcesses(policy, origins).find(({ name }) => name === "measures");
  const own = listOwnServices(policy).find(({ name }) => name === "measures")?.own;
  if (plan === undefined || own === undefined) throw new Error("the page's service has no process");
  return { plan, own };
}

/** Starts the process as init does, except that Node and the role's program are at other paths. */
function started({ arguments: words, files }: Process, blobs: Readonly<Record<string, Uint8Array>>): ChildProcess {
  const opened = files.map(({ name }) => {
    writeFileSync(join(folder, name), blobs[name] ?? "");
    return openSync(join(folder, name), "r");
  });
  const here = words.map((word) => (word === programPath("own") ? join(folder, "own.mjs") : word));
  const child = spawn(process.execPath, here, {
    stdio: ["ignore", "ignore", "pipe", ...opened, "ipc"],
    env: { CAPOS_NAME: "measures", CAPOS_FILES: files.map(({ name }, at) => `${name}=${at + 3}`).join(",") },
  });
  children.push(child);
  return child;
}

async function serving(child: ChildProcess, interfaceId: bigint): Promise<Connection> {
  await new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("exit", (code) => reject(new Error(`ended with ${code}`)));
  });
  const listening = createServer({ pauseOnConnect: true });
  await new Promise<void>((resolve) => listening.listen(join(folder, "holder"), resolve));
  const arrived = new Promise<Socket>((resolve) => listening.once("connection", resolve));
  const near = new Socket().connect(join(folder, "holder"));
  const grant = { capos: "grant", badge: "1", holder: "gate.operator", name: "measures" };
  child.send({ ...grant, interfaceId: interfaceId.toString(16) }, await arrived);
  listening.close();
  return connect(near);
}

test("a server of the MCP SDK is pinned by its list, starts with the image's flags and memory limit, and answers a call", async () => {
  const { plan, own } = await planned(server);
  expect(plan.arguments.slice(0, NODE_FLAGS.length)).toEqual(NODE_FLAGS);
  const child = started(plan, { program: own.bytes, methods: encodeMethods(own) });
  const { interfaceId, methods } = own.methods;
  const measures = await serving(child, interfaceId);
  const call = async (name: string, args: object): Promise<unknown> => {
    const ordinal = methods.find((method) => method.name === name)?.ordinal ?? -1;
    const reply = await measures.callTool(interfaceId, ordinal, JSON.stringify(args));
    return reply.ok ? JSON.parse(reply.value) : reply.reason;
  };
  expect(await call("double", { length: 21 })).toEqual({ text: "42" });
  expect(await call("half", { length: 21 })).toEqual({ length: 10.5 });
  expect(await call("double", { length: -1 })).toBe("the program failed: a length is not below nothing");
  expect(await call("double", { length: "far" })).toMatch(/length is not a number/);
  const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
  expect(BigInt(peak ?? 0) * 1024n).toBeGreaterThan(0n);
  expect(BigInt(peak ?? 0) * 1024n).toBeLessThan(plan.memoryMaxBytes);
});

test("a server of the MCP SDK with another list is not served, and the reason is reported", async () => {
  const other = Buffer.from(Buffer.from(server).toString("utf8").replace("Twice a length.", "Twice. Ask nobody."));
  expect(other.equals(server)).toBe(false);
  const { plan, own } = await planned(other);
  const child = started(plan, { program: own.bytes, methods: encodeMethods(own) });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const told = text(child.stderr ?? process.stdin);
  expect(await ended).not.toBe(0);
  expect(await told).toContain("its tools are not those of the list that is pinned");
});
