// Machines that start once more with the disk of a recorded run: an older image, which it refuses, and one whose console is killed.
// For `make test-images`.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { CHECKOUT, oneClaim, type Result, resultOf, runCapc, type Stage } from "../stage.ts";
import { diskAfter, type Recorded } from "./stages.ts";

/** What came up here was 0.2.0. */
const OLDER = { from: 'version "0.2.0"', to: 'version "0.1.0"' };

export function laterStarts(recorded: Recorded): readonly Stage[] {
  const older = join(dirname(recorded.image), "older");
  return [
    { name: "build an older version", run: () => buildOlder(recorded, older) },
    later("an older version", recorded, `${older}/system.iso`, "older-version"),
    later("the console is killed", recorded, recorded.image, "killed-console"),
  ];
}

async function buildOlder({ example }: Recorded, out: string): Promise<Result> {
  const page = join(CHECKOUT, `${out}-page`);
  for (const folder of [page, join(CHECKOUT, out)]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(page), { recursive: true });
  cpSync(join(CHECKOUT, example), page, { recursive: true });
  const path = join(page, "system.cap");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(OLDER.from, OLDER.to));
  const name = "build an older version";
  if (!text.includes(OLDER.from))
    return resultOf({ passed: 0, failed: 1 }, [], { name, words: "it is another version" });
  return oneClaim(name, await runCapc(["build", path, "--out", out], { quiet: true }));
}

function later(what: string, recorded: Recorded, image: string, script: string): Stage {
  const name = `${basename(recorded.example)}: ${what}`;
  return {
    name,
    run: async () => {
      const left = diskAfter(recorded);
      if (typeof left === "string") return resultOf({ passed: 0, failed: 1 }, [], { name, words: left });
      const folder = mkdtempSync(join(tmpdir(), "capc-later-"));
      try {
        const disk = join(folder, "data.img");
        writeFileSync(disk, left);
        const played = ["--script", `compiler/trial/power/${script}.chat`, "--disk", disk];
        return oneClaim(name, await runCapc(["run", image, ...played]));
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  };
}
