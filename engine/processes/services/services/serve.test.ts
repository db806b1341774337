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
  { name: "notes", role: "files", alive: true, serves: true },
  { name: "books", role: "own", alive: true, serves: true },
  { name: "dice", role: "own-native", alive: true, serves: true },
  { name: "machine", role: "status", alive: false, serves: false },
  { name: "keeper", role: "services", alive: true, serves: true },
  ...["audit", "broker", "console", "gate", "loop", "model"].map((role) => ({
    name: role,
    role,
    alive: true,
    serves: true,
  })),
];

/**
 * Returns a client of Services, whose simulated init knows the processes in `PROCESSES`. `asked` lists the processes
 * that this init was asked to restart.
 */
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

test("lists the running services that have tools, and no other processes", async () => {
  const { services } = willing();
  const value = '{"services":["books","dice","keeper","notes"]}';
  expect(await call(services, list.ordinal, {})).toEqual({ ok: true, value });
});

test("restart asks init, and answers after init does", async () => {
  const { services, asked } = willing();
  expect(await call(services, restart.ordinal, { name: "notes" })).toEqual({ ok: true, value: "{}" });
  expect(asked).toEqual(["notes"]);
});

test("passes init's reason for a refusal on to the caller", async () => {
  const { services } = servicesOver(async () => makeFailure("failed", "gate.operator is no service"));
  expect(await call(services, restart.ordinal, { name: "gate.operator" })).toEqual({
    ok: false,
    code: "failed",
    reason: "gate.operator is no service",
  });
});

test("fails if the connection to init has ended", async () => {
  const { services, supervisor } = willing();
  supervisor.close();
  expect(await call(services, list.ordinal, {})).toMatchObject({ ok: false, code: "failed" });
  expect(await call(services, restart.ordinal, { name: "notes" })).toMatchObject({ ok: false, code: "failed" });
});

test("a cancelled call is answered immediately, whatever init does", async () => {
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

test("property: any arguments cause at most one request to init, with the name unchanged", async () => {
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
