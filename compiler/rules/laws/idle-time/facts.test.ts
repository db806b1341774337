import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const PLAIN = "kind operator  models { auto canned }  permit { auto readOnly }";
const KEY = 'principal alice { ssh "keys/alice.pub" }';
const CLOSED = "principals alice  login key";
const TASK = (limits: string) => `task mend in operator { only notes.list  timeout { ${limits} } }
  storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`;
const sessions = (of: string) => renderFactsPage({ top: KEY, sessions: of });

expectRefused("idle-without-login", {
  "a session without a login": sessions(`session operator { ${PLAIN}  timeout { «15 min per idle» } }`),
  "an idle time beside a time per login, without a login": sessions(
    `session operator { ${PLAIN}  timeout { 8 h per login  «15 min per idle» } }`,
  ),
  "an inherited idle time, at the name of the session without a login": sessions(
    `abstract session base { ${PLAIN}  timeout { 15 min per idle } }
     session «operator» extends base {}  session night extends base { ${CLOSED} }`,
  ),
  "a session that does not inherit the login of another one": sessions(
    `session base { ${PLAIN}  ${CLOSED}  timeout { 15 min per idle } }
     session operator { ${PLAIN}  timeout { «15 min per idle» } }`,
  ),
  "a task, reported once for all phases": renderFactsPage({
    sessions: `session operator { ${PLAIN} }`,
    rest: `task mend in operator { timeout { «5 min per idle» }  phase a { only notes.list }  phase b after consent { only notes.read } }
      storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
});

expectRefused("idle-after-login", {
  "a longer time than the time per login": sessions(
    `session operator { ${PLAIN}  ${CLOSED}  timeout { «16 min per idle»  15 min per login } }`,
  ),
  "the same": sessions(`session operator { ${PLAIN}  ${CLOSED}  timeout { «900 s per idle»  15 min per login } }`),
  "a longer time than an inherited time per login": sessions(
    `abstract session base { ${PLAIN}  timeout { 15 min per login } }
     session operator extends base { ${CLOSED}  timeout { «20 min per idle» } }`,
  ),
  "a task's": renderFactsPage({
    top: KEY,
    sessions: `session operator { ${PLAIN}  ${CLOSED}  timeout { 15 min per login } }`,
    rest: TASK("«15 min per idle»"),
  }),
});

expectRefused("widens-parent", {
  "a longer idle time in a session that extends another": sessions(
    `session base { ${PLAIN}  ${CLOSED}  timeout { 15 min per idle } }
     session operator extends base { timeout { «16 min per idle» } }`,
  ),
  "a longer idle time in a task": renderFactsPage({
    top: KEY,
    sessions: `session operator { ${PLAIN}  ${CLOSED}  timeout { 5 min per idle } }`,
    rest: TASK("«6 min per idle»"),
  }),
});

expectRefused("duplicate-entry", {
  "a second idle time": sessions(
    `session operator { ${PLAIN}  ${CLOSED}  timeout { 5 min per idle  «4 min per idle» } }`,
  ),
});

expectAccepted("idle-time, kept", {
  "an idle time behind a login": sessions(`session operator { ${PLAIN}  ${CLOSED}  timeout { 15 min per idle } }`),
  "one millisecond less than the time per login": sessions(
    `session operator { ${PLAIN}  ${CLOSED}  timeout { 899999 ms per idle  15 min per login } }`,
  ),
  "a parent's idle time behind a shorter time per login": sessions(
    `abstract session base { ${PLAIN}  timeout { 15 min per idle  30 min per login } }
     session operator extends base { ${CLOSED}  timeout { 10 min per login } }`,
  ),
  "a longer idle time of a session that uses the other one as defaults": sessions(
    `session base { ${PLAIN}  ${CLOSED}  timeout { 15 min per idle } }
     session operator from base { timeout { 16 min per idle } }`,
  ),
  "a shorter idle time in a task": renderFactsPage({
    top: KEY,
    sessions: `session operator { ${PLAIN}  ${CLOSED}  timeout { 5 min per idle } }`,
    rest: TASK("4 min per idle"),
  }),
});

const IDLE = `session operator { ${PLAIN}  timeout { 15 min per idle } }`;

expectUnsaid("idle-without-login", {
  "a syntax error in the page": sessions(`${IDLE} sessio`),
  "a syntax error in the session": sessions(IDLE.replace("timeout", "quot { 5 } timeout")),
});

expectRefused("idle-without-login", {
  "an inherited idle time, reported once for a session and its tasks": renderFactsPage({
    top: KEY,
    sessions: `abstract session base { ${PLAIN}  timeout { 15 min per idle } }  session «operator» extends base {}`,
    rest: `task a in operator { only notes.list }  task b in operator { only notes.read }
      storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
});
