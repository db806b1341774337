import {
  type BoundLine,
  formatQuotaKey,
  isWithin,
  type Session,
  type Tool,
  type Widening,
} from "../../../phases/bind/index.ts";
import {
  type Answer,
  canReachLooser,
  createUnwidenedReader,
  encodeCondition,
  encodeUnnamedClauses,
  getClearance,
  getModels,
  getOutcomes,
  getQuotas,
  getSessionKind,
  isLooser,
  reachOf,
} from "../../../phases/policy/index.ts";
import { findModePairs } from "../../../phases/prove/index.ts";
import { createAnswerLookup } from "../../support/answers.ts";
import { isBelow } from "../../support/labels.ts";
import { defineLaw, type Page, type Report } from "../../support/law.ts";
import { widenChangesNothing, widenExpired, widenWithoutParent, wrongDate } from "./codes.ts";

/** Checks ruling 6: a widening must widen something, and its date must exist and must not be in the past. */
export const rule = defineLaw({
  reports: [widenChangesNothing, widenExpired, widenWithoutParent, wrongDate],
  check: (page, report) => {
    for (const session of page.model.sessions) {
      for (const widening of session.widenings) {
        checkDay(page, widening, report);
        if (session.relation !== "extends") checkNeed(session, widening, report);
        if (!session.damaged && !page.model.damaged) checkChanges(page, session, widening, report);
      }
    }
  },
});

function checkDay({ today }: Page, { node }: Widening, report: Report): void {
  const { until } = node;
  if (until === undefined) return;
  if (!isDay(until.value)) report(wrongDate.at(until.span, { text: until.value }));
  else if (until.value < today) report(widenExpired.at(until.span, { until: until.value, today }));
}

/**
 * Returns whether the text is an existing date. JavaScript reads `2027-02-30` as the second of March, so a text is
 * valid only if rendering the date gives the same text.
 */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/**
 * Reports widenings of sessions that do not extend another session. Two kinds of lines need `widen` in any session, and
 * are not reported: lines about a category with a parent (ruling 3), and lines about `admin` tools outside of operators
 * (ruling 7).
 */
function checkNeed(session: Session, { lines, models, clearance, quotas }: Widening, report: Report): void {
  const guarded = getSessionKind(session)?.name !== "operator";
  for (const { span, category, tools } of lines.flatMap((line) => line.patterns)) {
    const admin = guarded && tools.some((tool) => isWithin(tool.method.category, "admin"));
    if (category?.parent === undefined && !admin) report(widenWithoutParent.at(span, { session: session.id }));
  }
  const plain = [
    ...(models ?? []),
    ...(clearance === undefined ? [] : [clearance.node]),
    ...quotas.map(({ node }) => node),
  ];
  for (const { span } of plain) report(widenWithoutParent.at(span, { session: session.id }));
}

function checkChanges({ model, resolution }: Page, session: Session, widening: Widening, report: Report): void {
  const without = createUnwidenedReader(session);
  const inherited = createAnswerLookup(model, session.base && resolution.get(session.base));
  const guarded = getSessionKind(session)?.name !== "operator";
  for (const line of widening.lines) {
    for (const { span, tools } of line.patterns) {
      if (tools.length === 0) continue;
      const widens = tools.some((tool) => {
        const answer = without(tool, inherited(tool));
        if (answer.suppressed) return false;
        if (answer.clauses.length === 0) return line.mode !== "forbidden";
        if (guarded && isWithin(tool.method.category, "admin")) return line.mode !== "forbidden";
        return isWiderSomewhere(tool, line, answer);
      });
      if (!widens) report(widenChangesNothing.at(span, { what: `\`${line.words}\`` }));
    }
  }
  const plain: Session = { ...session, widenings: [] };
  checkClearance(plain, widening, report);
  const quotas = getQuotas(plain);
  for (const quota of widening.quotas) {
    const held = quotas.get(formatQuotaKey(quota))?.quota;
    if (held === undefined || quota.amount <= held.amount) {
      report(widenChangesNothing.at(quota.node.span, { what: `the quota \`${quota.words}\`` }));
    }
  }
  const choices = new Map(getModels(plain).map((choice) => [choice.backend, choice.mode]));
  for (const { backend, mode, span } of widening.models ?? []) {
    const held = choices.get(backend);
    if (held !== undefined && !isLooser(mode, held)) {
      report(widenChangesNothing.at(span, { what: `\`${mode} ${backend.name}\`` }));
    }
  }
}

/** Returns whether the widening's line is, or may be, looser for some call than the decision without the widening. */
function isWiderSomewhere({ method }: Tool, line: BoundLine, { clauses }: Answer): boolean {
  if (canReachLooser(reachOf([getOutcomes(line)]), reachOf(clauses))) return true;
  // Rules without conditions can differ only in their mode.
  if (line.where === undefined && clauses.every(({ checks }) => checks.length === 0)) return false;
  const { checks = [], otherwise = line.mode } = line.where ?? {};
  const own = { conditions: checks.map(encodeCondition), met: line.mode, otherwise, rule: 0, group: 0 };
  const others = { clauses: encodeUnnamedClauses(clauses), floors: [] };
  const { pairs, complete } = findModePairs(method.description.params, others, { clauses: [own], floors: [] });
  return !complete || pairs.some(({ before, after }) => isLooser(after, before));
}

function checkClearance(plain: Session, { clearance }: Widening, report: Report): void {
  if (clearance === undefined) return;
  const held = getClearance(plain);
  const inside = isBelow(clearance, held) && (clearance.integrity ?? 0) >= (held?.integrity ?? 0);
  if (inside) report(widenChangesNothing.at(clearance.node.span, { what: "the clearance" }));
}
