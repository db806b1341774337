// `node compiler/dev/style/sample.ts [--seed TEXT]` prints 100 random sentences with their places, for a reader who did not write
// them. The seed is the hash of the last commit that touched a file whose text is sampled, so that every clone of a commit draws
// the same sentences.

import { fileURLToPath } from "node:url";
import { drawSentences, readSeed } from "./drawing.ts";
import { collectSentences } from "./sentences.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));

const at = process.argv.indexOf("--seed");
const { seed, note } = at < 0 ? readSeed(CHECKOUT) : { seed: process.argv[at + 1] ?? "", note: "" };
process.stdout.write(`seed ${seed}${note}\n`);
for (const [index, { kind, place, text, around }] of drawSentences(await collectSentences(CHECKOUT), seed).entries()) {
  process.stdout.write(`${String(index + 1).padStart(3)} ${kind}, ${place}\n    ${text}\n`);
  if (around !== "") process.stdout.write(`      in: ${around}\n`);
}
