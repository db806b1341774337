import { nearest } from "../../../../lang/diagnostics/index.ts";
import { checkText } from "../../../../lang/format/index.ts";
import type { BoundCheck, BoundLine, Tool } from "../../../bind/index.ts";
import { argumentOf, argumentsOf } from "../../arguments.ts";
import { conditionalLines } from "../../conditional.ts";
import { defineLaw, type Report } from "../../law.ts";
import { misfitOf } from "../../misfit.ts";
import { whereUnknownArgument, whereWrongType } from "./codes.ts";

/** Ruling 4: each check fits the arguments of each tool that its line covers. One message for a check, not one for a tool. */
export const rule = defineLaw({
  reports: [whereUnknownArgument, whereWrongType],
  check: ({ model }, report) => {
    // Facts make a type of an argument, and one that could not be bound is missing.
    if (model.damaged) return;
    for (const line of conditionalLines(model)) {
      for (const check of line.where.checks) checkFits(line, check, report);
    }
  },
});

function checkFits(line: BoundLine, check: BoundCheck, report: Report): void {
  const tools = new Set(line.patterns.flatMap((pattern) => pattern.tools));
  for (const tool of tools) if (reportMisfit(tool, check, report)) return;
}

function reportMisfit(tool: Tool, check: BoundCheck, report: Report): boolean {
  const argument = argumentOf(tool, check.path);
  const { node } = check;
  if (argument === undefined) {
    const name = check.path.join(".");
    const near = nearest(name, argumentsOf(tool));
    const { span } = node.term.argument;
    const fix = near === undefined ? undefined : { span, replacement: near };
    report(whereUnknownArgument.at(span, { tool: tool.name, name, near }, { fix }));
    return true;
  }
  const misfit = misfitOf(argument, check);
  if (misfit === undefined) return false;
  report(whereWrongType.at(node.span, { tool: tool.name, check: checkText(node), ...misfit }));
  return true;
}
