import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const SESSION =
  "session operator { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal } }";
const INHERITED = '«inherit» Files.write where path under "/a" else forbidden';
const line = INHERITED.replace(/[«»]/g, "");

expectRefused("misplaced-inherit", {
  "a session that does not extend another one": renderFactsPage({ permit: `auto readOnly  ${INHERITED}` }),
  "a session that uses another one as defaults": renderFactsPage({
    sessions: `${SESSION} session night from operator { permit { ${INHERITED} } }`,
  }),
  "an abstract session": renderFactsPage({
    sessions: `${SESSION} abstract session base { kind operator  models { auto canned }  permit { ${INHERITED} } }
      session night extends base {}`,
  }),
});

expectAccepted("misplaced-inherit, kept", {
  "a task": renderFactsPage({ sessions: `${SESSION} task file in operator { permit { ${line} } }` }),
  "a phase": renderFactsPage({ sessions: `${SESSION} task file in operator { phase only { permit { ${line} } } }` }),
  "a session that extends another one": renderFactsPage({
    sessions: `${SESSION} session night extends operator { permit { ${line} } }`,
  }),
});

expectRefused("widens-parent", {
  "a tool without a line in the session": renderFactsPage({
    sessions: `${SESSION} task file in operator { permit { inherit «Files.delete» where path under "/a" else forbidden } }`,
  }),
});

expectRefused("syntax", {
  "a line without a condition, which would change nothing": renderFactsPage({
    sessions: `${SESSION} task file in operator { permit { inherit Files.write «}» }`,
  }),
  "a line of a widening": renderFactsPage({
    sessions: `${SESSION} session night extends operator { widen { «inherit» Files.write where path under "/a" else forbidden } because "x" }`,
  }),
});
