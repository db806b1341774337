import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const replyWithoutTool = defineDiagnostic<{
  file: string;
  tool: string;
  more: number;
  near: string | undefined;
}>({
  code: "reply-without-tool",
  severity: "warning",
  say: ({ file, tool, more }) =>
    more === 0
      ? `\`${file}\` calls \`${tool}\`, which is not a tool of the page`
      : `\`${file}\` calls \`${tool}\` and ${more} more that are not tools of the page`,
  because: "Every session refuses such a call, so a conversation cannot continue as these replies state.",
  help: ({ near }) =>
    `write ${near === undefined ? "the name of a tool" : `\`${near}\``}, or add a reply for the outcome \`unknownTool\` if the call is intended`,
});

export const replyWithoutField = defineDiagnostic<{
  file: string;
  placeholder: string;
  tool: string;
  fields: readonly string[];
  more: number;
}>({
  code: "reply-without-field",
  severity: "warning",
  say: ({ file, placeholder, tool, more }) =>
    more === 0
      ? `\`${file}\` writes \`{${placeholder}}\`, but no result of \`${tool}\` has this field`
      : `\`${file}\` writes \`{${placeholder}}\` and ${more} more that no result of its tool has; this one is for \`${tool}\``,
  because: "The stub leaves such a placeholder as it is, so a person reads the braces.",
  help: ({ fields }) =>
    fields.length === 0
      ? "remove the braces, because the result has no fields"
      : `write ${fields.map((field) => `\`{${field}}\``).join(" or ")}`,
});

export const repliesMalformed = defineDiagnostic<{ file: string; fault: string }>({
  code: "replies-malformed",
  severity: "warning",
  say: ({ file, fault }) => `\`${file}\` cannot be used as replies: ${fault}`,
  because: "The process of the backend ends at its start, so sessions with this backend get no answers.",
  help: () =>
    'write a list of replies, such as `[{ "when": { "user": "Hello." }, "say": "Hello." }]`; `capc explain replies-malformed` describes the format',
});
