// Tests the services as init starts them, each in a process of its own. A process gets its arguments from the manifest,
// its files and init's capability as descriptors, and its holders over a channel. Also tests the reports of services
// that cannot serve.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createServer, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { ServiceMethods } from "../../lib/wire/generated/service.ts";
import { Files, Logs, Services, Status } from "../../lib/wire/generated/tools.ts";
import { Supervisor } from "../../lib/wire/generated/wire.ts";
import {
  type Connection,
  connect,
  encodeMessage,
  implement,
  makeFailure,
  serveInterface,
} from "../../lib/wire/index.ts";

const folder = mkdtempSync(join(tmpdir(), "capos-services-"));
const children: ChildProcess[] = [];
// Stop the processes as init does when the machine stops; a process that does not end blocks this test.
afterAll(async () => {
  const living = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  const ended = living.map((child) => new Promise((resolve) => child.once("close", resolve)));
  for (const child of living) child.send({ capos: "stop" });
  await Promise.all(ended);
  rmSync(folder, { recursive: true });
});

interface Started {
  readonly words?: readonly string[];
  /** Bytes of the files that the process gets as descriptors, by the name of the file. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
}

/** `program`: the program's folder, relative to this folder. Descriptor 3 is init's own capability; the files have the next descriptors. */
function start(program: string, { words = [], files = {} }: Started = {}): ChildProcess {
  const given = Object.entries(files).map(([name, bytes], index) => {
    const path = join(folder, `${children.length}-${name}`);
    writeFileSync(path, bytes);
    return { word: `${name}=${index + 4}`, fd: openSync(path, "r") };
  });
  const main = new URL(`./${program}/main.ts`, import.meta.url).pathname;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...words], {
    stdio: ["ignore", "pipe", "pipe", "pipe", ...given.map(({ fd }) => fd), "ipc"],
    env: {
      ...process.env,
      CAPOS_NAME: "one",
      CAPOS_GRANTS: `supervisor=3:${Supervisor.id.toString(16)}`,
      CAPOS_FILES: given.map(({ word }) => word).join(","),
    },
  });
  children.push(child);
  return child;
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => (JSON.stringify(message) === '{"capos":"ready"}' ? resolve() : reject(message)));
    child.once("exit", (code) => reject(new Error(`ended with ${code}`)));
  });
}

/** Returns the exit code and the standard error of a process. */
async function lastWords(child: ChildProcess): Promise<readonly [number | null, string]> {
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const said = child.stderr === null ? "" : await text(child.stderr);
  return [await ended, said.trim()];
}

async function held(child: ChildProcess, interfaceId: bigint): Promise<Connection> {
  const path = join(folder, `socket-${children.length}`);
  const server = createServer({ pauseOnConnect: true });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const arrived = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const near = new Socket().connect(path);
  const grant = {
    capos: "grant",
    badge: "1",
    interfaceId: interfaceId.toString(16),
    holder: "gate.operator",
    name: "one",
  };
  child.send(grant, await arrived);
  server.close();
  return connect(near);
}

const refused = async () => makeFailure("failed", "not for this holder");
const FACTS = {
  uptimeSeconds: 61n,
  memoryFreeBytes: 5n,
  processes: [{ name: "memory", role: "own", alive: true, serves: true }],
};

/** Serves as init, at the other end of descriptor 3. */
function init(child: ChildProcess, asked: string[]): { readonly gone: () => void } {
  const [, , , end] = child.stdio;
  if (!(end instanceof Duplex)) throw new Error("descriptor 3 is no connection");
  const handlers = {
    ...{ revoke: refused, stop: refused, readNotices: refused, facts: async () => FACTS },
    readLog: async ({ after }: { readonly after: bigint }) =>
      after === 0n ? { lines: [{ sequence: 1n, uptimeMs: 5n, text: "memory ready" }] } : new Promise<never>(() => {}),
    restart: async ({ name }: { readonly name: string }) => {
      asked.push(name);
      return {};
    },
  };
  serveInterface(end, [implement(Supervisor, handlers)]);
  return { gone: () => end.destroy() };
}

test.each([
  {
    program: "status",
    layout: Status,
    method: Status.methods.show.ordinal,
    json: "{}",
    says: '{"memoryFreeBytes":5,"processes":1,"uptimeSeconds":61}',
    asked: [],
  },
  {
    program: "services",
    layout: Services,
    method: Services.methods.restart.ordinal,
    json: '{"name":"memory"}',
    says: "{}",
    asked: ["memory"],
  },
  {
    program: "logs",
    layout: Logs,
    method: Logs.methods.tail.ordinal,
    json: '{"lines":5}',
    says: expect.stringContaining("memory ready"),
    asked: [],
  },
])("$program answers from init's data, and fails once the connection to init ends", async (one) => {
  const child = start(one.program);
  const asked: string[] = [];
  const { gone } = init(child, asked);
  await untilReady(child);
  const holder = await held(child, one.layout.id);
  await expect
    .poll(() => holder.callTool(one.layout.id, one.method, one.json))
    .toMatchObject({ ok: true, value: one.says });
  expect(asked).toEqual(one.asked);
  if (one.program === "logs") return;
  gone();
  await expect.poll(() => holder.callTool(one.layout.id, one.method, one.json)).toMatchObject({ ok: false });
});

const LEDGER: ServiceMethods = {
  schemaVersion: 1,
  toolList: new Uint8Array(),
  held: [],
  interfaceId: 0x1001n,
  interfaceName: "ledger.Ledger",
  methods: [
    {
      ordinal: 0,
      name: "balance",
      readOnly: true,
      params: [],
      results: [{ name: "cents", type: { which: "integer", integer: { low: 0n, high: 9n } }, required: true }],
    },
  ],
};
const MODULE = Buffer.from("export default { balance: () => ({ cents: 7 }) };");

const own = (methods: Uint8Array | ServiceMethods, program = MODULE, words: readonly string[] = []) =>
  start("own", {
    words,
    files: { program, methods: methods instanceof Uint8Array ? methods : encodeMessage(ServiceMethods, methods) },
  });

test("a program of the page starts with its methods, and answers", async () => {
  const child = own(LEDGER);
  await untilReady(child);
  const holder = await held(child, LEDGER.interfaceId);
  expect(await holder.callTool(LEDGER.interfaceId, 0, "{}")).toEqual({ ok: true, value: '{"cents":7}' });
});

test.each([
  ["malformed methods", () => own(Buffer.from("no message")), /^the methods cannot be read: \S/],
  [
    "methods of another schema version",
    () => own({ ...LEDGER, schemaVersion: 2 }),
    /^the methods are of version 2; this program reads 1$/,
  ],
  [
    "a malformed state limit",
    () => own(LEDGER, MODULE, ["--state-bytes", "all"]),
    /^--state-bytes is not a whole number$/,
  ],
  [
    "a module without its function",
    () => own(LEDGER, Buffer.from("export default {};")),
    /^the program of this service does not serve ledger\.Ledger: it has no function `balance`$/,
  ],
  [
    "a malformed module",
    () => own(LEDGER, Buffer.from("export default {")),
    /^the program of this service does not serve ledger\.Ledger: \S/,
  ],
  [
    "a malformed server",
    () => own({ ...LEDGER, toolList: Buffer.from("[") }, Buffer.from("not a server")),
    /^the program of this service does not serve ledger\.Ledger: \S/,
  ],
  [
    "files with a malformed state limit",
    () => start("files", { words: ["--state-bytes", "1k"] }),
    /^--state-bytes is not a whole number$/,
  ],
  [
    "files with malformed folders",
    () => start("files", { words: ["--within", "books=/reports:/../secret"] }),
    /^--within cannot be read$/,
  ],
])("a program that cannot serve exits with the reason, and never reports ready: %s", async (_, started, words) => {
  const child = started();
  let isReady = false;
  child.on("message", () => {
    isReady = true;
  });
  const [code, said] = await lastWords(child);
  expect([code, said.split("\n")[0], isReady]).toEqual([1, expect.stringMatching(words), false]);
});

test("a program does not serve a holder of another interface", async () => {
  const child = start("status");
  init(child, []);
  await untilReady(child);
  const holder = await held(child, Files.id);
  expect(await holder.callTool(Files.id, 0, "{}")).toMatchObject({ ok: false });
});
