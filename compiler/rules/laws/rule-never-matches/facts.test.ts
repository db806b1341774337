import { accepts, page, refuses } from "../../../dev/fixtures/facts.ts";

const END = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';

accepts("rule-never-matches, kept", {
  "a category is forbidden that no tool has": page({ permit: "auto readOnly  forbidden destructive, admin" }),
  "the same in a task and in a worker": page({
    rest: `task t in operator { permit { auto readOnly  forbidden admin } }
           worker w in operator { permit { auto readOnly  forbidden outboundNet in Files } } ${END}`,
  }),
});

refuses("rule-never-matches", {
  "a category that is asked for": page({ permit: "auto readOnly  consent «admin»" }),
  "a category that is forbidden under a condition": page({
    permit: 'auto readOnly  forbidden «admin» where path under "/a" else consent',
  }),
  "an interface that is forbidden": page({ permit: "auto readOnly  forbidden «Fetch.*»" }),
});

refuses("unknown-name", {
  "a category that is forbidden and misspelt": page({ permit: "auto readOnly  forbidden «destructiv»" }),
});
