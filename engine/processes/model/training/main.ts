// Writes training data: `main.ts --weights BASE.gguf --out FILE [--groups N] [--seed N] [--live FOLDER --after N] [--newest N]`.
// With FOLDER, every third group after the first N generated groups comes from `live.ts`, until that source has no more
// groups. With --newest N, each family in `families/plain-*.txt` is drawn N times as often as any other family. FILE
// has one line of tokens for each group: `{"prefix": […], "conversations": [[[…], […], …], …]}`. In a conversation,
// lists of given tokens and of tokens to learn alternate. The chat template is the worker's, and the vocabulary is that
// of the worker's engine.

import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openWeights } from "../evaluation/weights.ts";
import type { Decoder } from "../local/decoder.ts";
import { readNewestFamilies, readTrainedFamilies } from "./families.ts";
import { groupOf } from "./groups.ts";
import { readLiveGroups } from "./live.ts";
import { Random } from "./random.ts";
import { tokenizeGroup } from "./tokens.ts";
import { TRAINING_WORLD } from "./vocabulary.ts";

const { values } = parseArgs({
  options: {
    weights: { type: "string", default: "" },
    out: { type: "string", default: "" },
    groups: { type: "string", default: "4000" },
    seed: { type: "string", default: "11" },
    live: { type: "string" },
    after: { type: "string", default: "712" },
    newest: { type: "string", default: "1" },
  },
});

/** Maximum tokens of a table; longer tables cost more training time than they are worth. */
const LONGEST_TABLE = 480;

/**
 * Renders the groups of `readLiveGroups`. They have a random seed of their own, so that our other groups are the same
 * with and without them.
 */
function renderLiveLines(folder: string, decoder: Decoder): string[] {
  const groups = readLiveGroups(folder, new Random(Number(values.seed) + 1)).toReversed();
  const told = groups.map((group) => tokenizeGroup(group, decoder));
  return told.filter(({ prefix }) => prefix.length <= LONGEST_TABLE).map((each) => JSON.stringify(each));
}

const folder = mkdtempSync(join(tmpdir(), "capos-training-"));
try {
  const decoder = await openWeights(values.weights, folder);
  const random = new Random(Number(values.seed));
  const again = Array.from({ length: Number(values.newest) - 1 }, readNewestFamilies);
  const seen = [...readTrainedFamilies(), ...again.flat()];
  const live = values.live === undefined ? [] : renderLiveLines(values.live, decoder);
  const out = createWriteStream(values.out);
  const write = async (line: string): Promise<void> => {
    if (!out.write(`${line}\n`)) await once(out, "drain");
  };
  for (let own = 1; own <= Number(values.groups); own++) {
    await write(JSON.stringify(tokenizeGroup(groupOf(seen, random, TRAINING_WORLD), decoder)));
    const since = own - Number(values.after);
    const line = since > 0 && since % 2 === 0 ? live.shift() : undefined;
    if (line !== undefined) await write(line);
  }
  out.end();
  await once(out, "finish");
} finally {
  rmSync(folder, { recursive: true });
}
