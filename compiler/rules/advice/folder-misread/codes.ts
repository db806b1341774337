import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const folderMisread = defineDiagnostic<{ folder: string; why: string; instead: string }>({
  code: "folder-misread",
  severity: "warning",
  say: ({ folder, why }) => `\`under ${folder}\`: ${why}`,
  because:
    "A folder is compared name by name and literally, so a rule with another spelling does not protect the folder.",
  help: ({ instead }) => instead,
});
