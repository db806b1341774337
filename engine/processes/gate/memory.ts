import {
  type Call,
  type Conversation,
  type Decision,
  isSameLabel,
  type Label,
  mayFlow,
} from "../../lib/policy/index.ts";
import type { Outcome, ToolCall } from "../../lib/wire/generated/capos.ts";
import type { Ending } from "./ending.ts";
import { excerpt } from "./result.ts";

/** A call with its decision. */
export interface EndedCall {
  readonly call: ToolCall;
  /** Conversation in which the call was decided. */
  readonly before: Conversation;
  /** Absent if the call was refused before it was judged. */
  readonly decision?: Decision | undefined;
  readonly ending: Ending;
  /** The conversation after the call. */
  readonly conversation: Conversation;
}

/** A call as `/why` shows it. Long arguments are shortened, because a loop may send much and this process has little memory. */
export interface Remembered {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** Gate of the call, or its outcome if it reached no gate. */
  readonly decided: string;
  readonly reason: string;
  /** Index into the tables' rules. */
  readonly rule: number | undefined;
  readonly outcome: Outcome;
  readonly error: string;
  /** The call as it was decided, so that it can be decided again; `undefined` if it was not decided. */
  readonly asked: Asked | undefined;
}

/** A call with the state in which it was decided. */
export interface Asked {
  readonly conversation: Conversation;
  readonly call: Call;
  readonly decision: Decision;
}

/** A call whose result raised the label of its conversation. */
export interface Raise {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly before: Label;
  readonly after: Label;
}

const MAX_REMEMBERED = 64;
/** Maximum number of remembered raises. A label only rises, so few calls raise it; after many conversations, old raises are forgotten. */
const MAX_RAISES = 256;

/** The newest calls, oldest first. */
export class Memory {
  readonly #calls: Remembered[] = [];
  /** Raises of the current conversation's label. */
  #raises: Raise[] = [];

  add({ call, before, decision, ending: { outcome, error }, conversation }: EndedCall): void {
    this.#shorten();
    if (!isSameLabel(before.label, conversation.label)) this.#raise(call, before.label, conversation.label);
    const decided = decision?.kind === "gated" ? decision.gate : outcome;
    this.#calls.push({
      id: excerpt(call.id),
      name: excerpt(call.name),
      arguments: excerpt(call.arguments),
      decided,
      reason: excerpt(decision?.reason ?? error),
      rule: decision?.rule,
      outcome,
      error: excerpt(error),
      asked: decision && { conversation: before, call: { tool: call.name, arguments: call.arguments }, decision },
    });
    if (this.#calls.length > MAX_REMEMBERED) this.#calls.shift();
  }

  /** Keeps the arguments of the newest call complete, and those of others only if they are short. */
  #shorten(): void {
    const newest = this.#calls.pop();
    if (newest === undefined) return;
    const isWhole = newest.asked?.call.arguments === newest.arguments;
    this.#calls.push(isWhole ? newest : { ...newest, asked: undefined });
  }

  #raise({ id, name, arguments: args }: ToolCall, before: Label, after: Label): void {
    this.#raises.push({ id: excerpt(id), name: excerpt(name), arguments: excerpt(args), before, after });
    if (this.#raises.length > MAX_RAISES) this.#raises.shift();
  }

  /**
   * Returns the calls that raised the current conversation's label to a label that may flow to `label`; oldest first.
   */
  findRaises(label: Label): readonly Raise[] {
    return this.#raises.filter(({ after }) => mayFlow(after, label));
  }

  /** Forgets the raises of the old conversation, and the sources of its calls, because another conversation is opened. */
  leaveConversation(): void {
    this.#raises = [];
    for (const [at, call] of this.#calls.entries())
      if (call.asked?.conversation.sources !== undefined) this.#calls[at] = { ...call, asked: undefined };
  }

  /** Returns the newest call with this id; for an empty id the newest call. */
  findNewest(id: string): Remembered | undefined {
    return id === "" ? this.#calls.at(-1) : this.#calls.findLast((call) => call.id === id);
  }
}
