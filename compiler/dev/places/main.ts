// `node compiler/dev/places/main.ts [--write]` prints each difference from the tables of engine/lib/roles on a line,
// and exits with 1 if there are differences. With `--write`, it first updates the copies of these tables in Markdown
// pages.

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
