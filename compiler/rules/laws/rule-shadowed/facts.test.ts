import { expectAccepted, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";

expectAccepted("rule-shadowed, kept", {
  "a method of all services, one of which is suppressed": renderFactsPage({
    services: "service notes : Files { state 1 MiB }  service drafts : Files { state 1 MiB }",
    permit: "auto readOnly  consent Files.write } suppress drafts.write quota { 5 calls per turn",
  }),
  "a line for everything, and a category, where others say it better": renderFactsPage({
    permit:
      "consent *  consent destructive  auto notes.read  auto notes.list  consent notes.write  forbidden notes.delete",
  }),
});

expectUnsaid("rule-shadowed", {
  "where part of the page was lost": renderFactsPage({
    services: "service notes : Files { state 1 MiB }  servic drafts : Files { state 1 MiB }",
    permit: "auto readOnly  consent Files.write  forbidden notes.write",
  }),
});
