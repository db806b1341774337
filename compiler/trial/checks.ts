// The stages that ask one question each.

import { countOfOne, runHere, type Stage } from "./stage.ts";

export const types: Stage = {
  name: "types",
  run: async () =>
    countOfOne((await runHere(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "."])).status === 0),
};

/** Format and lint. Warnings fail as well: what is only advice is switched off in biome.json, not scrolled past. */
export const lint: Stage = {
  name: "lint",
  run: async () => {
    const words = ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."];
    return countOfOne((await runHere(process.execPath, words)).status === 0);
  },
};

/** The committed capos-init and console are what their sources give. */
export const rebuild: Stage = {
  name: "rebuild",
  run: async () => countOfOne((await runHere(process.execPath, ["engine/init/rebuild.ts"])).status === 0),
};
