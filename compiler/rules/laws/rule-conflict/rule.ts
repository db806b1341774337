import type { BoundLine, BoundPattern } from "../../../phases/bind/index.ts";
import { defineLaw } from "../../support/law.ts";
import { listNarrowings } from "../../support/own-layers.ts";
import { ruleConflict } from "./codes.ts";

/** Ruling 3. Lines with a condition never conflict: of those the strictest applies. */
export const rule = defineLaw({
  reports: [ruleConflict],
  check: ({ model }, report) => {
    // A profile of the standard library is held to it as well.
    const sessions = model.sessions.flatMap(({ lines, widenings }) => [lines, ...widenings.map((one) => one.lines)]);
    for (const lines of [...sessions, ...listNarrowings(model).map((layer) => layer.lines)]) {
      for (const { first, second, pattern, firstPattern } of findConflicts(lines)) {
        const tool = pattern.tools[0]?.name ?? "";
        report(
          ruleConflict.at(
            pattern.span,
            { tool, mode: second.mode, other: first.mode },
            { related: [{ span: firstPattern.span, message: `the other line: ${first.words}` }] },
          ),
        );
      }
    }
  },
});

interface Conflict {
  readonly first: BoundLine;
  readonly second: BoundLine;
  readonly firstPattern: BoundPattern;
  readonly pattern: BoundPattern;
}

function findConflicts(lines: readonly BoundLine[]): Conflict[] {
  const firsts = new Map<string, { line: BoundLine; pattern: BoundPattern }>();
  const unconditional = lines.filter((line) => line.where === undefined);
  return unconditional.flatMap((line) =>
    line.patterns.flatMap((pattern): Conflict[] => {
      const before = firsts.get(pattern.key);
      if (before === undefined) firsts.set(pattern.key, { line, pattern });
      // Of lines that cover no tool that alone is said.
      if (before === undefined || before.line.mode === line.mode || pattern.tools.length === 0) return [];
      return [{ first: before.line, second: line, firstPattern: before.pattern, pattern }];
    }),
  );
}
