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
  "the lowest level": session("when «confidentiality >= public» { atLeast consent mutatingLocal }"),
  "one floor of two about all arguments": session(
    'when «confidentiality >= public» { atLeast consent mutatingLocal  atLeast forbidden notes.write where path under "/a" }',
  ),
  "the highest integrity": session("when «integrity <= system» { atLeast consent mutatingLocal }"),
  "what conversations start with": session(
    "when «confidentiality >= internal» { atLeast consent mutatingLocal }",
    "starts internal/reviewed",
  ),
  "the integrity of a start": session("when «integrity <= reviewed» { atLeast consent mutatingLocal }"),
  "once for a block": session(
    "when «confidentiality >= public» { atLeast consent mutatingLocal  atLeast consent readOnly }",
  ),
  "in an abstract session": renderFactsPage({
    ...CLEARED,
    sessions: `abstract session base { kind operator  clearance secret  models { auto canned }
                 permit { auto readOnly, mutatingLocal }
                 when «confidentiality >= public» { atLeast consent mutatingLocal } }
               session operator extends base {}`,
  }),
  "in a task": renderFactsPage({
    rest: `task t in operator { when «confidentiality >= public» { atLeast consent readOnly } } ${END}`,
  }),
});

expectAdvised("floor-always", {
  "floors about some arguments alone": session(
    'when confidentiality >= public { atLeast consent notes.write where path under "/a" }',
  ),
  "a higher level": session("when confidentiality >= internal { atLeast consent mutatingLocal }"),
  "a lower integrity": session("when integrity <= untrusted { atLeast consent mutatingLocal }"),
  "nobody there": session("when confidentiality >= public and unattended { atLeast consent mutatingLocal }"),
  "joined with what is not always so": session(
    "when confidentiality >= public and integrity <= untrusted { atLeast consent mutatingLocal }",
  ),
  "a start that others may have otherwise": renderFactsPage({
    ...CLEARED,
    sessions: `abstract session base { kind operator  clearance secret  models { auto canned }
                 permit { auto readOnly, mutatingLocal }
                 when integrity <= reviewed { atLeast consent mutatingLocal } }
               session operator extends base {}`,
  }),
});
