import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const sessionWithoutKind = defineDiagnostic<{ session: string }>({
  code: "session-without-kind",
  severity: "error",
  say: ({ session }) => `the session \`${session}\` has no kind`,
  because: "The kind decides what a session may never do, whatever its lines say.",
  help: () => "write `kind operator` or `kind guest`, or build it on a profile of `std.profiles`",
});

export const sessionWithoutModel = defineDiagnostic<{ session: string }>({
  code: "session-without-model",
  severity: "error",
  say: ({ session }) => `no backend answers in the session \`${session}\``,
  because: "Without a model there is no agent, only a prompt that nothing answers.",
  help: () => "write `models { auto NAME }` with the name of a backend",
});

export const sessionWithoutTools = defineDiagnostic<{ session: string }>({
  code: "session-without-tools",
  severity: "error",
  say: ({ session }) => `no line of the session \`${session}\` covers any tool`,
  because: "A tool without a line never runs: such a session could do nothing at all.",
  help: () => "write `permit { … }` with at least one line, such as `auto readOnly`",
});

export const noSession = defineDiagnostic<Record<string, never>>({
  code: "no-session",
  severity: "error",
  say: () => "the page has no session that anybody could be in",
  because: "An image without a session boots to nothing.",
  help: () => "write `session operator { … }`",
});
