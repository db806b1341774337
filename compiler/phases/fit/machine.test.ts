import { expect, test } from "vitest";
import { ROLES } from "../../../engine/lib/roles/index.ts";
import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import { compile } from "../../compile.ts";
import { BESIDE, compilePage, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { testSurroundings } from "../../dev/fixtures/surroundings.ts";
import { computeNeeds, MACHINE_BYTES } from "../policy/index.ts";
import { createMemoryHost } from "../source/index.ts";

const NODE_BYTES = ROLES.own.memory.usual;
const GATE_BYTES = ROLES.gate.memory.usual;

const MIB = 1024 * 1024;

interface Asked {
  readonly services?: number;
  readonly sessions?: number;
  readonly memory?: string;
}

/** Returns a page with a boot session, and additional sessions and services. */
function asked({ services = 0, sessions = 0, memory = "" }: Asked): string {
  const more = Array.from({ length: services }, (_, index) => `service s${index} : Calculator {}`).join("  ");
  const guests = Array.from({ length: sessions }, (_, index) => {
    return `session guest${index} { kind guest  models { auto canned }  permit { auto readOnly } }`;
  });
  return renderFactsPage({
    services: `service notes : Files { state 1 MiB }  ${more}`,
    sessions: `session operator { kind operator  models { auto canned }  permit { auto readOnly } } ${guests.join("\n")}`,
    rest: `storage { disk "capos-data" } image { target linux  machine vm  ${memory}  boot operator }`,
  });
}

const found = async (how: Asked): Promise<readonly Diagnostic[]> => (await compilePage(asked(how))).diagnostics;
const codesOf = async (how: Asked) => (await found(how)).map(({ code }) => code);

async function needed(how: Asked) {
  const { policy, diagnostics } = await compilePage(asked({ ...how, memory: "memory 1 TiB" }));
  if (policy === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return computeNeeds(policy);
}

test("the machine of a page needs memory for the kernel and for each process", async () => {
  const { processes, memoryBytes } = await needed({});
  const node = processes.filter(({ role }) => role !== "console").length;
  expect(node).toBe(7); // audit, broker, notes, the model, the conversations, gate and loop
  expect(memoryBytes).toBe(MACHINE_BYTES + (node - 1) * NODE_BYTES + GATE_BYTES + 4 * MIB);
  const more = await needed({ services: 3, sessions: 2 });
  expect(more.memoryBytes).toBe(memoryBytes + 5 * NODE_BYTES + 2 * GATE_BYTES);
});

test("a page fits a machine of the usual size up to a certain number of services, and does not fit with one more service", async () => {
  const usual = 512 * MIB;
  const { memoryBytes } = await needed({});
  const most = Math.floor((usual - memoryBytes) / NODE_BYTES);
  expect(await codesOf({ services: most })).toEqual([]);
  const [one, ...others] = await found({ services: most + 1 });
  expect([one?.code, others]).toEqual(["machine-too-small", []]);
  expect(one?.message).toContain("the machine has 512 MiB");
});

test("if a page does not fit its machine, a check reports a warning", async () => {
  const host = createMemoryHost({ ...BESIDE, "/system.cap": asked({ sessions: 18 }) }, "2026-01-01");
  const { policy, diagnostics } = await compile(host, "/system.cap", { ...testSurroundings, purpose: "check" });
  expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["machine-too-small", "warning"]]);
  expect(policy?.tables.rows.length).toBe(19);
});

test("each session needs two processes", async () => {
  expect(await codesOf({ sessions: 9 })).toEqual([]);
  expect(await codesOf({ sessions: 18 })).toEqual(["machine-too-small"]);
});

test.each([{ services: 5 }, { sessions: 17 }, { sessions: 60 }])(
  "a machine with the computed memory is large enough, and one with a byte less is not: %o",
  async (how) => {
    const { memoryBytes } = await needed(how);
    expect(await codesOf({ ...how, memory: `memory ${memoryBytes} B` })).toEqual([]);
    const [small] = await found({ ...how, memory: `memory ${memoryBytes - 1} B` });
    expect(small?.code).toBe("machine-too-small");
    const [, told] = /write `memory (\d+) MiB`/.exec(small?.help ?? "") ?? [];
    expect(await codesOf({ ...how, memory: `memory ${told} MiB` })).toEqual([]);
  },
);

test("above the usual memory size, the kernel uses a share of the additional memory", async () => {
  const [less, more] = [await needed({ services: 40 }), await needed({ services: 55 })];
  expect(more.memoryBytes - less.memoryBytes).toBe(15 * NODE_BYTES + NODE_BYTES);
});

test("a console supports the connections of 165 sessions, but not of 166", async () => {
  expect(await codesOf({ sessions: 164, memory: "memory 64 GiB" })).toEqual([]);
  const told = await found({ sessions: 165, memory: "memory 64 GiB" });
  expect(told.map(({ code, message }) => [code, message])).toEqual([
    ["machine-limit", "`console` would have 515 descriptors open; at most 512 are possible"],
  ]);
});

test("a page for upstream's kernel is not checked, because its image starts none of these processes", async () => {
  const text = renderFactsPage({
    services: 'service one : Calculator { exec "services/one" }',
    rest: "image { target capos  boot operator }",
  });
  expect((await compilePage(text)).diagnostics.map(({ code }) => code)).not.toContain("machine-too-small");
});
