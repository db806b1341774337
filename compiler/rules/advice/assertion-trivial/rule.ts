import { defineLaw } from "../../support/index.ts";
import { assertionTrivial } from "./codes.ts";

/** Reports assertions about data with a label, if nothing on the page has such data. */
export const rule = defineLaw({
  reports: [assertionTrivial],
  check: ({ proven, trees }, report) => {
    const own = new Set(trees.map(({ source }) => source));
    for (const { assertion, span } of proven?.trivial ?? [])
      if (own.has(span.source)) report(assertionTrivial.at(span, { assertion }));
  },
});
