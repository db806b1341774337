import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const widensParent = defineDiagnostic<{ what: string; parent: string; has: string }>({
  code: "widens-parent",
  severity: "error",
  say: ({ what, parent, has }) => `${what} is wider than in \`${parent}\`, which has ${has}`,
  because:
    "A session that extends another only narrows it: whoever reads the parent knows the worst case of all below.",
  help: () => 'narrow it, or write it in `widen { … } because "…"`',
});
