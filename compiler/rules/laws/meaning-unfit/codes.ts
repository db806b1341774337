import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const meaningUnfit = defineDiagnostic<{ argument: string; method: string; meaning: string; type: string }>({
  code: "meaning-unfit",
  severity: "error",
  say: ({ argument, method, meaning, type }) =>
    `\`${argument}\` of \`${method}\` is ${type}, which cannot be ${meaning}`,
  because: "If a meaning does not fit its argument, a condition would compare the wrong values.",
  help: () =>
    "leave the meaning out, or declare the argument as a text in the schema; money is a text with a decimal number",
});
