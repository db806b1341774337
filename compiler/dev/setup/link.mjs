// Links the checkout's own command line as node_modules/.bin/capc, where npm puts the programs of packages. So `capc`
// runs if this folder is on the PATH. `npx capc` in the checkout runs this program, and never requests a package with
// this name from a registry.

import { lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { Refusal } from "./refusal.mjs";

const TARGET = "../../compiler/cli/capc.mjs";

export function linkCapc(checkout) {
  const path = join(checkout, "node_modules/.bin/capc");
  try {
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (there?.isSymbolicLink() && readlinkSync(path) === TARGET) return;
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    symlinkSync(TARGET, path);
  } catch (error) {
    throw new Refusal(`${path} cannot be made: ${error.message}`);
  }
}
