// `node compiler/dev/structure/main.ts [names]` prints cycles of imports between folders of each depth and between Rust
// modules, and exports that no file imports. It counts functions that begin with a verb; `names` lists the others. It
// lists signatures that are too long, take a flag or return a failure as a text.

import { fileURLToPath } from "node:url";
import { findCycles } from "./cycles.ts";
import { findUnusedExports, readNames } from "./exports.ts";
import { countFunctions, selectNamedSources } from "./functions.ts";
import { findSources, readImports, testFinder } from "./imports.ts";
import { findModuleCycles, findRustSources, readRustModules } from "./rust.ts";
import {
  countSignatures,
  FLAG_EXEMPTIONS,
  isExempt,
  LONG_EXEMPTIONS,
  MOST_POSITIONAL,
  TEXT_EXEMPTIONS,
} from "./signatures.ts";

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
const modules = findModuleCycles(readRustModules(CHECKOUT, findRustSources(CHECKOUT)));
process.stdout.write(`cycles between Rust modules: ${modules.length}\n`);
for (const { from, to } of modules) process.stdout.write(`  ${from} names ${to}\n`);
const unused = findUnusedExports(readNames(CHECKOUT, sources));
process.stdout.write(`exports that no other file imports: ${unused.length}\n`);
for (const { path, name } of unused) process.stdout.write(`  ${path} exports ${name}\n`);
const named = selectNamedSources(sources, isTest);
const { signatures, long, flags, texts } = countSignatures(CHECKOUT, named);
const [tooLong, open] = [
  long.filter((each) => !isExempt(each, LONG_EXEMPTIONS)),
  flags.filter((each) => !isExempt(each, FLAG_EXEMPTIONS)),
];
process.stdout.write(
  `signatures with more than ${MOST_POSITIONAL} positional parameters: ${tooLong.length} of ${signatures}, and ${long.length - tooLong.length} exempt\n`,
);
for (const { path, name, parameters } of tooLong) process.stdout.write(`  ${path} ${name} has ${parameters.length}\n`);
process.stdout.write(`flags in signatures: ${open.length}, and ${flags.length - open.length} exempt\n`);
for (const { path, name, flag } of open) process.stdout.write(`  ${path} ${name} takes ${flag}\n`);
const failures = texts.filter((each) => !isExempt(each, TEXT_EXEMPTIONS));
process.stdout.write(
  `texts returned beside a value: ${failures.length}, and ${texts.length - failures.length} exempt\n`,
);
for (const { path, name, returned } of failures) process.stdout.write(`  ${path} ${name} returns ${returned}\n`);
const { functions, verbs, others } = countFunctions(CHECKOUT, named);
process.stdout.write(
  `functions that begin with a verb: ${verbs} of ${functions}, ${((100 * verbs) / functions).toFixed(1)} %\n`,
);
if (process.argv[2] === "names") for (const { path, name } of others) process.stdout.write(`${path} ${name}\n`);
