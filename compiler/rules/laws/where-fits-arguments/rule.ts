import { findNearest } from "../../../../lang/diagnostics/index.ts";
import { renderCheck } from "../../../../lang/format/index.ts";
import type { MethodNode } from "../../../../lang/tree/index.ts";
import { type BoundCheck, listItems, type Tool } from "../../../phases/bind/index.ts";
import { findArgument, listArguments } from "../../support/arguments.ts";
import { findConditionalLines } from "../../support/conditional.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { findMisfit } from "../../support/misfit.ts";
import { whereUnknownArgument, whereWrongType } from "./codes.ts";

/**
 * Checks ruling 4: each check must fit the arguments of every tool of its rule. Each check causes at most one message, not one for each
 * tool.
 */
export const rule = defineLaw({
  reports: [whereUnknownArgument, whereWrongType],
  check: ({ model, trees }, report) => {
    const facts = trees.flatMap(listItems).flatMap((item) => (item.kind === "interface" ? item.methods : []));
    for (const line of findConditionalLines(model)) {
      const tools = new Set(line.patterns.flatMap((pattern) => pattern.tools).filter((tool) => isWhole(tool, facts)));
      for (const check of line.checks) checkFits(tools, check, report);
    }
  },
});

/**
 * Returns `false` if a fact about the tool's method names an argument that the method does not have. Such a tool is not
 * checked: the misspelt fact gives its argument no meaning, so a correct check could be reported. Another law reports
 * the name.
 */
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

const IN_A_LIST = { why: "it is inside a list", instead: "write `every(…)` or `some(…)`" };

function reportMisfit(tool: Tool, check: BoundCheck, report: Report): boolean {
  const argument = findArgument(tool, check);
  const { node } = check;
  if (argument === undefined && findArgument(tool, { path: check.path, each: "every" }) !== undefined) {
    report(whereWrongType.at(node.span, { tool: tool.name, check: renderCheck(node), ...IN_A_LIST }));
    return true;
  }
  if (argument === undefined) {
    const name = check.path.join(".");
    const near = findNearest(name, listArguments(tool));
    const { span } = node.term.argument;
    const fix = near === undefined ? undefined : { span, replacement: near, guess: "name" as const };
    report(whereUnknownArgument.at(span, { tool: tool.name, name, near }, { fix }));
    return true;
  }
  const misfit = findMisfit(argument, check);
  if (misfit === undefined) return false;
  report(whereWrongType.at(node.span, { tool: tool.name, check: renderCheck(node), ...misfit }));
  return true;
}
