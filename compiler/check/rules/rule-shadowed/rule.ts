import { type BoundPattern, EVERYTHING, type Session } from "../../../bind/index.ts";
import { decidedKeys } from "../../../policy/index.ts";
import { answersIn } from "../../answers.ts";
import { defineLaw, type Page } from "../../law.ts";
import { ruleShadowed } from "./codes.ts";

/** Ruling 18. A category wholly covered by more specific lines is merely redundant, which lint says. */
export const rule = defineLaw({
  reports: [ruleShadowed],
  check: (page, report) => {
    for (const session of page.model.sessions.filter(({ own }) => own)) {
      const shadowed = shadowOf(page, session);
      for (const pattern of session.lines.flatMap((line) => line.patterns)) {
        const why = shadowed(pattern);
        const text = pattern.span.source.text.slice(pattern.span.start, pattern.span.end);
        if (why !== undefined) report(ruleShadowed.at(pattern.span, { pattern: text, why }));
      }
    }
  },
});

function shadowOf(page: Page, session: Session): (pattern: BoundPattern) => string | undefined {
  const answerOf = answersIn(page, session);
  const decided = decidedKeys(page.model, session);
  return (pattern) => {
    if (pattern.tools.length === 0) return undefined;
    if (pattern.tools.every((tool) => answerOf(tool)?.suppressed === true))
      return "its tools do not exist in this session";
    if (decided.has(pattern.key) || isCategory(pattern)) return undefined;
    return "more specific lines cover all of its tools";
  };
}

function isCategory(pattern: BoundPattern): boolean {
  return pattern.category !== undefined || pattern.key === EVERYTHING;
}
