// Machines that start once more with the encrypted disk of a recorded run: with wrong passphrases, and with the right one. For
// `make test-images`.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { oneClaim, resultOf, runCapc, type Stage } from "../stage.ts";
import { diskAfter, type Recorded, unlocking } from "./stages.ts";

const SCRIPTS = ["wrong-passphrase", "reopened"];

export function startsOfLocked(recorded: Recorded): readonly Stage[] {
  return SCRIPTS.map((script) => start(recorded, script));
}

function start(recorded: Recorded, script: string): Stage {
  const name = `${basename(recorded.example)} ${script}`;
  return {
    name,
    run: async () => {
      const left = diskAfter(recorded);
      if (typeof left === "string") return resultOf({ passed: 0, failed: 1 }, [], { name, words: left });
      const folder = mkdtempSync(join(tmpdir(), "capc-locked-"));
      try {
        const disk = join(folder, "data.img");
        writeFileSync(disk, left);
        const played = ["--script", `compiler/trial/power/${script}.chat`, "--disk", disk, ...unlocking(recorded)];
        return oneClaim(name, await runCapc(["run", recorded.image, ...played]));
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  };
}
