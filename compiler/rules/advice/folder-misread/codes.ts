import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const folderMisread = defineDiagnostic<{ folder: string; why: string; instead: string }>({
  code: "folder-misread",
  severity: "warning",
  say: ({ folder, why }) => `\`under ${folder}\`: ${why}`,
  because: "A folder is compared name by name, as it is written: a line about another folder protects nothing.",
  help: ({ instead }) => instead,
});
