// The stages that ask one question each.

import { createClaim, runHere, type Stage } from "./stage.ts";

function createProgramStage(name: string, ...words: readonly string[]): Stage {
  return { name, run: async () => createClaim(name, await runHere(process.execPath, words)) };
}

export const types = createProgramStage("types", "node_modules/typescript/bin/tsc", "-p", ".");

/** Format and lint. Warnings fail as well: what is only advice is switched off in biome.json, not scrolled past. */
export const lint = createProgramStage(
  "lint",
  "node_modules/@biomejs/biome/bin/biome",
  "check",
  "--error-on-warnings",
  ".",
);

/** The committed capos-init and console are what their sources give. */
export const rebuild = createProgramStage("rebuild", "engine/image/init/rebuild.ts");
