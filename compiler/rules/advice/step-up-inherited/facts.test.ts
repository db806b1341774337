import { advises, page } from "../../../dev/fixtures/facts.ts";

const END = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';
const PROFILE = { top: "use std.profiles", backends: "backend canned { stub  clearance secret }" };
const BASE =
  "abstract session base { kind operator  models { auto canned }  permit { auto readOnly  stepUp destructive } }";

advises("step-up-inherited", {
  "from a profile": page({
    ...PROFILE,
    sessions: "session «operator» from profiles.operator { models { auto canned } }",
  }),
  "from an abstract session of the page": page({ sessions: `${BASE} session «operator» from base {}` }),
  "by extension": page({ sessions: `${BASE} session «operator» extends base {}`, rest: END }),
  "the other half of a condition": page({
    sessions: `abstract session base { kind operator  models { auto canned }
                 permit { auto Files.write where path under "/a" else stepUp } }
               session «operator» from base {}`,
  }),
  "only a passphrase": page({
    top: 'principal alice { passphrase "alice" }',
    sessions: `${BASE} session «operator» from base { principals alice }`,
  }),
});

advises("step-up-inherited", {
  "with a key": page({
    ...PROFILE,
    top: 'use std.profiles  principal alice { ssh "keys/alice.pub" }',
    sessions: "session operator from profiles.operator { principals alice  models { auto canned } }",
  }),
  "what the session forbids": page({
    ...PROFILE,
    sessions: "session operator from profiles.operator { models { auto canned }  permit { forbidden destructive } }",
  }),
  "a tool that is suppressed": page({
    ...PROFILE,
    sessions: "session operator from profiles.operator { models { auto canned }  suppress destructive }",
  }),
  "no tool of that kind": page({
    ...PROFILE,
    services: "service clock : Clock {}",
    sessions: "session operator from profiles.operator { models { auto canned } }",
    rest: "image { target linux  machine vm  boot operator }",
  }),
});
