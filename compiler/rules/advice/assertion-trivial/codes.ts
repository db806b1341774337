import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const assertionTrivial = defineDiagnostic<{ assertion: string }>({
  code: "assertion-trivial",
  severity: "warning",
  say: ({ assertion }) =>
    `\`${assertion}\` holds trivially: no data of the page has a label to which the assertion applies`,
  because: "A reader believes that the proof protects data, but no tool, session or ingress has such data.",
  help: () =>
    "give the label to the service that has the data, write the actual label of this service in the assertion, or delete the assertion",
});
