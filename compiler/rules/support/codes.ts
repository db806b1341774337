import { defineDiagnostic } from "../../../lang/diagnostics/index.ts";

// Defines codes of checks that are not laws, because they concern the whole page.

export const tooLarge = defineDiagnostic<{ what: string; count: number; limit: number }>({
  code: "too-large",
  severity: "error",
  say: ({ what, count, limit }) => `the page has ${count} ${what}; at most ${limit} are possible`,
  because: "The image has a fixed maximum size of policy tables, which is far above the size of a readable page.",
});
