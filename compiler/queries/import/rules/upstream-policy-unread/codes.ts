import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const upstreamPolicyUnread = defineDiagnostic<{ what: string; why: string }>({
  code: "upstream-policy-unread",
  severity: "error",
  say: ({ what, why }) =>
    `the manifest's policy cannot become rules of a page: ${escapeInvisible(what)}: ${escapeInvisible(why)}`,
  because: "A page with another policy than the manifest would contain rules that are not enforced.",
  help: () => "use --without-tables for a page with the process graph and the accounts, which allows no call",
});
