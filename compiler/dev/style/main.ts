// `node compiler/dev/style/main.ts [--write]` prints the places that break a rule of plain English. With `--write` it
// also records in most.json how many places break each rule. These numbers must not grow.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { countStyle, RULES } from "./count.ts";

const found = await countStyle(fileURLToPath(new URL("../../..", import.meta.url)));
for (const rule of RULES) for (const place of found[rule]) process.stdout.write(`${rule}: ${place}\n`);
const counts = Object.fromEntries(RULES.map((rule) => [rule, found[rule].length]));
process.stdout.write(`${JSON.stringify(counts)}\n`);
if (process.argv.includes("--write"))
  writeFileSync(new URL("most.json", import.meta.url), `${JSON.stringify(counts, undefined, 2)}\n`);
