import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const credentialInSource = defineDiagnostic<{ what: string }>({
  code: "credential-in-source",
  severity: "error",
  say: ({ what }) => `this looks like ${what}`,
  because: "Every reader of the page, its history or an image could use it; a page holds only references to secrets.",
  help: () => "withdraw it where it was issued, seal its successor, and refer to that: `token vault.NAME`",
});
