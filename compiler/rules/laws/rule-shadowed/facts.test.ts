import { expectAccepted, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";

expectAccepted("rule-shadowed, kept", {
  "a method of several services, one of which is suppressed": renderFactsPage({
    services: "service notes : Files { state 1 MiB }  service drafts : Files { state 1 MiB }",
    permit: "auto readOnly  consent Files.write } suppress drafts.write quota { 5 calls per turn",
  }),
  "a line for all tools and one for a category that more specific lines cover": renderFactsPage({
    permit:
      "consent *  consent destructive  auto notes.read  auto notes.list  consent notes.write  forbidden notes.delete",
  }),
});

expectUnsaid("rule-shadowed", {
  "a syntax error in the page": renderFactsPage({
    services: "service notes : Files { state 1 MiB }  servic drafts : Files { state 1 MiB }",
    permit: "auto readOnly  consent Files.write  forbidden notes.write",
  }),
});
