import { defineDiagnostic } from "../../../lang/diagnostics/index.ts";

// Codes of checks that are not laws, because they concern the page as a whole.

export const tooLarge = defineDiagnostic<{ what: string; count: number; limit: number }>({
  code: "too-large",
  severity: "error",
  say: ({ what, count, limit }) => `the page has ${count} ${what}; at most ${limit} are compiled`,
  because: "Tables have to fit where the image keeps them, and no page that anybody reads comes near.",
});
