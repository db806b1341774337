import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const consentTextShared = defineDiagnostic<{ first: string; second: string; text: string }>({
  code: "consent-text-shared",
  severity: "warning",
  say: ({ first, second, text }) => `\`${first}\` and \`${second}\` are both described as "${text}"`,
  because: "A person who approves a call must be able to distinguish the two tools, because they do different things.",
  help: () =>
    'describe each tool in the schema, or with `says "…"` on the page; or require approval for at most one of the two tools',
});

export const toolUndescribed = defineDiagnostic<{ tools: readonly string[] }>({
  code: "tool-undescribed",
  severity: "warning",
  say: ({ tools: [first = "", ...more] }) =>
    `there is no description of \`${first}\`${more.length === 0 ? "" : ` and ${more.length} more of its service`}`,
  because:
    "The model chooses tools by their descriptions, and a person who approves a call knows the tool only by its description.",
  help: () => 'write a comment above the method in its schema, or `says "…"` for the method on the page',
});
