import { serializeCondition } from "../../../../engine/lib/policy/index.ts";
import type { BoundLine, BoundPattern } from "../../../phases/bind/index.ts";
import { encodeCondition } from "../../../phases/policy/index.ts";
import { defineLaw } from "../../support/law.ts";
import { listNarrowings, listSharedPatterns } from "../../support/own-layers.ts";
import { ruleConflict } from "./codes.ts";

/**
 * Checks ruling 3. Reports lines that contradict each other. Lines with different conditions never conflict, because
 * ruling 4 states which of them decides.
 */
export const rule = defineLaw({
  reports: [ruleConflict],
  check: ({ model }, report) => {
    // The law also checks the profiles of the standard library.
    const sessions = model.sessions.flatMap(({ lines, widenings }) => [lines, widenings.flatMap((one) => one.lines)]);
    for (const lines of [...sessions, ...listNarrowings(model).map((layer) => layer.lines)]) {
      for (const { first, second, pattern, firstPattern } of findConflicts(lines)) {
        const tool = pattern.tools[0]?.name ?? "";
        report(
          ruleConflict.at(
            pattern.span,
            { tool, ...describeModes(first, second) },
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

/** Returns the conflicts between lines. Lines with equal modes do not conflict; one of them may be redundant. */
function findConflicts(lines: readonly BoundLine[]): Conflict[] {
  const firsts = new Map<string, { line: BoundLine; pattern: BoundPattern }>();
  const shared = listSharedPatterns(lines);
  return lines.flatMap((line) => {
    if (!line.patterns.some(({ key }) => shared.has(key))) return [];
    const conditions = serializeConditions(line);
    return line.patterns.flatMap((pattern): Conflict[] => {
      const key = `${pattern.key} ${conditions}`;
      const before = firsts.get(key);
      if (before === undefined) firsts.set(key, { line, pattern });
      // If the lines cover no tool, only another law reports them.
      if (before === undefined || isSame(before.line, line) || pattern.tools.length === 0) return [];
      return [{ first: before.line, second: line, firstPattern: before.pattern, pattern }];
    });
  });
}

/**
 * Returns a text of the conditions of a line. Lines with the same conditions, in whatever order, have the same text.
 */
function serializeConditions({ where }: BoundLine): string {
  const texts = where?.checks.map((check) => serializeCondition(encodeCondition(check))) ?? [];
  return [...new Set(texts)].sort().join(" ");
}

function isSame(one: BoundLine, other: BoundLine): boolean {
  return one.mode === other.mode && one.where?.otherwise === other.where?.otherwise;
}

function describeModes(first: BoundLine, second: BoundLine): { readonly mode: string; readonly other: string } {
  if (first.mode !== second.mode) return { mode: second.mode, other: first.mode };
  return { mode: `else ${second.where?.otherwise}`, other: `else ${first.where?.otherwise}` };
}
