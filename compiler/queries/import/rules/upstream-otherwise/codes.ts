import { defineDiagnostic, visible } from "../../../../../lang/diagnostics/index.ts";

export const upstreamOtherwise = defineDiagnostic<{ what: string; why: string }>({
  code: "upstream-otherwise",
  severity: "warning",
  say: ({ what, why }) => `\`${visible(what)}\`: ${visible(why)}`,
  because:
    "The page builds a manifest that upstream takes for the same, and not the same bytes: this was chosen, or is different.",
});
