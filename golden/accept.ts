// npm run golden -- EXAMPLE: takes what an example compiles to now as its golden. For a person who has read the change.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exampleNames, goldenFolder, goldenOf } from "./golden.ts";

const [example, ...more] = process.argv.slice(2);
if (example === undefined || more.length > 0 || !exampleNames().includes(example)) {
  process.stderr.write(`usage: npm run golden -- EXAMPLE, one of ${exampleNames().join(", ")}\n`);
  process.exit(2);
}
mkdirSync(goldenFolder(example), { recursive: true });
for (const [name, text] of await goldenOf(example)) {
  writeFileSync(join(goldenFolder(example), name), text);
  process.stdout.write(`accepted ${example}/${name}\n`);
}
