import { renderCheck } from "../../../../lang/format/index.ts";
import type { BoundCheck, BoundLiteral, Tool } from "../../../phases/bind/index.ts";
import { isAlwaysMet, isOpen } from "../../../phases/conditions/index.ts";
import { encodeCondition } from "../../../phases/policy/index.ts";
import { findArgument } from "../../support/arguments.ts";
import { type ConditionalLine, findConditionalLines } from "../../support/conditional.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { findMisfit } from "../../support/misfit.ts";
import { type Asking, rememberAnswers } from "../../support/remembered.ts";
import { whereAlwaysMet } from "./codes.ts";

/**
 * Checks ruling 18 for conditions that always hold; `where-unsatisfiable` checks the opposite. Each check is examined
 * separately from the other checks of the line.
 */
export const rule = defineLaw({
  reports: [whereAlwaysMet],
  check: ({ model }, report) => {
    const asks = rememberAnswers((type, [asked]) => asked !== undefined && isAlwaysMet(type, asked.condition));
    for (const line of findConditionalLines(model)) checkLine(line, asks, report);
  },
});

/**
 * Reports the checks that every call of every tool of a line meets. A check is not reported if some call of at least
 * one tool fails it.
 */
function checkLine({ patterns, checks }: ConditionalLine, asks: Asking, report: Report): void {
  const tools = patterns.flatMap((pattern) => pattern.tools);
  const [first] = tools;
  if (first === undefined) return;
  for (const check of checks) {
    if (!tools.every((tool) => isMet(tool, check, asks))) continue;
    report(whereAlwaysMet.at(check.node.span, { tool: first.name, check: renderCheck(check.node) }));
  }
}

function isMet(tool: Tool, check: BoundCheck, asks: Asking): boolean {
  const argument = findArgument(tool, check);
  // The condition is not always met if it does not fit the argument, or if a call may omit the argument and then does
  // not meet the condition.
  if (argument === undefined || findMisfit(argument, check) !== undefined) return false;
  if (argument.isOptional && !check.absentHolds) return false;
  if (check.term === "has") return !isOpen(argument.type) && check.literals.some(isTrue);
  // A later version of the schema may have another choice, which the list in the condition would not contain.
  return argument.type.which !== "choice" && asks(argument.type, [{ condition: encodeCondition(check), holds: true }]);
}

function isTrue(literal: BoundLiteral): boolean {
  return literal.kind === "boolean" && literal.boolean;
}
