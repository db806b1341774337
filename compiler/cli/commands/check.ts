// capc check: reads and checks a page. Nothing is written, but cap.lock where a person asks for it.

import { resolve } from "node:path";
import { visible } from "../../../lang/diagnostics/index.ts";
import { COLOUR_OPTION, hasColour } from "../colour.ts";
import { type Command, JSON_OPTION, refusing, type Typed } from "../command.ts";
import { readPageBytes } from "../files.ts";
import { compilePage, findingsAsJson, hasErrors } from "../page.ts";
import { pinImports } from "../pin.ts";
import { tellFindings } from "../telling.ts";
import { type Ran, WATCH_OPTION, watching } from "../watch.ts";
import type { World } from "../world.ts";

const refuse = refusing("check");

/** `capc check FILE` */
export const check: Command = {
  name: "check",
  operands: ["FILE"],
  does: "read and check a page; nothing is written",
  details: `With --update-lock the imported schemas and lists of tools are pinned in cap.lock as they are now, what that changes is
named, and the page is checked then: read it before you commit it.`,
  options: [
    { name: "update-lock", does: "pin what the page imports, and say what is different" },
    WATCH_OPTION,
    COLOUR_OPTION,
    JSON_OPTION,
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
  const file = typed.operands[0] ?? "";
  const json = typed.switches.has("json");
  const pinned = typed.switches.has("update-lock") ? await pin(file, world) : undefined;
  if (pinned?.ok === false) return { status: refuse(world, 3, pinned.reason), readings: [] };
  const result = await compilePage(file, world, { purpose: "check" });
  const readings = [result.readings];
  if (result.kind === "unreadable") return { status: refuse(world, 3, result.reason), readings };
  const { compiled } = result;
  if (json) world.print(`${JSON.stringify({ ...findingsAsJson(compiled), ...changesOf(pinned) })}\n`);
  else {
    for (const change of pinned?.changes ?? []) world.print(`${visible(change)}\n`);
    tellFindings(compiled.diagnostics, hasColour(typed, world), world);
  }
  return { status: hasErrors(compiled) ? 1 : 0, readings };
}

type Pinned = Awaited<ReturnType<typeof pinImports>>;

async function pin(file: string, world: World): Promise<Pinned> {
  const path = resolve(world.folder, file);
  const there = readPageBytes(path, 0);
  return there.ok ? pinImports(path) : there;
}

function changesOf(pinned: Extract<Pinned, { ok: true }> | undefined): object {
  return pinned === undefined ? {} : { changes: pinned.changes };
}
