import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const credentialInSource = defineDiagnostic<{ what: string }>({
  code: "credential-in-source",
  severity: "error",
  say: ({ what }) => `this looks like ${what}`,
  because:
    "Every reader of the page, its history or an image could use the secret. A page may only contain references to secrets.",
  help: () => "revoke the secret where it was issued, seal a new one, and refer to it: `token vault.NAME`",
});
