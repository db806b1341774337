import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const sourceNeverAuto = defineDiagnostic<{ check: string }>({
  code: "source-never-auto",
  severity: "warning",
  say: ({ check }) => `\`${check}\` has only weak sources, so its rule decides \`consent\` and never \`auto\``,
  because:
    "An outsider may have filled such a field, and an outsider's words must not make a call run without approval.",
  help: () =>
    "write `consent`, add the source `person`, or write `strong METHOD.FIELD` in the service if only the owner of the field can fill it",
});

export const sourceUnreachable = defineDiagnostic<{ source: string; tool: string }>({
  code: "source-unreachable",
  severity: "warning",
  say: ({ source, tool }) => `\`${source}\` is never read: no session may call \`${tool}\``,
  because: "No conversation reads data from this source, so the source can never make the condition hold.",
  help: () => "let a session call the tool, or remove the source",
});

export const strongUnsound = defineDiagnostic<{ field: string; fault: string }>({
  code: "strong-unsound",
  severity: "warning",
  say: ({ field, fault }) => `\`${field}\` is declared \`strong\`, but ${fault}`,
  because:
    "Values of a strong field can make a call `auto`, so a person who can fill the field chooses which calls run without approval.",
  help: () => "remove `strong`, or change the page so that only the owner can fill the field",
});
