import { defineDiagnostic } from "../../../lang/diagnostics/index.ts";

// Of checks that are no laws: they look at the page as a whole.

export const tooLarge = defineDiagnostic<{ what: string; count: number; limit: number }>({
  code: "too-large",
  severity: "error",
  say: ({ what, count, limit }) => `the page has ${count} ${what}; at most ${limit} are compiled`,
  because: "Tables have to fit where the image keeps them, and no page that anybody reads comes near.",
});
