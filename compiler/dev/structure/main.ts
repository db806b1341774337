// `node compiler/dev/structure/main.ts [names]`: cycles at each depth, exports that nobody imports, and how many functions begin with a
// verb; with `names`, which do not.

import { fileURLToPath } from "node:url";
import { findCycles } from "./cycles.ts";
import { findUnusedExports, readNames } from "./exports.ts";
import { countFunctions, selectNamedSources } from "./functions.ts";
import { findSources, readImports, testFinder } from "./imports.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const DEPTHS = [1, 2, 3];

const sources = findSources(CHECKOUT);
const imports = sources.flatMap((path) => readImports(CHECKOUT, path));
const isTest = testFinder(imports);
const ofProduct = imports.filter(({ from }) => !isTest(from));
for (const depth of DEPTHS) {
  const cycles = findCycles(ofProduct, depth);
  process.stdout.write(`cycles at depth ${depth}: ${cycles.length}\n`);
  for (const { from, to } of cycles) process.stdout.write(`  ${from} imports ${to}\n`);
}
const unused = findUnusedExports(readNames(CHECKOUT, sources));
process.stdout.write(`exports that no other file imports: ${unused.length}\n`);
for (const { path, name } of unused) process.stdout.write(`  ${path} exports ${name}\n`);
const { functions, verbs, others } = countFunctions(CHECKOUT, selectNamedSources(sources, isTest));
process.stdout.write(
  `functions that begin with a verb: ${verbs} of ${functions}, ${((100 * verbs) / functions).toFixed(1)} %\n`,
);
if (process.argv[2] === "names") for (const { path, name } of others) process.stdout.write(`${path} ${name}\n`);
