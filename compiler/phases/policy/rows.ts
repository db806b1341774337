import { FIRST_DECISION, SUPPRESSED, UNCOVERED } from "../../../engine/lib/policy/index.ts";
import type { Decision, Quota, Row, Timeouts } from "../../../engine/lib/wire/generated/policy.ts";
import { byCodeUnits } from "../../../lang/text/index.ts";
import { type BoundTimeLimit, type Model, quotaKey, type Release } from "../bind/index.ts";
import { decisionOf, type RuleIndex, textOf } from "./clauses.ts";
import { isCovered } from "./comparison.ts";
import {
  clearanceOf,
  type HeldQuota,
  kindOf,
  loginOf,
  modelsOf,
  principalsOf,
  quotasIn,
  rememberedIn,
  startsOf,
  timeLimitsIn,
} from "./effective.ts";
import { clearanceLabel, startOfConversation } from "./labels.ts";
import { type RuleWords, ruleOf } from "./layers.ts";
import type { Place } from "./place.ts";
import { releasesIn } from "./releases.ts";
import type { Answer } from "./resolve.ts";

/** A place with what is answered in it. */
export interface Answered {
  readonly place: Place;
  readonly answers: readonly Answer[];
}

/** Every rule that some row uses. */
export function rulesOf(rows: readonly Answered[], others: readonly RuleWords[]): RuleWords[] {
  const byId = new Map<string, RuleWords>();
  const add = (rule: RuleWords): void => {
    // Of lines that say the same in one session the first of the page gives the place: they have one key, and its lines
    // are in the page's order.
    if (!byId.has(rule.id)) byId.set(rule.id, rule);
  };
  for (const { place, answers } of rows) {
    // Tools that are answered alike share their answer.
    for (const answer of [...new Set(answers)].filter(isCovered))
      for (const { rule } of [...answer.clauses, ...answer.floors]) add(rule);
    for (const held of quotasIn(place)) add(quotaRule(held));
    const entry = entryRule(place);
    if (entry !== undefined) add(entry);
    const login = loginRule(place);
    if (login !== undefined) add(login);
  }
  for (const rule of others) add(rule);
  return [...byId.values()].sort((left, right) => byCodeUnits(left.id, right.id));
}

export function quotaRule({ owner, quota }: HeldQuota): RuleWords {
  return ruleOf(owner, `quota ${quota.words}`, quota.node.span);
}

/** The line that puts a gate before a phase. */
function entryRule({ phase }: Place): RuleWords | undefined {
  if (phase?.after === undefined) return undefined;
  return ruleOf(phase.id, `phase ${phase.name} after ${phase.after}`, phase.node.name.span);
}

/** The line that closes a session until one of its principals has opened it. */
function loginRule({ session }: Place): RuleWords | undefined {
  const held = loginOf(session);
  return held && ruleOf(held.owner, `login ${held.login.proof}`, held.login.span);
}

/** Decision lists that cells share, in the order in which cells first use them. */
interface DecisionPool {
  readonly decisions: Decision[];
  readonly cellOf: (answer: Answer) => number;
}

export function decisionPool(ruleIndex: RuleIndex): DecisionPool {
  const decisions: Decision[] = [];
  const indexes = new Map<string, number>();
  const known = new Map<Answer, number>();
  const indexOf = (answer: Answer): number => {
    const decision = decisionOf(answer, ruleIndex);
    const text = textOf(decision);
    const index = indexes.get(text) ?? decisions.length;
    if (index === decisions.length) decisions.push(decision);
    indexes.set(text, index);
    return index;
  };
  return {
    decisions,
    cellOf: (answer) => {
      if (answer.suppressed) return SUPPRESSED;
      if (answer.clauses.length === 0) return UNCOVERED;
      const index = known.get(answer) ?? indexOf(answer);
      known.set(answer, index);
      return FIRST_DECISION + index;
    },
  };
}

/** Where things stand in the tables' lists. */
export interface Indexes {
  readonly principals: ReadonlyMap<string, number>;
  readonly backends: ReadonlyMap<string, number>;
  /** All of the page, in the tables' order. */
  readonly held: readonly Release[];
  /** By their words. */
  readonly releases: ReadonlyMap<string, number>;
  readonly ruleIndex: RuleIndex;
}

export function rowOf(model: Model, place: Place, cells: readonly number[], indexes: Indexes): Row {
  const { session, task, phase, worker } = place;
  const principals = principalsOf(session).map((principal) => indexes.principals.get(principal.name) ?? 0);
  const entry = entryRule(place);
  const login = loginRule(place);
  return {
    session: session.id,
    task: task?.name ?? "",
    phase: phase?.name ?? "",
    worker: worker?.name ?? "",
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
    quotas: wireQuotas(quotasIn(place), indexes.ruleIndex),
    timeouts: wireTimeouts(place),
    phaseIndex: task === undefined || phase === undefined ? 0 : task.phases.indexOf(phase),
    entry: phase?.after ?? "auto",
    entryRule: entry === undefined ? 0 : indexes.ruleIndex(entry.id),
    remember: rememberedIn(place),
    login: loginOf(session)?.login.proof ?? "none",
    loginRule: login === undefined ? 0 : indexes.ruleIndex(login.id),
    releases: releasesIn(indexes.held, session).map(({ words }) => indexes.releases.get(words) ?? 0),
  };
}

export function wireQuotas(held: readonly HeldQuota[], ruleIndex: RuleIndex): Quota[] {
  const sorted = [...held].sort(
    (left, right) => byCodeUnits(quotaKey(left.quota), quotaKey(right.quota)) || byCodeUnits(left.owner, right.owner),
  );
  return sorted.map((entry) => {
    const { amount, unit, name, scope } = entry.quota;
    return { amount, unit, name, scope, rule: ruleIndex(quotaRule(entry).id) };
  });
}

/** Returns the time limits that a row sets, by what each is for. */
export function listTimeLimits({ callMs, turnMs, loginMs, idleMs }: Timeouts) {
  const limits: readonly (readonly [BoundTimeLimit["scope"], number])[] = [
    ["call", callMs],
    ["turn", turnMs],
    ["login", loginMs],
    ["idle", idleMs],
  ];
  return limits.filter(([, ms]) => ms > 0);
}

function wireTimeouts(place: Place): Timeouts {
  const limits = timeLimitsIn(place);
  const msPer = (scope: BoundTimeLimit["scope"]) => limits.get(scope) ?? 0;
  return { callMs: msPer("call"), turnMs: msPer("turn"), loginMs: msPer("login"), idleMs: msPer("idle") };
}
