// Bundles programs of the benchmark like programs of an image: in one file, and with the Node.js flags of a role.

import { join } from "node:path";
import { build } from "esbuild";
import type { Role } from "../../../engine/lib/roles/index.ts";
import { getNodeFlags } from "../../../targets/manifest/roles.ts";
import type { Bench } from "./bench.ts";
import type { CommandLine } from "./measure.ts";

/** Bundles a program of the benchmark, and returns the path of the bundle. */
export async function bundleBench({ checkout, scratch }: Bench, name: string): Promise<string> {
  const outfile = join(scratch, `${name}.mjs`);
  const entryPoints = [join(checkout, `compiler/dev/bench/${name}.ts`)];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  return outfile;
}

/** Returns the command that starts a program with the Node.js flags of the given role. */
export async function getRoleCommand(role: Role, bench: Bench, name: string): Promise<CommandLine> {
  return [process.execPath, ...getNodeFlags(role), await bundleBench(bench, name)];
}
