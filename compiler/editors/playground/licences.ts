// Reads the licences of bundled packages, which must be distributed with the packages.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A package, its version, and the text of its licence. */
interface Licence {
  readonly name: string;
  readonly version: string;
  readonly text: string;
}

/**
 * Returns the licence of each package among the bundled files, in code-unit order of folders. Throws if a package
 * contains no licence.
 */
export function readLicences(checkout: string, inputs: readonly string[]): readonly Licence[] {
  const folders = inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(folders)].sort().map((folder) => readLicence(join(checkout, folder)));
}

function readLicence(folder: string): Licence {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const [file] = globSync("{LICENSE,LICENCE,license,licence}*", { cwd: folder }).sort();
  const text = file === undefined ? String(license ?? "") : readFileSync(join(folder, file), "utf8");
  if (text === "") throw new Error(`${name} has no licence`);
  return { name, version, text: text.trim() };
}
