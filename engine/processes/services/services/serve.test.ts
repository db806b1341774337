import { duplexPair } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Services } from "../../../lib/wire/generated/tools.ts";
import { type ProcessFacts, Supervisor } from "../../../lib/wire/generated/wire.ts";
import { type Connection, connect, implement, makeFailure, serveInterface } from "../../../lib/wire/index.ts";
import { serveServices } from "./serve.ts";

const { list, restart } = Services.methods;
const refused = async () => makeFailure("failed", "not for this holder");

const PROCESSES: readonly ProcessFacts[] = [
  { name: "notes", role: "files", alive: true },
  { name: "books", role: "own", alive: true },
  { name: "dice", role: "own-native", alive: true },
  { name: "machine", role: "status", alive: false },
  { name: "keeper", role: "services", alive: true },
  ...["audit", "broker", "console", "gate", "loop", "model"].map((role) => ({ name: role, role, alive: true })),
];

/** A holder of Services over an init that knows these processes, and what init was asked to start again. */
function servicesOver(restarting: (name: string) => Promise<ReturnType<typeof makeFailure> | object>) {
  const [held, init] = duplexPair();
  const asked: string[] = [];
  serveInterface(init, [
    implement(Supervisor, {
      revoke: refused,
      stop: refused,
      readLog: refused,
      readNotices: refused,
      facts: async () => ({ uptimeSeconds: 0n, memoryFreeBytes: 0n, processes: PROCESSES }),
      restart: async ({ name }) => {
        asked.push(name);
        return restarting(name);
      },
    }),
  ]);
  const [here, there] = duplexPair();
  const supervisor = connect(held);
  serveServices(there, supervisor);
  return { services: connect(here), supervisor, asked };
}

const willing = () => servicesOver(async () => ({}));
const call = (services: Connection, method: number, args: object) =>
  services.callTool(Services.id, method, JSON.stringify(args));

test("those that run and answer for tools are listed, and nobody else", async () => {
  const { services } = willing();
  const value = '{"services":["books","dice","keeper","notes"]}';
  expect(await call(services, list.ordinal, {})).toEqual({ ok: true, value });
});

test("a restart is asked of init, and told when init has answered", async () => {
  const { services, asked } = willing();
  expect(await call(services, restart.ordinal, { name: "notes" })).toEqual({ ok: true, value: "{}" });
  expect(asked).toEqual(["notes"]);
});

test("a refusal by init is reported in its words", async () => {
  const { services } = servicesOver(async () => makeFailure("failed", "gate.operator is no service"));
  expect(await call(services, restart.ordinal, { name: "gate.operator" })).toEqual({
    ok: false,
    code: "failed",
    reason: "gate.operator is no service",
  });
});

test("without init nothing is told, and nothing is started", async () => {
  const { services, supervisor } = willing();
  supervisor.close();
  expect(await call(services, list.ordinal, {})).toMatchObject({ ok: false, code: "failed" });
  expect(await call(services, restart.ordinal, { name: "notes" })).toMatchObject({ ok: false, code: "failed" });
});

test("a holder that gives up is answered at once, whatever init does", async () => {
  const arrived = Promise.withResolvers<void>();
  const { services } = servicesOver(() => {
    arrived.resolve();
    return new Promise(() => {});
  });
  const giveUp = new AbortController();
  const reply = services.callTool(Services.id, restart.ordinal, '{"name":"notes"}', { signal: giveUp.signal });
  await arrived.promise;
  giveUp.abort();
  expect(await reply).toMatchObject({ ok: false, code: "cancelled" });
});

test("law: any arguments ask init for one name at most, as they were given", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(5), fc.jsonValue(), async (method, args) => {
      const { services, asked } = willing();
      const reply = await services.callTool(Services.id, method, JSON.stringify(args));
      const name = typeof args === "object" && args !== null && "name" in args ? args["name"] : "";
      const wanted = reply.ok && method === restart.ordinal ? [typeof name === "string" ? name : ""] : [];
      expect(asked).toEqual(wanted);
      if (reply.ok) expect([list.ordinal, restart.ordinal]).toContain(method);
    }),
    { numRuns: 60 },
  );
});
