import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const redactionWithoutBackend = defineDiagnostic<{ name: string; label: string }>({
  code: "redaction-without-backend",
  severity: "warning",
  say: ({ name, label }) => `the redaction \`${name}\` masks nothing: every backend is cleared for ${label}`,
  because: "A redaction applies to backends that its label may not flow to, and there is none.",
  help: () => "write a higher label, or a lower `clearance` for the backend that must not hear it",
});

export const redactionRepeated = defineDiagnostic<{ name: string; what: string; by: string }>({
  code: "redaction-repeated",
  severity: "warning",
  say: ({ name, what, by }) => `the redaction \`${name}\` masks ${what} for nobody new: ${by}`,
  because:
    "A second line about the same text suggests that it does something, and is forgotten when the first one changes.",
  help: () => "take it out",
});
