import type { BoundCheck, Tool } from "../../../phases/bind/index.ts";
import { canBeAnswered, createPresence, isOpen } from "../../../phases/conditions/index.ts";
import { encodeCondition } from "../../../phases/policy/index.ts";
import { findArgument } from "../../support/arguments.ts";
import { type ConditionalLine, findConditionalLines } from "../../support/conditional.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { findMisfit } from "../../support/misfit.ts";
import { type Asking, rememberAnswers } from "../../support/remembered.ts";
import { whereUnsatisfiable } from "./codes.ts";

/** Checks ruling 18 for conditions: reports a line if its checks of one argument can never hold together. */
export const rule = defineLaw({
  reports: [whereUnsatisfiable],
  check: ({ model }, report) => {
    const asks = rememberAnswers(canBeAnswered);
    for (const line of findConditionalLines(model)) checkLine(line, asks, report);
  },
});

/** Reports at most one message for a line, not one for each tool. */
function checkLine({ patterns, checks }: ConditionalLine, asks: Asking, report: Report): void {
  for (const tool of patterns.flatMap((pattern) => pattern.tools)) {
    const last = findUnsatisfiable(tool, checks, asks)?.at(-1);
    if (last === undefined) continue;
    report(whereUnsatisfiable.at(last.node.span, { tool: tool.name, argument: last.path.join(".") }));
    return;
  }
}

/** Returns checks of the same argument that contradict each other, or `undefined` if there are none. */
function findUnsatisfiable(tool: Tool, all: readonly BoundCheck[], asks: Asking): readonly BoundCheck[] | undefined {
  const byTerm = Map.groupBy(all, ({ path, each, extract }) => [path.join("."), each, extract].join(" "));
  return [...byTerm.values()].find((checks) => {
    const [first] = checks;
    const argument = first && findArgument(tool, first);
    // Another law reports an argument that does not exist or whose type the checks do not fit.
    if (argument === undefined || checks.some((check) => findMisfit(argument, check) !== undefined)) return false;
    const asked = checks.map((check) => ({ condition: encodeCondition(check), holds: true }));
    // A call always contains a required argument, so a check that it is absent always fails.
    const there = argument.isOptional || isOpen(argument.type) ? [] : [createPresence(first?.path ?? [])];
    return !asks(argument.type, [...asked, ...there]);
  });
}
