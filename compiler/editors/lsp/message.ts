// Parses the bytes of a message: one JSON object with limited nesting.

import type { Message } from "vscode-languageserver/node";

/** Maximum nesting of the JSON of a message. Editors send messages with about ten levels. */
const MOST_DEPTH = 64;

/** Parses a message. Throws the reason if it is malformed; the protocol's reader reports it and continues with the next message. */
export async function parseMessage(bytes: Uint8Array): Promise<Message> {
  if (measureDepth(bytes) > MOST_DEPTH) throw new Error(`a message of more than ${MOST_DEPTH} levels is not read`);
  const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8"));
  if (!isMessage(value)) throw new Error("a message is a JSON object that says jsonrpc 2.0");
  return value;
}

function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && "jsonrpc" in value && value.jsonrpc === "2.0";
}

const [QUOTE, ESCAPE, OPEN, OPEN_LIST, CLOSE, CLOSE_LIST] = Buffer.from('"\\{[}]');

/** Returns the maximum nesting of brackets outside of strings, even if the bytes are not JSON. */
function measureDepth(bytes: Uint8Array): number {
  let depth = 0;
  let most = 0;
  let isString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) isString = !isString;
    else if (isString) at += byte === ESCAPE ? 1 : 0;
    else if (byte === OPEN || byte === OPEN_LIST) most = Math.max(most, ++depth);
    else if (byte === CLOSE || byte === CLOSE_LIST) depth -= 1;
  }
  return most;
}
