// capc check: reads and checks pages. Nothing is written, but cap.lock where a person asks for it.

import { resolve } from "node:path";
import { isError, reportOf, visible } from "../../../lang/diagnostics/index.ts";
import { COLOUR_OPTION, hasColour } from "../colour.ts";
import { type Command, JSON_OPTION, refusing, type Typed } from "../command.ts";
import { readPageBytes } from "../files.ts";
import { type Findings, look } from "../lint/look.ts";
import { FORMAT_OPTION, formatOf, reportFindings } from "../lint/report.ts";
import { pinImports } from "../pin.ts";
import { tellFindings } from "../telling.ts";
import { type Ran, WATCH_OPTION, watching } from "../watch.ts";
import type { World } from "../world.ts";

const refuse = refusing("check");

/** `capc check FILE…` */
export const check: Command = {
  name: "check",
  operands: ["FILE…"],
  does: "read and check pages; nothing is written",
  details: `Ends with 1 if there is an error; warnings alone end with 0. Text goes to standard error; json, sarif (2.1.0),
github (annotations for a workflow) and junit go to standard output. With --update-lock the imported schemas and
lists of tools are pinned in cap.lock as they are now, what that changes is named, and the page is checked then:
read it before you commit it.`,
  options: [
    { name: "update-lock", does: "pin what the page imports, and say what is different" },
    FORMAT_OPTION,
    WATCH_OPTION,
    COLOUR_OPTION,
    { ...JSON_OPTION, does: "the same as --format json" },
  ],
  run: async (typed, world) => {
    const isWatch = typed.switches.has("watch");
    // Somebody has to look at each change: that is what the lock is for.
    if (isWatch && typed.switches.has("update-lock"))
      return refuse(world, 2, "--update-lock is done once, not watching");
    const once = (): Promise<Ran> => checkOnce(typed, world);
    return isWatch ? watching("check", once, world) : (await once()).status;
  },
};

async function checkOnce(typed: Typed, world: World): Promise<Ran> {
  const files = typed.operands;
  const pinned = typed.switches.has("update-lock") ? await pin(files, world) : undefined;
  if (pinned?.ok === false) return { status: refuse(world, 3, pinned.reason), readings: [] };
  const { findings, readings, reason } = await look(files, world, "left");
  if (reason !== undefined) return { status: refuse(world, 3, reason), readings };
  await tell(findings, pinned, typed, world);
  return { status: findings.diagnostics.some(isError) ? 1 : 0, readings };
}

type Pinned = Awaited<ReturnType<typeof pinImports>>;

async function pin(files: readonly string[], world: World): Promise<Pinned> {
  const changes: string[] = [];
  for (const file of files) {
    const path = resolve(world.folder, file);
    const there = readPageBytes(path, 0);
    const pinned = there.ok ? await pinImports(path) : there;
    if (!pinned.ok) return pinned;
    changes.push(...pinned.changes);
  }
  return { ok: true, changes };
}

type Changes = Extract<Pinned, { ok: true }> | undefined;

async function tell(findings: Findings, pinned: Changes, typed: Typed, world: World): Promise<void> {
  const format = formatOf(typed);
  const changes = pinned?.changes ?? [];
  switch (format) {
    case "text":
      for (const change of changes) world.print(`${visible(change)}\n`);
      return tellFindings(findings.diagnostics, hasColour(typed, world), world);
    case "json": {
      const found = { ...reportOf(findings.diagnostics), ...(pinned === undefined ? {} : { changes }) };
      return world.print(`${JSON.stringify(found)}\n`);
    }
    default:
      for (const change of changes) world.report(`${visible(change)}\n`);
      return reportFindings("check", format, findings, typed.operands, world);
  }
}
