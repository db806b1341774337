import type { Decision, Quota, Row, Timeouts } from "../../engine/wire/generated/policy.ts";
import { byCodeUnits } from "../../lang/text/index.ts";
import type { Model, Session } from "../bind/index.ts";
import { decisionOf, type RuleIndex, textOf } from "./clauses.ts";
import { clearanceOf, kindOf, modelsOf, principalsOf, quotasOf, startsOf, timeoutsOf } from "./effective.ts";
import { clearanceLabel, startOfConversation } from "./labels.ts";
import type { Answer, Resolution, RuleWords } from "./resolve.ts";

const SUPPRESSED = 0;
const UNCOVERED = 1;
const FIRST_DECISION = 2;

/** Sessions that a person can be in, in code-unit order of names. */
export function rowSessions(model: Model): Session[] {
  const sessions = model.sessions.filter((session) => session.own && !session.abstract);
  return sessions.sort((left, right) => byCodeUnits(left.id, right.id));
}

/** Every rule that some row uses. */
export function rulesOf(sessions: readonly Session[], resolution: Resolution): RuleWords[] {
  const rules = sessions.flatMap((session) => [
    ...(resolution.get(session) ?? [])
      .filter(isDecided)
      .flatMap((answer) => [
        ...answer.clauses.map((clause) => clause.rule),
        ...answer.floors.map((floor) => floor.rule),
      ]),
    ...[...quotasOf(session).values()].map(quotaRule),
  ]);
  const byId = new Map<string, RuleWords>();
  for (const rule of rules) {
    const before = byId.get(rule.id);
    // Of lines that say the same in one session the first of the page gives the place.
    if (before === undefined || rule.span.start < before.span.start) byId.set(rule.id, rule);
  }
  return [...byId.values()].sort((left, right) => byCodeUnits(left.id, right.id));
}

function isDecided(answer: Answer): boolean {
  return !answer.suppressed && answer.clauses.length > 0;
}

function quotaRule({
  session,
  quota,
}: {
  session: Session;
  quota: { words: string; node: { span: RuleWords["span"] } };
}): RuleWords {
  const words = `quota ${quota.words}`;
  return { id: `${session.id}/${words}`, words, span: quota.node.span };
}

/** Decision lists that cells share, in the order in which cells first use them. */
export interface DecisionPool {
  readonly decisions: Decision[];
  readonly cellOf: (answer: Answer) => number;
}

export function decisionPool(ruleIndex: RuleIndex): DecisionPool {
  const decisions: Decision[] = [];
  const indexes = new Map<string, number>();
  return {
    decisions,
    cellOf: (answer) => {
      if (answer.suppressed) return SUPPRESSED;
      if (answer.clauses.length === 0) return UNCOVERED;
      const decision = decisionOf(answer, ruleIndex);
      const text = textOf(decision);
      const index = indexes.get(text) ?? decisions.length;
      if (index === decisions.length) decisions.push(decision);
      indexes.set(text, index);
      return FIRST_DECISION + index;
    },
  };
}

/** Where things stand in the tables' lists. */
export interface Indexes {
  readonly principals: ReadonlyMap<string, number>;
  readonly backends: ReadonlyMap<string, number>;
  readonly ruleIndex: RuleIndex;
}

export function rowOf(model: Model, session: Session, cells: readonly number[], indexes: Indexes): Row {
  const principals = principalsOf(session).map((principal) => indexes.principals.get(principal.name) ?? 0);
  return {
    session: session.id,
    task: "",
    phase: "",
    worker: "",
    kind: kindOf(session)?.name ?? "guest",
    principals: principals.sort((left, right) => left - right),
    cells: [...cells],
    clearance: clearanceLabel(clearanceOf(session)),
    starts: startOfConversation(model.lattice, startsOf(session)),
    // The order is the page's own: the first that may be used is used.
    backends: modelsOf(session).map(({ backend, mode }) => ({
      backend: indexes.backends.get(backend.name) ?? 0,
      mode,
    })),
    quotas: wireQuotas(session, indexes.ruleIndex),
    timeouts: wireTimeouts(session),
  };
}

function wireQuotas(session: Session, ruleIndex: RuleIndex): Quota[] {
  const held = [...quotasOf(session)].sort(([left], [right]) => byCodeUnits(left, right));
  return held.map(([, entry]) => {
    const { amount, unit, name, scope } = entry.quota;
    return { amount, unit, name, scope, rule: ruleIndex(quotaRule(entry).id) };
  });
}

function wireTimeouts(session: Session): Timeouts {
  const limits = timeoutsOf(session);
  const limit = (scope: "call" | "turn" | "login") => limits.get(scope)?.milliseconds ?? 0;
  return { callMs: limit("call"), turnMs: limit("turn"), loginMs: limit("login") };
}
