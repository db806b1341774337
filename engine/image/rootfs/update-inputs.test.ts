// Tests failures of the command: if a Debian program fails or returns unexpected files, the lock and the files stay unchanged, and
// no other files remain. `make update-inputs` itself, which changes this checkout, shows that the command accepts new
// files.

import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { findInputDrift } from "./inputs.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const LOCK = join(CHECKOUT, "engine/image/rootfs/inputs.lock");
const folder = mkdtempSync(join(tmpdir(), "capos-update-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly status: number | string | null | undefined;
  readonly complaint: string;
  readonly left: readonly string[];
}

/** Runs an update that finds only these `programs`: shell scripts in place of Debian's programs, by name. */
async function updated(programs: Readonly<Record<string, string>>): Promise<Ended> {
  const home = mkdtempSync(join(folder, "home-"));
  const [bin, scratch] = [join(home, "bin"), join(home, "scratch")];
  for (const made of [bin, scratch]) mkdirSync(made);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const main = join(CHECKOUT, "engine/image/rootfs/update-inputs.ts");
  const env = { ...process.env, PATH: bin, TMPDIR: scratch };
  return await new Promise((resolve) => {
    execFile(process.execPath, ["--disable-warning=ExperimentalWarning", main], { env }, (error, _, stderr) => {
      resolve({ status: error === null ? 0 : error.code, complaint: stderr.trim(), left: readdirSync(scratch) });
    });
  });
}

const META = 'echo "  Depends: linux-image-9.9.9-amd64"';
const DOWNLOAD = ': > "$2.deb"';

test.each([
  ["Debian's programs are not there", {}, /^apt-\w+ \S.*ENOENT$/],
  [
    "nothing can be downloaded",
    { "apt-cache": META, "apt-get": "echo no network >&2; exit 100" },
    /^apt-get download \S+: no network$/,
  ],
  [
    "the download is not a package",
    { "apt-cache": META, "apt-get": DOWNLOAD, "dpkg-deb": "echo not a package >&2; exit 2" },
    /^dpkg-deb -x \S+ \S+: not a package$/,
  ],
  [
    "a package brings other files",
    { "apt-cache": META, "apt-get": DOWNLOAD, "dpkg-deb": "[ $1 = -x ] || echo 1.0" },
    /^\S+ has no \S+$/,
  ],
])("if %s, the update fails with the reason and changes nothing", async (_, programs, words) => {
  const before = readFileSync(LOCK);
  const { status, complaint, left } = await updated(programs);
  expect([status, complaint.split("\n").at(0), left]).toEqual([3, expect.stringMatching(words), []]);
  expect(readFileSync(LOCK).equals(before)).toBe(true);
  expect(findInputDrift(CHECKOUT)).toEqual([]);
});

test("compares a lock with the files by name, and lists each file that differs, is missing or is not in the lock", () => {
  const checkout = mkdtempSync(join(folder, "checkout-"));
  mkdirSync(join(checkout, "engine/image/rootfs"), { recursive: true });
  mkdirSync(join(checkout, "engine/prebuilt/licences"), { recursive: true });
  const input = (name: string) => ({
    name,
    package: "p",
    version: "1",
    source: "p 1",
    sha256: "0".repeat(64),
    licence: "MIT",
  });
  const files = ["kernel", "gone", "node_modules/nobody/has.so"].map(input);
  writeFileSync(
    join(checkout, "engine/image/rootfs/inputs.lock"),
    JSON.stringify({ format: 1, toolchain: {}, tools: {}, files }),
  );
  for (const name of ["kernel", "stray", "README.md", "licences/p.txt"])
    writeFileSync(join(checkout, "engine/prebuilt", name), "x");
  const found = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
  expect(findInputDrift(checkout)).toEqual([
    { name: "kernel", found, sentence: `kernel is not what the lock says: ${found}` },
    { name: "gone", sentence: "gone is locked, but it is not there" },
    { name: "node_modules/nobody/has.so", sentence: "node_modules/nobody/has.so is locked, but it is not there" },
    { name: "stray", sentence: "stray is not in the lock" },
  ]);
});
