import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const namesAlike = defineDiagnostic<{ what: string; name: string; other: string }>({
  code: "names-alike",
  severity: "error",
  say: ({ what, name, other }) => `the ${what} \`${name}\` can be taken for \`${other}\``,
  because: "A person who is asked about a call reads a name, and cannot tell two names apart that look the same.",
  help: () => "give one of them another name; of an import, leave one of the tools out of the imported file",
});
