import { admit, type Conversation, type IndexedTables, mayFlow } from "../../../lib/policy/index.ts";
import type { Tool } from "../../../lib/wire/generated/policy.ts";
import type { Reply } from "../../../lib/wire/index.ts";
import { type Ending, makeEnding } from "../ending.ts";
import { explainUnheard } from "../hearing.ts";
import type { Models } from "../models.ts";
import { excerpt, renderFailure, renderResult, renderUnusable } from "../result.ts";
import type { Judged } from "./judged.ts";
import type { Sent } from "./sent.ts";

interface AnsweringParts {
  readonly tables: IndexedTables;
  readonly models: Pick<Models, "withdraw">;
}

const WITHHELD = makeEnding("refusedByPolicy", "it ran, and its result is above what this session is cleared for");
const MAY_HAVE_RUN = "; it was sent and may have run: find out before you call it again";

/**
 * An answered call. The label of the conversation already includes that of the answer, and it is decided how much of
 * the answer may be shown. The answer was not shown yet.
 */
export class Answered {
  declare protected readonly stage: "answered";
  readonly sent: Sent;
  readonly conversation: Conversation;
  readonly ending: Ending;
  /** Whether the call's ending comes from the service's reply, so that the ending may contain text of the service. */
  readonly isTold: boolean;

  /** `hidden` is the call's ending if the answer is not passed on. */
  private constructor(sent: Sent, conversation: Conversation, hidden: Ending | undefined) {
    this.sent = sent;
    this.conversation = conversation;
    this.isTold = hidden === undefined;
    const { tool } = sent.recorded.approved.reserved.answerable.recordable.judged;
    this.ending = hidden ?? deriveEnding(tool, sent.reply);
  }

  static admit(parts: AnsweringParts, sent: Sent): Answered | Promise<Answered> {
    const { judged } = sent.recorded.approved.reserved.answerable.recordable;
    const { before, proposal } = judged.proposed;
    const { conversation, withheld } = admit(parts.tables, before, judged.decision.tool);
    const finish = (silence: string | undefined) =>
      new Answered(sent, conversation, withheld ? WITHHELD : hideAnswer(judged, sent.reply, silence));
    // The loop does not get the result of a person's or a plan's call, so no backend must be cleared for this result.
    if (proposal.hearer !== "loop") return finish(undefined);
    // If the result raises the label, withdraw the permit for the model's running answer. Under this permit, the result
    // could reach a backend that is not cleared for it.
    if (!mayFlow(conversation.label, before.label)) return withdrawPermit(parts, conversation).then(finish);
    return finish(explainUnheard(parts.tables, conversation));
  }
}

/**
 * Withdraws the permit for the model's running answer, because the label of the conversation has risen. Returns why the
 * loop must not get the outcome of the call, or `undefined` if it may get it.
 */
async function withdrawPermit(
  { tables, models }: AnsweringParts,
  conversation: Conversation,
): Promise<string | undefined> {
  const withdrawn = await models.withdraw();
  return withdrawn.ok ? explainUnheard(tables, conversation) : withdrawn.reason;
}

/** Returns the ending of a call whose answer is withheld or did not arrive; `undefined` if the answer is passed on. */
function hideAnswer({ proposed, tool }: Judged, reply: Reply<string>, silence: string | undefined): Ending | undefined {
  if (silence !== undefined) return makeEnding("refusedByPolicy", `it ran, and its result is not told: ${silence}`);
  const { reason, signal } = proposed.withdrawal;
  if (isAnswered(reply) || !signal.aborted) return undefined;
  const ending = reason === undefined ? proposed.proposal.turn.underWay : makeEnding("cancelled", reason);
  return { ...ending, error: `${ending.error}${describeDoubt(tool, reply)}` };
}

/** Returns whether the reply shows that the call has run, even if the answer is unusable. */
function isAnswered(reply: Reply<string>): boolean {
  return reply.ok || reply.ran?.is === "answered";
}

/**
 * Returns the ending of a call, by one rule for all providers. A failure that the provider reports is `executionError`.
 * Any other answer is `ok`, even an unusable one. If no answer came, the outcome states how the wait ended, and the
 * text states whether the call may have run nevertheless.
 */
function deriveEnding(tool: Tool, reply: Reply<string>): Ending {
  if (reply.ok) return { outcome: "ok", content: renderResult(tool, reply.value), error: "" };
  const { code, reason, ran } = reply;
  if (ran?.is === "answered") return { outcome: "ok", content: renderUnusable(tool, ran.answer, reason), error: "" };
  if (code === "failed") return makeEnding("executionError", renderFailure(tool, reason));
  const outcome = code === "timedOut" || code === "cancelled" ? code : "executionError";
  return makeEnding(outcome, `${excerpt(`${code}: ${reason}`)}${describeDoubt(tool, reply)}`);
}

/** Returns a note that the call may have run; empty for reads, which can be repeated. */
function describeDoubt(tool: Tool, reply: Reply<string>): string {
  return reply.ok || reply.ran === undefined || tool.readOnly ? "" : MAY_HAVE_RUN;
}
