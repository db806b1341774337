import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const releaseDead = defineDiagnostic<{ act: string; tool: string; why: string }>({
  code: "release-dead",
  severity: "error",
  say: ({ act, tool, why }) => `this \`${act}\` never lets anything out through \`${tool}\`: ${why}`,
  because: "A release that is never used looks like a border that is open, and hides the one that is meant.",
});
