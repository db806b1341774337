import { type Conversation, type Decision, type IndexedTables, join } from "../../../lib/policy/index.ts";
import type { ToolCall } from "../../../lib/wire/generated/capos.ts";
import { type Ending, makeEnding } from "../ending.ts";
import { explainFlow } from "../flow-words.ts";
import type { Memory } from "../memory.ts";
import type { Person } from "../ports.ts";
import { buildOutcome, buildSoleRecord, type Told } from "../record.ts";
import type { Recording } from "../recording.ts";
import type { Charges } from "../reserving.ts";
import { announceEnd } from "./announcing.ts";
import { Answered } from "./answered.ts";
import type { Sent } from "./sent.ts";
import type { Reached, Stopped } from "./stopped.ts";

interface EndingParts {
  readonly tables: IndexedTables;
  readonly session: string;
  readonly person: Person;
  readonly recording: Recording;
  readonly charges: Charges;
  readonly memory: Pick<Memory, "findRaises">;
}

/**
 * A call whose outcome is recorded, whose charge is settled, and whose end is drawn. The proposer gets the result only
 * after this stage.
 */
export class Ended {
  declare protected readonly stage: "ended";
  readonly #reached: Reached;
  readonly ending: Ending;
  /** The conversation after the call. */
  readonly conversation: Conversation;
  /** The call whose answer is passed on; `undefined` if no answer is passed on. */
  readonly told: Sent | undefined;

  private constructor(reached: Reached, ending: Ending, conversation: Conversation, told?: Sent) {
    this.#reached = reached;
    this.ending = ending;
    this.conversation = conversation;
    this.told = told;
  }

  /** Concludes a call. If a call ran and its outcome cannot be recorded, its result is withheld. */
  static async conclude(parts: EndingParts, end: Stopped | Answered): Promise<Ended> {
    const isSent = end instanceof Answered;
    const reached = isSent ? end.sent.recorded.approved.reached : end.reached;
    const refusal = await recordOutcome(parts, end, reached);
    const ending = isSent && refusal !== undefined ? makeEnding("refusedByPolicy", refusal) : end.ending;
    const { proposed, facts, lease } = reached;
    if (lease !== undefined) {
      if (isSent) parts.charges.recordRan(lease);
      else await parts.charges.giveBack(lease);
    }
    announceEnd(parts.person, proposed.proposal, facts.decision, explainToPerson(parts, reached, ending));
    if (!isSent) return new Ended(reached, ending, proposed.before);
    return new Ended(reached, ending, end.conversation, refusal === undefined && end.isTold ? end.sent : undefined);
  }

  get call(): ToolCall {
    return this.#reached.proposed.proposal.call;
  }

  /** The conversation in which the call was decided. */
  get before(): Conversation {
    return this.#reached.proposed.before;
  }

  /** Decision on the call; `undefined` if the call was refused before it was judged. */
  get decision(): Decision | undefined {
    return this.#reached.facts.decision;
  }
}

/** Returns the ending as a person sees it: a refusal by flow names the data, the tool and the way out. */
function explainToPerson({ tables, memory }: EndingParts, { proposed, facts }: Reached, ending: Ending): Ending {
  const { decision } = facts;
  if (decision?.kind !== "refused" || ending.error !== decision.reason) return ending;
  const { before, proposal } = proposed;
  const call = { tool: proposal.call.name, arguments: proposal.call.arguments };
  const error = explainFlow(tables, memory, { conversation: before, call, decision });
  return error === undefined ? ending : { ...ending, error };
}

/** Records how the call ended. Returns why the result of a call that ran must be withheld, or `undefined`. */
async function recordOutcome(
  parts: EndingParts,
  end: Stopped | Answered,
  reached: Reached,
): Promise<string | undefined> {
  const { facts, trail } = reached;
  if (trail === "none") return undefined;
  const isSent = end instanceof Answered;
  const intent = isSent ? end.sent.recorded.intent : end.intent;
  const isSole = isSent && trail === "outcome";
  const told = describeEnd(end, reached);
  const outcome = isSole ? buildSoleRecord(parts, facts, told) : buildOutcome(parts, facts, told, intent);
  const reply = await parts.recording.append({ which: "outcome", outcome });
  return reply.ok ? undefined : `it ran, and what came of it could not be recorded: ${reply.reason}`;
}

/**
 * Returns how a call ended, and the label of the text of its ending. `isOwnWords` is false if this text quotes invalid
 * arguments or contains text of a service.
 */
function describeEnd(end: Stopped | Answered, { facts, proposed }: Reached): Told {
  const { ending } = end;
  if (!(end instanceof Answered))
    return { ending, label: facts.label, isOwnWords: ending.outcome !== "invalidArguments" };
  return { ending, label: join(proposed.label, end.conversation.label), isOwnWords: !end.isTold };
}
