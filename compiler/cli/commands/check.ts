// capc check: reads and checks a page. Nothing is written.

import { COLOUR_OPTION, hasColour } from "../colour.ts";
import { type Command, JSON_OPTION, type Typed } from "../command.ts";
import { compilePage, findingsAsJson, hasErrors, tellFindings } from "../page.ts";
import { type Ran, WATCH_OPTION, watching } from "../watch.ts";
import type { World } from "../world.ts";

export const check: Command = {
  name: "check",
  operands: ["FILE"],
  does: "read and check a page; nothing is written",
  options: [WATCH_OPTION, COLOUR_OPTION, JSON_OPTION],
  run: async (typed, world) => {
    const once = (): Promise<Ran> => checkOnce(typed, world);
    return typed.switches.has("watch") ? watching("check", once, world) : (await once()).status;
  },
};

async function checkOnce(typed: Typed, world: World): Promise<Ran> {
  const result = await compilePage(typed.operands[0] ?? "", world, "check");
  const readings = [result.readings];
  if (result.kind === "unreadable") {
    world.report(`capc check: ${result.reason}\n`);
    return { status: 3, readings };
  }
  const { compiled } = result;
  if (typed.switches.has("json")) world.print(`${JSON.stringify(findingsAsJson(compiled))}\n`);
  else tellFindings(compiled.diagnostics, hasColour(typed, world), world);
  return { status: hasErrors(compiled) ? 1 : 0, readings };
}
