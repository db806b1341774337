import { type IndexedTables, join } from "../../../engine/lib/policy/index.ts";
import type { Result } from "../../../engine/lib/result/result.ts";
import { generateExceedingTraces } from "./exceeding-traces.ts";
import { enumerateGoalStates, type Goal } from "./goal.ts";
import { describeWays, nameUse } from "./grant-uses.ts";
import { findUncoveredRows } from "./limit.ts";
import { isMatch } from "./matcher.ts";
import { GATES } from "./modes.ts";
import { NO_HISTORY, type Question } from "./obligations.ts";
import type { Proof, Verdict, Witness } from "./proof.ts";
import {
  describeViolation,
  explainExceededLimit,
  formatRowName,
  quoteName,
  renderProofSentence,
} from "./render-verdict.ts";
import { replay } from "./replay.ts";
import type { ReachableSet } from "./search.ts";
import type { Searches } from "./searches.ts";
import { buildTrace, buildTraceWith } from "./trace.ts";

/** A verdict, and the session or backend that a refutation is about. */
interface LocatedVerdict {
  readonly verdict: Verdict;
  /** The session or backend of a refutation. */
  readonly at: Proof["at"];
}

/**
 * Maximum number of counterexamples that are replayed for one goal. The limit saves time: often one reason makes all
 * counterexamples of a goal impossible.
 */
const MOST_REPLAYED = 64;

/**
 * Decides questions. Returns the first refutation; if there is none, the first undetermined verdict; otherwise
 * `proved`.
 */
export function decideQuestions(searches: Searches, questions: readonly Question[]): LocatedVerdict {
  const decided = questions.map((question) => decideQuestion(searches, question)).filter((one) => one !== undefined);
  const refuted = decided.find(({ verdict }) => verdict.kind === "refuted");
  return refuted ?? decided[0] ?? { verdict: createProvedVerdict(searches, questions), at: undefined };
}

function createProvedVerdict(searches: Searches, questions: readonly Question[]): Verdict {
  const histories = questions.map((question) => (question.kind === "reach" ? question.history : NO_HISTORY));
  const reachable = (histories.length === 0 ? [NO_HISTORY] : histories).map((history) => searches.exploreFor(history));
  const used = new Set(reachable.flatMap(({ releases }) => [...releases]));
  const { releases, rules, redactions } = searches.space.tables;
  const words = [...used]
    .sort((one, other) => one - other)
    .flatMap((at) => rules[releases[at]?.rule ?? -1]?.words ?? []);
  const states = new Set(reachable).values().reduce((sum, { conversations }) => sum + conversations.length, 0);
  const merged = searches.space.labels.size;
  const uncounted = findUncountedWays(searches, questions);
  const isVacuous = questions.length > 0 && questions.every(asksOfNothing);
  const offline = questions.flatMap((question) => (question.kind === "reach" ? (question.offline ?? []) : []));
  const flows = questions.filter((question) => question.kind === "reach" && question.isAboutData === true);
  const isUnlabelled =
    flows.length > 0 && flows.every((question) => isAboutMissingData(searches.space.tables, question));
  const ignoresReleases = histories.some(({ withoutReleases }) => withoutReleases);
  const sentence = renderProofSentence({
    releases: words,
    ignoresReleases,
    isUnlabelled,
    uncounted,
    offline,
    isVacuous,
    redactions: redactions.map(({ name }) => name),
    states,
    merged,
  });
  const facts = { releases: words, ignoresReleases, uncounted, offline, isVacuous, isUnlabelled, states, merged };
  return { kind: "proved", sentence, ...facts };
}

/**
 * Returns whether nothing on the page has a label that the question is about: no result of a tool, no start of a conversation, and no
 * ingress. The join of all their labels is above each label that a conversation can have.
 */
function isAboutMissingData({ tools, rows, ingresses }: IndexedTables, question: Question): boolean {
  const labels = [
    ...tools.map(({ result }) => result.high),
    ...rows.map(({ starts }) => starts),
    ...ingresses.map(({ label }) => label),
  ];
  const [first, ...others] = labels;
  if (first === undefined || question.kind !== "reach") return false;
  const highest = others.reduce(join, first);
  return question.history.matchers.every((matcher) => !isMatch(matcher, highest));
}

/** Returns whether a question is about no tool and no backend. */
function asksOfNothing(question: Question): boolean {
  if (question.kind !== "reach") return false;
  const { calls, backends } = question.goal;
  return calls?.tools.length === 0 && (backends === undefined || backends.backends.length === 0);
}

function findUncountedWays(searches: Searches, questions: readonly Question[]): readonly string[] {
  const found = questions.flatMap((question) => {
    if (question.kind !== "reach" || question.uncounted === undefined || question.uncounted.length === 0) return [];
    return describeWays(searches.reachability, question.goal.rows, question.uncounted);
  });
  return [...new Set(found)];
}

/**
 * Decides one question. Returns a refutation or an undetermined verdict; `undefined` if the question has no
 * counterexample.
 */
function decideQuestion(searches: Searches, question: Question): LocatedVerdict | undefined {
  switch (question.kind) {
    case "reach":
      return decideReach(searches, question);
    case "list":
      return decideList(searches, question);
    case "limit":
      return decideLimit(searches, question);
  }
}

type ReachQuestion = Extract<Question, { kind: "reach" }>;

/**
 * Decides a question that needs a search. In a witness with a plan, the conversation that submits the plan comes first.
 */
function decideReach(searches: Searches, { submission, ...executed }: ReachQuestion): LocatedVerdict | undefined {
  if (submission === undefined) return decideGoal(searches, executed);
  const handedIn = decideGoal(searches, {
    kind: "reach",
    history: NO_HISTORY,
    goal: submission,
    renderRefutation: ({ run }) => run,
  });
  const decided = handedIn && decideGoal(searches, executed);
  if (handedIn === undefined || decided === undefined) return undefined;
  if (handedIn.verdict.kind !== "refuted") return handedIn;
  if (decided.verdict.kind !== "refuted") return decided;
  const { witness, sentence } = decided.verdict;
  const conversations = [...handedIn.verdict.witness.conversations, ...witness.conversations];
  const why = `${sentence}, by a plan: ${handedIn.verdict.sentence} and hands it in`;
  return { ...handedIn, verdict: { kind: "refuted", witness: { conversations }, sentence: why } };
}

function decideGoal(
  searches: Searches,
  { history, goal, renderRefutation, uses = [] }: Omit<ReachQuestion, "submission">,
): LocatedVerdict | undefined {
  const reachable = searches.exploreFor(history);
  const first = findFirstWitness(searches, reachable, goal, history);
  if (first === undefined) {
    const why = reachable.exceededLimit ?? (searches.walkBudget.left < 0 ? { kind: "steps" } : undefined);
    return why && createUndetermined(explainExceededLimit(searches.space, reachable, why));
  }
  // If the first counterexample needs arguments that are only assumed to exist, another counterexample may not need
  // any.
  const replayed = first.ok
    ? first
    : findFirstWitness(searches, searches.exploreFor(history, "certain"), goal, history);
  if (replayed?.ok) {
    const { tables } = searches.space;
    const witness = nameUse(tables, replayed.value, uses);
    return createRefutation(witness, renderRefutation(describeViolation(tables, witness)));
  }
  return createUndetermined(first.ok ? "" : first.reason);
}

/** Returns the first counterexample that can be replayed. If none can, returns the reason for which the shortest one cannot be replayed. */
function findFirstWitness(
  searches: Searches,
  reachable: ReachableSet,
  goal: Goal,
  history = NO_HISTORY,
): Result<Witness> | undefined {
  const { space, walkBudget: budget } = searches;
  const seen = searches.selectBits(reachable, history);
  return findFirstReplay(enumerateGoalStates(space, reachable, goal, { seen, budget }), (reached) =>
    replay(space.tables, buildTrace(space, reachable, reached)),
  );
}

function findFirstReplay<T>(
  candidates: Iterable<T>,
  replayCandidate: (candidate: T) => Result<Witness>,
): Result<Witness> | undefined {
  let first: Result<Witness> | undefined;
  let tried = 0;
  for (const candidate of candidates) {
    const replayed = replayCandidate(candidate);
    if (replayed.ok) return replayed;
    first ??= replayed;
    if (++tried === MOST_REPLAYED) break;
  }
  return first;
}

function createUndetermined(reason: string): LocatedVerdict {
  return { verdict: { kind: "undetermined", reason }, at: undefined };
}

function createRefutation(witness: Witness, sentence: string): LocatedVerdict {
  const last = witness.conversations[witness.conversations.length - 1];
  const step = last?.steps[last.steps.length - 1];
  const at = {
    ...(last === undefined ? {} : { session: last.session }),
    ...(step?.kind === "infer" ? { backend: step.backend } : {}),
  };
  return { verdict: { kind: "refuted", witness, sentence }, at };
}

function decideList(
  searches: Searches,
  { rows, backends }: Extract<Question, { kind: "list" }>,
): LocatedVerdict | undefined {
  const { space } = searches;
  const { tables } = space;
  const listed = tables.rows.flatMap((row, index) =>
    rows[index] && !row.requiresTask
      ? row.backends.filter(({ backend }) => backends.includes(backend)).map(({ backend }) => ({ index, row, backend }))
      : [],
  );
  const [first] = listed;
  if (first === undefined) return undefined;
  const reachable = searches.exploreFor(NO_HISTORY);
  const used = { backends, modes: GATES };
  const replayed = findFirstWitness(searches, reachable, { rows, calls: undefined, backends: used });
  const witness = replayed?.ok ? replayed.value : buildBareWitness(searches, reachable, first.index);
  const name = tables.backends[first.backend]?.name ?? "";
  const decided = createRefutation(
    witness,
    `${formatRowName(first.row)} lists the backend ${quoteName(name)}, which is not of this machine`,
  );
  return { ...decided, at: { session: first.row.session, backend: name } };
}

/** Returns a witness with one conversation, which enters a row and makes no calls. */
function buildBareWitness(searches: Searches, reachable: ReachableSet, row: number): Witness {
  const { space } = searches;
  const state = reachable.conversations.find((one) => reachable.frontier.place[one] === row);
  const replayed = state === undefined ? undefined : replay(space.tables, buildTraceWith(space, reachable, state, []));
  return replayed?.ok ? replayed.value : { conversations: [] };
}

function decideLimit(
  searches: Searches,
  { rows, quota }: Extract<Question, { kind: "limit" }>,
): LocatedVerdict | undefined {
  const { space } = searches;
  const reachable = searches.exploreFor(NO_HISTORY);
  const uncovered = findUncoveredRows(searches, rows, quota);
  if (uncovered === undefined)
    return (
      reachable.exceededLimit && createUndetermined(explainExceededLimit(space, reachable, reachable.exceededLimit))
    );
  const row = space.tables.rows[uncovered.row];
  const why = `${row === undefined ? "" : formatRowName(row)} may use more than ${quoteName(quota.words)}: no quota of it holds that`;
  if (uncovered.consumption === undefined)
    return createRefutation(buildBareWitness(searches, reachable, uncovered.row), why);
  const candidates = generateExceedingTraces(space, reachable, uncovered.consumption, quota);
  const replayed = findFirstReplay(candidates, ({ conversations, sharing }) =>
    replay(space.tables, conversations, sharing),
  );
  if (replayed?.ok) return createRefutation(replayed.value, why);
  return createUndetermined(`${why}; one call more is ${replayed?.reason ?? "not known to be possible"}`);
}
