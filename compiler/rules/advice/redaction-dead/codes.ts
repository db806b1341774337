import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const redactionWithoutBackend = defineDiagnostic<{ name: string; label: string }>({
  code: "redaction-without-backend",
  severity: "warning",
  say: ({ name, label }) => `the redaction \`${name}\` masks nothing: every backend is cleared for ${label}`,
  because: "A redaction applies only to backends that are not cleared for its label.",
  help: () =>
    "write a higher label for the redaction, or a lower `clearance` for the backend that must not receive the text",
});

export const redactionRepeated = defineDiagnostic<{ name: string; what: string; by: string }>({
  code: "redaction-repeated",
  severity: "warning",
  say: ({ name, what, by }) => `the redaction \`${name}\` has no effect for ${what}: ${by}`,
  because: "A redaction that repeats another has no effect, and is easily forgotten when the other redaction changes.",
  help: () => "delete the redaction",
});
