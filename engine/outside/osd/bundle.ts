// `node engine/outside/osd/bundle.ts --write` writes the program of an image's llm-osd: one module without imports of this project,
// like the programs of operators. The module is made from the files of this room, so that a host and an image parse a plan with the
// same code.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

/** URL of the bundle in the library. */
export const BUNDLED = new URL("../../../stdlib/services/actionplans.js", import.meta.url);

const HEAD =
  "// Made of engine/outside/osd/module.ts by engine/outside/osd/bundle.ts, and of what that imports. Changes are made there.";

/**
 * Lets esbuild leave out unused modules. The modules of the wire would build tables when they are loaded, but this
 * program does not use them.
 */
const ONLY_WHAT_IS_USED: Plugin = {
  name: "only what is used",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) =>
      kind === "entry-point" ? undefined : { path: join(resolveDir, path), sideEffects: false },
    ),
};

export async function bundled(): Promise<string> {
  const built = await build({
    absWorkingDir: fileURLToPath(new URL("../../../", import.meta.url)),
    entryPoints: ["engine/outside/osd/module.ts"],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node24",
    charset: "utf8",
    plugins: [ONLY_WHAT_IS_USED],
    logLevel: "silent",
    banner: { js: HEAD },
  });
  return built.outputFiles[0]?.text ?? "";
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const made = await bundled();
  if (process.argv.includes("--write")) writeFileSync(BUNDLED, made);
  else if (readFileSync(BUNDLED, "utf8") !== made) {
    process.stderr.write("stdlib/services/actionplans.js is not what engine/outside/osd makes: --write\n");
    process.exitCode = 1;
  }
}
