import { nearest } from "../../../../lang/diagnostics/index.ts";
import { checkText } from "../../../../lang/format/index.ts";
import type { MethodNode } from "../../../../lang/tree/index.ts";
import { type BoundCheck, itemsOf, type Tool } from "../../../phases/bind/index.ts";
import { argumentOf, argumentsOf } from "../../support/arguments.ts";
import { conditionalLines } from "../../support/conditional.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { misfitOf } from "../../support/misfit.ts";
import { whereUnknownArgument, whereWrongType } from "./codes.ts";

/** Ruling 4: each check fits the arguments of each tool that its line covers. One message for a check, not one for a tool. */
export const rule = defineLaw({
  reports: [whereUnknownArgument, whereWrongType],
  check: ({ model, trees }, report) => {
    const facts = trees.flatMap(itemsOf).flatMap((item) => (item.kind === "interface" ? item.methods : []));
    for (const line of conditionalLines(model)) {
      const tools = new Set(line.patterns.flatMap((pattern) => pattern.tools).filter((tool) => isWhole(tool, facts)));
      for (const check of line.where.checks) checkFits(tools, check, report);
    }
  },
});

/** A fact gives an argument its type. Where one names no argument, which was reported, a type may be missing. */
function isWhole(tool: Tool, methods: readonly MethodNode[]): boolean {
  const names = new Set(tool.method.description.params.map(({ name }) => name));
  return methods
    .filter(({ name }) => name.text === tool.method.name)
    .every(({ facts }) =>
      facts.every((fact) => fact.kind !== "argument" || names.has(fact.argument.parts[0]?.text ?? "")),
    );
}

function checkFits(tools: ReadonlySet<Tool>, check: BoundCheck, report: Report): void {
  for (const tool of tools) if (reportMisfit(tool, check, report)) return;
}

function reportMisfit(tool: Tool, check: BoundCheck, report: Report): boolean {
  const argument = argumentOf(tool, check.path);
  const { node } = check;
  if (argument === undefined) {
    const name = check.path.join(".");
    const near = nearest(name, argumentsOf(tool));
    const { span } = node.term.argument;
    const fix = near === undefined ? undefined : { span, replacement: near, guess: "name" as const };
    report(whereUnknownArgument.at(span, { tool: tool.name, name, near }, { fix }));
    return true;
  }
  const misfit = misfitOf(argument, check);
  if (misfit === undefined) return false;
  report(whereWrongType.at(node.span, { tool: tool.name, check: checkText(node), ...misfit }));
  return true;
}
