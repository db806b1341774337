// One file for each role, so that a process needs one read and no module resolution in its jail.

import { build } from "esbuild";
import type { Role } from "./roles.ts";

/** Bytes of each role's program, in the order of the roles. Paths in them are relative to the checkout. */
export async function bundle(checkout: string, roles: readonly Role[]): Promise<Map<string, Uint8Array>> {
  const programs = new Map<string, Uint8Array>();
  for (const role of roles) {
    const built = await build({
      absWorkingDir: checkout,
      entryPoints: [role.entry],
      bundle: true,
      write: false,
      format: "esm",
      platform: "node",
      target: "node24",
      minify: false,
      sourcemap: false,
      charset: "utf8",
      legalComments: "eof",
      logLevel: "silent",
    });
    const [file] = built.outputFiles;
    if (file !== undefined) programs.set(role.name, file.contents);
  }
  return programs;
}
