import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const sourceNeverAuto = defineDiagnostic<{ check: string }>({
  code: "source-never-auto",
  severity: "warning",
  say: ({ check }) => `\`${check}\` has weak sources alone: the line says \`consent\`, and never \`auto\``,
  because: "An outsider may have filled such a field, and their words must not let a call run without a question.",
  help: () =>
    "write `consent`, add `person`, or write `strong METHOD.FIELD` in the service if nobody but its owner fills the field",
});

export const sourceUnreachable = defineDiagnostic<{ source: string; tool: string }>({
  code: "source-unreachable",
  severity: "warning",
  say: ({ source, tool }) => `\`${source}\` is never read: no session may call \`${tool}\``,
  because: "A source that no conversation reads never makes the condition hold.",
  help: () => "let a session call the tool, or take the source out",
});

export const strongUnsound = defineDiagnostic<{ field: string; fault: string }>({
  code: "strong-unsound",
  severity: "warning",
  say: ({ field, fault }) => `\`${field}\` is called strong, and ${fault}`,
  because:
    "Values of a strong field lower a gate to `auto`: a person who can fill the field chooses what runs unasked.",
  help: () => "take `strong` back, or let nobody but the owner write there",
});
