// Creates a name server's response to one question, from the names of a file.

import { parseAddress } from "../../../engine/lib/reach/address.ts";
import type { LinkSettings } from "./settings.ts";

const HEADER_BYTES = 12;
const NO_SUCH_NAME = 3;
/** Flags of an authoritative response, with recursion as requested. */
const ANSWERED = 0x8580;

/**
 * Answers a DNS message with one question: with the address of the name, or with an error if the settings do not have
 * the name. Returns `undefined` for any other message.
 */
export function answerTo(question: Buffer, { names }: LinkSettings): Buffer | undefined {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let size = question[at] ?? 0; size > 0 && size < 64; size = question[at] ?? 0) {
    labels.push(question.toString("latin1", at + 1, at + 1 + size).toLowerCase());
    at += 1 + size;
  }
  const end = at + 5;
  if (question.length < end || question.readUInt16BE(4) !== 1) return undefined;
  const address = parseAddress(names.get(labels.join(".")) ?? "");
  const header = Buffer.from(question.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(ANSWERED | (address === undefined ? NO_SUCH_NAME : 0), 2);
  header.fill(0, 6);
  header.writeUInt16BE(address === undefined ? 0 : 1, 6);
  // The answer: a pointer to the name in the question, type and class of an internet address, a lifetime of 1 second,
  // and the four bytes of the address.
  const record = address === undefined ? [] : [0xc0, HEADER_BYTES, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...address];
  return Buffer.concat([header, question.subarray(HEADER_BYTES, end), Buffer.from(record)]);
}
