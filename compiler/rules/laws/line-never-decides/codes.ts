import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const lineNeverDecides = defineDiagnostic<{ line: string; mode: string; other: string; isDisplaced: boolean }>({
  code: "line-never-decides",
  severity: "error",
  say: ({ line, mode, other, isDisplaced }) =>
    `\`${line}\` never comes to \`${mode}\`: whenever it matches, \`${other}\` ${isDisplaced ? "matches too and is more specific" : "matches too and is stricter"}`,
  because:
    "A line that has all conditions of another line of its pattern, and more, displaces it. The strictest of the remaining lines decides.",
  help: ({ mode, isDisplaced }) =>
    isDisplaced
      ? "leave one of the lines out, or correct its conditions"
      : `leave the line out, or give it all conditions of the other line beside its own, if \`${mode}\` is meant as an exception`,
});

export const elseNeverReached = defineDiagnostic<{ mode: string; line: string; other: string }>({
  code: "else-never-reached",
  severity: "error",
  say: ({ mode, line }) => `\`else ${mode}\` is never reached: \`${line}\` decides whatever no condition matches`,
  because: "A line without a condition always matches, and `else` counts only if no line of the pattern matches.",
  help: ({ other }) => `write \`else ${other}\`, or leave the line without a condition out`,
});
