import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const quotaUnreachable = defineDiagnostic<{ quota: string; why: string }>({
  code: "quota-unreachable",
  severity: "error",
  say: ({ quota, why }) => `\`${quota}\` is never used up: ${why}`,
  because: "A limit that cannot be reached limits nothing, and a reader of the page counts on it.",
  help: () => "leave it out, or write a smaller amount",
});
