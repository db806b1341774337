import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const namesAlike = defineDiagnostic<{ what: string; name: string; other: string }>({
  code: "names-alike",
  severity: "error",
  say: ({ what, name, other }) => `the ${what} \`${name}\` can be mistaken for \`${other}\``,
  because: "A person who approves a call reads its name, and cannot distinguish two names that look the same.",
  help: () => "rename one of them; for imported tools, remove one from the imported file",
});
