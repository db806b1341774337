// Converts sayings between the wire and the file. Sayings from a loop are bounded before they are stored; rows of the file are checked as
// untrusted input.

import { isList, isRecord, type Json, readJson, renderCanonicalJson } from "../../lib/policy/index.ts";
import type { Row } from "../../lib/sqlite/index.ts";
import { Outcome, Role, type ToolCall } from "../../lib/wire/generated/capos.ts";
import type { Saying } from "../../lib/wire/generated/conversations.ts";
import { MAX_NAME_BYTES, MAX_SAYING_BYTES, SAYING_BYTES } from "./limits.ts";

const MAX_CALLS = 8;
const MAX_UINT32 = 0xffff_ffffn;
const MAX_UINT64 = (1n << 63n) - 1n;

export const NO_SAYING: Saying = {
  sequence: 0n,
  turn: 0,
  role: "user",
  text: "",
  calls: [],
  callId: "",
  source: "",
  outcome: "ok",
  through: 0n,
  saidMs: 0n,
};

/** Returns how many bytes a saying counts towards its session's limit. */
export function countSayingBytes({ text, calls, callId, source }: Saying): number {
  return (
    SAYING_BYTES + Buffer.byteLength(text) + Buffer.byteLength(serializeCalls(calls)) + callId.length + source.length
  );
}

/**
 * Returns why a saying cannot be stored, or `undefined` if it can. `next` is the sequence number that the saying gets
 * if it is stored.
 */
export function checkSaying(saying: Saying, next: bigint): string | undefined {
  const { role, calls, callId, source, through } = saying;
  if (role === "system") return "nobody but this program's own text is the system";
  if (calls.length > MAX_CALLS) return `an answer has ${MAX_CALLS} calls at most`;
  if (Buffer.byteLength(callId) + Buffer.byteLength(source) > MAX_NAME_BYTES) return "its names are too long";
  if (through >= next) return "a summary stands for what is before it";
  if (countSayingBytes(saying) > MAX_SAYING_BYTES) return `it is longer than ${MAX_SAYING_BYTES} bytes`;
  return undefined;
}

export function serializeCalls(calls: readonly ToolCall[]): string {
  return calls.length === 0 ? "" : renderCanonicalJson(calls.map(({ id, name, arguments: args }) => [id, name, args]));
}

/** Returns the saying in a row, or `undefined` if the row has a form that this program does not write. */
export function parseSaying(row: Row): Saying | undefined {
  const { sequence, turn, role, text, calls, callId, source, outcome, through, saidMs } = row;
  const known = Role.members.find((one) => one === role);
  const came = Outcome.members.find((one) => one === outcome);
  const made = typeof calls === "string" ? parseCalls(calls) : undefined;
  if (known === undefined || came === undefined || made === undefined) return undefined;
  if (typeof text !== "string" || typeof callId !== "string" || typeof source !== "string") return undefined;
  if (!isCount(sequence) || !isCount(through) || !isCount(saidMs) || !isCount(turn) || turn > MAX_UINT32)
    return undefined;
  if (Buffer.byteLength(text) > MAX_SAYING_BYTES) return undefined;
  return {
    sequence,
    turn: Number(turn),
    role: known,
    text,
    calls: made,
    callId,
    source,
    outcome: came,
    through,
    saidMs,
  };
}

export function isCount(value: unknown): value is bigint {
  return typeof value === "bigint" && value >= 0n && value <= MAX_UINT64;
}

function parseCalls(text: string): readonly ToolCall[] | undefined {
  if (text === "") return [];
  const read = readJson(text, MAX_SAYING_BYTES);
  if (!read.ok || !isList(read.value) || read.value.length > MAX_CALLS) return undefined;
  const calls = read.value.map(callIn);
  return calls.some((call) => call === undefined) ? undefined : calls.flatMap((call) => call ?? []);
}

function callIn(value: Json): ToolCall | undefined {
  if (isRecord(value) || !isList(value)) return undefined;
  const [id, name, args] = value;
  if (typeof id !== "string" || typeof name !== "string" || typeof args !== "string") return undefined;
  return { id, name, arguments: args };
}
