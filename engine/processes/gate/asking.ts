// Asks a person between a decision and its effect, if the page demands it: for consent, or for a signature over a line from the broker.
// The broker verifies the signature; this module only carries line and signature.
import { accept, type Result } from "../../lib/result/result.ts";
import {
  type Answer,
  Broker,
  type BrokerProveResults,
  type Question,
  type StepUp,
} from "../../lib/wire/generated/wire.ts";
import type { Cancel, Reply } from "../../lib/wire/index.ts";
import { type Ending, makeEnding } from "./ending.ts";
import { NEIGHBOUR_MS, type Neighbour, type Person, type Said } from "./ports.ts";
import { reserve } from "./reserving.ts";

/** Timeout of an answer in milliseconds. */
const ASK_TIMEOUT_MS = 120_000;
/** Timeout of a signature, which is made on another machine. */
const PROOF_TIMEOUT_MS = 300_000;
const MISTYPED = "the person's answer was not understood twice, so it was refused";
const NOT_OFFERED = "the console says that consent was given for the conversation, and nobody offered that";

/** Name of the process that asked a question (its surface), and milliseconds until the answer; empty and 0 if nobody was asked. */
export interface Inquiry {
  readonly surface: string;
  readonly askedMs: number;
}

export const NOBODY_ASKED: Inquiry = { surface: "", askedMs: 0 };

/** Result of a question to a person. */
export type Asked = (Agreed | Declined) & { readonly inquiry: Inquiry };

/** Approval: the call may run. */
interface Agreed {
  readonly decision: "consented" | "stepUpSucceeded";
  /** Principal who stepped up; empty if no signature was needed. */
  readonly principal: string;
  /** Whether the person consented to all calls that the question's `remembers` names. */
  readonly isRemembered?: boolean;
  readonly isDenied?: false;
  readonly refusal?: undefined;
}

/** Refusal: the call may not run. */
interface Declined {
  readonly decision: "denied" | "notReached" | "stepUpFailed";
  readonly principal: "";
  readonly refusal: Ending;
  /** Whether the person denied the call or did not answer; if so, the question is not repeated in the turn. */
  readonly isDenied: boolean;
  readonly isRemembered?: false;
}

/** The login fields of a question that is not a login. */
const NO_LOGIN = { isLogin: false, passphrase: { salt: new Uint8Array(), newSalt: new Uint8Array() } };

type Asking = Omit<Question, "timeoutMs" | "challenge" | "isLogin" | "passphrase">;

/** The person who is asked, and the broker that verifies signatures. */
interface AskingParts {
  readonly person: Person;
  readonly broker: Neighbour;
}

/** The conversation, turn, task and phase in which a question is charged and signed. */
type AskingPlace = Pick<StepUp, "conversation" | "turn" | "task" | "phase">;

/** Asks the person for a consent or for a signature, as the mode requires. */
export function ask(parts: AskingParts, asking: Asking, place: AskingPlace, signal: Cancel): Promise<Asked> {
  return asking.mode === "stepUp" ? askStepUp(parts, asking, place, signal) : askConsent(parts.person, asking, signal);
}

/**
 * Asks about something that is not a call; the approval is valid once. The question costs a prompt whatever the answer
 * is; the function fails if no prompt is left.
 */
export async function askOnce(
  parts: AskingParts,
  asking: Omit<Asking, "mayRemember" | "remembers">,
  place: AskingPlace,
  signal: Cancel,
): Promise<Result<Asked>> {
  const { broker } = parts;
  const lease = await reserve(broker, { ...place, tool: "", prompts: 1, argumentBytes: 0, ran: [] });
  if (!lease.ok) return lease;
  const asked = await ask(parts, { ...asking, mayRemember: false, remembers: "" }, place, signal);
  const ran = asked.refusal === undefined;
  await broker.call(Broker.methods.settle, { lease: lease.value, ran }, { timeoutMs: NEIGHBOUR_MS });
  return accept(asked);
}

/** Describes how a gate was passed, for the record: `stepUpSucceeded (alice) after 2140 ms at console`. */
export function describeApproval({ decision, principal, inquiry }: Asked): string {
  const by = principal === "" ? decision : `${decision} (${principal})`;
  return `${by} after ${inquiry.askedMs} ms at ${inquiry.surface}`;
}

function describeInquiry({ surface }: Person, said: Said | undefined): Inquiry {
  return said === undefined ? NOBODY_ASKED : { surface, askedMs: said.askedMs };
}

export async function askConsent(person: Person, asking: Asking, signal: Cancel): Promise<Asked> {
  const said = await person.ask({ ...asking, timeoutMs: ASK_TIMEOUT_MS, challenge: "", ...NO_LOGIN }, signal);
  return { ...judgeConsent(said, asking), inquiry: describeInquiry(person, said) };
}

function judgeConsent(said: Said | undefined, asking: Asking): Agreed | Declined {
  switch (said?.answer) {
    case "granted":
      return { decision: "consented", principal: "" };
    case "denied":
      return deny("denied", makeEnding("deniedByUser", "the person said no"));
    case "mistyped":
      return deny("denied", makeEnding("deniedByUser", MISTYPED));
    case "timedOut":
      return deny("denied", makeEnding("deniedByUser", "nobody answered"));
    case "cancelled":
      return refuseOnce("denied", makeEnding("cancelled", "the person stopped it"));
    case "grantedForConversation":
      return asking.mayRemember
        ? { decision: "consented", principal: "", isRemembered: true }
        : refuseOnce("denied", makeEnding("refusedByPolicy", NOT_OFFERED));
    case undefined:
      return refuseOnce("notReached", makeEnding("refusedByPolicy", "nobody could be asked"));
  }
}

async function askStepUp(
  { person, broker }: AskingParts,
  asking: Asking,
  place: AskingPlace,
  signal: Cancel,
): Promise<Asked> {
  const options = { signal, timeoutMs: NEIGHBOUR_MS };
  const step = { ...place, tool: asking.tool, arguments: asking.arguments, validForMs: PROOF_TIMEOUT_MS };
  const refuseUnasked = (refusal: Ending): Asked => ({
    ...refuseOnce("stepUpFailed", refusal),
    inquiry: NOBODY_ASKED,
  });
  const made = await broker.call(Broker.methods.challenge, { step }, options);
  if (!made.ok) return refuseUnasked(refuseUnanswered(made.reason));
  const { challenge, nonce, failure } = made.value;
  if (failure !== "") return refuseUnasked(makeEnding("stepUpFailed", failure));
  const said = await person.ask({ ...asking, timeoutMs: PROOF_TIMEOUT_MS, challenge, ...NO_LOGIN }, signal);
  const inquiry = describeInquiry(person, said);
  const unsigned = refuseUnsigned(said?.answer);
  if (unsigned !== undefined) return { ...unsigned, inquiry };
  const proof = await broker.call(Broker.methods.prove, { nonce, signature: said?.signature ?? "" }, options);
  return { ...judgeProof(proof), inquiry };
}

function judgeProof(proof: Reply<BrokerProveResults>): Agreed | Declined {
  if (!proof.ok) return refuseOnce("stepUpFailed", refuseUnanswered(proof.reason));
  const { principal } = proof.value;
  if (principal === "") return refuseOnce("stepUpFailed", makeEnding("stepUpFailed", proof.value.failure));
  return { decision: "stepUpSucceeded", principal };
}

/** Returns the refusal of an answer without a signature, or `undefined` if there is a signature to verify. */
function refuseUnsigned(answer: Answer | undefined): Declined | undefined {
  const ending = findUnsignedEnding(answer);
  if (ending === undefined) return undefined;
  const isDenied = answer === "denied" || answer === "mistyped" || answer === "timedOut";
  return isDenied ? deny("stepUpFailed", ending) : refuseOnce("stepUpFailed", ending);
}

function refuseUnanswered(reason: string): Ending {
  return makeEnding("refusedByPolicy", `the broker does not answer: ${reason}`);
}

/**
 * Returns how the call ends if the person's answer has no signature, or `undefined` if there is a signature to verify.
 */
function findUnsignedEnding(answer: Answer | undefined): Ending | undefined {
  switch (answer) {
    case "granted":
      return undefined;
    case "denied":
    case "mistyped":
      return makeEnding("stepUpFailed", "no signature was given");
    case "timedOut":
      return makeEnding("stepUpFailed", "nobody signed");
    case "cancelled":
      return makeEnding("cancelled", "the person stopped it");
    case "grantedForConversation":
      return makeEnding("refusedByPolicy", NOT_OFFERED);
    case undefined:
      return makeEnding("refusedByPolicy", "nobody could be asked");
  }
}

/** Returns a person's denial, which holds for the turn. */
function deny(decision: Declined["decision"], refusal: Ending): Declined {
  return { decision, principal: "", refusal, isDenied: true };
}

/** Returns a refusal after which the person may be asked again. */
function refuseOnce(decision: Declined["decision"], refusal: Ending): Declined {
  return { decision, principal: "", refusal, isDenied: false };
}
