// make pack: makes build/capc-VERSION.tgz, a package that npm can install.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makePackage } from "./package.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
const BUILT = join(CHECKOUT, "build");

await makePackage(CHECKOUT, join(BUILT, "package"));
const { status } = spawnSync("npm", ["pack", "--pack-destination", BUILT, join(BUILT, "package")], {
  stdio: "inherit",
});
process.exitCode = status ?? 3;
