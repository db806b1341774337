import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const SESSION = (name: string, rest: string) =>
  `session ${name} { kind operator  models { auto canned }  permit { auto readOnly } ${rest} }`;
const DISK = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';
const KEY = 'principal alice { ssh "keys/alice.pub" }';

expectRefused("login-without-principal", {
  "a session that closes itself": renderFactsPage({ sessions: SESSION("operator", "«login key»") }),
  "a session whose principals have keys, and none a passphrase": renderFactsPage({
    top: KEY,
    sessions: SESSION("operator", "principals alice  «login passphrase»"),
    rest: DISK,
  }),
  "a session whose principals have passphrases, and none a key": renderFactsPage({
    top: 'principal alice { passphrase "alice" }',
    sessions: SESSION("operator", "principals alice  «login key»"),
  }),
  "a session of which one principal has both, and another the wrong one": renderFactsPage({
    top: 'principal alice { passphrase "alice" }  principal bob { passphrase "bob" }',
    sessions: SESSION("operator", "principals alice, bob  «login key»"),
  }),
  "a session that is closed by the one it is built on, at its name": renderFactsPage({
    sessions: `abstract session base { kind operator  login key  models { auto canned }  permit { auto readOnly } }
      session «operator» extends base {}`,
  }),
});

expectRefused("file-unreadable", {
  "a key that cannot be read counts as one": renderFactsPage({
    top: 'principal alice { ssh «"keys/none.pub"» }',
    sessions: SESSION("operator", "principals alice  login key"),
  }),
});

expectRefused("wrong-word", {
  "another proof than those there are": renderFactsPage({
    top: KEY,
    sessions: SESSION("operator", "principals alice  login «fingerprint»"),
  }),
});

expectRefused("duplicate-entry", {
  "a second login": renderFactsPage({
    top: KEY,
    sessions: SESSION("operator", "principals alice  login key  «login key»"),
  }),
});

expectAccepted("login, kept", {
  "a session of a principal": renderFactsPage({
    top: KEY,
    sessions: SESSION("operator", "principals alice  login key"),
  }),
  "a session of a principal with a passphrase": renderFactsPage({
    top: 'principal alice { passphrase "alice" }',
    sessions: SESSION("operator", "principals alice  login passphrase"),
    rest: DISK,
  }),
  "one that is not booted": renderFactsPage({
    top: KEY,
    sessions: `${SESSION("operator", "")} ${SESSION("night", "principals alice  login key")}`,
  }),
  "an abstract one without principals, and one that brings them": renderFactsPage({
    top: KEY,
    sessions: `abstract session base { kind operator  login key  models { auto canned }  permit { auto readOnly } }
      session operator extends base { principals alice }`,
  }),
});

expectAccepted("login-without-principal, kept", {
  "a principal with a key and a passphrase": renderFactsPage({
    top: 'principal alice { ssh "keys/alice.pub"  passphrase "alice" }',
    sessions: `${SESSION("operator", "principals alice  login passphrase")} ${SESSION("night", "principals alice  login key")}`,
  }),
});

expectUnsaid("login-without-principal", {
  "where the principal was lost": renderFactsPage({
    top: 'principa alice { ssh "keys/alice.pub" }',
    sessions: SESSION("operator", "principals alice  login key"),
  }),
});
