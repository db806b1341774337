// Prints records as a table of 80 columns: number, time, session, and what happened, without arguments and digests.

import type { AuditEntry, CallRecord } from "../../../engine/lib/wire/generated/audit.ts";
import type { VerifiedRecord } from "../../../engine/processes/audit/verify.ts";
import { formatSeconds } from "../../queries/activity/index.ts";
import { WIDTH } from "../plan/layout.ts";
import { wrap } from "../wrapping.ts";
import { describeRelease, formatSecond } from "./record-text.ts";

const NUMBER = 6;
const TIME = 19;
const SESSION = 12;
const ROOM = WIDTH - NUMBER - TIME - SESSION - 6;

/** The first row of the table. Times are UTC, by the machine's clock. */
export const TABLE_HEAD: readonly string[] = [renderColumns("record", "time (UTC)", "session", "what happened")];

function renderColumns(number: string, time: string, session: string, what: string): string {
  return `${number.padStart(NUMBER)}  ${time.padEnd(TIME)}  ${session.padEnd(SESSION)}  ${what}`.trimEnd();
}

/** Returns the rows of a record. A text that is too long for its column continues in the next row. */
export function renderTableRow({ record }: VerifiedRecord): readonly string[] {
  const { session, what } = describeEntry(record.entry);
  const texts = breakText(what, ROOM);
  const sessions = breakText(session, SESSION);
  const rows = Array.from({ length: Math.max(texts.length, sessions.length) }, (_, index) => index);
  return rows.map((index) => {
    const [number, time] = index === 0 ? [String(record.sequence), formatSecond(record.wallMs)] : ["", ""];
    return renderColumns(number, time, sessions[index] ?? "", texts[index] ?? "");
  });
}

/** Breaks a text at its blanks, and breaks a word anywhere if it is longer than the column. */
function breakText(text: string, room: number): readonly string[] {
  const lines = text.split(/[\r\n]+/).join(" ");
  return wrap(lines, room).flatMap((row) => row.match(new RegExp(`.{1,${room}}`, "gsu")) ?? [""]);
}

interface EntryWords {
  readonly session: string;
  readonly what: string;
}

function describeEntry(entry: AuditEntry): EntryWords {
  switch (entry.which) {
    case "boot":
      return { session: "", what: `boot of ${entry.boot.systemId} ${entry.boot.version}` };
    case "intent":
      return { session: entry.intent.session, what: `${describeCall(entry.intent)}: sent` };
    case "outcome": {
      const { error, errorHash, outcome, session } = entry.outcome;
      const reason = errorHash.length === 0 ? error : "error withheld";
      return { session, what: `${describeCall(entry.outcome)}: ${outcome}${reason === "" ? "" : `, ${reason}`}` };
    }
    case "session": {
      const { name, event, detail, digest } = entry.session;
      const withheld = digest.length === 0 ? "" : " (text withheld)";
      return { session: name, what: `${event} ${detail}`.trimEnd() + withheld };
    }
    case "seal":
      return { session: "", what: `seal ${entry.seal.epoch}` };
    case "shipped":
      return { session: "", what: `the collector has all up to ${entry.shipped}` };
    case "checkpoint":
      return { session: "", what: "checkpoint: a new segment of the log" };
    case "released":
      return { session: "", what: `released up to ${entry.released.through}, ${entry.released.by}` };
    case "inference": {
      const { backend, session, usage } = entry.inference;
      return { session, what: `answer of ${backend}, ${usage.promptTokens} + ${usage.outputTokens} tokens` };
    }
  }
}

function describeCall({ askedMs, decision, descriptor, principal, release, surface }: CallRecord): string {
  const by = principal === "" ? "" : ` by ${principal}`;
  const asked = surface === "" ? "" : ` in ${formatSeconds(askedMs)} at ${surface}`;
  const released = release.rule === "" ? "" : `, ${describeRelease(release, decision)}`;
  return `${descriptor.name} ${decision}${by}${asked}${released}`;
}
