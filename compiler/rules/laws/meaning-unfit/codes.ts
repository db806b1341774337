import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const meaningUnfit = defineDiagnostic<{ argument: string; method: string; meaning: string; type: string }>({
  code: "meaning-unfit",
  severity: "error",
  say: ({ argument, method, meaning, type }) =>
    `\`${argument}\` of \`${method}\` is ${type}, which cannot be ${meaning}`,
  because: "A meaning that does not fit its argument is never used: a condition would compare something else.",
  help: () =>
    "leave the fact out, or let the schema have a text there; money is a decimal text, exact to the last digit",
});
