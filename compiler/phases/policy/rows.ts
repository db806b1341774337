import { FIRST_DECISION, SUPPRESSED, UNCOVERED } from "../../../engine/lib/policy/index.ts";
import type { Decision, Quota, Row, Timeouts } from "../../../engine/lib/wire/generated/policy.ts";
import { compareCodeUnits } from "../../../lang/text/index.ts";
import { type BoundTimeLimit, formatQuotaKey, type Model, type Release } from "../bind/index.ts";
import { encodeDecision, type RuleIndex, serializeDecision } from "./clauses.ts";
import { isCovered } from "./comparison.ts";
import {
  collectQuotas,
  computeRemembering,
  computeTimeLimits,
  getClearance,
  getLogin,
  getModels,
  getPrincipals,
  getSessionKind,
  getStartLabel,
  getTaskRequirement,
  type HeldQuota,
} from "./effective.ts";
import { resolveClearance, startOfConversation } from "./labels.ts";
import { makeRule, type RuleWords } from "./layers.ts";
import type { Place } from "./place.ts";
import { releaseRule, selectReleases } from "./releases.ts";
import type { Answer } from "./resolve.ts";

/** A place, and its answer to each tool. */
export interface PlaceAnswers {
  readonly place: Place;
  readonly answers: readonly Answer[];
}

/** Returns every rule that some row uses, and the rules in `others`. Each rule is in the list once. */
export function collectRules(rows: readonly PlaceAnswers[], others: readonly RuleWords[]): RuleWords[] {
  const byId = new Map<string, RuleWords>();
  const add = (rule: RuleWords): void => {
    // Equal lines of one session have the same id. If several lines are equal, the position of the first of them on the
    // page is used.
    if (!byId.has(rule.id)) byId.set(rule.id, rule);
  };
  for (const { place, answers } of rows) {
    // Tools with equal answers share one object, so each object is read only once.
    for (const answer of [...new Set(answers)].filter(isCovered))
      for (const { rule } of [...answer.clauses, ...answer.floors]) add(rule);
    for (const held of collectQuotas(place)) add(makeQuotaRule(held));
    const entry = makeEntryRule(place);
    if (entry !== undefined) add(entry);
    const login = makeLoginRule(place);
    if (login !== undefined) add(login);
    const requirement = makeTaskRule(place);
    if (requirement !== undefined) add(requirement);
  }
  for (const rule of others) add(rule);
  return [...byId.values()].sort((left, right) => compareCodeUnits(left.id, right.id));
}

export function makeQuotaRule({ owner, quota }: HeldQuota): RuleWords {
  return makeRule(owner, `quota ${quota.words}`, quota.node.span);
}

/** Returns the rule of the gate before a phase, or `undefined` if the phase has no gate. */
function makeEntryRule({ phase }: Place): RuleWords | undefined {
  if (phase?.after === undefined) return undefined;
  return makeRule(phase.id, `phase ${phase.name} after ${phase.after}`, phase.node.name.span);
}

/** Returns the rule of the session's `login` line, or `undefined` if the session has none. */
function makeLoginRule({ session }: Place): RuleWords | undefined {
  const held = getLogin(session);
  return held && makeRule(held.owner, `login ${held.login.proof}`, held.login.span);
}

/**
 * Returns the `requires task` rule of a place outside of tasks, or `undefined` if its session does not require a task.
 */
function makeTaskRule({ session, task }: Place): RuleWords | undefined {
  const held = task === undefined ? getTaskRequirement(session) : undefined;
  return held && makeRule(held.owner, "requires task", held.span);
}

/**
 * Returns the answers of a place. If the place is outside of tasks and the session requires a task, every tool that a
 * line covers is forbidden.
 */
export function closeOutsideOfTasks(place: Place, answers: readonly Answer[]): readonly Answer[] {
  const rule = makeTaskRule(place);
  if (rule === undefined) return answers;
  const closed: Answer = {
    suppressed: false,
    clauses: [{ checks: [], met: "forbidden", otherwise: undefined, rule, group: {} }],
    floors: [],
    widened: false,
  };
  return answers.map((answer) => (isCovered(answer) ? closed : answer));
}

/** Decision lists that cells share, in the order in which cells first use them. */
interface DecisionPool {
  readonly decisions: Decision[];
  readonly cellOf: (answer: Answer) => number;
}

export function createDecisionPool(ruleIndex: RuleIndex): DecisionPool {
  const decisions: Decision[] = [];
  const indexes = new Map<string, number>();
  const known = new Map<Answer, number>();
  const indexOf = (answer: Answer): number => {
    const decision = encodeDecision(answer, ruleIndex);
    const text = serializeDecision(decision);
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

/** Indexes of principals, backends, releases and rules in the lists of the tables, by name or id. */
export interface Indexes {
  readonly principals: ReadonlyMap<string, number>;
  readonly backends: ReadonlyMap<string, number>;
  /** All releases of the page, in the tables' order. */
  readonly held: readonly Release[];
  /** Indexes of releases by the ids of their rules. */
  readonly releases: ReadonlyMap<string, number>;
  readonly ruleIndex: RuleIndex;
}

export function encodeRow(model: Model, place: Place, cells: readonly number[], indexes: Indexes): Row {
  const { session, task, phase, worker } = place;
  const principals = getPrincipals(session).map((principal) => indexes.principals.get(principal.name) ?? 0);
  const entry = makeEntryRule(place);
  const login = makeLoginRule(place);
  const requirement = makeTaskRule(place);
  return {
    session: session.id,
    task: task?.name ?? "",
    phase: phase?.name ?? "",
    worker: worker?.name ?? "",
    kind: getSessionKind(session)?.name ?? "guest",
    principals: principals.sort((left, right) => left - right),
    cells: [...cells],
    clearance: resolveClearance(getClearance(session)),
    starts: startOfConversation(model.lattice, getStartLabel(session)),
    // Keep the backends in the order of the page, because the first one that may answer is used.
    backends: getModels(session).map(({ backend, mode }) => ({
      backend: indexes.backends.get(backend.name) ?? 0,
      mode,
    })),
    quotas: encodeQuotas(collectQuotas(place), indexes.ruleIndex),
    timeouts: encodeTimeouts(place),
    phaseIndex: task === undefined || phase === undefined ? 0 : task.phases.indexOf(phase),
    entry: phase?.after ?? "auto",
    entryRule: entry === undefined ? 0 : indexes.ruleIndex(entry.id),
    remember: computeRemembering(place),
    login: getLogin(session)?.login.proof ?? "none",
    loginRule: login === undefined ? 0 : indexes.ruleIndex(login.id),
    requiresTask: requirement !== undefined,
    taskRule: requirement === undefined ? 0 : indexes.ruleIndex(requirement.id),
    parameters: (task?.parameters ?? []).map(({ name, kind, currency }) => ({ name, kind, currency })),
    releases: selectReleases(indexes.held, place).map((release) => indexes.releases.get(releaseRule(release).id) ?? 0),
  };
}

export function encodeQuotas(held: readonly HeldQuota[], ruleIndex: RuleIndex): Quota[] {
  const sorted = [...held].sort(
    (left, right) =>
      compareCodeUnits(formatQuotaKey(left.quota), formatQuotaKey(right.quota)) ||
      compareCodeUnits(left.owner, right.owner),
  );
  return sorted.map((entry) => {
    const { amount, unit, name, scope } = entry.quota;
    return { amount, unit, name, scope, rule: ruleIndex(makeQuotaRule(entry).id) };
  });
}

/** Returns the time limits of a row, each with its scope. */
export function listTimeLimits({ callMs, turnMs, loginMs, idleMs }: Timeouts) {
  const limits: readonly (readonly [BoundTimeLimit["scope"], number])[] = [
    ["call", callMs],
    ["turn", turnMs],
    ["login", loginMs],
    ["idle", idleMs],
  ];
  return limits.filter(([, ms]) => ms > 0);
}

function encodeTimeouts(place: Place): Timeouts {
  const limits = computeTimeLimits(place);
  const getMilliseconds = (scope: BoundTimeLimit["scope"]) => limits.get(scope) ?? 0;
  return {
    callMs: getMilliseconds("call"),
    turnMs: getMilliseconds("turn"),
    loginMs: getMilliseconds("login"),
    idleMs: getMilliseconds("idle"),
  };
}
