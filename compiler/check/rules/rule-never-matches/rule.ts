import type { BoundPattern, Session } from "../../../bind/index.ts";
import { defineLaw } from "../../law.ts";
import { coversNothing } from "./codes.ts";

/** Ruling 18, for the page's own sessions: those of the standard library are written for any page. */
export const rule = defineLaw({
  reports: [coversNothing],
  check: ({ model }, report) => {
    // Where a service was lost to another error, its tools are missing through no fault of these lines.
    if (model.damaged) return;
    for (const session of model.sessions.filter(({ own }) => own)) {
      for (const { tools, span } of patternsOf(session)) {
        if (tools.length === 0)
          report(coversNothing.at(span, { pattern: span.source.text.slice(span.start, span.end) }));
      }
    }
  },
});

function patternsOf(session: Session): BoundPattern[] {
  const widened = session.widenings.flatMap((widening) => widening.lines);
  return [
    ...[...session.lines, ...session.floors, ...widened].flatMap((line) => line.patterns),
    ...session.only.flat(),
    ...session.suppress,
  ];
}
