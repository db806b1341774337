import { type BoundLine, EVERYTHING } from "../../../bind/index.ts";
import { defineLaw } from "../../../check/index.ts";
import { wildcardWide } from "./codes.ts";

/** `stepUp *` and `forbidden *` are wide as well, and stay shut. */
export const rule = defineLaw({
  reports: [wildcardWide],
  check: ({ model: { sessions, tasks, workers } }, report) => {
    const own = sessions.filter((session) => session.own);
    const layers = [...own, ...tasks, ...tasks.flatMap(({ phases }) => phases), ...workers];
    const widened = own.flatMap(({ widenings }) => widenings.flatMap(({ lines }) => lines));
    for (const line of [...layers.flatMap(({ lines }) => lines), ...widened]) {
      const mode = looseMode(line);
      if (mode === undefined) continue;
      for (const { key, span } of line.patterns) if (key === EVERYTHING) report(wildcardWide.at(span, { mode }));
    }
  },
});

function looseMode({ mode, where }: BoundLine): string | undefined {
  return [mode, where?.otherwise].find((one) => one === "auto" || one === "consent");
}
