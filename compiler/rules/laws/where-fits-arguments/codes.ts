import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const whereUnknownArgument = defineDiagnostic<{ tool: string; name: string; near: string | undefined }>({
  code: "where-unknown-argument",
  severity: "error",
  say: ({ tool, name }) => `\`${tool}\` has no argument \`${name}\``,
  because: "A condition on a missing argument can never be evaluated, and the strictest mode would always apply.",
  help: ({ near }) => (near === undefined ? undefined : `did you mean \`${near}\`?`),
});

export const whereWrongType = defineDiagnostic<{ tool: string; check: string; why: string; instead: string }>({
  code: "where-wrong-type",
  severity: "error",
  say: ({ tool, check, why }) => `\`${check}\` does not fit \`${tool}\`: ${why}`,
  because:
    "A condition must fit the types in the schema of the arguments. Otherwise it would compare different kinds of values.",
  help: ({ instead }) => instead,
});
