import type { BoundPattern } from "../../../bind/index.ts";
import { defineLaw } from "../../law.ts";
import { type Written, writtenIn } from "../../written.ts";
import { coversNothing } from "./codes.ts";

/** Ruling 18, for what the page writes itself: profiles of the standard library are written for any page. */
export const rule = defineLaw({
  reports: [coversNothing],
  check: ({ model }, report) => {
    // Where a service was lost to another error, its tools are missing through no fault of these lines.
    if (model.damaged) return;
    for (const layer of writtenIn(model)) {
      for (const { tools, span } of patternsOf(layer)) {
        if (tools.length === 0)
          report(coversNothing.at(span, { pattern: span.source.text.slice(span.start, span.end) }));
      }
    }
  },
});

function patternsOf({ said, session, around }: Written): BoundPattern[] {
  const widened = around === undefined ? session.widenings.flatMap((widening) => widening.lines) : [];
  return [
    ...[...said.lines, ...said.floors, ...widened].flatMap((line) => line.patterns),
    ...said.only.flat(),
    ...said.suppress,
  ];
}
