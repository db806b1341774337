import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { DEBIAN_PACKAGES } from "./debian-inputs.ts";
import { differences, readLock } from "./inputs.ts";
import { FIRST_MODULES, PREBUILT, SECOND_MODULES } from "./prebuilt.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const PREBUILT_FOLDER = join(CHECKOUT, "engine/prebuilt");

test("every committed input, and Node, is what the lock says, and the lock names every one", () => {
  expect(differences(CHECKOUT)).toEqual([]);
});

test("every input says where it and its source are from, and under what terms", () => {
  for (const input of readLock(CHECKOUT).files) {
    for (const word of [input.package, input.version, input.source, input.licence]) expect(word).not.toBe("");
  }
});

test("the terms of every Debian package that files come from are passed on", () => {
  const terms = (name: string): boolean => existsSync(join(PREBUILT_FOLDER, "licences", `${name}.txt`));
  const lacking = DEBIAN_PACKAGES.map((wanted) => wanted.package).filter((name) => !terms(name));
  // These two link to the terms of gcc-12-base, which are there.
  expect(lacking).toEqual(["libgcc-s1", "libstdc++6"]);
});

/** A kernel module names the modules that it needs, as `depends=a,b` between zero bytes. */
function needs(name: string): string[] {
  const bytes = readFileSync(join(PREBUILT_FOLDER, PREBUILT.modules, name), "latin1");
  const depends = /(?:^|\0)depends=([^\0]*)\0/.exec(bytes)?.[1] ?? "";
  return depends.split(",").filter((word) => word !== "");
}

test("modules are loaded after those that they need", () => {
  const loaded = new Set<string>();
  for (const name of [...FIRST_MODULES, ...SECOND_MODULES]) {
    expect([name, needs(name).filter((need) => !loaded.has(need))]).toEqual([name, []]);
    loaded.add(name.replace(/\.ko$/, "").replaceAll("-", "_"));
  }
  expect(needs("virtio_blk.ko")).toContain("virtio");
});
