import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { INIT_DESCRIPTORS, MOST_DESCRIPTORS, MOST_ENTRIES, needsOf } from "../../compiler/policy/index.ts";
import type { Process } from "../../engine/wire/generated/manifest.ts";
import { compiledExample, exampleNames } from "../../golden/golden.ts";
import { processesOf } from "./processes.ts";

/** For another kernel nothing is added up: upstream's own init has its own bounds. */
const LINUX = exampleNames().filter((name) => name !== "upstream-capos");

const CHECKOUT = fileURLToPath(new URL("../../", import.meta.url));
const textOf = (path: string) => readFileSync(`${CHECKOUT}${path}`, "utf8");

/** What init gives a process as a descriptor, and what it hands over to be served. */
function givenTo({ name, role, grants, files }: Process, all: readonly Process[]): number {
  const held = files.filter(({ which }) => which === "blob" || which === "key" || which === "partition");
  const served = all.flatMap((other) => other.grants.filter(({ provider }) => provider === name));
  return grants.length + held.length + served.length + (role === "audit" ? 1 : 0);
}

test.each(LINUX)("%s: what is added up is what is started", async (name) => {
  const { policy, origins } = await compiledExample(name);
  const planned = processesOf(policy, origins);
  const { processes } = needsOf(policy);
  const counted = new Map(processes.map(({ name, role, given }) => [name, { role, given }]));
  expect([...counted.keys()].sort()).toEqual(planned.map(({ name }) => name).sort());
  for (const process of planned) {
    const { role, given } = counted.get(process.name) ?? { role: "", given: 0 };
    expect([process.name, role]).toEqual([process.name, process.role]);
    // Of a model in the machine one more is counted: the states that an image may have beside its weights.
    const more = process.role === "model-local" && !process.name.startsWith("embedder.") ? 1 : 0;
    expect([process.name, given]).toEqual([process.name, givenTo(process, planned) + more]);
  }
});

test("the numbers that are added up against are those of init and of the jails", () => {
  const most = globSync("engine/jails/*.json", { cwd: CHECKOUT }).flatMap((path) => {
    const { openFiles } = JSON.parse(textOf(path)) as { readonly openFiles?: { readonly most: number } };
    return openFiles === undefined ? [] : [openFiles.most];
  });
  expect(new Set(most)).toEqual(new Set([MOST_DESCRIPTORS]));
  const number = (path: string, name: string) =>
    Number(new RegExp(`const ${name}: \\w+ = ([\\d_]+);`).exec(textOf(path))?.[1]?.replaceAll("_", ""));
  expect(number("engine/init/src/boot/room.rs", "DESCRIPTORS")).toBe(INIT_DESCRIPTORS);
  expect(number("engine/init/src/manifest.rs", "MOST_ITEMS")).toBe(MOST_ENTRIES);
  // Above every number that a process may have, so that moving descriptors into place overwrites none.
  expect(number("engine/init/src/supervise/jail.rs", "PARKED")).toBeGreaterThan(MOST_DESCRIPTORS);
});
