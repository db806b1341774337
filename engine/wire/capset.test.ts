import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCapset, type Surroundings } from "./capset.ts";
import { connect } from "./connection.ts";
import { Files } from "./generated/tools.ts";
import { Terminal } from "./generated/wire.ts";
import { implement, serveInterface } from "./implement.ts";

const folder = mkdtempSync(join(tmpdir(), "capos-capset-"));
const program = join(folder, "forwarder.mjs");

beforeAll(async () => {
  const entryPoints = [new URL("./forwarder.fixture.ts", import.meta.url).pathname];
  await build({ entryPoints, outfile: program, bundle: true, platform: "node", format: "esm", logLevel: "error" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a process as init does: flags of the jail, environment from nothing, one held connection and one file. */
function start(): ChildProcess {
  const file = join(folder, "greeting");
  writeFileSync(file, "good day");
  return spawn(
    process.execPath,
    ["--jitless", "--disallow-code-generation-from-strings", "--disable-proto=delete", program],
    {
      stdio: ["ignore", "inherit", "inherit", "pipe", openSync(file, "r"), "ipc"],
      env: {
        CAPOS_NAME: "forwarder",
        CAPOS_GRANTS: `terminal=3:${Terminal.id.toString(16)}`,
        CAPOS_FILES: "greeting=4",
      },
    },
  );
}

/** Two ends of one connection, of which the far one can be handed to a process. */
async function socketPair(): Promise<[Socket, Socket, Server]> {
  const path = join(folder, "pair");
  const server = createServer({ pauseOnConnect: true });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const arrived = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const near = new Socket().connect(path);
  return [near, await arrived, server];
}

test("a process with the flags of its jail holds, reads, serves, and says when it is ready", async () => {
  const child = start();
  const written: string[] = [];
  serveInterface(child.stdio[3] as Duplex, [
    implement(Terminal, {
      readLine: async () => ({ line: "x", end: false }),
      write: async ({ text }) => {
        written.push(text);
        return {};
      },
      awaitInterrupt: async () => ({}),
    }),
  ]);
  await new Promise<void>((resolve, reject) => {
    child.once("message", (message) => (JSON.stringify(message) === '{"capos":"ready"}' ? resolve() : reject(message)));
    child.once("exit", (code) => reject(new Error(`ended with ${code}`)));
  });
  const [near, far, server] = await socketPair();
  const grant = {
    capos: "grant",
    badge: "12",
    interfaceId: Files.id.toString(16),
    holder: "gate.operator",
    name: "notes",
  };
  child.send(grant, far);
  const reply = await connect(near).callTool(Files.id, 0, '{"path":"a"}');
  expect(reply).toEqual({
    ok: true,
    value: '{"badge":"12","holder":"gate.operator","name":"notes","said":"good day"}',
  });
  expect(written).toEqual(['{"path":"a"}']);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.disconnect();
  expect(await ended).toBe(0);
  server.close();
});

function surroundings(env: Surroundings["env"]): Surroundings & { say: (message: unknown, stream?: unknown) => void } {
  let listener: (message: unknown, stream: unknown) => void = () => {};
  return {
    env,
    onMessage: (given) => {
      listener = given;
    },
    send: () => {},
    say: (message, stream) => listener(message, stream),
  };
}

test("names, interfaces and grants are read from the environment", () => {
  const capset = openCapset(surroundings({ CAPOS_NAME: "loop.operator", CAPOS_GRANTS: "gate=5:f00d,model=6:1" }));
  expect(capset.name).toBe("loop.operator");
  expect([...capset.held]).toEqual([
    ["gate", 0xf00dn],
    ["model", 1n],
  ]);
});

test("what was not granted does not exist", () => {
  const capset = openCapset(surroundings({ CAPOS_NAME: "loop.operator" }));
  expect(() => capset.connection("gate")).toThrow("no capability named gate was granted");
  expect(() => capset.file("tables")).toThrow("no file named tables was granted");
});

for (const [what, env] of Object.entries({
  "no name": {},
  "a grant without interface": { CAPOS_NAME: "a", CAPOS_GRANTS: "gate=5" },
  "a descriptor that is no number": { CAPOS_NAME: "a", CAPOS_FILES: "tables=x" },
  "one name twice": { CAPOS_NAME: "a", CAPOS_FILES: "tables=5,tables=6" },
})) {
  test(`an environment with ${what} ends the process`, () => {
    expect(() => openCapset(surroundings(env))).toThrow("capos defect");
  });
}

test("grants that came before the process asked for them are not lost", () => {
  const around = surroundings({ CAPOS_NAME: "files" });
  const capset = openCapset(around);
  const grant = { capos: "grant", badge: "18446744073709551615", interfaceId: "f00d", holder: "gate.a", name: "notes" };
  around.say(grant, new Socket());
  const badges: bigint[] = [];
  capset.onGrant((given) => badges.push(given.badge));
  around.say({ ...grant, badge: "2" }, new Socket());
  around.say({ other: "words" });
  expect(badges).toEqual([18446744073709551615n, 2n]);
});

test("a grant without a connection ends the process", () => {
  const around = surroundings({ CAPOS_NAME: "files" });
  openCapset(around);
  expect(() => around.say({ capos: "grant", badge: "1", interfaceId: "1" })).toThrow("without its connection");
});
