import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const namesAlike = defineDiagnostic<{ what: string; name: string; other: string }>({
  code: "names-alike",
  severity: "error",
  say: ({ what, name, other }) => `the ${what} \`${name}\` can be taken for \`${other}\``,
  because: "Whoever is asked about a call reads a name; two that look the same are one to them.",
  help: () => "give one of them another name; of an import, leave one of the tools out of the imported file",
});
