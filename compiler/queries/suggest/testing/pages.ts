// Defines pages that need a prompt for writing, each for another reason, and makes suggestions for a log under such a
// page.

import { compile } from "../../../compile.ts";
import { ALICE } from "../../../dev/fixtures/facts.ts";
import { indexPolicyTables } from "../../../phases/policy/index.ts";
import { createMemoryHost } from "../../../phases/source/index.ts";
import { Replay, ReplayResultBuilder } from "../../replay/index.ts";
import type { SampleLog } from "../../replay/testing/log.ts";
import { PAGE } from "../../replay/testing/page.ts";
import { Observations, type SuggestedPage, type SuggestionResult, suggest, type Way } from "../index.ts";

const PERMIT = "permit { auto readOnly  consent mutatingLocal }";

/** Pages by name. The name describes the special property of the page. */
export const PAGES = {
  category: PAGE,
  "a rule about only this tool": PAGE.replace(
    PERMIT,
    "permit { auto readOnly  consent mutatingLocal  consent notes.write }",
  ),
  "one rule about several tools": PAGE.replace(PERMIT, "permit { auto readOnly  consent notes.write, desk.write }"),
  "a forbidden folder": PAGE.replace(
    PERMIT,
    'permit { auto readOnly  consent mutatingLocal  forbidden Files.write where path under "/locked" else consent }',
  ),
  "a signature for calls outside of a folder": PAGE.replace(
    PERMIT,
    'permit { auto readOnly  consent notes.write where path under "/drafts" else stepUp  consent desk.write }',
  ),
  "a folder that goes": PAGE.replace(
    PERMIT,
    'permit { auto readOnly  consent mutatingLocal  auto notes.write where path under "/free" else consent }',
  ),
  "a method of only one service": PAGE.replace(
    PERMIT,
    'permit { auto readOnly  forbidden Files.write where path under "/locked" else consent }',
  )
    .replace(/ {2}service desk.*\n/, "")
    .replace(/ {4}when .*\n/, ""),
  inherited: PAGE.replace(
    "  task triage in operator",
    "  session night extends operator { quota { 99 calls per turn } }\n  task triage in operator",
  ),
  phases: PAGE.replace(
    "phase look { only notes.* }",
    "phase look { permit { consent notes.write  auto readOnly } }",
  ).replace("permit { consent notes.list }", "permit { consent mutatingLocal  consent notes.list }"),
  profile: PAGE.replace("public < internal }", "public < internal < secret }")
    .replace("use std.tools", "use std.tools  use std.profiles")
    .replace("session operator {\n    kind operator", "session operator from profiles.operator {\n   ")
    .replace(PERMIT, ""),
} as const satisfies Record<string, string>;

export async function pageOf(text: string): Promise<SuggestedPage> {
  const host = createMemoryHost({ "/system.cap": text, "/alice.pub": ALICE });
  const options = { purpose: "check" } as const;
  const { policy, model, diagnostics } = await compile(host, "/system.cap", options);
  if (policy === undefined || model === undefined)
    throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return { host, path: "/system.cap", options, tables: indexPolicyTables(policy), model };
}

const NO_DIGEST = new Uint8Array(32);

export async function suggestedFor(
  text: string,
  log: SampleLog,
  way: Way = "values",
  least = 1,
): Promise<SuggestionResult> {
  const page = await pageOf(text);
  const observations = new Observations("vouched");
  replayInto(page, log, observations.add);
  return suggest(page, observations.tools, { way, least });
}

export function replayedOn({ tables }: SuggestedPage, log: SampleLog): ReplayResultBuilder {
  const collected = new ReplayResultBuilder();
  replayInto({ tables }, log, collected.add);
  return collected;
}

function replayInto({ tables }: Pick<SuggestedPage, "tables">, log: SampleLog, each: ReplayResultBuilder["add"]): void {
  const replay = new Replay(tables, NO_DIGEST, each);
  replay.beginLog();
  for (const { record } of log.links) replay.take(record, "vouched");
  replay.end();
}

/** Returns the page with all suggestions applied. */
export async function textOf({ page }: SuggestionResult): Promise<string> {
  const read = await page.host.readFile("/system.cap", 1_000_000);
  if (!read.ok) throw new Error(read.reason);
  return Buffer.from(read.value).toString("utf8");
}
