import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const onlyRemovesNothing = defineDiagnostic<{ session: string }>({
  code: "only-removes-nothing",
  severity: "error",
  say: ({ session }) => `this \`only\` leaves every tool of the session \`${session}\` where it is`,
  because: "A line that narrows nothing looks as if it kept something out.",
  help: () => "leave it out, or name fewer tools",
});

export const suppressRemovesNothing = defineDiagnostic<{ pattern: string; session: string }>({
  code: "suppress-removes-nothing",
  severity: "error",
  say: ({ pattern, session }) => `the tools of \`${pattern}\` do not exist in the session \`${session}\` anyway`,
  because: "A line that narrows nothing looks as if it kept something out.",
  help: () => "leave it out",
});
