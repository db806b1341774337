// Reads a copy of a store of conversations in a separate process. It receives the bytes on standard input and prints messages of the
// store's interface, one a line. A file that breaks SQLite breaks only this process, which may read only capc's own folder.

import { readFileSync } from "node:fs";
import { Sql } from "../../../engine/lib/sqlite/index.ts";
import { ConversationStore } from "../../../engine/lib/wire/generated/conversations.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { openCopy } from "../../../engine/processes/conversations/database.ts";
import { MAX_LISTED, MAX_READ_BYTES } from "../../../engine/processes/conversations/limits.ts";
import { listOf, readOf } from "../../../engine/processes/conversations/reading.ts";

const [, , session = "", conversation = ""] = process.argv;
/** Maximum number of sessions. Pages name the sessions, and no page has nearly as many. */
const MOST_SESSIONS = 1024;
const STANDARD_INPUT = 0;

const copy = openCopy(readFileSync(STANDARD_INPUT));
if (copy.ok) {
  const sql = new Sql(copy.value);
  if (conversation === "") listAll(sql);
  else readAll(sql);
} else refuse(copy.reason);

/** Prints each session with its stored conversations. */
function listAll(sql: Sql): void {
  const rows = sql.findAll("SELECT DISTINCT session FROM conversations ORDER BY session LIMIT ?", MOST_SESSIONS);
  for (const { session: name } of rows) {
    if (typeof name !== "string") continue;
    const bytes = encodeMessage(ConversationStore.methods.list.results, listOf(sql, name, MAX_LISTED));
    say([name, Buffer.from(bytes).toString("base64")]);
  }
}

function readAll(sql: Sql): void {
  for (let after = 0n; ; ) {
    const read = readOf(sql, { session, conversation, after, mostBytes: MAX_READ_BYTES });
    if (!read.ok) refuse(read.reason);
    const last = read.ok ? read.value.sayings.at(-1)?.sequence : undefined;
    // If the sequence numbers in a malformed file do not increase, reading must still end.
    if (!read.ok || last === undefined || last <= after) return;
    const bytes = encodeMessage(ConversationStore.methods.read.results, read.value);
    say([session, Buffer.from(bytes).toString("base64")]);
    after = last;
  }
}

function say(line: readonly string[]): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function refuse(reason: string): void {
  process.stderr.write(reason);
  process.exitCode = 1;
}
