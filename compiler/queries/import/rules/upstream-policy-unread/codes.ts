import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const upstreamPolicyUnread = defineDiagnostic<{ what: string; why: string }>({
  code: "upstream-policy-unread",
  severity: "error",
  say: ({ what, why }) =>
    `the manifest's policy cannot become rules of a page: ${escapeInvisible(what)}: ${escapeInvisible(why)}`,
  because:
    "If the policy of the page differed from the policy of the manifest, the page would contain rules that are not enforced.",
  help: () => "use --without-tables: the page then has the processes and accounts of the manifest, and allows no call",
});
