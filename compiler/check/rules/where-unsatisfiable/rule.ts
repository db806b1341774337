import type { BoundCheck, BoundLine, Tool } from "../../../bind/index.ts";
import { canBeAnswered } from "../../../conditions/index.ts";
import { wireCondition } from "../../../policy/index.ts";
import { argumentOf } from "../../arguments.ts";
import { conditionalLines } from "../../conditional.ts";
import { defineLaw } from "../../law.ts";
import { misfitOf } from "../../misfit.ts";
import { whereUnsatisfiable } from "./codes.ts";

/** Ruling 18 for conditions: the checks of one line about one argument are looked at together. */
export const rule = defineLaw({
  reports: [whereUnsatisfiable],
  check: ({ model }, report) => {
    for (const line of conditionalLines(model)) {
      const tool = line.patterns.flatMap((pattern) => pattern.tools).find((covered) => unsatisfiable(covered, line));
      const checks = tool && unsatisfiable(tool, line);
      const last = checks?.[checks.length - 1];
      if (tool === undefined || last === undefined) continue;
      report(whereUnsatisfiable.at(last.node.span, { tool: tool.name, argument: last.path.join(".") }));
    }
  },
});

/** The checks of one argument that cannot be met together; nothing where all can. */
function unsatisfiable(tool: Tool, line: BoundLine): readonly BoundCheck[] | undefined {
  const byPath = Map.groupBy(line.where?.checks ?? [], (check) => check.path.join("."));
  return [...byPath.values()].find((checks) => {
    const argument = argumentOf(tool, checks[0]?.path ?? []);
    // An argument that is not there, or that the checks do not fit, is another law's business.
    if (argument === undefined || checks.some((check) => misfitOf(argument, check) !== undefined)) return false;
    return !canBeAnswered(
      argument.type,
      checks.map((check) => ({ condition: wireCondition(check), holds: true })),
    );
  });
}
