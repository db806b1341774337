import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { DEBIAN_PACKAGES } from "./debian-inputs.ts";
import { findInputDrift, readLock } from "./inputs.ts";
import { readLlamaInputs } from "./llama.ts";
import { listModules, MACHINES, type Machine, PREBUILT } from "./prebuilt.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const PREBUILT_FOLDER = join(CHECKOUT, "engine/prebuilt");

test("the lock names every committed input and Node, and each of these files matches the lock", () => {
  expect(findInputDrift(CHECKOUT)).toEqual([]);
});

test("every input names its origin, its source and its licence", () => {
  for (const input of readLock(CHECKOUT).files) {
    for (const word of [input.package, input.version, input.source, input.licence]) expect(word).not.toBe("");
  }
});

test("the lock names every file of the engine for local models, exactly as a new lock would", () => {
  const named = readLock(CHECKOUT).files.filter(({ name }) => name.startsWith("node_modules/@node-llama-cpp/"));
  expect(named).toEqual(readLlamaInputs(CHECKOUT).toSorted((a, b) => (a.name < b.name ? -1 : 1)));
});

test("includes the licence of every Debian package from which files come", () => {
  const terms = (name: string): boolean => existsSync(join(PREBUILT_FOLDER, "licences", `${name}.txt`));
  const lacking = DEBIAN_PACKAGES.map((wanted) => wanted.package).filter((name) => !terms(name));
  // These two packages link to the licence of gcc-12-base, which is present.
  expect(lacking).toEqual(["libgcc-s1", "libstdc++6"]);
});

/**
 * Returns a field of a kernel module: `depends` names the modules that it needs, and `vermagic` the kernel for which it
 * was built.
 */
function field(machine: Machine, name: string, key: string): string {
  const bytes = readFileSync(join(PREBUILT_FOLDER, PREBUILT.modules(machine), name), "latin1");
  return new RegExp(`(?:^|\\0)${key}=([^\\0]*)\\0`).exec(bytes)?.[1] ?? "";
}

function needs(machine: Machine, name: string): string[] {
  const words = field(machine, name, "depends").split(",");
  return words.filter((word) => word !== "").map(spelt);
}

/** Returns the name with underscores in place of hyphens: the kernel's tools treat both alike. */
const spelt = (name: string): string => name.replaceAll("-", "_");

test.each(MACHINES)("modules of %s load after the modules that they need", (machine) => {
  const loaded = new Set<string>();
  for (const name of listModules(machine)) {
    expect([name, needs(machine, name).filter((need) => !loaded.has(need))]).toEqual([name, []]);
    loaded.add(spelt(name.replace(/\.ko$/, "")));
  }
  expect(needs(machine, "virtio_blk.ko")).toContain("virtio");
});

test.each(MACHINES)("modules of %s match the version of the kernel beside them", (machine) => {
  const kernel = readFileSync(join(PREBUILT_FOLDER, PREBUILT.kernel(machine)));
  // The header of a kernel has the offset of its version.
  const release = kernel.toString("latin1", kernel.readUInt16LE(0x20e) + 0x200).split(" ")[0];
  for (const name of listModules(machine)) expect(field(machine, name, "vermagic").split(" ")[0]).toBe(release);
  expect(release).toMatch(machine === "vm" ? /-cloud-amd64$/ : /\d-amd64$/);
});
