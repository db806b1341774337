// Lists the files of the package other than the bundle. Each file has the same path as in a checkout, because programs
// find files relative to their own path.

import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FILES: readonly string[] = [
  "LICENSE",
  "compiler/cli/capc.mjs",
  "compiler/cli/{init,tool}/template/**/*",
  "compiler/queries/export/rego/decision.rego",
  "compiler/reflect/capnp.wasm*",
  "compiler/queries/report/{browser,style,templates}/*",
  "stdlib/**/*",
  // Programs of the image are bundled when an image is made, from the sources of their roles.
  "engine/**/*.ts",
  "engine/image/jails/*.json",
  "engine/lib/wire/generated/schema.cgr",
  "engine/image/rootfs/inputs.lock",
  "engine/prebuilt/**/*",
  // The writer of images with all of its sources, as its licence requires.
  "targets/xorriso-wasm/**/*",
];

/** Matches files that are not packed: tests, and files that only tests import. */
const LEFT_OUT = /\.test\.ts$|\.fixture\.ts$|\/(testing|fixture|oracle|rehearsal|target)\/|update-inputs\.ts$/;

/** Returns the paths of all files to pack, relative to the checkout, in code-unit order. */
export function listPackedFiles(checkout: string): readonly string[] {
  const found = FILES.flatMap((pattern) => globSync(pattern, { cwd: checkout, withFileTypes: true }));
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(checkout.length).replace(/^\//, ""))
    .filter((path) => !LEFT_OUT.test(path))
    .sort();
}

/** Copies the files to pack from the checkout to `folder`; each keeps its path. */
export function copyFiles(checkout: string, folder: string): void {
  for (const path of listPackedFiles(checkout)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(checkout, path), join(folder, path));
  }
}

/**
 * Writes the package.json of the package. It can be published, and lacks the entries that a checkout needs for its
 * tests.
 */
export function writeDescription(checkout: string, folder: string): void {
  const { name, version, description, license, type, engines, bin, dependencies } = JSON.parse(
    readFileSync(join(checkout, "package.json"), "utf8"),
  );
  const kept = { name, version, description, license, type, engines, bin, dependencies };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(kept, undefined, 2)}\n`);
}
