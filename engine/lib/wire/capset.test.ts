import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CapsetEnvironment, openCapset } from "./capset.ts";
import { connect } from "./connection.ts";
import { Files } from "./generated/tools.ts";
import { Terminal } from "./generated/wire.ts";
import { implement, serveInterface } from "./implement.ts";
import { serve } from "./serve.ts";

const folder = mkdtempSync(join(tmpdir(), "capos-capset-"));
const program = join(folder, "forwarder.mjs");

beforeAll(async () => {
  const entryPoints = [new URL("./forwarder.fixture.ts", import.meta.url).pathname];
  await build({ entryPoints, outfile: program, bundle: true, platform: "node", format: "esm", logLevel: "error" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Starts a process as init does: with the flags of the jail, no environment variables except those of the capset, one
 * held connection and one file.
 */
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

/** Two ends of one connection; the far end can be passed to a process. */
async function socketPair(): Promise<[Socket, Socket, Server]> {
  const path = join(folder, "pair");
  const server = createServer({ pauseOnConnect: true });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const arrived = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const near = new Socket().connect(path);
  return [near, await arrived, server];
}

test("with a jail's flags, a process uses its capability, reads its file, serves a grant, and reports that it is ready", async () => {
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
  // The provider of a held capability dies, and another one takes its place.
  child.stdio[3]?.destroy();
  server.close();
  const [terminal, renewed, secondServer] = await socketPair();
  serveInterface(terminal, [
    implement(Terminal, {
      readLine: async () => ({ line: "x", end: false }),
      write: async ({ text }) => {
        written.push(`again ${text}`);
        return {};
      },
      awaitInterrupt: async () => ({}),
    }),
  ]);
  child.send({ capos: "grant-again", interfaceId: Terminal.id.toString(16), name: "terminal" }, renewed);
  await new Promise((resolve) => {
    child.once("message", resolve);
    child.send({ capos: "ping" });
  });
  await connect(near).callTool(Files.id, 0, '{"path":"b"}');
  expect(written[1]).toBe('again {"path":"b"}');
  secondServer.close();
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.send({ capos: "stop" });
  expect(await ended).toBe(0);
  server.close();
});

interface Around extends CapsetEnvironment {
  readonly say: (message: unknown, stream?: unknown) => void;
  readonly sent: unknown[];
}

function surroundings(env: CapsetEnvironment["env"]): Around {
  const listeners: ((message: unknown, stream: unknown) => void)[] = [];
  const sent: unknown[] = [];
  return {
    env,
    onMessage: (given) => {
      listeners.push(given);
    },
    send: (message) => sent.push(message),
    exit: () => sent.push("exit"),
    sent,
    say: (message, stream) => {
      for (const listener of listeners) listener(message, stream);
    },
  };
}

test("reads names, interfaces and grants from the environment", () => {
  const capset = openCapset(surroundings({ CAPOS_NAME: "loop.operator", CAPOS_GRANTS: "gate=5:f00d,model=6:1" }));
  expect(capset.name).toBe("loop.operator");
  expect([...capset.held]).toEqual([
    ["gate", 0xf00dn],
    ["model", 1n],
  ]);
});

test("throws on a capability or a file that was not granted", () => {
  const capset = openCapset(surroundings({ CAPOS_NAME: "loop.operator" }));
  expect(() => capset.connection("gate")).toThrow("no capability named gate was granted");
  expect(() => capset.file("tables")).toThrow("no file named tables was granted");
});

for (const [what, env] of Object.entries({
  "no name": {},
  "a grant without an interface": { CAPOS_NAME: "a", CAPOS_GRANTS: "gate=5" },
  "a descriptor that is not a number": { CAPOS_NAME: "a", CAPOS_FILES: "tables=x" },
  "a repeated name": { CAPOS_NAME: "a", CAPOS_FILES: "tables=5,tables=6" },
})) {
  test(`throws on an environment with ${what}`, () => {
    expect(() => openCapset(surroundings(env))).toThrow("capos defect");
  });
}

test("keeps grants that arrive before the process asks for them, and their first calls", async () => {
  const around = surroundings({ CAPOS_NAME: "files" });
  const capset = openCapset(around);
  const grant = { capos: "grant", badge: "18446744073709551615", interfaceId: "f00d", holder: "gate.a", name: "notes" };
  const [near, far, server] = await socketPair();
  around.say(grant, far);
  const early = connect(near).callTool(0xf00dn, 0, "{}");
  while (near.bytesWritten === 0) await new Promise(setImmediate);
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  const badges: bigint[] = [];
  capset.onGrant(({ stream, badge, interfaceId }) => {
    badges.push(badge);
    serve(stream, [interfaceId], async ({ payload }) => ({ ok: true, payload }));
  });
  expect(await early).toEqual({ ok: true, value: "{}" });
  server.close();
  const [later, farther, secondServer] = await socketPair();
  around.say({ ...grant, badge: "2" }, farther);
  expect(await connect(later).callTool(0xf00dn, 0, "[]")).toEqual({ ok: true, value: "[]" });
  around.say({ other: "words" });
  expect(badges).toEqual([18446744073709551615n, 2n]);
  near.destroy();
  later.destroy();
  secondServer.close();
});

test("throws on a grant that arrives without its connection", () => {
  const around = surroundings({ CAPOS_NAME: "files" });
  openCapset(around);
  expect(() => around.say({ capos: "grant", badge: "1", interfaceId: "1" })).toThrow("without its connection");
});

test("a process answers a ping, and after a stop it ends as soon as its work is finished", async () => {
  const around = surroundings({ CAPOS_NAME: "files" });
  const capset = openCapset(around);
  around.say({ capos: "ping" });
  expect(around.sent).toEqual([{ capos: "pong" }]);
  capset.onStop(async () => {
    around.sent.push("finished");
  });
  around.say({ capos: "stop" });
  await new Promise(setImmediate);
  expect(around.sent.slice(1)).toEqual(["finished", "exit"]);
});

test("a stopped process ends even if it has no work to finish, or if its work fails", async () => {
  for (const finish of [undefined, async () => Promise.reject(new Error("no"))]) {
    const around = surroundings({ CAPOS_NAME: "files" });
    const capset = openCapset(around);
    if (finish !== undefined) capset.onStop(finish);
    around.say({ capos: "stop" });
    await new Promise(setImmediate);
    expect(around.sent).toEqual(["exit"]);
  }
});

test("a process accepts a renewed grant only for a capability that the process held with the same interface", () => {
  const around = surroundings({ CAPOS_NAME: "loop.operator", CAPOS_GRANTS: "model=99:f00d" });
  openCapset(around);
  const again = { capos: "grant-again", interfaceId: "f00d", name: "model" };
  expect(() => around.say({ ...again, name: "notes" }, new Socket())).toThrow("notes again, which was not held");
  expect(() => around.say({ ...again, interfaceId: "1" }, new Socket())).toThrow("which was not held");
});
