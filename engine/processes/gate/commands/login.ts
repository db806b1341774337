// Logs a person in to a session that requires a login, and out of it. Before a login, no other command is answered.
import { durationText, renderCanonicalJson } from "../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { Broker, type Passphrase } from "../../../lib/wire/generated/wire.ts";
import type { Gate } from "../gate.ts";
import type { GateParts } from "../parts.ts";
import { NEIGHBOUR_MS } from "../ports.ts";
import { canRecord, recordEvent } from "../recording.ts";
import { excerpt } from "../result.ts";
import { describeRule } from "../sentences.ts";
import type { CommandParts, Lines } from "./parts.ts";

/** Timeout of a proof: a signature is made on another machine, and a passphrase is typed slowly. */
const PROOF_TIMEOUT_MS = 300_000;
/**
 * Event that is recorded if the broker did not answer a request for a new passphrase. The old or the new passphrase may
 * be on the disk.
 */
const IN_DOUBT = "passphrase in doubt";
const NOT_NEEDED = "nobody logs in to this session: its page does not ask for it";

export async function logIn(parts: CommandParts, argument: string, signal: AbortSignal): Promise<Lines> {
  const { seat, parts: own } = parts.gate;
  if (!seat.hasLogin) return [NOT_NEEDED];
  if (!seat.isLocked) return [`${seat.principal} is logged in`];
  const recording = await canRecord(own.audit, own.policyDigest);
  const proven = recording.ok ? await prove(parts, argument.trim(), signal) : recording;
  if (!proven.ok) return [`refused: ${excerpt(proven.reason)}`];
  const entered = await enter(parts, proven.value, signal);
  if (entered === undefined) return [`${proven.value} is logged in`];
  await leave(own);
  return [`refused: ${entered}`];
}

/** Logs out at the broker, which accepts no other proof while a principal is logged in. */
async function leave({ broker }: GateParts): Promise<void> {
  await broker.call(Broker.methods.logout, {}, { timeoutMs: NEIGHBOUR_MS });
}

interface Signed {
  readonly nonce: Uint8Array;
  readonly signature: string;
  /** Whether the passphrase is new: if so, it was not proved before, and is valid from now on. */
  readonly isChosen: boolean;
}

/**
 * Has a person sign the line that the broker sends as a challenge. The person signs it on another machine, or at the
 * console with a passphrase. `principal`: the person who wants to use a passphrase.
 */
async function haveSigned(
  { parts, conversation }: Gate,
  tool: "/login" | "/passphrase",
  principal: string,
  signal: AbortSignal,
): Promise<Result<Signed>> {
  const { broker, person, tables, session } = parts;
  const renews = tool === "/passphrase";
  const wanted = { validForMs: PROOF_TIMEOUT_MS, principal, renews };
  const made = await broker.call(Broker.methods.loginChallenge, wanted, { signal, timeoutMs: NEIGHBOUR_MS });
  if (!made.ok) return refuse(`the broker does not answer: ${made.reason}`);
  const { challenge, nonce, failure, passphrase } = made.value;
  if (failure !== "") return refuse(failure);
  // A signature by a key identifies its owner, whatever name was typed.
  const who = principal === "" || !isUnseen(passphrase) ? "" : ` as ${excerpt(principal)}`;
  const question = {
    tool,
    arguments: renderCanonicalJson({ session }),
    sentence: renews ? `choose another passphrase for ${excerpt(principal)}` : `log in to session ${session}${who}`,
    mode: "stepUp" as const,
    rule: describeRule(tables, tables.rows[conversation.row]?.loginRule),
    mayRemember: false,
    remembers: "",
    isLogin: true,
    passphrase,
    challenge,
    timeoutMs: PROOF_TIMEOUT_MS,
  };
  const said = await person.ask(question, signal);
  if (said?.answer !== "granted")
    return refuse(isUnseen(passphrase) ? "no passphrase was given" : "no signature was given");
  return accept({ nonce, signature: said.signature, isChosen: passphrase.newSalt.length > 0 });
}

function isUnseen({ salt, newSalt }: Passphrase): boolean {
  return salt.length + newSalt.length > 0;
}

/**
 * Returns the principal who signed the broker's challenge. Fails if nobody signed it validly. Records that a signature
 * was wrong, or that the principal chose a new passphrase.
 */
async function prove({ gate }: CommandParts, principal: string, signal: AbortSignal): Promise<Result<string>> {
  const signed = await haveSigned(gate, "/login", principal, signal);
  if (!signed.ok) return signed;
  const { nonce, signature, isChosen } = signed.value;
  const { broker } = gate.parts;
  const proof = await broker.call(Broker.methods.login, { nonce, signature }, { signal, timeoutMs: NEIGHBOUR_MS });
  if (!proof.ok) {
    // The broker may have accepted the proof, although its answer did not arrive. So end the login that may have begun.
    await leave(gate.parts);
    if (isChosen) gate.note(IN_DOUBT, principal);
    return refuse(`the broker does not answer: ${proof.reason}`);
  }
  if (proof.value.principal !== "") {
    if (isChosen) gate.note("passphrase chosen", proof.value.principal);
    return accept(proof.value.principal);
  }
  gate.note("login refused", proof.value.failure);
  return refuse(proof.value.failure);
}

/** Sets another passphrase, signed with the present one. The principal stays logged in. */
export async function changePassphrase({ gate }: CommandParts, _argument: string, signal: AbortSignal): Promise<Lines> {
  const { seat, parts } = gate;
  if (!seat.hasLogin) return [NOT_NEEDED];
  const recording = await canRecord(parts.audit, parts.policyDigest);
  if (!recording.ok) return [`refused: ${excerpt(recording.reason)}`];
  const signed = await haveSigned(gate, "/passphrase", seat.principal, signal);
  if (!signed.ok) return [`refused: ${excerpt(signed.reason)}`];
  const { nonce, signature } = signed.value;
  const renewed = await parts.broker.call(Broker.methods.renew, { nonce, signature }, { timeoutMs: NEIGHBOUR_MS });
  if (!renewed.ok) {
    gate.note(IN_DOUBT, seat.principal);
    return [`refused: the broker does not answer: ${renewed.reason}; the passphrase is the old one or the new`];
  }
  const { failure } = renewed.value;
  gate.note(failure === "" ? "passphrase changed" : "passphrase refused", failure === "" ? seat.principal : failure);
  return [failure === "" ? `${seat.principal} has another passphrase` : `refused: ${excerpt(failure)}`];
}

/**
 * Logs a principal in and records this; returns `undefined`, or why the login failed. If this is not the principal who
 * was logged in last, a new conversation begins.
 */
async function enter(
  { gate, archive }: CommandParts,
  principal: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { last } = gate.seat;
  const isOther = last !== "" && last !== principal;
  const begun = isOther ? await archive?.begin(gate) : undefined;
  if (begun !== undefined) return `the conversation of ${last} is still open: ${begun}`;
  // A person who pressed Ctrl-C sees that the login was stopped, and may leave. So the session must stay locked.
  if (signal.aborted) return "it was given up";
  const recorded = await recordEvent(gate.parts, "login", principal);
  if (!recorded.ok) return `the audit does not record the login: ${recorded.reason}`;
  gate.session.enter(principal);
  return undefined;
}

export async function logOut({ gate }: CommandParts): Promise<Lines> {
  const { principal, hasLogin } = gate.seat;
  if (!hasLogin) return [NOT_NEEDED];
  await gate.session.lock("logout");
  return [`${principal} is logged out`];
}

const MINUTE_MS = 60_000;
const LOCK_USAGE = "/lock takes a number of minutes from 1 to 1440, or off, or nothing to lock now";

/** Locks the session now, or after this many minutes without input. After that, the person has to log in again. */
export async function lock({ gate }: CommandParts, argument: string): Promise<Lines> {
  if (!gate.seat.hasLogin) return [NOT_NEEDED];
  if (argument === "") {
    await gate.session.lock("locked");
    return [];
  }
  const minutes = argument === "off" ? 0 : /^[1-9]\d{0,3}$/.test(argument) ? Number(argument) : Number.NaN;
  if (!(minutes <= 1440)) return [LOCK_USAGE];
  const { page } = gate.session.lockTimes;
  if (page > 0 && minutes * MINUTE_MS > page)
    return [`the page locks the session after ${durationText(page)}: /lock can only shorten that`];
  gate.session.lockAfter(minutes * MINUTE_MS);
  return [minutes === 0 && page === 0 ? "the session does not lock by itself any more" : describeLock(gate)];
}

/** Returns when the session of a logged-in person locks by itself. */
export function describeLock({ session }: Gate): string {
  const { page, held } = session.lockTimes;
  if (held === 0) return "the session does not lock by itself";
  const by = held === page ? ", as the page says" : "";
  return `the session locks when nothing is typed for ${durationText(held)}${by}`;
}
