import { defineDiagnostic } from "../../lang/diagnostics/index.ts";

// Of checks that are no laws: they look at the page as a whole.

export const tooLarge = defineDiagnostic<{ what: string; count: number; limit: number }>({
  code: "too-large",
  severity: "error",
  say: ({ what, count, limit }) => `the page has ${count} ${what}; at most ${limit} are compiled`,
  because: "Tables have to fit where the image keeps them, and no page that anybody reads comes near.",
});

export const notProved = defineDiagnostic<{ assertions: number; waivers: number }>({
  code: "not-proved",
  severity: "warning",
  say: ({ assertions, waivers }) => {
    const asserted = `${assertions} ${assertions === 1 ? "assertion was" : "assertions were"} not proved`;
    return waivers === 0 ? asserted : `${asserted}, and \`waive\` takes back what nothing has proved`;
  },
  because: "This compiler reads assertions and cannot decide them yet: the page may do what they say it never does.",
  help: () => 'rehearse what they are about with `test "…" { … }` until they are proved',
});
