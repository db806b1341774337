import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const consentTextShared = defineDiagnostic<{ first: string; second: string; text: string }>({
  code: "consent-text-shared",
  severity: "warning",
  say: ({ first, second, text }) => `\`${first}\` and \`${second}\` are both described as "${text}"`,
  because: "A person who is asked about one of them must be able to tell it from the other: they do different things.",
  help: () => 'say in the schema, or by `says "…"` on the page, what each of them does, or do not ask about both',
});

export const toolUndescribed = defineDiagnostic<{ tools: readonly string[] }>({
  code: "tool-undescribed",
  severity: "warning",
  say: ({ tools: [first = "", ...more] }) =>
    `no description for \`${first}\`${more.length === 0 ? "" : ` and ${more.length} more of its service`}`,
  because: "The model chooses tools by their descriptions, and a person who is asked about a call reads nothing else.",
  help: () => 'write a comment for the method in its schema, or `says "…"` for it on the page',
});
