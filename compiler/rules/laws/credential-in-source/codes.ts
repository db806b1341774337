import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const credentialInSource = defineDiagnostic<{ what: string }>({
  code: "credential-in-source",
  severity: "error",
  say: ({ what }) => `this looks like ${what}`,
  because:
    "Whoever can read the page, its history or an image could use it; the page holds references to secrets only.",
  help: () => "withdraw it where it was issued, seal its successor, and refer to that: `token vault.NAME`",
});
