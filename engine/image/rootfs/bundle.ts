// Bundles one file for each role, so that a process needs one read and no module resolution in its jail.

import { basename } from "node:path";
import { build } from "esbuild";
import type { NodeRole } from "../../lib/roles/index.ts";

/**
 * Returns the bytes of each role's program, in the order of the roles. Paths in these programs are relative to the
 * checkout.
 */
export async function bundle(checkout: string, roles: readonly NodeRole[]): Promise<Map<string, Uint8Array>> {
  // All bundles are made in one call, so that shared sources are read once. There are no shared chunks, so each bundle has
  // the same bytes as if it were built alone.
  const built = await build({
    absWorkingDir: checkout,
    entryPoints: roles.map(({ name, entry }) => ({ in: entry, out: name })),
    outdir: "programs",
    bundle: true,
    write: false,
    // An `import` of a module of Node loads everything that its lazy properties would load. So programs use
    // `process.getBuiltinModule`, and load the module of a property only where they use the property.
    format: "cjs",
    banner: { js: "const require = process.getBuiltinModule;" },
    platform: "node",
    target: "node24",
    minify: false,
    sourcemap: false,
    // With only ASCII characters, V8 keeps the text in one byte per character and reads it faster.
    charset: "ascii",
    legalComments: "eof",
    logLevel: "silent",
  });
  const programs = new Map(built.outputFiles.map(({ path, contents }) => [basename(path, ".js"), contents]));
  return new Map(roles.flatMap(({ name }) => [...programs].filter(([made]) => made === name)));
}
