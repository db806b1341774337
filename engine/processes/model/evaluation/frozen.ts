// Digests of the sets, fixed before any training. `node evaluation/frozen.ts --write` writes the digests again, which invalidates all
// earlier figures.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createCases, SETS } from "./cases.ts";

interface Frozen {
  readonly set: string;
  readonly cases: number;
  readonly sha256: string;
}

const FILE = new URL("frozen.json", import.meta.url);

export function frozenSets(): readonly Frozen[] {
  return JSON.parse(readFileSync(FILE, "utf8"));
}

export function madeSets(): readonly Frozen[] {
  return SETS.map((set) => {
    const cases = createCases(set);
    const text = JSON.stringify(cases, (_, value) => (typeof value === "bigint" ? `${value}` : value));
    return { set, cases: cases.length, sha256: createHash("sha256").update(text).digest("hex") };
  });
}

if (process.argv[1] === import.meta.filename && process.argv.includes("--write")) {
  writeFileSync(FILE, `${JSON.stringify(madeSets(), null, 2)}\n`);
}
