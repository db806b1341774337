import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const widensParent = defineDiagnostic<{ what: string; parent: string; has: string; widens: boolean }>({
  code: "widens-parent",
  severity: "error",
  say: ({ what, parent, has }) => `${what} is wider than in \`${parent}\`, which has ${has}`,
  because:
    "Tasks, phases, workers and extending sessions can only narrow. So the base shows the most that they can allow.",
  help: ({ widens }) => (widens ? 'narrow it, or write it in `widen { … } because "…"`' : "narrow it, or leave it out"),
});
