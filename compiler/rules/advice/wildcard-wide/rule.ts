import { type BoundLine, EVERYTHING } from "../../../phases/bind/index.ts";
import { collectLayers, defineLaw, listLines } from "../../support/index.ts";
import { wildcardWide } from "./codes.ts";

/** Reports `auto *` and `consent *`. `stepUp *` and `forbidden *` are not reported, because they restrict calls. */
export const rule = defineLaw({
  reports: [wildcardWide],
  check: ({ model }, report) => {
    for (const line of collectLayers(model).flatMap(({ said, widenings }) => listLines(said, widenings))) {
      const mode = findLooseMode(line);
      if (mode === undefined) continue;
      for (const { key, span } of line.patterns) if (key === EVERYTHING) report(wildcardWide.at(span, { mode }));
    }
  },
});

function findLooseMode({ mode, where }: BoundLine): string | undefined {
  return [mode, where?.otherwise].find((one) => one === "auto" || one === "consent");
}
