// Creates a folder with a page and a wider version of it, and with a log that was written under the page: as binary records, as JSON lines
// and as OCSF events.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bytesOf } from "../../../../engine/processes/audit/testing/sample.ts";
import { ALICE } from "../../../dev/fixtures/facts.ts";
import { SampleLog } from "../../../queries/replay/testing/log.ts";
import { PAGE } from "../../../queries/replay/testing/page.ts";
import { runCommand } from "../../memory-world.ts";

const CONSENTED = { decision: "consented", rule: "operator/consent mutatingLocal" } as const;

/** Returns a log of two days with allowed writes, a denied write, a call that no rule covers, and a call with truncated arguments. */
export function dayLog(): SampleLog {
  return new SampleLog()
    .boot()
    .ran("notes.read", { path: "a.txt" }, { rule: "operator/auto readOnly" })
    .ran("notes.write", { content: "one", path: "drafts/a.txt" }, CONSENTED)
    .ran("notes.write", { content: "two", path: "drafts/b.txt" }, { ...CONSENTED, turn: 2 })
    .denied("notes.write", { content: "three", path: "etc/c.txt" }, { rule: CONSENTED.rule, turn: 2 })
    .ended("notes.delete", '{"path":"a.txt"}', {
      decision: "notReached",
      outcome: "unknownTool",
      error: "no such tool is offered in this session",
    })
    .later(1440)
    .boot()
    .ran("notes.write", { content: "four", path: "drafts/c.txt" }, CONSENTED)
    .ended("notes.write", `{"content":"${"x".repeat(4200)} sha256 ${"0".repeat(64)}`, {
      decision: "denied",
      outcome: "deniedByUser",
      error: "the person said no",
      rule: CONSENTED.rule,
    })
    .ended("notes.read", '{"path":"a"}', {
      decision: "notReached",
      outcome: "refusedByPolicy",
      error: "notes was revoked",
    });
}

/**
 * The page with more rights: writes to drafts need no approval, and there is a tool that deletes files, behind a
 * signature.
 */
const WIDER = PAGE.replace(
  "auto readOnly  consent mutatingLocal",
  'auto readOnly  consent mutatingLocal  auto notes.write where path under "/drafts" else consent  stepUp destructive',
);

/** Writes two pages, a key, the log and its exports into a new temporary folder, and returns its path. */
export async function folderWith(log: SampleLog = dayLog()): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "capc-replay-"));
  writeFileSync(join(folder, "alice.pub"), ALICE);
  writeFileSync(join(folder, "system.cap"), PAGE);
  writeFileSync(join(folder, "wider.cap"), WIDER);
  writeFileSync(join(folder, "audit.log"), bytesOf(log.links));
  for (const format of ["jsonl", "ocsf"]) {
    const { out } = await runCommand(["audit", "export", "audit.log", "--format", format], { folder });
    writeFileSync(join(folder, `audit.${format}`), out);
  }
  return folder;
}
