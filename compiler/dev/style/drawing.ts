// Draws the sentences of a sample: a share of each kind, selected by a seed.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { KINDS, type Kind, PAGES, type Sentence, SOURCES } from "./sentences.ts";

/**
 * Number of sentences of each kind in a sample; 100 in all. Texts for users are few, so their shares are larger than in
 * proportion to their number.
 */
const SHARES: Readonly<Record<Kind, number>> = {
  readme: 20,
  spec: 10,
  help: 10,
  message: 10,
  changes: 10,
  "doc comment": 20,
  comment: 10,
  "test name": 10,
};

/**
 * Draws a sample that has the share of each kind. The same sentences and the same seed give the same sample, on every
 * machine.
 */
export function drawSentences(sentences: readonly Sentence[], seed: string): readonly Sentence[] {
  const rank = ({ kind, place, text }: Sentence): string =>
    createHash("sha256").update([seed, kind, place, text].join("\n")).digest("hex");
  return KINDS.flatMap((kind) =>
    sentences
      .filter((sentence) => sentence.kind === kind)
      .map((sentence) => ({ sentence, rank: rank(sentence) }))
      .sort((one, other) => (one.rank < other.rank ? -1 : 1))
      .slice(0, SHARES[kind])
      .map(({ sentence }) => sentence),
  );
}

/**
 * Returns the hash of the last commit that changed a page or a source (`git log -1`). Also returns a note if changes
 * are not committed or the clone is shallow, because other clones then draw another sample. Throws without git or a
 * repository.
 */
export function readSeed(checkout: string): { readonly seed: string; readonly note: string } {
  const git = (...words: string[]): string => {
    const { status, stdout, stderr } = spawnSync("git", ["-C", checkout, ...words], { encoding: "utf8" });
    if (status !== 0) throw new Error(`git ${words.join(" ")} failed: ${stderr}`);
    return stdout.trim();
  };
  const sampled = [PAGES, SOURCES].flatMap(expandBraces).map((pattern) => `:(glob)${pattern}`);
  const seed = git("log", "-1", "--format=%H", "--", ...sampled);
  const isChanged = git("status", "--porcelain", "--", ...sampled) !== "";
  const isShallow = git("rev-parse", "--is-shallow-repository") === "true";
  const note = `${isChanged ? " (there are changes that are not committed)" : ""}${isShallow ? " (the clone is shallow)" : ""}`;
  return { seed, note };
}

/** Expands the braces of a pattern: returns one pattern without braces for each combination of alternatives. Braces may be nested. */
export function expandBraces(pattern: string): readonly string[] {
  const open = pattern.lastIndexOf("{");
  if (open < 0) return [pattern];
  const close = pattern.indexOf("}", open);
  const choices = pattern.slice(open + 1, close).split(",");
  const expanded = choices.flatMap((choice) =>
    expandBraces(`${pattern.slice(0, open)}${choice}${pattern.slice(close + 1)}`),
  );
  return [...new Set(expanded)];
}
