// Follows one session from one start of the machine to the next, record by record. It tracks what the replay of a decision
// needs: the bounds of the conversation, the presence of people, and the counts of quotas. A call that a person denied earlier
// in the turn uses no quota, and a waiting call is counted only when a person takes it up.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { CallRecord } from "../../../engine/lib/wire/generated/audit.ts";
import type { Clock } from "./clock.ts";
import {
  addSeen,
  type ConversationBounds,
  makeAnyStanding,
  makeInitialStanding,
  makeUnknownStanding,
  moveStanding,
  type PlaceNames,
  setSeenLabel,
} from "./conversation-bounds.ts";
import { Counting } from "./counting.ts";
import type { RecordedStep, SessionEvent, Step } from "./events.ts";
import { judge } from "./judge.ts";
import type { Judgement } from "./judgement.ts";
import type { LastingCounts } from "./lasting-counts.ts";
import {
  classifyRecord,
  classifySent,
  type DecidedOutcome,
  findAttendance,
  type RecordedOutcome,
} from "./recorded-outcome.ts";
import { judgeStep } from "./step.ts";

interface Begun {
  /** Whether the log contains all records since the start of the machine. */
  readonly isWhole: boolean;
  readonly clock: Clock;
  readonly lasting: LastingCounts;
}

/** Judgement of a recorded decision under the replayed policy. */
export interface ReplayedDecision {
  readonly standing: ConversationBounds;
  readonly was: RecordedOutcome;
  readonly now: Judgement | undefined;
}

/**
 * A call. `arguments` are the arguments as the model proposed them, or `undefined` if the log does not contain them.
 */
interface WalkedCall {
  readonly call: CallRecord;
  readonly arguments: string | undefined;
  /** Whether the log has only the intent of the call, without an outcome. */
  readonly isIntent: boolean;
  /** Whether the call was decided under the same tables as in the replay. */
  readonly isSamePolicy: boolean;
}

export class SessionWalk {
  readonly #tables: IndexedTables;
  readonly #session: string;
  readonly #counting: Counting;
  #standing: ConversationBounds;
  /** Name of the current conversation; `undefined` until a call names it. */
  #name: string | undefined;
  /** Bounds of the conversations that people left since the start of the machine. */
  readonly #left = new Map<string, ConversationBounds>();
  /** Whether nobody is present; `undefined` if unknown. */
  #unattended: boolean | undefined;
  #takenUp: string | undefined;

  constructor(tables: IndexedTables, session: string, { isWhole, clock, lasting }: Begun) {
    this.#tables = tables;
    this.#session = session;
    this.#counting = new Counting(tables, session, { clock, lasting, isWhole });
    this.#standing = isWhole ? makeInitialStanding(tables, this.#place("", "")) : makeAnyStanding(tables, session);
    this.#unattended = isWhole ? false : undefined;
  }

  call({ call, arguments: args, isIntent, isSamePolicy }: WalkedCall): ReplayedDecision {
    const was = classifyRecord(call, isIntent ? "intent" : "outcome");
    const standing = this.#getStanding(call.conversation);
    const sent = isIntent ? "unknown" : classifySent(call);
    const unattended = this.#deriveAttendance(call);
    const { conversation, turn, consent } = call;
    const tool = call.descriptor.name;
    const recorded = { conversation, turn, consent, tool, arguments: args, isWithheld: call.isWithheld, sent };
    const around = { tables: this.#tables, standing, unattended, counting: this.#counting };
    const judged = was.kind === "beyond" ? undefined : judge(around, { ...recorded, was });
    const now = isSamePolicy && judged?.kind === "open" && was.kind === "decided" ? settleAsRecorded(was) : judged;
    if (sent !== "no") this.#setStanding(conversation, addSeen(this.#tables, standing, tool, sent));
    return { standing, was, now };
  }

  /** Judges a person's step into a task or a phase under the replayed policy. */
  step(step: Step, was: RecordedStep): ReplayedDecision {
    const standing = this.#standing;
    const place = this.#place(step.task, step.phase);
    const turn = { conversation: this.#name ?? "", turn: 0 };
    const now = judgeStep(
      { tables: this.#tables, standing, counting: this.#counting },
      { ...step, ...place },
      was,
      turn,
    );
    if (was.isMade)
      this.#standing = step.isTask
        ? makeInitialStanding(this.#tables, place)
        : moveStanding(this.#tables, standing, place);
    const { answer, asked } = was;
    const decided = {
      kind: "decided",
      answer,
      asked,
      withheld: undefined,
      remembered: false,
      deniedBefore: false,
    } as const;
    return { standing, was: decided, now };
  }

  /** Applies an event. `policy` states whether the record was written under exactly the replayed tables. */
  hear(event: Exclude<SessionEvent, { kind: "step" }>, policy: "same" | "other"): void {
    switch (event.kind) {
      case "conversation":
        this.#takeUp(event, policy);
        return;
      case "attendance":
        this.#unattended = !event.isThere;
        return;
      case "login":
        this.#counting.startLogin(event.principal);
        return;
      case "consentTakenBack":
        this.#counting.takeBack(event.number);
        return;
      case "takenUp":
        this.#takenUp = event.callId;
        return;
    }
  }

  #takeUp(event: Extract<SessionEvent, { kind: "conversation" }>, policy: "same" | "other"): void {
    if (this.#name !== undefined) this.#left.set(this.#name, this.#standing);
    const unseen = makeUnknownStanding(this.#tables, this.#place(event.task, event.phase));
    const standing = policy === "same" ? setSeenLabel(this.#tables, unseen, event.label) : unseen;
    this.#standing = this.#left.get(event.name) ?? standing;
    this.#name = event.name;
  }

  #place(task: string, phase: string): PlaceNames {
    return { session: this.#session, task, phase };
  }

  /**
   * Returns the bounds of a conversation. If it is not the gate's current conversation, and no record shows that it was
   * resumed, it may be in any state.
   */
  #getStanding(conversation: string): ConversationBounds {
    this.#name ??= conversation;
    return conversation === this.#name ? this.#standing : makeAnyStanding(this.#tables, this.#session);
  }

  #setStanding(conversation: string, standing: ConversationBounds): void {
    if (conversation === this.#name) this.#standing = standing;
  }

  #deriveAttendance(call: CallRecord): readonly boolean[] {
    const isThere =
      findAttendance(call) ?? (call.runner === "person" || call.callId === this.#takenUp ? true : undefined);
    if (call.callId === this.#takenUp) this.#takenUp = undefined;
    if (isThere !== undefined) return [!isThere];
    return this.#unattended === undefined ? [false, true] : [this.#unattended];
  }
}

/**
 * Returns the recorded decision. This decision needs no replay, because the same tables made it. It is also more exact
 * than a replay, because the gate knew facts that the log does not contain.
 */
function settleAsRecorded({ answer, withheld, asked }: DecidedOutcome): Judgement {
  return { kind: "settled", answer, withheld, reason: "it was decided under this very policy", rule: undefined, asked };
}
