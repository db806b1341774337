import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const END = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';

expectAccepted("rule-never-matches, kept", {
  "a category is forbidden that no tool has": renderFactsPage({
    permit: "auto readOnly  forbidden destructive, admin",
  }),
  "the same in a task and in a worker": renderFactsPage({
    rest: `task t in operator { permit { auto readOnly  forbidden admin } }
           worker w in operator { permit { auto readOnly  forbidden outboundNet in Files } } ${END}`,
  }),
});

expectRefused("rule-never-matches", {
  "a category that is asked for": renderFactsPage({ permit: "auto readOnly  consent «admin»" }),
  "a category that is forbidden under a condition": renderFactsPage({
    permit: 'auto readOnly  forbidden «admin» where path under "/a" else consent',
  }),
  "an interface that is forbidden": renderFactsPage({ permit: "auto readOnly  forbidden «Fetch.*»" }),
});

expectRefused("unknown-name", {
  "a category that is forbidden and misspelt": renderFactsPage({ permit: "auto readOnly  forbidden «destructiv»" }),
});

expectUnsaid("rule-never-matches", {
  "where what it is about may have been lost": renderFactsPage({
    services: "service notes : Files { state 1 MiB }  servic web : Fetch {}",
    permit: "auto readOnly  consent outboundNet",
  }),
});
