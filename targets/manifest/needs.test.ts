import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compilePage, renderFactsPage } from "../../compiler/dev/fixtures/facts.ts";
import { compileExample, listExampleNames } from "../../compiler/dev/golden/golden.ts";
import {
  computeNeeds,
  INIT_DESCRIPTORS,
  MOST_DESCRIPTORS,
  MOST_ENTRIES,
  type Origins,
  type Policy,
} from "../../compiler/phases/policy/index.ts";
import { PLAIN } from "../../engine/lib/policy/testing/sample.ts";
import type { Process } from "../../engine/lib/wire/generated/manifest.ts";
import { planProcesses } from "./processes.ts";

/** All examples except the one for upstream's kernel, because upstream's init has its own limits. */
const LINUX = listExampleNames().filter((name) => name !== "upstream-capos");

const CHECKOUT = fileURLToPath(new URL("../../", import.meta.url));
const textOf = (path: string) => readFileSync(`${CHECKOUT}${path}`, "utf8");

const COUNTED = "computeNeeds (targets/contract/memory.ts) counts each process that targets/manifest plans";

/** Returns how many descriptors init gives a process, including the connections that the process serves. */
function givenTo({ name, role, grants, files }: Process, all: readonly Process[]): number {
  const held = files.filter(({ which }) => which === "blob" || which === "key" || which === "partition");
  const served = all.flatMap((other) => other.grants.filter(({ provider }) => provider === name));
  return grants.length + held.length + served.length + (role === "audit" ? 1 : 0);
}

/** Fails if `computeNeeds` counts other processes or numbers of descriptors for a policy than `planProcesses` plans. */
function compareCounts(policy: Policy, origins: Origins): void {
  const planned = planProcesses(policy, origins);
  const { processes } = computeNeeds(policy);
  const counted = new Map(processes.map(({ name, role, given }) => [name, { role, given }]));
  expect([...counted.keys()].sort(), COUNTED).toEqual(planned.map(({ name }) => name).sort());
  for (const process of planned) {
    const { role, given } = counted.get(process.name) ?? { role: "", given: 0 };
    expect([process.name, role]).toEqual([process.name, process.role]);
    // For a local model, the computed count includes the prefilled states, which an image may contain but these images
    // do not.
    const more = process.role === "model-local" && !process.name.startsWith("embedder.") ? 1 : 0;
    expect([process.name, given]).toEqual([process.name, givenTo(process, planned) + more]);
  }
}

test.each(LINUX)("%s: needs are computed for exactly the planned processes", async (name) => {
  const { policy, origins } = await compileExample(name);
  compareCounts(policy, origins);
});

test("a gate of a page with `from` conditions needs more memory, for its index of sources", async () => {
  const { policy } = await compileExample("first-agent");
  const bytesOf = (of: Policy) => computeNeeds(of).processes.find(({ role }) => role === "gate")?.memoryBytes ?? 0;
  const asks = {
    path: ["path"],
    term: "value",
    operator: "from",
    literals: [],
    ...PLAIN,
    sources: [{ which: "person" }],
  } as const;
  const clause = { conditions: [asks], met: "auto", otherwise: "forbidden", rule: 0, group: 0 } as const;
  const decisions = [...policy.tables.decisions, { clauses: [clause], floors: [] }];
  const listening = { ...policy, tables: { ...policy.tables, decisions } };
  expect(bytesOf(listening) - bytesOf(policy)).toBe(10 * 1024 * 1024);
});

const SERVICES = [
  ["Files", "state 1 MiB"],
  ["Calculator", ""],
  ["Clock", ""],
  ["Logs", "label internal/untrusted"],
  ["Status", "label public/system"],
  ["Scratch", "state 1 MiB"],
  ["Memory", "state 1 MiB"],
  ["Services", ""],
] as const;
const BACKENDS = ["canned", "second", "third"];

/** Random pages with services, backends and sessions. Each session may use some services and one backend. */
const pages = fc
  .record({
    services: fc.array(fc.constantFrom(...SERVICES), { minLength: 1, maxLength: 6 }),
    sessions: fc.array(fc.record({ model: fc.nat(2), tools: fc.nat(63) }), { minLength: 1, maxLength: 5 }),
  })
  .map(({ services, sessions }) => {
    const sessionText = ({ model, tools }: { model: number; tools: number }, index: number): string => {
      const permitted = services.map((_, at) => `${(tools >> at) % 2 === 1 ? "consent" : "forbidden"} s${at}.*`);
      const kind = index === 0 ? "operator" : "guest";
      return `session s${index}x { kind ${kind}  models { auto ${BACKENDS[model]} }  permit { ${permitted.join("  ")} } }`;
    };
    return renderFactsPage({
      services: services.map(([type, body], at) => `service s${at} : ${type} { ${body} }`).join("\n"),
      backends: BACKENDS.filter((_, at) => sessions.some(({ model }) => model === at))
        .map((name) => `backend ${name} { stub }`)
        .join("\n"),
      sessions: sessions.map(sessionText).join("\n"),
      rest: 'storage { disk "capos-data" }  image { target linux  machine vm  memory 1 TiB  boot s0x }',
    });
  });

test("property: for any page, the needs are computed for exactly the planned processes", async () => {
  let compiled = 0;
  await fc.assert(
    fc.asyncProperty(pages, async (text) => {
      const { policy, origins, diagnostics } = await compilePage(text);
      const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
      expect(errors).toEqual([]);
      if (policy === undefined || origins === undefined) throw new Error("a page without errors has no policy");
      compareCounts(policy, origins);
      compiled += 1;
    }),
    { numRuns: 40, endOnFailure: true },
  );
  expect(compiled).toBe(40);
});

test("the limits of descriptors and of manifest entries equal those of init and of the jails", () => {
  const most = globSync("engine/image/jails/*.json", { cwd: CHECKOUT }).flatMap((path) => {
    const { openFiles } = JSON.parse(textOf(path)) as { readonly openFiles?: { readonly most: number } };
    return openFiles === undefined ? [] : [openFiles.most];
  });
  expect(new Set(most)).toEqual(new Set([MOST_DESCRIPTORS]));
  const number = (path: string, name: string) =>
    Number(new RegExp(`const ${name}: \\w+ = ([\\d_]+);`).exec(textOf(path))?.[1]?.replaceAll("_", ""));
  expect(number("engine/image/init/src/boot/room.rs", "DESCRIPTORS")).toBe(INIT_DESCRIPTORS);
  expect(number("engine/image/init/src/manifest.rs", "MOST_ITEMS")).toBe(MOST_ENTRIES);
  // Before init gives descriptors to a process, it moves them to the number `PARKED` and above. `PARKED` must exceed
  // all descriptor numbers of a process, so that none is overwritten.
  expect(number("engine/image/init/src/supervise/jail.rs", "PARKED")).toBeGreaterThan(MOST_DESCRIPTORS);
});
