// Program of the bench: CPU seconds of writing tables of a hundred thousand entries, and how long they are.

import { PolicyTables } from "../../engine/wire/generated/policy.ts";
import { decodeMessage, encodeMessage } from "../../engine/wire/index.ts";
import { microsecondsOf } from "./micro.ts";

const ENTRIES = 100_000;

/** What a message of an empty root decodes to. */
const NONE = new Uint8Array([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const nothing = decodeMessage(PolicyTables, NONE);
if (!nothing.ok) throw new Error(nothing.reason);
const rules = Array.from({ length: ENTRIES }, (_, at) => ({
  id: `operator/${at}`,
  words: `consent tool_${at % 97}.write`,
  place: `system.cap:${at}:7`,
}));
const value: PolicyTables = { ...nothing.value, rules };
const seconds = microsecondsOf(() => encodeMessage(PolicyTables, value)) / 1e6;
process.stdout.write(JSON.stringify({ seconds, bytes: encodeMessage(PolicyTables, value).length }));
