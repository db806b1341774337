// Into a session that its page closes, and out of it. Nothing else is answered before.
import { accept, type Checked, canonicalText, refuse } from "../../policy/index.ts";
import { Broker } from "../../wire/generated/wire.ts";
import type { GateParts } from "../call-run.ts";
import { NEIGHBOUR_MS } from "../ports.ts";
import { canRecord, recordEvent } from "../recording.ts";
import { excerpt } from "../result.ts";
import { ruleWords } from "../words.ts";
import type { CommandParts, Lines } from "./parts.ts";

/** A signature is made elsewhere. */
const PROOF_TIMEOUT_MS = 300_000;
const NOT_NEEDED = "nobody logs in to this session: its page does not ask for it";

export async function login(parts: CommandParts, _argument: string, signal: AbortSignal): Promise<Lines> {
  const { seat, parts: own } = parts.gate;
  if (!seat.hasLogin) return [NOT_NEEDED];
  if (!seat.isLocked) return [`${seat.principal} is logged in`];
  const recording = await canRecord(own.audit, own.policyDigest);
  const proven = recording.ok ? await prove(parts, signal) : recording;
  if (!proven.ok) return [`refused: ${excerpt(proven.reason)}`];
  const entered = await enter(parts, proven.value, signal);
  if (entered === undefined) return [`${proven.value} is logged in`];
  await leave(own);
  return [`refused: ${entered}`];
}

/** The broker hears no other proof while somebody is in. */
async function leave({ broker }: GateParts): Promise<void> {
  await broker.call(Broker.methods.logout, {}, { timeoutMs: NEIGHBOUR_MS });
}

/** The principal whose key signed the broker's line. What was signed wrongly is on record. */
async function prove({ gate }: CommandParts, signal: AbortSignal): Promise<Checked<string>> {
  const { broker, person, tables, session } = gate.parts;
  const options = { signal, timeoutMs: NEIGHBOUR_MS };
  const made = await broker.call(Broker.methods.loginChallenge, { validForMs: PROOF_TIMEOUT_MS }, options);
  if (!made.ok) return refuse(`the broker does not answer: ${made.reason}`);
  const { challenge, nonce, failure } = made.value;
  if (failure !== "") return refuse(failure);
  const question = {
    tool: "/login",
    arguments: canonicalText({ session }),
    sentence: `log in to session ${session}`,
    mode: "stepUp" as const,
    rule: ruleWords(tables, tables.rows[gate.conversation.row]?.loginRule),
    mayRemember: false,
    remembers: "",
    isLogin: true,
    challenge,
    timeoutMs: PROOF_TIMEOUT_MS,
  };
  const said = await person.ask(question, signal);
  if (said?.answer !== "granted") return refuse("no signature was given");
  const proof = await broker.call(Broker.methods.login, { nonce, signature: said.signature }, options);
  if (!proof.ok) {
    // It may have heard the proof all the same.
    await leave(gate.parts);
    return refuse(`the broker does not answer: ${proof.reason}`);
  }
  if (proof.value.principal !== "") return accept(proof.value.principal);
  gate.note("login refused", proof.value.failure);
  return refuse(proof.value.failure);
}

/** Nothing where the principal is in now, which is on record. Who comes after another begins a conversation of their own. */
async function enter(
  { gate, archive }: CommandParts,
  principal: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { last } = gate.seat;
  const isOther = last !== "" && last !== principal;
  const begun = isOther ? await archive?.begin(gate) : undefined;
  if (begun !== undefined) return `the conversation of ${last} is still open: ${begun}`;
  // Who pressed Ctrl-C is told that it was stopped, and may leave a closed session.
  if (signal.aborted) return "it was given up";
  const recorded = await recordEvent(gate.parts, "login", principal);
  if (!recorded.ok) return `the audit does not record the login: ${recorded.reason}`;
  gate.enter(principal);
  return undefined;
}

export async function logout({ gate }: CommandParts): Promise<Lines> {
  const { principal, hasLogin } = gate.seat;
  if (!hasLogin) return [NOT_NEEDED];
  await gate.lock("logout");
  return [`${principal} is logged out`];
}
