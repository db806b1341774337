import type { BoundLine, BoundPattern, Session } from "../../../bind/index.ts";
import { defineLaw } from "../../law.ts";
import { ruleConflict } from "./codes.ts";

/** Ruling 3. Lines with a condition never conflict: of those the strictest applies. */
export const rule = defineLaw({
  reports: [ruleConflict],
  check: ({ model }, report) => {
    for (const session of model.sessions) {
      for (const { first, second, pattern, firstPattern } of conflictsIn(session)) {
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

function conflictsIn(session: Session): Conflict[] {
  return [session.lines, ...session.widenings.map((widening) => widening.lines)].flatMap((lines) => {
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
  });
}
