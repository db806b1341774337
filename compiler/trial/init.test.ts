// Tests the connections and restarts of processes. Programs that only hold and serve connections replace the programs
// of the processes.

import { afterEach, expect, test, vi } from "vitest";
import type { Role } from "../../engine/lib/roles/index.ts";
import type { Capset } from "../../engine/lib/wire/capset.ts";
import type { Grant } from "../../engine/lib/wire/generated/manifest.ts";
import { Supervisor } from "../../engine/lib/wire/generated/wire.ts";
import { connect } from "../../engine/lib/wire/index.ts";
import { HostInit, type Planned } from "./init.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Id of the interface of `papers`, which nobody calls. */
const PAPERS = 7n;
const RESTART = { most: 3, withinSeconds: 60, pauseMs: 0 };

function plan(name: string, role: Role, grants: readonly Grant[], program: Planned["program"]): Planned {
  const needs = { uid: 1001, exec: "", arguments: [], memoryMaxBytes: 0n, answerWithinSeconds: 0, stateMaxBytes: 0n };
  const process = { name, role, grants, files: [], restart: RESTART, ...needs };
  return { process, role, words: [], handed: { files: new Map(), partitions: new Map(), directory: "" }, program };
}

function grant(name: string, interfaceId: bigint, expiresAfterSeconds = 0): Grant {
  return { name, provider: name, interfaceId, badge: 1n, expiresAfterSeconds, origin: "" };
}

/** Starts a service `papers`, and a process of the given role with a grant of this service. */
async function start({ role = "gate", expiresAfterSeconds = 0 }: { role?: Role; expiresAfterSeconds?: number } = {}) {
  const told: string[] = [];
  const served: string[] = [];
  let ends = 0;
  let holder: Capset | undefined;
  const programs = {
    papers: (capset: Capset): void => {
      capset.onGrant((given) => {
        served.push(`${given.holder} ${given.name}`);
      });
      capset.ready();
    },
    holder: (capset: Capset): void => {
      holder = capset;
      capset.onEnd("papers", () => {
        ends++;
      });
      capset.ready();
    },
  };
  const grants = [grant("papers", PAPERS, expiresAfterSeconds), grant("init", Supervisor.id)];
  const planned = [plan("papers", "files", [], programs.papers), plan("gate.a", role, grants, programs.holder)];
  const init = new HostInit(planned, {
    bootId: "",
    resolvers: "",
    now: () => performance.now(),
    console: { receive: () => {} },
    tell: (line) => told.push(line),
    onBroken: (reason) => told.push(reason),
  });
  await init.start();
  const person = connect(init.connectSupervisor());
  const restart = (name: string) => person.call(Supervisor.methods.restart, { name });
  const papers = () => holder?.connection("papers").closed;
  const revoke = (name: string) => holder?.connection("init").call(Supervisor.methods.revoke, { name });
  return { init, told, served, restart, papers, revoke, countEnds: () => ends };
}

test("a grant is renewed when its provider restarts", async () => {
  const { init, served, restart, countEnds } = await start();
  expect(served).toEqual(["gate.a papers"]);
  expect(await restart("papers")).toMatchObject({ ok: true });
  expect(served).toEqual(["gate.a papers", "gate.a papers"]);
  expect(countEnds()).toBe(1);
  await init.end();
});

test("a revoked grant is closed, and stays closed when its provider restarts", async () => {
  const { init, served, restart, papers, revoke } = await start();
  expect(await revoke("papers")).toMatchObject({ ok: true });
  await papers();
  expect(await restart("papers")).toMatchObject({ ok: true });
  await papers();
  expect(served).toEqual(["gate.a papers"]);
  expect(await revoke("papers")).toMatchObject({ ok: false, reason: "gate.a holds no papers" });
  await init.end();
});

test("a revoked grant stays closed when its holder restarts", async () => {
  const { init, served, restart, papers, revoke } = await start({ role: "logs" });
  expect(await revoke("papers")).toMatchObject({ ok: true });
  expect(await restart("gate.a")).toMatchObject({ ok: true });
  await papers();
  expect(served).toEqual(["gate.a papers"]);
  await init.end();
});

test("a process can only revoke its own grants", async () => {
  const { init, revoke } = await start();
  expect(await revoke("letters")).toMatchObject({ ok: false, reason: "gate.a holds no letters" });
  await init.end();
});

test("an expired grant is closed and reported, and stays closed when its provider restarts", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const { init, told, served, restart, papers } = await start({ expiresAfterSeconds: 5 });
  vi.advanceTimersByTime(4999);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  await papers();
  expect(told).toEqual(["gate.a.papers expired"]);
  expect(await restart("papers")).toMatchObject({ ok: true });
  expect(served).toEqual(["gate.a papers"]);
  await init.end();
});

test("the lifetime of a grant does not restart with its provider", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const { init, told, restart, papers } = await start({ expiresAfterSeconds: 5 });
  vi.advanceTimersByTime(4000);
  expect(await restart("papers")).toMatchObject({ ok: true });
  vi.advanceTimersByTime(1000);
  await papers();
  vi.advanceTimersByTime(10_000);
  expect(told).toEqual(["gate.a.papers expired"]);
  await init.end();
});

test("a grant with a lifetime of months expires after this time", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const { init, told } = await start({ expiresAfterSeconds: 90 * 24 * 3600 });
  vi.advanceTimersByTime(90 * 24 * 3600 * 1000 - 1);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(["gate.a.papers expired"]);
  await init.end();
});
