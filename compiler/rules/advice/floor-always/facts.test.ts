import { expectAdvised, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const END = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';
const CLEARED = { backends: "backend canned { stub  clearance secret }" };
const session = (when: string, starts = "") =>
  renderFactsPage({
    ...CLEARED,
    sessions: `session operator { kind operator  clearance secret  ${starts}  models { auto canned }
                 permit { auto readOnly, mutatingLocal }  ${when} }`,
  });

expectAdvised("floor-always", {
  "a floor at the lowest level": session("when «confidentiality >= public» { atLeast consent mutatingLocal }"),
  "the one floor of two that covers all arguments": session(
    'when «confidentiality >= public» { atLeast consent mutatingLocal  atLeast forbidden notes.write where path under "/a" }',
  ),
  "a floor at the highest integrity": session("when «integrity <= system» { atLeast consent mutatingLocal }"),
  "a floor at the level where conversations start": session(
    "when «confidentiality >= internal» { atLeast consent mutatingLocal }",
    "starts internal/reviewed",
  ),
  "a floor at the integrity of the start": session("when «integrity <= reviewed» { atLeast consent mutatingLocal }"),
  "one message for a block": session(
    "when «confidentiality >= public» { atLeast consent mutatingLocal  atLeast consent readOnly }",
  ),
  "a floor in an abstract session": renderFactsPage({
    ...CLEARED,
    sessions: `abstract session base { kind operator  clearance secret  models { auto canned }
                 permit { auto readOnly, mutatingLocal }
                 when «confidentiality >= public» { atLeast consent mutatingLocal } }
               session operator extends base {}`,
  }),
  "a floor in a task": renderFactsPage({
    rest: `task t in operator { when «confidentiality >= public» { atLeast consent readOnly } } ${END}`,
  }),
});

expectAdvised("floor-always", {
  "floors that apply to some arguments only": session(
    'when confidentiality >= public { atLeast consent notes.write where path under "/a" }',
  ),
  "a floor at a higher level": session("when confidentiality >= internal { atLeast consent mutatingLocal }"),
  "a floor at a lower integrity": session("when integrity <= untrusted { atLeast consent mutatingLocal }"),
  "nobody there": session("when confidentiality >= public and unattended { atLeast consent mutatingLocal }"),
  "an always true condition joined with one that is not": session(
    "when confidentiality >= public and integrity <= untrusted { atLeast consent mutatingLocal }",
  ),
  "a start that an extending session may change": renderFactsPage({
    ...CLEARED,
    sessions: `abstract session base { kind operator  clearance secret  models { auto canned }
                 permit { auto readOnly, mutatingLocal }
                 when integrity <= reviewed { atLeast consent mutatingLocal } }
               session operator extends base {}`,
  }),
});
