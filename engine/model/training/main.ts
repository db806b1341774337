// Writes what is trained on: `main.ts --weights BASE.gguf --out FILE [--groups N] [--seed N]`. One line for each group, as
// tokens: `{"prefix": […], "conversations": [[[…], […], …], …]}`, in a conversation what is given and what is to be learnt,
// in turn. They are the worker's own tokens: its words around a conversation, and its engine's vocabulary.

import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openWeights } from "../evaluation/weights.ts";
import { trainedFamilies } from "./families.ts";
import { groupOf } from "./groups.ts";
import { Random } from "./random.ts";
import { tokensOf } from "./tokens.ts";
import { TRAINING_WORLD } from "./vocabulary.ts";

const { values } = parseArgs({
  options: {
    weights: { type: "string", default: "" },
    out: { type: "string", default: "" },
    groups: { type: "string", default: "4000" },
    seed: { type: "string", default: "9" },
  },
});

const folder = mkdtempSync(join(tmpdir(), "capos-training-"));
try {
  const decoder = await openWeights(values.weights, folder);
  const random = new Random(Number(values.seed));
  const seen = trainedFamilies();
  const out = createWriteStream(values.out);
  for (let index = 0; index < Number(values.groups); index++) {
    const line = JSON.stringify(tokensOf(groupOf(seen, random, TRAINING_WORLD), decoder));
    if (!out.write(`${line}\n`)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
} finally {
  rmSync(folder, { recursive: true });
}
