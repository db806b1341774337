import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const upstreamOtherwise = defineDiagnostic<{ what: string; why: string }>({
  code: "upstream-otherwise",
  severity: "warning",
  say: ({ what, why }) => `\`${escapeInvisible(what)}\`: ${escapeInvisible(why)}`,
  because:
    "The page builds a manifest that upstream takes for the same, and not the same bytes: this was chosen, or is different.",
});
