import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const onlyRemovesNothing = defineDiagnostic<{ layer: string }>({
  code: "only-removes-nothing",
  severity: "error",
  say: ({ layer }) => `this \`only\` of \`${layer}\` removes no tool`,
  because: "A reader relies on this line, although it removes no tool.",
  help: () => "delete the `only` line, or name fewer tools",
});

export const suppressRemovesNothing = defineDiagnostic<{ pattern: string; layer: string }>({
  code: "suppress-removes-nothing",
  severity: "error",
  say: ({ pattern, layer }) => `\`${layer}\` has no tools of \`${pattern}\`, so this line removes none`,
  because: "A reader relies on this line, although it removes no tool.",
  help: () => "delete this pattern",
});
