import { defineDiagnostic, visible } from "../../../../lang/diagnostics/index.ts";

export const upstreamOtherwise = defineDiagnostic<{ what: string; why: string }>({
  code: "upstream-otherwise",
  severity: "warning",
  say: ({ what, why }) => `\`${visible(what)}\`: ${visible(why)}`,
  because:
    "The page builds an equal manifest; whoever goes on with it should know what was chosen, and what is not the same.",
});
