// The part of DNS that a look-up needs: one question for the IPv4 addresses of a name, and the answer. The bytes of an
// answer may come from an attacker. Each byte is read once, in bounds, and an answer to another question is refused.

import type { Address } from "../../lib/reach/address.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";

const TYPE_A = 1;
const TYPE_CNAME = 5;
const CLASS_INTERNET = 1;
const HEADER_BYTES = 12;
/**
 * Bits of the flags in a DNS message. In an answer `IS_ANSWER` must be set, and `OPERATION` and `IS_CUT` must not be
 * set. `RECURSION_DESIRED` is set in each question, and is not checked in an answer.
 */
const IS_ANSWER = 0x8000;
const OPERATION = 0x7800;
const IS_CUT = 0x0200;
const RECURSION_DESIRED = 0x0100;
/** Maximum length of a chain of aliases; no valid name needs more. */
const MOST_ALIASES = 8;
const MOST_RECORDS = 64;
/** Maximum number of backward pointers in a compressed name. */
const MOST_JUMPS = 16;
const MOST_NAME_BYTES = 255;

/** Returns the bytes of the question; `name` is a host name. */
export function encodeQuestion(id: number, name: string): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(RECURSION_DESIRED, 2);
  header.writeUInt16BE(1, 4);
  return Buffer.concat([header, encodeName(name), Buffer.of(0, TYPE_A, 0, CLASS_INTERNET)]);
}

function encodeName(name: string): Uint8Array {
  const labels = name.split(".").map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label, "latin1")]));
  return Buffer.concat([...labels, Buffer.of(0)]);
}

/**
 * Returns all addresses that an answer gives the name, directly or through its aliases. Fails if the answer is malformed or reports an
 * error.
 */
export function readAddresses(bytes: Uint8Array, id: number, name: string): Result<readonly Address[]> {
  try {
    return readAnswer(Buffer.from(bytes), id, name);
  } catch (error) {
    if (error instanceof RangeError) return refuse("the name server's answer cannot be read");
    throw error;
  }
}

/**
 * Returns whether these bytes are an answer to this question, even one that reports an error. A datagram that answers another question may
 * come from an attacker who guesses the question.
 */
export function isAnswerTo(bytes: Uint8Array, id: number, name: string): boolean {
  try {
    return endOfQuestion(Buffer.from(bytes), id, name) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Returns the offset at which the repeated question ends; `undefined` if it is another question. */
function endOfQuestion(bytes: Buffer, id: number, name: string): number | undefined {
  const flags = bytes.readUInt16BE(2);
  const isOurs = bytes.readUInt16BE(0) === id && (flags & (IS_ANSWER | OPERATION)) === IS_ANSWER;
  const asked = nameAt(bytes, HEADER_BYTES);
  const kind = bytes.readUInt32BE(asked.next);
  const isAsked = bytes.readUInt16BE(4) === 1 && asked.name === name && kind === ((TYPE_A << 16) | CLASS_INTERNET);
  return isOurs && isAsked ? asked.next + 4 : undefined;
}

function readAnswer(bytes: Buffer, id: number, name: string): Result<readonly Address[]> {
  const records = endOfQuestion(bytes, id, name);
  if (records === undefined) return refuse("the name server answered another question");
  const flags = bytes.readUInt16BE(2);
  if ((flags & IS_CUT) !== 0) return refuse("the name server's answer is cut");
  const code = flags & 0x0f;
  if (code !== 0) return refuse(code === 3 ? "there is no such name" : `the name server refuses with code ${code}`);
  return followAliases(readRecords(bytes, records, bytes.readUInt16BE(6)), name);
}

interface ResourceRecord {
  readonly name: string;
  readonly address?: Address;
  readonly alias?: string;
}

function readRecords(bytes: Buffer, start: number, count: number): readonly ResourceRecord[] {
  if (count > MOST_RECORDS) throw new RangeError("more records than anybody needs");
  const records: ResourceRecord[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    const { name, next } = nameAt(bytes, at);
    const kind = bytes.readUInt32BE(next);
    const size = bytes.readUInt16BE(next + 8);
    const place = next + 10;
    if (place + size > bytes.length) throw new RangeError("a record goes beyond the message");
    if (kind === ((TYPE_A << 16) | CLASS_INTERNET)) records.push({ name, address: readAddress(bytes, place, size) });
    if (kind === ((TYPE_CNAME << 16) | CLASS_INTERNET)) records.push({ name, alias: nameAt(bytes, place).name });
    at = place + size;
  }
  return records;
}

function readAddress(bytes: Buffer, at: number, size: number): Address {
  if (size !== 4) throw new RangeError("an address of another size");
  return [bytes.readUInt8(at), bytes.readUInt8(at + 1), bytes.readUInt8(at + 2), bytes.readUInt8(at + 3)];
}

/**
 * Returns the addresses of a name or of its aliases; records of other names are ignored. Fails if there are none, or if
 * the chain of aliases is too long.
 */
function followAliases(records: readonly ResourceRecord[], name: string): Result<readonly Address[]> {
  let current = name;
  for (let aliases = 0; aliases <= MOST_ALIASES; aliases++) {
    const own = records.filter((record) => record.name === current);
    const addresses = own.flatMap(({ address }) => (address === undefined ? [] : [address]));
    if (addresses.length > 0) return accept(addresses);
    const alias = own.find((record) => record.alias !== undefined)?.alias;
    if (alias === undefined) return refuse("the name has no IPv4 address");
    current = alias;
  }
  return refuse("the name leads from one alias to the next without end");
}

/** Returns the name at an offset, in lower case, and the offset after it. Pointers may only lead backwards. */
function nameAt(bytes: Buffer, start: number): { readonly name: string; readonly next: number } {
  const labels: string[] = [];
  let [at, next, jumps, size] = [start, -1, 0, 0];
  for (let length = bytes.readUInt8(at); length !== 0; length = bytes.readUInt8(at)) {
    if (length >= 0xc0) {
      const to = bytes.readUInt16BE(at) & 0x3fff;
      if (next < 0) next = at + 2;
      jumps += 1;
      if (to >= at || jumps > MOST_JUMPS) throw new RangeError("a name in a circle");
      at = to;
      continue;
    }
    size += length + 1;
    if (length > 63 || size >= MOST_NAME_BYTES || at + 1 + length > bytes.length) throw new RangeError("no name");
    labels.push(bytes.toString("latin1", at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join("."), next: next < 0 ? at + 1 : next };
}
