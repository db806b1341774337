// Files of the package beside the bundle. Each has the same path as in a checkout, because programs find files relative to themselves.

import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const FILES: readonly string[] = [
  "LICENSE",
  "compiler/cli/capc.mjs",
  "compiler/cli/init/template/*",
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
  // The writer of images, with all that it is made of: its licence asks for that.
  "targets/xorriso-wasm/**/*",
];

/** Tests and what only they import. */
const LEFT_OUT = /\.test\.ts$|\.fixture\.ts$|\/(testing|fixture|oracle|rehearsal|target)\/|update-inputs\.ts$/;

/** Paths from the checkout, in code-unit order. */
export function listPackedFiles(checkout: string): readonly string[] {
  const found = FILES.flatMap((pattern) => globSync(pattern, { cwd: checkout, withFileTypes: true }));
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(checkout.length).replace(/^\//, ""))
    .filter((path) => !LEFT_OUT.test(path))
    .sort();
}

/** Puts them below `folder`, each at its place. */
export function copyFiles(checkout: string, folder: string): void {
  for (const path of listPackedFiles(checkout)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(checkout, path), join(folder, path));
  }
}

/** The package's own description: what a checkout needs for its tests is left out, and it may be published. */
export function writeDescription(checkout: string, folder: string): void {
  const { name, version, description, license, type, engines, bin, dependencies } = JSON.parse(
    readFileSync(join(checkout, "package.json"), "utf8"),
  );
  const kept = { name, version, description, license, type, engines, bin, dependencies };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(kept, undefined, 2)}\n`);
}
