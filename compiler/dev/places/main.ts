// `node compiler/dev/places/main.ts [--write]`: what does not agree with the tables of engine/lib/roles, a line each; ends with 1 if
// there is something. With `--write` tables of pages are written first.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findGaps } from "./gaps.ts";
import { renderPages } from "./pages.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));

if (process.argv[2] === "--write")
  for (const [path, page] of renderPages(CHECKOUT)) writeFileSync(join(CHECKOUT, path), page);
const gaps = findGaps(CHECKOUT);
for (const { path, what } of gaps) process.stdout.write(`${path}: ${what}\n`);
process.exitCode = gaps.length === 0 ? 0 : 1;
