import type { BoundPattern, Session, Tool } from "../../../bind/index.ts";
import { answersIn } from "../../answers.ts";
import { defineLaw, type Page, type Report } from "../../law.ts";
import { onlyRemovesNothing, suppressRemovesNothing } from "./codes.ts";

/** Ruling 18, for `only` and `suppress`: each has to take some tool away that would be there without it. */
export const rule = defineLaw({
  reports: [onlyRemovesNothing, suppressRemovesNothing],
  check: (page, report) => {
    if (page.model.damaged || page.model.tools.length === 0) return;
    for (const session of page.model.sessions.filter(({ own, damaged }) => own && !damaged)) {
      const tools = inheritedTools(page, session);
      checkOnly(session, tools, report);
      const left = tools.filter((tool) => session.only.every((patterns) => patterns.some((one) => covers(one, tool))));
      checkSuppress(session, new Set(left), report);
    }
  },
});

/** The tools that are there without the session's own lines. */
function inheritedTools(page: Page, { base }: Session): readonly Tool[] {
  if (base === undefined) return page.model.tools;
  const answerOf = answersIn(page, base);
  return page.model.tools.filter((tool) => answerOf(tool)?.suppressed === false);
}

const covered = new WeakMap<BoundPattern, ReadonlySet<Tool>>();

function covers(pattern: BoundPattern, tool: Tool): boolean {
  const known = covered.get(pattern) ?? new Set(pattern.tools);
  covered.set(pattern, known);
  return known.has(tool);
}

function checkOnly(session: Session, tools: readonly Tool[], report: Report): void {
  for (const patterns of session.only) {
    const [first] = patterns;
    if (first === undefined || !tools.every((tool) => patterns.some((pattern) => covers(pattern, tool)))) continue;
    report(onlyRemovesNothing.at(first.span, { session: session.id }));
  }
}

/** Of patterns that take the same away the later one is dead. */
function checkSuppress(session: Session, there: ReadonlySet<Tool>, report: Report): void {
  const times = new Map<Tool, number>();
  for (const tool of session.suppress.flatMap(({ tools }) => tools)) times.set(tool, (times.get(tool) ?? 0) + 1);
  for (const { tools, span } of [...session.suppress].reverse()) {
    const dead = tools.length > 0 && tools.every((tool) => !there.has(tool) || (times.get(tool) ?? 0) > 1);
    if (!dead) continue;
    for (const tool of tools) times.set(tool, (times.get(tool) ?? 0) - 1);
    const pattern = span.source.text.slice(span.start, span.end);
    report(suppressRemovesNothing.at(span, { pattern, session: session.id }));
  }
}
