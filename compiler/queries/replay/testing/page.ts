// Defines a page that tests modify, and replays logs under it.

import { createHash } from "node:crypto";
import { type IndexedTables, indexTables } from "../../../../engine/lib/policy/index.ts";
import { PolicyTables } from "../../../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../../engine/lib/wire/index.ts";
import { compile } from "../../../compile.ts";
import { ALICE } from "../../../dev/fixtures/facts.ts";
import { indexPolicyTables } from "../../../phases/policy/index.ts";
import { createMemoryHost } from "../../../phases/source/index.ts";
import { type Finding, Replay, ReplayResultBuilder } from "../index.ts";
import type { SampleLog } from "./log.ts";

export const PAGE = `system sample version "1.0.0" {
  use std.tools
  confidentiality { public < internal }
  integrity { untrusted < reviewed }
  principal alice { ssh "alice.pub" }
  backend canned { stub  clearance internal }
  service notes : Files { state 1 MiB  label public/reviewed }
  service desk : Files { state 1 MiB  label internal/untrusted }
  session operator {
    kind operator  principals alice
    clearance internal
    remember conversation
    models { auto canned }
    permit { auto readOnly  consent mutatingLocal }
    when integrity <= untrusted { atLeast stepUp desk.write }
  }
  task triage in operator {
    phase look { only notes.* }
    phase mend after consent { permit { consent notes.list } }
  }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}
`;

/** Matches the task of the page. */
export const TASK = / {2}task triage.*\n.*\n.*\n {2}\}\n/;

/** Returns the tables of a page and their digest. Throws if the page does not compile. */
export async function rulesOf(text: string): Promise<{ readonly tables: IndexedTables; readonly digest: Uint8Array }> {
  const made = await compile(createMemoryHost({ "/system.cap": text, "/alice.pub": ALICE }), "/system.cap", {
    purpose: "check",
    proofs: "left",
  });
  if (made.policy === undefined) throw new Error(made.diagnostics.map(({ message }) => message).join("; "));
  const tables = indexPolicyTables(made.policy);
  const indexed = indexTables(tables);
  if (!indexed.ok) throw new Error(indexed.reason);
  return { tables, digest: createHash("sha256").update(encodeMessage(PolicyTables, tables)).digest() };
}

export interface Rules {
  readonly tables: IndexedTables;
  readonly digest: Uint8Array;
}

/** Returns the result of replaying a log from record `from` on. */
export function replayed({ tables, digest }: Rules, log: SampleLog, from = 1): ReplayResultBuilder {
  const collected = new ReplayResultBuilder();
  const replay = new Replay(tables, digest, collected.add);
  replay.beginLog();
  for (const { record } of log.links) if (record.sequence >= BigInt(from)) replay.take(record, "vouched");
  replay.end();
  return collected;
}

export function bent(from: string, to: string): Promise<Rules> {
  return rulesOf(PAGE.replace(from, to));
}

/** Returns a finding as text: "notes.write: consent → auto, widened". */
function said({ tool, was, now, direction }: Finding): string {
  const before = was.kind === "decided" ? was.answer : was.reason;
  const after = now === undefined ? "" : now.kind === "settled" ? now.answer : `(${now.because})`;
  return `${tool}: ${before} → ${after}${direction === undefined ? "" : `, ${direction}`}`;
}

export const told = ({ otherwise, undecided }: ReplayResultBuilder): readonly string[] =>
  [...otherwise, ...undecided].map(said);
