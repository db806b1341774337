import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const testUnknownArgument = defineDiagnostic<{ tool: string; name: string; near: string | undefined }>({
  code: "test-unknown-argument",
  severity: "error",
  say: ({ tool, name }) => `\`${tool}\` has no argument \`${name}\``,
  because:
    "The gate refuses a call with an unknown argument as `invalidArguments`, so the step would not test the rules of the page.",
  help: ({ near }) =>
    near === undefined ? "leave the argument out, or expect `invalidArguments`" : `did you mean \`${near}\`?`,
});
