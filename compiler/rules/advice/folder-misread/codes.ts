import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const folderMisread = defineDiagnostic<{ folder: string; why: string; instead: string }>({
  code: "folder-misread",
  severity: "warning",
  say: ({ folder, why }) => `\`under ${folder}\`: ${why}`,
  because: "Each name in the path is compared literally, so a rule with another spelling does not protect the folder.",
  help: ({ instead }) => instead,
});
