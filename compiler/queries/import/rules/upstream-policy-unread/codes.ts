import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const upstreamPolicyUnread = defineDiagnostic<{ what: string; why: string }>({
  code: "upstream-policy-unread",
  severity: "error",
  say: ({ what, why }) => `the manifest's policy is not read back: ${escapeInvisible(what)}: ${escapeInvisible(why)}`,
  because: "A page with another policy than the manifest would state rules that do not hold.",
  help: () => "with --without-tables the page has the process graph and the accounts, and lets nobody call anything",
});
