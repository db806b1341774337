// Compares or writes the table of attempts from inside every jail, in engine/THREATS.md.
//
//   node engine/image/init/jail-threats.ts           checks whether it equals jail-attempts.ts
//   node engine/image/init/jail-threats.ts --write   writes it
//
// Exits with 0, or with 1 and the reason.

import { readFileSync, writeFileSync } from "node:fs";
import { insertAttemptTable } from "./jail-table.ts";

const THREATS = new URL("../../THREATS.md", import.meta.url);

function main(words: readonly string[]): number {
  const page = readFileSync(THREATS, "utf8");
  const wanted = insertAttemptTable(page);
  if (wanted === page) return 0;
  if (wanted !== undefined && words.includes("--write")) {
    writeFileSync(THREATS, wanted);
    return 0;
  }
  const reason =
    wanted === undefined ? "engine/THREATS.md has no place for the table" : "engine/THREATS.md has another table";
  process.stderr.write(`${reason}; write it with: node engine/image/init/jail-threats.ts --write\n`);
  return 1;
}

process.exitCode = main(process.argv.slice(2));
