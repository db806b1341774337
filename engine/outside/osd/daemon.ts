// Answers one request: parses it strictly, records it, decides each action, and executes the actions in order until one fails.

import { type Admission, admit, type Conversation, type IndexedTables, startTurn } from "../../lib/policy/index.ts";
import { executeProgram } from "./actions/exec.ts";
import type { Ground } from "./actions/place.ts";
import { readFile } from "./actions/read-file.ts";
import { writeFile } from "./actions/write-file.ts";
import type { ActionFault, Answer, FailureAnswer, Result } from "./answer.ts";
import { type AuditLog, answerRecord, requestRecord } from "./audit.ts";
import type { Action, ForeignAction, WidePlan } from "./plan.ts";
import { type ActionDecision, decideStanding, isToken } from "./policy.ts";
import { makeFailedAnswer, readPlan } from "./read-plan.ts";
import type { WidePlanRead } from "./wide-plan.ts";

interface DaemonParts extends Ground {
  readonly tables: IndexedTables;
  /** Conversation at the start of the daemon. The conversation's label and spent quotas last as long as the daemon. */
  readonly conversation: Conversation;
  /** Token that a client sends if it may confirm actions. */
  readonly token: string;
  readonly audit: AuditLog;
  /** Parser of requests; by default `readPlan`. */
  readonly read?: (bytes: Uint8Array) => WidePlanRead;
}

export class Daemon {
  readonly #parts: DaemonParts;
  #conversation: Conversation;
  /** Resolves after the last request. Requests run in order, because each is decided under the label that the previous one left. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: DaemonParts) {
    this.#parts = parts;
    this.#conversation = parts.conversation;
  }

  /** Never rejects. A request that could not be received or parsed is recorded, too. */
  answer(request: Uint8Array | FailureAnswer, signal: AbortSignal): Promise<Answer | FailureAnswer> {
    const mine = this.#last.then(() => this.#answerRequest(request, signal));
    this.#last = mine;
    return mine;
  }

  /** Resolves when no request is running, and all requests are recorded. */
  async settle(): Promise<void> {
    await this.#last;
  }

  async #answerRequest(request: Uint8Array | FailureAnswer, signal: AbortSignal): Promise<Answer | FailureAnswer> {
    const read = request instanceof Uint8Array ? (this.#parts.read ?? readPlan)(request) : request;
    if (!read.ok) return this.#recordAnswer(read);
    const { audit } = this.#parts;
    const { plan } = read;
    if (!(await isRecorded(audit, requestRecord(plan, audit.now()))))
      return {
        ...makeFailedAnswer("audit_failed", "the request cannot be put on record"),
        request_id: plan.request_id,
      };
    const executed = plan.mode === "execute";
    if (executed) this.#conversation = startTurn(this.#parts.tables, this.#conversation);
    const results = executed ? await this.#executePlan(plan, signal) : this.#planActions(plan);
    const { request_id, session_id } = plan;
    return this.#recordAnswer({
      ok: true,
      request_id,
      ...(session_id !== undefined && { session_id }),
      executed,
      results,
    });
  }

  /** Records an answer and returns it. An answer that could not be recorded is still sent, because its request is recorded. */
  async #recordAnswer<T extends Answer | FailureAnswer>(answer: T): Promise<T> {
    const { audit } = this.#parts;
    await isRecorded(audit, answerRecord(answer, audit.now()));
    return answer;
  }

  #planActions({ actions }: WidePlan): readonly Result[] {
    let conversation = startTurn(this.#parts.tables, this.#conversation);
    return actions.map((action) => {
      const standing = decideStanding(this.#parts, conversation, action);
      if (standing.kind === "denied") return makeRefusal(action, standing.fault);
      conversation = this.#admitResult(standing, conversation).conversation;
      return { type: action.type, ok: true, needs_confirmation: standing.kind === "confirmed" };
    });
  }

  async #executePlan(plan: WidePlan, signal: AbortSignal): Promise<readonly Result[]> {
    const results: Result[] = [];
    for (const action of plan.actions) {
      const isOver = results.at(-1)?.ok === false || signal.aborted;
      results.push(isOver ? makeRefusal(action, NOT_RUN) : await this.#executeAction(action, plan, signal));
    }
    return results;
  }

  async #executeAction(
    action: Action | ForeignAction,
    { confirmation }: WidePlan,
    signal: AbortSignal,
  ): Promise<Result> {
    const standing = decideStanding(this.#parts, this.#conversation, action);
    if (standing.kind === "denied") return makeRefusal(action, standing.fault);
    const missing =
      standing.kind === "confirmed" ? this.#checkConfirmation(standing.why, confirmation?.token) : undefined;
    if (missing !== undefined) return makeRefusal(action, missing);
    const result = await this.#run(action, signal);
    const { conversation, withheld } = this.#admitResult(standing, this.#conversation);
    this.#conversation = conversation;
    return withheld ? makeRefusal(action, WITHHELD) : result;
  }

  /** Returns the conversation after an action has run, with its spent quotas and its label, and whether the result is withheld. */
  #admitResult({ gated }: Exclude<ActionDecision, { kind: "denied" }>, conversation: Conversation): Admission {
    if (gated === undefined) return { conversation, withheld: false };
    return admit(this.#parts.tables, { ...conversation, spent: gated.spent }, gated.tool);
  }

  #checkConfirmation(why: string, given: string | undefined): ActionFault | undefined {
    if (given === undefined) return { code: "confirmation_required", message: why };
    if (isToken(given, this.#parts.token)) return undefined;
    return { code: "confirmation_invalid", message: "this is not the token" };
  }

  #run(action: Action | ForeignAction, signal: AbortSignal): Result | Promise<Result> {
    switch (action.type) {
      case "ping":
        return { type: "ping", ok: true };
      case "exec":
        return executeProgram(action, this.#parts.folder, signal);
      case "read_file":
        return readFile(action, this.#parts);
      case "write_file":
        return writeFile(action, this.#parts);
      default:
        return makeRefusal(action, NOT_RUN);
    }
  }
}

const NOT_RUN: ActionFault = { code: "not_run", message: "an action before it failed, or its client left" };
const WITHHELD: ActionFault = {
  code: "policy_denied",
  message: "it ran; what came of it is above this session's clearance",
};

function makeRefusal({ type }: Action | ForeignAction, error: ActionFault): Result {
  return { type, ok: false, error };
}

async function isRecorded(audit: AuditLog, record: object): Promise<boolean> {
  try {
    await audit.append(record);
    return true;
  } catch {
    return false;
  }
}
