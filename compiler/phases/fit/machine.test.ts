import { expect, test } from "vitest";
import { ROLES } from "../../../engine/lib/roles/index.ts";
import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import { compile } from "../../compile.ts";
import { BESIDE, compilePage, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { testSurroundings } from "../../dev/fixtures/surroundings.ts";
import { computeNeeds, MACHINE_BYTES } from "../policy/index.ts";
import { createMemoryHost } from "../source/index.ts";

const NODE_BYTES = ROLES.own.memory.usual;

const MIB = 1024 * 1024;

interface Asked {
  readonly services?: number;
  readonly sessions?: number;
  readonly memory?: string;
}

/** Returns a page with a session that boots, and more sessions and services. */
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

test("the memory of a page is the kernel's part and that of each process", async () => {
  const { processes, memoryBytes } = await needed({});
  const node = processes.filter(({ role }) => role !== "console").length;
  expect(node).toBe(7); // audit, broker, notes, the model, the conversations, gate and loop
  expect(memoryBytes).toBe(MACHINE_BYTES + node * NODE_BYTES + 4 * MIB);
  expect((await needed({ services: 3, sessions: 2 })).memoryBytes).toBe(memoryBytes + 7 * NODE_BYTES);
});

test("a page fits the usual machine to its last service, and not with one more", async () => {
  const usual = 512 * MIB;
  const { memoryBytes } = await needed({});
  const most = Math.floor((usual - memoryBytes) / NODE_BYTES);
  expect(await codesOf({ services: most })).toEqual([]);
  const [one, ...others] = await found({ services: most + 1 });
  expect([one?.code, others]).toEqual(["machine-too-small", []]);
  expect(one?.message).toContain("its machine has 512 MiB");
});

test("a page that is only checked is reported, and stands", async () => {
  const host = createMemoryHost({ ...BESIDE, "/system.cap": asked({ sessions: 18 }) }, "2026-01-01");
  const { policy, diagnostics } = await compile(host, "/system.cap", { ...testSurroundings, purpose: "check" });
  expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["machine-too-small", "warning"]]);
  expect(policy?.tables.rows.length).toBe(19);
});

test("sessions take two processes each", async () => {
  expect(await codesOf({ sessions: 9 })).toEqual([]);
  expect(await codesOf({ sessions: 18 })).toEqual(["machine-too-small"]);
});

test.each([{ services: 5 }, { sessions: 17 }, { sessions: 60 }])(
  "%o: the size that is asked for is enough, and a byte less is not",
  async (how) => {
    const { memoryBytes } = await needed(how);
    expect(await codesOf({ ...how, memory: `memory ${memoryBytes} B` })).toEqual([]);
    const [small] = await found({ ...how, memory: `memory ${memoryBytes - 1} B` });
    expect(small?.code).toBe("machine-too-small");
    const [, told] = /write `memory (\d+) MiB`/.exec(small?.help ?? "") ?? [];
    expect(await codesOf({ ...how, memory: `memory ${told} MiB` })).toEqual([]);
  },
);

test("beyond the usual the kernel takes a part of what is more", async () => {
  const [less, more] = [await needed({ services: 40 }), await needed({ services: 55 })];
  expect(more.memoryBytes - less.memoryBytes).toBe(15 * NODE_BYTES + NODE_BYTES);
});

test("a console has room for the connections of 165 sessions, and not for those of one more", async () => {
  expect(await codesOf({ sessions: 164, memory: "memory 64 GiB" })).toEqual([]);
  const told = await found({ sessions: 165, memory: "memory 64 GiB" });
  expect(told.map(({ code, message }) => [code, message])).toEqual([
    ["machine-limit", "`console` would have 515 descriptors open, and 512 are the most"],
  ]);
});

test("a page for upstream's kernel has no limits of this runtime", async () => {
  const text = renderFactsPage({
    services: 'service one : Calculator { exec "services/one" }',
    rest: "image { target capos  boot operator }",
  });
  expect((await compilePage(text)).diagnostics.map(({ code }) => code)).not.toContain("machine-too-small");
});
