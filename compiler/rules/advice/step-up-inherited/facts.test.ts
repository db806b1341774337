import { expectAdvised, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const END = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';
const PROFILE = { top: "use std.profiles", backends: "backend canned { stub  clearance secret }" };
const BASE =
  "abstract session base { kind operator  models { auto canned }  permit { auto readOnly  stepUp destructive } }";

expectAdvised("step-up-inherited", {
  "a step-up line of a profile": renderFactsPage({
    ...PROFILE,
    sessions: "session «operator» from profiles.operator { models { auto canned } }",
  }),
  "a step-up line of an abstract session of the page": renderFactsPage({
    sessions: `${BASE} session «operator» from base {}`,
  }),
  "by extension": renderFactsPage({ sessions: `${BASE} session «operator» extends base {}`, rest: END }),
  "a condition whose `else` is step-up": renderFactsPage({
    sessions: `abstract session base { kind operator  models { auto canned }
                 permit { auto Files.write where path under "/a" else stepUp } }
               session «operator» from base {}`,
  }),
  "a principal with only a passphrase": renderFactsPage({
    top: 'principal alice { passphrase "alice" }',
    sessions: `${BASE} session «operator» from base { principals alice }`,
  }),
});

expectAdvised("step-up-inherited", {
  "a principal with a key": renderFactsPage({
    ...PROFILE,
    top: 'use std.profiles  principal alice { ssh "keys/alice.pub" }',
    sessions: "session operator from profiles.operator { principals alice  models { auto canned } }",
  }),
  "a tool that the session forbids": renderFactsPage({
    ...PROFILE,
    sessions: "session operator from profiles.operator { models { auto canned }  permit { forbidden destructive } }",
  }),
  "a tool that is suppressed": renderFactsPage({
    ...PROFILE,
    sessions: "session operator from profiles.operator { models { auto canned }  suppress destructive }",
  }),
  "a category without tools": renderFactsPage({
    ...PROFILE,
    services: "service clock : Clock {}",
    sessions: "session operator from profiles.operator { models { auto canned } }",
    rest: "image { target linux  machine vm  boot operator }",
  }),
});
