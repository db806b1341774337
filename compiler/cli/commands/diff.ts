// capc diff: what two systems mean differently.

import { visible } from "../../../lang/diagnostics/index.ts";
import { difference } from "../../diff/index.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, JSON_OPTION, refusing, type Typed } from "../command.ts";
import { diffAsJson } from "../diff/json.ts";
import { reportOf } from "../diff/report.ts";
import { type NamedSide, readSide } from "../diff/side.ts";
import { diffLines } from "../diff/text.ts";
import { tellOnly } from "../telling.ts";
import type { ExitStatus, World } from "../world.ts";

const refuse = refusing("diff");

/** `capc diff OLD NEW` */
export const diff: Command = {
  name: "diff",
  operands: ["OLD", "NEW"],
  does: "say what two systems mean differently",
  details: `OLD and NEW are each a page, the folder of one, policy tables, an image, or the folder of a build. Cells are
compared by what they decide and not by their lines; a change that some call shows is told with its arguments.`,
  options: [COLOUR_OPTION, JSON_OPTION],
  run: diffSides,
};

async function diffSides(typed: Typed, world: World): Promise<ExitStatus> {
  const sides: NamedSide[] = [];
  for (const word of typed.operands) {
    const read = await readSide(word, world);
    if (read.kind === "refused") return refuse(world, read.status, visible(read.reason));
    if (read.kind === "findings") {
      tellOnly(read.diagnostics, typed, world);
      return 1;
    }
    sides.push(read.side);
  }
  const [before, after] = sides;
  if (before === undefined || after === undefined) return refuse(world, 2, "a diff is of two");
  const report = reportOf(before, after, difference(before, after));
  if (typed.switches.has("json")) world.print(`${JSON.stringify(diffAsJson(report))}\n`);
  else for (const line of diffLines(report)) world.print(`${visible(line)}\n`);
  return 0;
}
