import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const sessionWithoutKind = defineDiagnostic<{ session: string }>({
  code: "session-without-kind",
  severity: "error",
  say: ({ session }) => `the session \`${session}\` has no kind`,
  because: "The kind of a session limits its rights, even if its rules allow more.",
  help: () => "write `kind operator` or `kind guest`, or extend a profile of `std.profiles`",
});

export const sessionWithoutModel = defineDiagnostic<{ session: string }>({
  code: "session-without-model",
  severity: "error",
  say: ({ session }) => `the session \`${session}\` has no backend`,
  because: "Without a model there is no agent, and messages get no answer.",
  help: () => "write `models { auto NAME }` with the name of a backend",
});

export const sessionWithoutTools = defineDiagnostic<{ session: string }>({
  code: "session-without-tools",
  severity: "error",
  say: ({ session }) => `no rule of the session \`${session}\` covers a tool`,
  because: "A tool without a rule never runs, so such a session could do nothing.",
  help: () => "write `permit { … }` with at least one rule, such as `auto readOnly`",
});

export const noSession = defineDiagnostic<Record<string, never>>({
  code: "no-session",
  severity: "error",
  say: () => "the page has no session that is not abstract",
  because: "An image without a session has no agent to start.",
  help: () => "write `session operator { … }`",
});
