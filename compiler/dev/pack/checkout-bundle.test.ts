// Tests with a temporary checkout, whose sources can be changed.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleBeside } from "./checkout-bundle.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
const SOURCE = "compiler/cli/commands/check.ts";
const SAID = "check pages and prove their assertions";

let folder: string;
let bundles: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capc-beside-"));
  bundles = join(folder, "build/bundles");
  const copied = (path: string): boolean => !/\/(prebuilt|target|node_modules|generated\.test)(\/|$)/.test(path);
  for (const name of ["compiler", "engine", "lang", "stdlib", "targets", "package.json"])
    cpSync(join(CHECKOUT, name), join(folder, name), { recursive: true, filter: copied });
  symlinkSync(join(CHECKOUT, "node_modules"), join(folder, "node_modules"));
  await bundleBeside(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const HELP = ["compiler/cli/capc.mjs", "check", "--help"];

function help(): string {
  return spawnSync(process.execPath, HELP, { cwd: folder, encoding: "utf8" }).stdout;
}

/** Runs capc as a user to whom file permissions apply, because they do not apply to root. */
function helpForOthers() {
  const rights = "-dac_override,-dac_read_search";
  const less = process.getuid?.() === 0 ? ["setpriv", `--bounding-set=${rights}`, `--inh-caps=${rights}`] : ["env"];
  return spawnSync(less[0] ?? "", [...less.slice(1), process.execPath, ...HELP], { cwd: folder, encoding: "utf8" });
}

/** Replaces the help text of `capc check` in a file, and returns the earlier content of the file. */
function change(path: string, words: string): string {
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(SAID, words));
  return text;
}

function bundledFiles(): string[] {
  const made: { folder: string } = JSON.parse(readFileSync(join(bundles, "made.json"), "utf8"));
  const dist = join(bundles, made.folder, "dist");
  return readdirSync(dist).map((name) => join(dist, name));
}

test("a bundle runs only if every source is the same as when the bundle was made", () => {
  expect(help()).toContain(SAID);
  // Only the bundle contains this text, so the output shows whether the bundle or the sources ran.
  for (const path of bundledFiles()) change(path, "BUNDLED");
  expect(help()).toContain("BUNDLED");
  const before = change(join(folder, SOURCE), "CHANGED");
  expect(help()).toContain("CHANGED");
  writeFileSync(join(folder, SOURCE), before);
  expect(help()).toContain("BUNDLED");
  rmSync(join(folder, SOURCE));
  expect(help()).not.toContain("BUNDLED");
  writeFileSync(join(folder, SOURCE), before);
});

test("other users run the bundle if they may read it, and otherwise the sources", () => {
  const made: { folder: string } = JSON.parse(readFileSync(join(bundles, "made.json"), "utf8"));
  const bundle = join(bundles, made.folder);
  const mode = statSync(bundle).mode & 0o777;
  expect(mode).toBe(0o777 & ~process.umask());
  for (const [path, usual] of [
    [bundle, mode],
    [join(bundles, "made.json"), 0o644],
  ] as const) {
    chmodSync(path, 0);
    const { stdout, stderr } = helpForOthers();
    chmodSync(path, usual);
    expect([stdout.includes(SAID), stderr]).toEqual([true, ""]);
  }
  expect(help()).toContain("BUNDLED");
});

test("if sources change, a new bundle is made, and the earlier bundle stays for running processes", async () => {
  const [first] = bundledFiles();
  change(join(folder, SOURCE), "AGAIN");
  await bundleBeside(folder);
  expect(help()).toContain("AGAIN");
  expect(first === undefined ? "" : readFileSync(first, "utf8")).not.toBe("");
  const made = readFileSync(join(bundles, "made.json"), "utf8");
  await bundleBeside(folder);
  expect(readFileSync(join(bundles, "made.json"), "utf8")).toBe(made);
});
