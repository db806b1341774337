import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const releaseDead = defineDiagnostic<{ act: string; tool: string; why: string }>({
  code: "release-dead",
  severity: "error",
  say: ({ act, tool, why }) => `this \`${act}\` never releases data through \`${tool}\`: ${why}`,
  because: "A release without effect suggests that data can flow here, and may hide a mistake in another release.",
});
