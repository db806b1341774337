import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const widensParent = defineDiagnostic<{ what: string; parent: string; has: string; widens: boolean }>({
  code: "widens-parent",
  severity: "error",
  say: ({ what, parent, has }) => `${what} is wider than in \`${parent}\`, which has ${has}`,
  because:
    "What extends a session, or is a task, phase or worker in it, only narrows: whoever reads it knows the worst case of all below.",
  help: ({ widens }) => (widens ? 'narrow it, or write it in `widen { … } because "…"`' : "narrow it, or leave it out"),
});
