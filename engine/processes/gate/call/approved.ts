import type { IndexedTables } from "../../../lib/policy/index.ts";
import type { PermissionDecision } from "../../../lib/wire/generated/audit.ts";
import { type Asked, ask, type Inquiry, NOBODY_ASKED } from "../asking.ts";
import type { Ending } from "../ending.ts";
import type { Neighbour, Person } from "../ports.ts";
import { remember } from "../remembering.ts";
import { getBrokersRow } from "../reserving.ts";
import { describeDecision, describeRule } from "../sentences.ts";
import { describeArguments } from "../source-words.ts";
import { MAX_JUDGED_BYTES } from "../turn.ts";
import { announceStage } from "./announcing.ts";
import type { Reserved } from "./reserved.ts";
import { type Reached, Stopped, type Word } from "./stopped.ts";

interface ApprovingParts {
  readonly tables: IndexedTables;
  readonly person: Person;
  readonly broker: Neighbour;
}

/** Decisions by which a call may run; refusals are not among them. */
type Permission = Extract<PermissionDecision, "auto" | "remembered" | "consented" | "stepUpSucceeded">;

interface Passed {
  readonly permission: Permission;
}

const CAUTION_WORDS = "the plan calls it dangerous, or its path leads elsewhere, so a person is asked";
const LONG_WORDS = "this is more than anybody judges by leafing through it, so a signature is asked for";

/** A call that may run: the page demands no question, or a person approved it, now or by a consent that still holds. */
export class Approved implements Word {
  declare protected readonly stage: "approved";
  readonly reserved: Reserved;
  readonly permission: Permission;
  readonly principal: string;
  readonly consent: number;
  readonly inquiry: Inquiry;
  /** Progress of the call, with its approval; all later records of the call are made from it. */
  readonly reached: Reached;

  private constructor(reserved: Reserved, { permission, principal, consent, inquiry }: Word & Passed) {
    this.reserved = reserved;
    this.permission = permission;
    this.principal = principal;
    this.consent = consent;
    this.inquiry = inquiry;
    this.reached = reserved.reach(this);
  }

  static approve(parts: ApprovingParts, reserved: Reserved): Approved | Promise<Approved | Stopped> {
    const { recordable, isAsked, consent } = reserved.answerable;
    if (isAsked) return Approved.#ask(parts, reserved);
    const { gate } = recordable.judged.decision;
    const permission = gate === "auto" ? "auto" : "remembered";
    return new Approved(reserved, { permission, principal: "", consent, inquiry: NOBODY_ASKED });
  }

  static async #ask(parts: ApprovingParts, reserved: Reserved): Promise<Approved | Stopped> {
    const { recordable, wider } = reserved.answerable;
    const { proposed, tool, decision } = recordable.judged;
    const asked = await askAbout(parts, reserved);
    const { decision: permission, principal, inquiry } = asked;
    if (asked.isDenied) proposed.proposal.turn.deny(tool.name, decision.arguments);
    const consent = asked.isRemembered && wider !== undefined ? await remember(parts.broker, wider) : 0;
    proposed.withdrawal.runUnder(consent);
    const stop = (ending: Ending) => new Stopped(ending, reserved.reach({ permission, principal, consent, inquiry }));
    // A call that was stopped in the meantime ends as stopped, whatever the person answered.
    const stopped = proposed.findStop();
    if (stopped !== undefined) return stop(stopped);
    if (asked.refusal !== undefined) return stop(asked.refusal);
    return new Approved(reserved, { permission: asked.decision, principal, consent, inquiry });
  }
}

/**
 * Shows a person the exact arguments that are sent. Asks for the approval that the page demands; if the arguments are
 * too long to review, asks for a signature.
 */
function askAbout(parts: ApprovingParts, { answerable }: Reserved): Promise<Asked> {
  const { tables, person } = parts;
  const { proposed, tool, decision, target } = answerable.recordable.judged;
  const { conversation, turn, caution } = proposed.proposal;
  turn.questions += 1;
  const isLong = Buffer.byteLength(decision.arguments) > MAX_JUDGED_BYTES;
  const mode = isLong ? "stepUp" : decision.gate;
  const wider = mode === "stepUp" ? undefined : answerable.wider;
  const cautionWords = caution === "cautious" ? `; ${CAUTION_WORDS}` : "";
  const sources = describeArguments(proposed.before.sources, decision.arguments);
  const sourceWords = sources === "" ? "" : `; whose words: ${sources}`;
  const sentence = `${describeDecision(tables, tool, decision, target)}${sourceWords}${cautionWords}`;
  const asking = {
    tool: tool.name,
    arguments: decision.arguments,
    sentence: isLong && decision.gate !== "stepUp" ? `${sentence}; ${LONG_WORDS}` : sentence,
    mode,
    rule: describeRule(tables, decision.rule, decision.gate),
    mayRemember: wider !== undefined,
    remembers: wider?.words ?? "",
  };
  announceStage(person, "waiting", proposed.proposal, decision);
  const { task, phase } = getBrokersRow(tables, proposed.before);
  return ask(parts, asking, { conversation, turn: turn.number, task, phase }, proposed.withdrawal.signal);
}
