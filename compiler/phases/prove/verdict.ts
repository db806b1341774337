import type { Checked } from "../../../engine/lib/policy/index.ts";
import { NOTHING, type Question } from "./asked.ts";
import { type Goal, reachedBy } from "./goal.ts";
import { usesIn } from "./held.ts";
import { unheldRows } from "./limit.ts";
import { GATES } from "./modes.ts";
import type { Proof, Verdict, Witness } from "./proof.ts";
import { replay } from "./replay.ts";
import type { Explored } from "./search.ts";
import type { Searches } from "./searches.ts";
import { spendingStories } from "./spending.ts";
import { storyOf, storyWith } from "./story.ts";
import { brokenBy, proofSentence, quoted, rowName, whyGivenUp } from "./words.ts";

/** A verdict on all questions of one claim. */
interface Judged {
  readonly verdict: Verdict;
  /** Whom a refutation is about. */
  readonly at: Proof["at"];
}

/** Ways to one goal that are played before it is given up: what keeps the first from happening often keeps all. */
const MOST_PLAYED = 64;

/** Of several questions the first refutation decides, then the first that stays open. */
export function verdictOn(searches: Searches, questions: readonly Question[]): Judged {
  const judged = questions.map((question) => judge(searches, question)).filter((one) => one !== undefined);
  const refuted = judged.find(({ verdict }) => verdict.kind === "refuted");
  return refuted ?? judged[0] ?? { verdict: proved(searches, questions), at: undefined };
}

function proved(searches: Searches, questions: readonly Question[]): Verdict {
  const watches = questions.map((question) => (question.kind === "reach" ? question.watch : NOTHING));
  const explored = (watches.length === 0 ? [NOTHING] : watches).map((watch) => searches.of(watch));
  const used = new Set(explored.flatMap(({ releases }) => [...releases]));
  const { releases, rules } = searches.terrain.tables;
  const words = [...used]
    .sort((one, other) => one - other)
    .flatMap((at) => rules[releases[at]?.rule ?? -1]?.words ?? []);
  const states = new Set(explored).values().reduce((sum, { conversations }) => sum + conversations.length, 0);
  const merged = searches.terrain.labels.size;
  const uncounted = uncountedBy(searches, questions);
  const sentence = proofSentence(words, uncounted, states, merged);
  return { kind: "proved", sentence, releases: words, uncounted, states, merged };
}

function uncountedBy({ running, terrain }: Searches, questions: readonly Question[]): readonly string[] {
  const found = questions.flatMap((question) => {
    if (question.kind !== "reach" || question.held === undefined || question.held.length === 0) return [];
    const { rows, calls } = question.goal;
    return calls === undefined ? [] : usesIn(running, terrain.tables, rows, calls, question.held);
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
  const explored = searches.of(watch);
  const first = firstPlayed(searches, explored, goal, watch);
  if (first === undefined) {
    const why = explored.givenUp ?? (searches.walking.left < 0 ? { kind: "steps" } : undefined);
    return why && open(whyGivenUp(searches.terrain, explored, why));
  }
  // Where arguments are believed in that nobody has found, another way may do without them.
  const played = first.ok ? first : firstPlayed(searches, searches.of(watch, "certain"), goal, watch);
  if (played?.ok) return refuted(played.value, says(brokenBy(searches.terrain.tables, played.value)));
  return open(first.ok ? "" : first.reason);
}

/** The shortest way that comes about when it is played; where none does, why the shortest does not. */
function firstPlayed(
  searches: Searches,
  explored: Explored,
  goal: Goal,
  watch = NOTHING,
): Checked<Witness> | undefined {
  const { terrain } = searches;
  return firstOf(reachedBy(terrain, explored, goal, searches.bitsOf(explored, watch), searches.walking), (reached) =>
    replay(terrain.tables, storyOf(terrain, explored, reached)),
  );
}

function firstOf<T>(ways: Iterable<T>, play: (way: T) => Checked<Witness>): Checked<Witness> | undefined {
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

function refuted(witness: Witness, sentence: string): Judged {
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
  const explored = searches.of(NOTHING);
  const used = { backends, modes: GATES };
  const played = firstPlayed(searches, explored, { rows, calls: undefined, backends: used });
  const witness = played?.ok ? played.value : bareWitness(searches, explored, first.index);
  const name = tables.backends[first.backend]?.name ?? "";
  const judged = refuted(
    witness,
    `${rowName(first.row)} lists the backend ${quoted(name)}, which is not of this machine`,
  );
  return { ...judged, at: { session: first.row.session, backend: name } };
}

/** A conversation that comes to be in a row, and does nothing there. */
function bareWitness(searches: Searches, explored: Explored, row: number): Witness {
  const { terrain } = searches;
  const item = explored.conversations.find((one) => explored.frontier.place[one] === row);
  const played = item === undefined ? undefined : replay(terrain.tables, storyWith(terrain, explored, item, []));
  return played?.ok ? played.value : { conversations: [] };
}

function judgeLimit(searches: Searches, { rows, quota }: Extract<Question, { kind: "limit" }>): Judged | undefined {
  const { terrain } = searches;
  const explored = searches.of(NOTHING);
  const unheld = unheldRows(searches, rows, quota);
  if (unheld === undefined) return explored.givenUp && open(whyGivenUp(terrain, explored, explored.givenUp));
  const row = terrain.tables.rows[unheld.row];
  const why = `${row === undefined ? "" : rowName(row)} may use more than ${quoted(quota.words)}: no quota of it holds that`;
  if (unheld.spending === undefined) return refuted(bareWitness(searches, explored, unheld.row), why);
  const ways = spendingStories(terrain, explored, unheld.spending, quota);
  const played = firstOf(ways, ({ scenes, counting }) => replay(terrain.tables, scenes, counting));
  if (played?.ok) return refuted(played.value, why);
  return open(`${why}; one call more is ${played?.reason ?? "not known to be possible"}`);
}
