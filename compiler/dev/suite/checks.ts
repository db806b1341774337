// Defines stages of `make test` that each run one program, such as the type checker, and count it as one check.

import { createClaim, runHere, type Stage } from "./stage.ts";

function createProgramStage(name: string, ...words: readonly string[]): Stage {
  return { name, run: async () => createClaim(name, await runHere(process.execPath, words)) };
}

export const types = createProgramStage("types", "node_modules/typescript/bin/tsc", "-p", ".");

/** Checks format and lint. It fails for warnings too, because biome.json disables the rules that are only advice. */
export const lint = createProgramStage(
  "lint",
  "node_modules/@biomejs/biome/bin/biome",
  "check",
  "--error-on-warnings",
  ".",
);

/** Checks that the committed capos-init and console equal the build of their sources. */
export const rebuild = createProgramStage("rebuild", "engine/image/init/rebuild.ts");
