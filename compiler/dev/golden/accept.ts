// npm run golden -- EXAMPLE: accepts the current results of an example as its golden. `all` accepts the results of
// every example and of `capc diff`. Use it only after a review of the change.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createGoldenDifference, DIFFERENCE } from "./difference.ts";
import { createGolden, getGoldenFolder, listExampleNames } from "./golden.ts";

const [example, ...more] = process.argv.slice(2);
const names = [...listExampleNames(), DIFFERENCE];
if (example === undefined || more.length > 0 || ![...names, "all"].includes(example)) {
  process.stderr.write(`usage: npm run golden -- EXAMPLE, one of ${names.join(", ")}, or all\n`);
  process.exit(2);
}
for (const name of example === "all" ? names : [example]) await acceptGolden(name);

/** Writes the current texts of one example into its golden; throws if the example's page has errors. */
async function acceptGolden(example: string): Promise<void> {
  mkdirSync(getGoldenFolder(example), { recursive: true });
  for (const [name, text] of await (example === DIFFERENCE ? createGoldenDifference() : createGolden(example))) {
    writeFileSync(join(getGoldenFolder(example), name), text);
    process.stdout.write(`accepted ${example}/${name}\n`);
  }
}
