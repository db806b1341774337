// Replays one recorded call under the new policy: the decision, the charge and the prompt follow in the same order as
// in the gate. Missing facts are not guessed. If a missing fact matters, the call stays undecided, and the reason is
// reported.

import type { GatedDecision, IndexedTables } from "../../../engine/lib/policy/index.ts";
import { MAX_JUDGED_BYTES } from "../../../engine/processes/gate/turn.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { type Answer, isRefusal } from "./answers.ts";
import { type Candidate, enumerateCandidates, explainDisagreement, listPossibleModes } from "./candidates.ts";
import type { ConversationBounds } from "./conversation-bounds.ts";
import type { Charge, Counting, Turn } from "./counting.ts";
import { type Judgement, type SettledDecision, settle } from "./judgement.ts";
import type { DecidedOutcome, SendStatus } from "./recorded-outcome.ts";

/** A call as it was recorded. */
interface Recorded extends Turn {
  readonly tool: string;
  /** Arguments as the model proposed them; `undefined` if the record has only a part of them, or none. */
  readonly arguments: string | undefined;
  /** Whether the arguments are withheld: the record has only their digest. */
  readonly isWithheld: boolean;
  readonly was: DecidedOutcome;
  readonly sent: SendStatus;
  /** Number of the consent that a person gave with the call, or that covered the call; 0 without a consent. */
  readonly consent: number;
}

/** Inputs of a decision other than the call. */
interface Surroundings {
  readonly tables: IndexedTables;
  readonly standing: ConversationBounds;
  /** Possible values of `unattended`. */
  readonly unattended: readonly boolean[];
  readonly counting: Counting;
}

const PARTS = "only a part of its arguments is on record";
const WITHHELD = "its arguments are withheld: the log has only their digest";
const NAMELESS = "its name is withheld, and no tool of that policy had it";
const ROWS = "in which task or phase it was, and so what counts it, is not on record";

/** All answers that a call can get if its tool is unknown. */
const ANY_ANSWER: readonly Answer[] = [
  "auto",
  "consent",
  "stepUp",
  "refusedByPolicy",
  "invalidArguments",
  "unknownTool",
];

export function judge(around: Surroundings, recorded: Recorded): Judgement {
  const { tables, standing, unattended, counting } = around;
  if (standing.missing !== undefined) return settle("notThere", standing.missing);
  const { tool, was } = recorded;
  const found = enumerateCandidates(tables, standing, unattended, { tool, arguments: recorded.arguments ?? "{}" });
  const heard = was.withheld === undefined ? found.map((one) => ({ ...one, withheld: false })) : found;
  const judgement = judgeCandidates(around, recorded, heard);
  if (judgement.kind === "open") counting.markDoubt(recorded, "a call before it could not be decided");
  return judgement;
}

function judgeCandidates(around: Surroundings, recorded: Recorded, found: readonly Candidate[]): Judgement {
  const answers = [...new Set(found.map(({ answer }) => answer))];
  const isNowhere = answers.every((answer) => answer === "unknownTool");
  if (recorded.isWithheld && recorded.was.answer === "unknownTool" && isNowhere)
    return { kind: "open", because: NAMELESS, answers: ANY_ANSWER };
  if (recorded.arguments === undefined && !isNowhere) {
    const because = recorded.isWithheld ? WITHHELD : PARTS;
    return { kind: "open", because, answers: listPossibleAnswers(around, found) };
  }
  const because = explainDisagreement(found);
  if (because !== undefined) return { kind: "open", because, answers };
  const [first = bug("a standing has no row")] = found;
  const { decision, answer } = first;
  if (decision.kind === "refused") return settle(answer, decision.reason, decision.rule);
  return judgeGated(around, recorded, first, decision);
}

/** Returns all answers that the call could get with other arguments. */
function listPossibleAnswers({ tables }: Surroundings, found: readonly Candidate[]): readonly Answer[] {
  const modes = found.flatMap(({ conversation, tool }) => listPossibleModes(tables, conversation, tool));
  const answers = modes.map((mode): Answer => (mode === "forbidden" ? "refusedByPolicy" : mode));
  return [...new Set<Answer>([...answers, "refusedByPolicy", "invalidArguments"])];
}

function judgeGated(
  around: Surroundings,
  recorded: Recorded,
  candidate: Candidate,
  decision: GatedDecision,
): Judgement {
  const { tables, standing, counting } = around;
  const { gate, rule, reason } = decision;
  const { conversation, withheld, answer } = candidate;
  const { was, sent, consent } = recorded;
  const row = tables.rows[conversation.row] ?? bug("a decision was made in no row");
  const settleAs = (one: Answer, question: "asked" | "unasked" = "unasked"): SettledDecision => {
    return {
      ...settle(one, reason, rule),
      asked: question === "asked",
      withheld: was.withheld === undefined ? undefined : withheld,
    };
  };
  // If a person denied the same call earlier in the turn, the gate refuses it before it counts any quota. A waiting
  // call is counted only when a person takes it up.
  if (answer === "parked" || (was.deniedBefore && gate !== "auto")) return settleAs(answer);
  const place = { conversation: recorded.conversation, turn: recorded.turn };
  const asked = gate !== "auto" && !counting.isRemembered(place, conversation, decision);
  const tooMany = asked ? counting.explainQuestionLimit({ ...place, row }) : undefined;
  if (tooMany !== undefined) return settle("refusedByPolicy", tooMany);
  if (standing.rows.some((one) => standing.rows.length > 1 && tables.rows[one]?.quotas.length !== 0))
    return { kind: "open", because: ROWS, answers: [answer, "refusedByPolicy"] };
  const argumentBytes = Buffer.byteLength(decision.arguments);
  const charge: Charge = { ...place, row, tool: tables.tools[decision.tool], prompts: asked ? 1 : 0, argumentBytes };
  const charged = counting.charge(
    charge,
    sent !== "no" || isRefusal(was.answer) || (gate === "auto" && was.asked) ? "ran" : "notRun",
  );
  switch (charged.kind) {
    case "exhausted":
      return settle("refusedByPolicy", charged.reason, charged.rule);
    case "unknown":
      return { kind: "open", because: charged.because, answers: [answer, "refusedByPolicy"] };
    case "charged":
      break;
  }
  if (asked && was.asked && consent !== 0) counting.remember(place, conversation, decision, consent);
  const isLong = gate === "consent" && asked && argumentBytes > MAX_JUDGED_BYTES;
  return settleAs(isLong ? "stepUp" : answer, asked ? "asked" : "unasked");
}
