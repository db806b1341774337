import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const upstreamUnsayable = defineDiagnostic<{ what: string; why: string; instead: string }>({
  code: "upstream-unsayable",
  severity: "error",
  say: ({ what, why }) => `\`${escapeInvisible(what)}\` has no counterpart on a page: ${escapeInvisible(why)}`,
  because: "A page without this part would describe another system than the manifest.",
  help: ({ instead }) => instead,
});
