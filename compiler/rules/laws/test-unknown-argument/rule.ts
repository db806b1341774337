import { findNearest } from "../../../../lang/diagnostics/index.ts";
import { defineLaw } from "../../support/law.ts";
import { testUnknownArgument } from "./codes.ts";

/**
 * Expected outcomes for which the names of arguments are not checked: there is no tool, or the arguments are wrong on
 * purpose.
 */
const UNREAD: readonly string[] = ["invalidArguments", "unknownTool"];

/** Checks the names of arguments in the calls of tests. The values of the arguments are checked by the gate. */
export const rule = defineLaw({
  reports: [testUnknownArgument],
  check: ({ model }, report) => {
    for (const { steps } of model.tests) {
      for (const step of steps) {
        if (step.kind !== "call" || step.tool === undefined || UNREAD.includes(step.expect)) continue;
        if (step.node.arguments.kind !== "record") continue;
        const names = step.tool.method.description.params.map(({ name }) => name);
        for (const { name, span } of step.node.arguments.fields) {
          if (names.includes(name)) continue;
          const near = findNearest(name, names);
          const fix = near === undefined ? undefined : { span, replacement: near, guess: "name" as const };
          report(testUnknownArgument.at(span, { tool: step.tool.name, name, near }, { fix }));
        }
      }
    }
  },
});
