import { type Span, span, textOf } from "../../../../lang/text/index.ts";
import type { FileTree } from "../../../../lang/tree/index.ts";
import { defineLaw } from "../../support/law.ts";
import { wordsIn } from "../../support/nodes.ts";
import { credentialInSource } from "./codes.ts";
import { randomRuns } from "./randomness.ts";
import { SHAPES } from "./shapes.ts";

/** Known shapes are looked for in the whole text, comments too; what merely looks random, in texts in quotes alone. */
export const rule = defineLaw({
  reports: [credentialInSource],
  check: ({ trees }, report) => {
    for (const tree of trees) {
      const known = knownShapes(tree);
      for (const { at, what } of known) report(credentialInSource.at(at, { what }));
      for (const at of randomTexts(tree)) {
        // What has a name of its own is said by that name.
        if (known.some((other) => other.at.start < at.end && at.start < other.at.end)) continue;
        report(credentialInSource.at(at, { what: "a secret: no word or name is so random" }));
      }
    }
  },
});

function knownShapes({ source }: FileTree): { readonly at: Span; readonly what: string }[] {
  const likely = SHAPES.filter(({ marks }) => marks.some((mark) => source.text.includes(mark)));
  return likely.flatMap(({ what, pattern }) =>
    [...source.text.matchAll(pattern)].map(({ 0: found, index }) => ({
      at: span(source, index, index + found.length),
      what,
    })),
  );
}

function randomTexts(tree: FileTree): Span[] {
  return wordsIn(tree).flatMap(({ role, node: words }) => {
    const { source, start } = words.span;
    return randomRuns(textOf(words.span), role === "because" ? "allowed" : "refused").map((run) =>
      span(source, start + run.start, start + run.end),
    );
  });
}
