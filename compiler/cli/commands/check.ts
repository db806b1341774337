// capc check: reads and checks a page. Nothing is written.

import { type Command, JSON_OPTION } from "../command.ts";
import { compilePage, findingsAsJson, hasErrors, tellFindings } from "../page.ts";

export const check: Command = {
  name: "check",
  operands: ["FILE"],
  does: "read and check a page; nothing is written",
  options: [JSON_OPTION],
  run: async (typed, world) => {
    const result = await compilePage(typed.operands[0] ?? "", world);
    if (result.kind === "unreadable") {
      world.report(`capc check: ${result.reason}\n`);
      return 3;
    }
    if (typed.switches.has("json")) world.print(`${JSON.stringify(findingsAsJson(result.compiled))}\n`);
    else tellFindings(result.compiled, world);
    return hasErrors(result.compiled) ? 1 : 0;
  },
};
