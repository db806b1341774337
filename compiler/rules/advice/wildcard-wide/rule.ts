import { type BoundLine, EVERYTHING } from "../../../phases/bind/index.ts";
import { defineLaw, linesOf, writtenIn } from "../../support/index.ts";
import { wildcardWide } from "./codes.ts";

/** `stepUp *` and `forbidden *` are wide as well, and stay shut. */
export const rule = defineLaw({
  reports: [wildcardWide],
  check: ({ model }, report) => {
    for (const line of writtenIn(model).flatMap(({ said, widenings }) => linesOf(said, widenings))) {
      const mode = looseMode(line);
      if (mode === undefined) continue;
      for (const { key, span } of line.patterns) if (key === EVERYTHING) report(wildcardWide.at(span, { mode }));
    }
  },
});

function looseMode({ mode, where }: BoundLine): string | undefined {
  return [mode, where?.otherwise].find((one) => one === "auto" || one === "consent");
}
