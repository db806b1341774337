import { renderCheck } from "../../../../lang/format/index.ts";
import type { BoundCheck, BoundLiteral, Tool } from "../../../phases/bind/index.ts";
import { isAlwaysMet, isOpen } from "../../../phases/conditions/index.ts";
import { encodeCondition } from "../../../phases/policy/index.ts";
import { findArgument } from "../../support/arguments.ts";
import { type ConditionalLine, findConditionalLines } from "../../support/conditional.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { findMisfit } from "../../support/misfit.ts";
import { whereAlwaysMet } from "./codes.ts";

/** Checks ruling 18 for conditions that always hold; `where-unsatisfiable` checks the opposite. Each check is examined alone. */
export const rule = defineLaw({
  reports: [whereAlwaysMet],
  check: ({ model }, report) => {
    for (const line of findConditionalLines(model)) checkLine(line, report);
  },
});

/** A check that makes sense for one tool of the line is not dead. */
function checkLine({ patterns, checks }: ConditionalLine, report: Report): void {
  const tools = patterns.flatMap((pattern) => pattern.tools);
  const [first] = tools;
  if (first === undefined) return;
  for (const check of checks) {
    if (!tools.every((tool) => isMet(tool, check))) continue;
    report(whereAlwaysMet.at(check.node.span, { tool: first.name, check: renderCheck(check.node) }));
  }
}

function isMet(tool: Tool, check: BoundCheck): boolean {
  const argument = findArgument(tool, check);
  // An argument that does not fit, or that a call may omit, does not always meet it.
  if (argument === undefined || findMisfit(argument, check) !== undefined) return false;
  if (argument.isOptional && !check.absentHolds) return false;
  if (check.term === "has") return !isOpen(argument.type) && check.literals.some(isTrue);
  // A schema may get another choice, which such a list then excludes.
  return argument.type.which !== "choice" && isAlwaysMet(argument.type, encodeCondition(check));
}

function isTrue(literal: BoundLiteral): boolean {
  return literal.kind === "boolean" && literal.boolean;
}
