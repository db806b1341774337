import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const END = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';

expectAccepted("rule-never-matches, kept", {
  "a forbidden category without tools": renderFactsPage({
    permit: "auto readOnly  forbidden destructive, admin",
  }),
  "a forbidden category without tools in a task and in a worker": renderFactsPage({
    rest: `task t in operator { permit { auto readOnly  forbidden admin } }
           worker w in operator { permit { auto readOnly  forbidden outboundNet in Files } } ${END}`,
  }),
});

expectRefused("rule-never-matches", {
  "a category without tools behind consent": renderFactsPage({ permit: "auto readOnly  consent «admin»" }),
  "a category without tools that is forbidden under a condition": renderFactsPage({
    permit: 'auto readOnly  forbidden «admin» where path under "/a" else consent',
  }),
  "a forbidden interface without a service": renderFactsPage({ permit: "auto readOnly  forbidden «Fetch.*»" }),
});

expectRefused("unknown-name", {
  "a misspelt category that is forbidden": renderFactsPage({ permit: "auto readOnly  forbidden «destructiv»" }),
});

expectUnsaid("rule-never-matches", {
  "a tool that a syntax error may hide": renderFactsPage({
    services: "service notes : Files { state 1 MiB }  servic web : Fetch {}",
    permit: "auto readOnly  consent outboundNet",
  }),
});
