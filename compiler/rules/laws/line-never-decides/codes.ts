import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const lineNeverDecides = defineDiagnostic<{ line: string; mode: string; other: string; isDisplaced: boolean }>({
  code: "line-never-decides",
  severity: "error",
  say: ({ line, mode, other, isDisplaced }) =>
    `\`${line}\` never decides \`${mode}\`: whenever it matches, \`${other}\` ${isDisplaced ? "matches too and is more specific" : "matches too and is stricter"}`,
  because:
    "A rule with all conditions of another rule for the same pattern, and more, displaces that rule. The strictest of the remaining rules decides.",
  help: ({ mode, isDisplaced }) =>
    isDisplaced
      ? "leave one of the rules out, or correct its conditions"
      : `leave the rule out; if \`${mode}\` should be an exception from the other rule, add all conditions of the other rule to this rule`,
});

export const elseNeverReached = defineDiagnostic<{ mode: string; line: string; other: string }>({
  code: "else-never-reached",
  severity: "error",
  say: ({ mode, line }) => `\`else ${mode}\` is never reached: \`${line}\` decides all calls that meet no condition`,
  because: "A rule without a condition always matches, and `else` applies only if no rule for the pattern matches.",
  help: ({ other }) => `write \`else ${other}\`, or leave out the rule without a condition`,
});
