// Tests the broker as init starts it: in its own process, with its jail's flags, tables by descriptor and connections by channel. A person
// signs with the real ssh-keygen.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createServer, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AuditEntry } from "../../lib/wire/generated/audit.ts";
import { AuditLog, Broker } from "../../lib/wire/generated/wire.ts";
import { connect, implement, makeFailure, serveInterface } from "../../lib/wire/index.ts";
import { newSshKey } from "./sshsig/testing/ssh-keygen.ts";
import { BOOT_ID, tablesBytes } from "./testing/brokers.ts";

const folder = mkdtempSync(join(tmpdir(), "capos-broker-"));
const program = join(folder, "broker.mjs");
const alice = newSshKey();

beforeAll(async () => {
  const entryPoints = [new URL("./main.ts", import.meta.url).pathname];
  await build({ entryPoints, outfile: program, bundle: true, platform: "node", format: "esm", logLevel: "error" });
});
afterAll(() => {
  alice.remove();
  rmSync(folder, { recursive: true });
});

function start(tables: Uint8Array): ChildProcess {
  const file = join(folder, "tables.bin");
  writeFileSync(file, tables);
  return spawn(
    process.execPath,
    ["--jitless", "--disallow-code-generation-from-strings", "--disable-proto=delete", program],
    {
      stdio: ["ignore", "inherit", "pipe", openSync(file, "r"), "pipe", "ipc"],
      env: {
        CAPOS_NAME: "broker",
        CAPOS_BOOT_ID: BOOT_ID,
        CAPOS_FILES: "tables=3",
        CAPOS_GRANTS: `audit=4:${AuditLog.id.toString(16)}`,
      },
    },
  );
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => (JSON.stringify(message) === '{"capos":"ready"}' ? resolve() : reject(message)));
    child.once("exit", (code) => reject(new Error(`ended with ${code}`)));
  });
}

/** Gives the child one end of a new connection, as init does, and returns the other end. */
async function granted(child: ChildProcess, holder: string): Promise<Socket> {
  const path = join(folder, holder);
  const server = createServer({ pauseOnConnect: true });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const arrived = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const near = new Socket().connect(path);
  const grant = { capos: "grant", badge: "12", interfaceId: Broker.id.toString(16), holder, name: "broker" };
  child.send(grant, await arrived);
  server.close();
  return near;
}

/** Resolves with the entries that the process sent to the audit, once there are `count` of them. */
function auditOf(child: ChildProcess, count: number): Promise<readonly AuditEntry[]> {
  const entries: AuditEntry[] = [];
  return new Promise((resolve) => {
    serveInterface(child.stdio[4] as Duplex, [
      implement(AuditLog, {
        append: async ({ entry }) => {
          entries.push(entry);
          if (entries.length === count) resolve(entries);
          return { sequence: BigInt(entries.length), hash: new Uint8Array(32), policyDigest: new Uint8Array(32) };
        },
        status: async () => makeFailure("failed", "not asked for"),
        tail: async () => makeFailure("failed", "not asked for"),
      }),
    ]);
  });
}

test("a process with the flags of its jail reserves quotas, issues challenges and identifies the signer", async () => {
  const child = start(tablesBytes({ alice: [alice.line] }));
  await untilReady(child);
  const gate = connect(await granted(child, "gate.operator"));
  const { reserve, challenge, prove } = Broker.methods;
  const own = { task: "", phase: "" };
  const request = { conversation: "c", turn: 1, tool: "notes.delete", prompts: 1, argumentBytes: 0, ran: [], ...own };
  const reserved = await gate.call(reserve, { request });
  expect(reserved).toMatchObject({ ok: true, value: { exhausted: "" } });
  // The nonce is random bytes from the kernel.
  expect(reserved).not.toMatchObject({ value: { lease: new Uint8Array(16) } });
  const step = { conversation: "c", turn: 1, tool: "notes.delete", arguments: "{}", validForMs: 60_000, ...own };
  const made = await gate.call(challenge, { step });
  if (!made.ok) throw new Error(made.reason);
  expect(JSON.parse(made.value.challenge)).toMatchObject({
    bootId: BOOT_ID,
    session: "operator",
    tool: "notes.delete",
  });
  const proof = { nonce: made.value.nonce, signature: alice.sign(made.value.challenge) };
  expect(await gate.call(prove, proof)).toEqual({ ok: true, value: { principal: "alice", failure: "" } });
  child.kill();
});

test("disconnects a holder that is not a gate or breaks the framing, and records that in the audit log", async () => {
  const child = start(tablesBytes());
  const told = auditOf(child, 2);
  await untilReady(child);
  const stranger = await granted(child, "loop.operator");
  await connect(stranger).closed;
  const gate = await granted(child, "gate.operator");
  gate.write(Buffer.alloc(64, 0xff));
  await connect(gate).closed;
  const digest = new Uint8Array(0);
  expect(await told).toEqual([
    {
      which: "session",
      session: {
        name: "loop.operator",
        event: "cut off",
        detail: "it is no gate of a session of these tables",
        digest,
      },
    },
    {
      which: "session",
      session: { name: "gate.operator", event: "cut off", detail: expect.stringContaining("frame"), digest },
    },
  ]);
  child.kill();
});

test("a process with unusable tables exits with the reason", async () => {
  const child = start(tablesBytes({ alice: ["ssh-rsa AAAA"] }));
  const said = text(child.stderr as Readable);
  const code = await new Promise((resolve) => child.once("exit", resolve));
  expect(code).toBe(1);
  expect(await said).toContain("principal alice: a public key is neither");
});
