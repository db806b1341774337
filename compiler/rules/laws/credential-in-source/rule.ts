import { getText, makeSpan, type Span } from "../../../../lang/text/index.ts";
import type { FileTree } from "../../../../lang/tree/index.ts";
import { isPinDigest } from "../../../phases/policy/index.ts";
import { defineLaw, type Page } from "../../support/law.ts";
import { listWords } from "../../support/nodes.ts";
import { listScopeWords } from "../../support/scopes.ts";
import { credentialInSource } from "./codes.ts";
import { findRandomRuns } from "./randomness.ts";
import { SHAPES } from "./shapes.ts";

/**
 * Searches the whole text, with its comments, for known forms of credentials. Searches only the texts in quotes for
 * random runs.
 */
export const rule = defineLaw({
  reports: [credentialInSource],
  check: (page, report) => {
    const pins = listPins(page);
    for (const tree of page.trees) {
      const known = findKnownShapes(tree);
      for (const { at, what } of known) report(credentialInSource.at(at, { what }));
      for (const at of findRandomTexts(tree)) {
        // A credential with a known form is reported under its name.
        if ([...known, ...pins].some((other) => areOverlapping(other.at, at))) continue;
        report(credentialInSource.at(at, { what: "a secret: no word or name is so random" }));
      }
    }
  },
});

/**
 * Returns the words of scopes that contain the digest of a server's public key, which is not a secret. These are pins,
 * and digests in another form, which the law `network` refuses.
 */
function listPins(page: Page): readonly { readonly at: Span }[] {
  return listScopeWords(page)
    .filter(({ text }) => isPinDigest(text))
    .map(({ span }) => ({ at: span }));
}

function areOverlapping(one: Span, other: Span): boolean {
  return one.source === other.source && one.start < other.end && other.start < one.end;
}

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
