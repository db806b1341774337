// Defines two stages of `make test-images`. In one, programs of the page, servers and the agent attack their machine.
// In the other, the machine has exactly the memory that its sessions need.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boot } from "../boot.ts";
import { CHECKOUT, failWith, type Stage } from "../stage.ts";
import { crowded } from "./crowded.ts";
import { buildAttackedImage } from "./image.ts";

const OUT = "build/test/attacked";
const FOLDER = `${OUT}/page`;
const IMAGE = `${OUT}/attacked.iso`;
/** Path of the script. The folder also contains the network settings of the script and the files of its web server. */
const SCRIPT = `${FOLDER}/attacked.chat`;
/** Memory of the machine in mebibytes. It is less than the page asks for, so that the programs use up all memory. */
const MEMORY = 384;

/** Line of the script that is repeated, and the number of repetitions. */
const [TYPED, OFTEN] = ["+ again\n", 5000];

const attacked: Stage = {
  name: "attacked",
  run: async () => {
    try {
      mkdirSync(join(CHECKOUT, OUT), { recursive: true });
      await buildAttackedImage(join(CHECKOUT, FOLDER), join(CHECKOUT, IMAGE));
      writeScript();
    } catch (error) {
      return failWith("build attacked", error);
    }
    return boot(SCRIPT, IMAGE, [], MEMORY).run();
  },
};

function writeScript(): void {
  const text = readFileSync(new URL("attacked.chat", import.meta.url), "utf8");
  const [before, after, ...more] = text.split(TYPED);
  if (after === undefined || more.length > 0) throw new Error(`attacked.chat has not one line ${TYPED.trim()}`);
  writeFileSync(join(CHECKOUT, SCRIPT), before + TYPED.repeat(OFTEN) + after);
}

export const attackedBoots: readonly Stage[] = [attacked, crowded];
