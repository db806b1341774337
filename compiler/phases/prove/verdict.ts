import type { Checked } from "../../../engine/lib/policy/index.ts";
import { NOTHING, type Question } from "./asked.ts";
import { enumerateReached, type Goal } from "./goal.ts";
import { describeUses } from "./held.ts";
import { findUnheldRows } from "./limit.ts";
import { GATES } from "./modes.ts";
import type { Proof, Verdict, Witness } from "./proof.ts";
import { replay } from "./replay.ts";
import type { Explored } from "./search.ts";
import type { Searches } from "./searches.ts";
import { generateExceedingTraces } from "./spending.ts";
import { buildTrace, buildTraceWith } from "./story.ts";
import { describeViolation, explainGivenUp, formatRowName, quoteName, renderProofSentence } from "./words.ts";

/** A verdict on all questions of one claim. */
interface Judged {
  readonly verdict: Verdict;
  /** Whom a refutation is about. */
  readonly at: Proof["at"];
}

/** Ways to one goal that are played before it is given up: what keeps the first from happening often keeps all. */
const MOST_PLAYED = 64;

/** Of several questions the first refutation decides, then the first that stays open. */
export function judgeQuestions(searches: Searches, questions: readonly Question[]): Judged {
  const judged = questions.map((question) => judge(searches, question)).filter((one) => one !== undefined);
  const refuted = judged.find(({ verdict }) => verdict.kind === "refuted");
  return refuted ?? judged[0] ?? { verdict: createProvedVerdict(searches, questions), at: undefined };
}

function createProvedVerdict(searches: Searches, questions: readonly Question[]): Verdict {
  const watches = questions.map((question) => (question.kind === "reach" ? question.watch : NOTHING));
  const explored = (watches.length === 0 ? [NOTHING] : watches).map((watch) => searches.exploreFor(watch));
  const used = new Set(explored.flatMap(({ releases }) => [...releases]));
  const { releases, rules } = searches.terrain.tables;
  const words = [...used]
    .sort((one, other) => one - other)
    .flatMap((at) => rules[releases[at]?.rule ?? -1]?.words ?? []);
  const states = new Set(explored).values().reduce((sum, { conversations }) => sum + conversations.length, 0);
  const merged = searches.terrain.labels.size;
  const uncounted = findUncountedUses(searches, questions);
  const sentence = renderProofSentence(words, uncounted, states, merged);
  return { kind: "proved", sentence, releases: words, uncounted, states, merged };
}

function findUncountedUses({ running, terrain }: Searches, questions: readonly Question[]): readonly string[] {
  const found = questions.flatMap((question) => {
    if (question.kind !== "reach" || question.held === undefined || question.held.length === 0) return [];
    const { rows, calls } = question.goal;
    return calls === undefined ? [] : describeUses(running, terrain.tables, rows, calls, question.held);
  });
  return [...new Set(found)];
}

/** Nothing where the question has no answer, and with that the claim holds. */
function judge(searches: Searches, question: Question): Judged | undefined {
  switch (question.kind) {
    case "reach":
      return judgeReach(searches, question);
    case "list":
      return judgeList(searches, question);
    case "limit":
      return judgeLimit(searches, question);
  }
}

type Reach = Extract<Question, { kind: "reach" }>;

/** Where a plan is handed in and executed, the conversation that hands it in is told first. */
function judgeReach(searches: Searches, { handing, ...executed }: Reach): Judged | undefined {
  if (handing === undefined) return judgeGoal(searches, executed);
  const handedIn = judgeGoal(searches, { kind: "reach", watch: NOTHING, goal: handing, says: ({ runs }) => runs });
  const judged = handedIn && judgeGoal(searches, executed);
  if (handedIn === undefined || judged === undefined) return undefined;
  if (handedIn.verdict.kind !== "refuted") return handedIn;
  if (judged.verdict.kind !== "refuted") return judged;
  const { witness, sentence } = judged.verdict;
  const conversations = [...handedIn.verdict.witness.conversations, ...witness.conversations];
  const why = `${sentence}, by a plan: ${handedIn.verdict.sentence} and hands it in`;
  return { ...handedIn, verdict: { kind: "refuted", witness: { conversations }, sentence: why } };
}

function judgeGoal(searches: Searches, { watch, goal, says }: Omit<Reach, "handing">): Judged | undefined {
  const explored = searches.exploreFor(watch);
  const first = findFirstWitness(searches, explored, goal, watch);
  if (first === undefined) {
    const why = explored.givenUp ?? (searches.walking.left < 0 ? { kind: "steps" } : undefined);
    return why && open(explainGivenUp(searches.terrain, explored, why));
  }
  // Where arguments are believed in that nobody has found, another way may do without them.
  const played = first.ok ? first : findFirstWitness(searches, searches.exploreFor(watch, "certain"), goal, watch);
  if (played?.ok) return createRefutation(played.value, says(describeViolation(searches.terrain.tables, played.value)));
  return open(first.ok ? "" : first.reason);
}

/** The shortest way that comes about when it is played; where none does, why the shortest does not. */
function findFirstWitness(
  searches: Searches,
  explored: Explored,
  goal: Goal,
  watch = NOTHING,
): Checked<Witness> | undefined {
  const { terrain } = searches;
  return findFirstReplay(
    enumerateReached(terrain, explored, goal, searches.selectBits(explored, watch), searches.walking),
    (reached) => replay(terrain.tables, buildTrace(terrain, explored, reached)),
  );
}

function findFirstReplay<T>(ways: Iterable<T>, play: (way: T) => Checked<Witness>): Checked<Witness> | undefined {
  let first: Checked<Witness> | undefined;
  let tried = 0;
  for (const way of ways) {
    const played = play(way);
    if (played.ok) return played;
    first ??= played;
    if (++tried === MOST_PLAYED) break;
  }
  return first;
}

function open(reason: string): Judged {
  return { verdict: { kind: "undetermined", reason }, at: undefined };
}

function createRefutation(witness: Witness, sentence: string): Judged {
  const last = witness.conversations[witness.conversations.length - 1];
  const step = last?.steps[last.steps.length - 1];
  const at = {
    ...(last === undefined ? {} : { session: last.session }),
    ...(step?.kind === "infer" ? { backend: step.backend } : {}),
  };
  return { verdict: { kind: "refuted", witness, sentence }, at };
}

function judgeList(searches: Searches, { rows, backends }: Extract<Question, { kind: "list" }>): Judged | undefined {
  const { terrain } = searches;
  const { tables } = terrain;
  const listed = tables.rows.flatMap((row, index) =>
    rows[index]
      ? row.backends.filter(({ backend }) => backends.includes(backend)).map(({ backend }) => ({ index, row, backend }))
      : [],
  );
  const [first] = listed;
  if (first === undefined) return undefined;
  const explored = searches.exploreFor(NOTHING);
  const used = { backends, modes: GATES };
  const played = findFirstWitness(searches, explored, { rows, calls: undefined, backends: used });
  const witness = played?.ok ? played.value : buildBareWitness(searches, explored, first.index);
  const name = tables.backends[first.backend]?.name ?? "";
  const judged = createRefutation(
    witness,
    `${formatRowName(first.row)} lists the backend ${quoteName(name)}, which is not of this machine`,
  );
  return { ...judged, at: { session: first.row.session, backend: name } };
}

/** A conversation that comes to be in a row, and does nothing there. */
function buildBareWitness(searches: Searches, explored: Explored, row: number): Witness {
  const { terrain } = searches;
  const item = explored.conversations.find((one) => explored.frontier.place[one] === row);
  const played = item === undefined ? undefined : replay(terrain.tables, buildTraceWith(terrain, explored, item, []));
  return played?.ok ? played.value : { conversations: [] };
}

function judgeLimit(searches: Searches, { rows, quota }: Extract<Question, { kind: "limit" }>): Judged | undefined {
  const { terrain } = searches;
  const explored = searches.exploreFor(NOTHING);
  const unheld = findUnheldRows(searches, rows, quota);
  if (unheld === undefined) return explored.givenUp && open(explainGivenUp(terrain, explored, explored.givenUp));
  const row = terrain.tables.rows[unheld.row];
  const why = `${row === undefined ? "" : formatRowName(row)} may use more than ${quoteName(quota.words)}: no quota of it holds that`;
  if (unheld.spending === undefined) return createRefutation(buildBareWitness(searches, explored, unheld.row), why);
  const ways = generateExceedingTraces(terrain, explored, unheld.spending, quota);
  const played = findFirstReplay(ways, ({ scenes, counting }) => replay(terrain.tables, scenes, counting));
  if (played?.ok) return createRefutation(played.value, why);
  return open(`${why}; one call more is ${played?.reason ?? "not known to be possible"}`);
}
