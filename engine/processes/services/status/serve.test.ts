import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { Status } from "../../../lib/wire/generated/tools.ts";
import { type ProcessFacts, Supervisor } from "../../../lib/wire/generated/wire.ts";
import { type Connection, connect, implement, makeFailure, serveInterface } from "../../../lib/wire/index.ts";
import { serveStatus } from "./serve.ts";

const SHOW = Status.methods.show.ordinal;
const refused = async () => makeFailure("failed", "not for this holder");

interface Facts {
  readonly uptimeSeconds: bigint;
  readonly memoryFreeBytes: bigint;
  readonly processes: readonly ProcessFacts[];
}

/** Returns a client of Status with a simulated init. This init reports `facts`: uptime, free memory, and processes. */
function statusOver(facts: () => Promise<Facts>): { readonly status: Connection; readonly supervisor: Connection } {
  const [held, init] = duplexPair();
  serveInterface(init, [
    implement(Supervisor, {
      revoke: refused,
      stop: refused,
      readLog: refused,
      readNotices: refused,
      restart: refused,
      facts,
    }),
  ]);
  const [here, there] = duplexPair();
  const supervisor = connect(held);
  serveStatus(there, supervisor);
  return { status: connect(here), supervisor };
}

const FACTS: Facts = {
  uptimeSeconds: 61n,
  memoryFreeBytes: 5_000_000_000n,
  processes: [
    { name: "console", role: "console", alive: true, serves: true },
    { name: "journal", role: "logs", alive: false, serves: false },
    { name: "machine", role: "status", alive: true, serves: true },
  ],
};

test("returns uptime, free memory and living processes as one canonical JSON object", async () => {
  const { status } = statusOver(async () => FACTS);
  const json = '{"memoryFreeBytes":5000000000,"processes":2,"uptimeSeconds":61}';
  expect(await status.callTool(Status.id, SHOW, "{}")).toEqual({ ok: true, value: json });
});

test("fails for a number that JSON cannot represent exactly", async () => {
  const { status } = statusOver(async () => ({ ...FACTS, memoryFreeBytes: 2n ** 53n }));
  expect(await status.callTool(Status.id, SHOW, "{}")).toMatchObject({ ok: false, code: "failed" });
});

test("fails if the connection to init has ended", async () => {
  const { status, supervisor } = statusOver(async () => FACTS);
  supervisor.close();
  expect(await status.callTool(Status.id, SHOW, "{}")).toMatchObject({
    ok: false,
    code: "failed",
    reason: expect.stringContaining("init does not tell"),
  });
});

test("a cancelled call is answered immediately, whatever init does", async () => {
  let asked: () => void = () => {};
  const arrived = new Promise<void>((resolve) => (asked = resolve));
  const { status } = statusOver(() => {
    asked();
    return new Promise(() => {});
  });
  const giveUp = new AbortController();
  const reply = status.callTool(Status.id, SHOW, "{}", { signal: giveUp.signal });
  await arrived;
  giveUp.abort();
  expect(await reply).toMatchObject({ ok: false, code: "cancelled" });
});

test("Status has one method, which takes an object", async () => {
  const { status } = statusOver(async () => FACTS);
  expect(await status.callTool(Status.id, 1, "{}")).toMatchObject({ ok: false, code: "unknownMethod" });
  expect(await status.callTool(Status.id, SHOW, "[]")).toMatchObject({ ok: false, code: "failed" });
  expect(await status.call(Status.methods.show, {})).toMatchObject({ ok: false, code: "malformed" });
});
