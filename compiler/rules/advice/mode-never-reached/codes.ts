import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const modeNeverReached = defineDiagnostic<{ line: string; mode: string; other: string }>({
  code: "mode-never-reached",
  severity: "warning",
  say: ({ line, mode, other }) => `\`${line}\` never comes to \`${mode}\`: whenever it would, \`${other}\` is stricter`,
  because: "Of lines of one pattern the strictest decides each call: conditions are met together, and not one of them.",
  help: ({ mode }) => `leave one of the lines out, or write one condition that holds for all that is \`${mode}\``,
});
