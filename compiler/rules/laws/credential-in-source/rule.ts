import { getText, makeSpan, type Span } from "../../../../lang/text/index.ts";
import type { FileTree } from "../../../../lang/tree/index.ts";
import { defineLaw } from "../../support/law.ts";
import { listWords } from "../../support/nodes.ts";
import { credentialInSource } from "./codes.ts";
import { findRandomRuns } from "./randomness.ts";
import { SHAPES } from "./shapes.ts";

/**
 * Searches the whole text, with its comments, for known forms of credentials, and only the texts in quotes for random
 * runs.
 */
export const rule = defineLaw({
  reports: [credentialInSource],
  check: ({ trees }, report) => {
    for (const tree of trees) {
      const known = findKnownShapes(tree);
      for (const { at, what } of known) report(credentialInSource.at(at, { what }));
      for (const at of findRandomTexts(tree)) {
        // A credential with a known form is reported under its name.
        if (known.some((other) => other.at.start < at.end && at.start < other.at.end)) continue;
        report(credentialInSource.at(at, { what: "a secret: no word or name is so random" }));
      }
    }
  },
});

function findKnownShapes({ source }: FileTree): { readonly at: Span; readonly what: string }[] {
  const likely = SHAPES.filter(({ marks }) => marks.some((mark) => source.text.includes(mark)));
  return likely.flatMap(({ what, pattern }) =>
    [...source.text.matchAll(pattern)].map(({ 0: found, index }) => ({
      at: makeSpan(source, index, index + found.length),
      what,
    })),
  );
}

function findRandomTexts(tree: FileTree): Span[] {
  return listWords(tree).flatMap(({ role, node: words }) => {
    const { source, start } = words.span;
    return findRandomRuns(getText(words.span), role === "because" ? "allowed" : "refused").map((run) =>
      makeSpan(source, start + run.start, start + run.end),
    );
  });
}
