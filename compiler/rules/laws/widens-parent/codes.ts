import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const widensParent = defineDiagnostic<{ what: string; parent: string; has: string; widens: boolean }>({
  code: "widens-parent",
  severity: "error",
  say: ({ what, parent, has }) => `${what} is wider than in \`${parent}\`, which has ${has}`,
  because:
    "A session that extends another one, a task, a phase and a worker only narrow: a reader of the session knows the worst case.",
  help: ({ widens }) => (widens ? 'narrow it, or write it in `widen { … } because "…"`' : "narrow it, or leave it out"),
});
