import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const SESSION = (name: string, rest: string) =>
  `session ${name} { kind operator  models { auto canned }  permit { auto readOnly } ${rest} }`;
const DISK = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';
const KEY = 'principal alice { ssh "keys/alice.pub" }';

expectRefused("login-without-principal", {
  "a session with a login and without principals": renderFactsPage({ sessions: SESSION("operator", "«login key»") }),
  "a session with `login passphrase` whose principals have only keys": renderFactsPage({
    top: KEY,
    sessions: SESSION("operator", "principals alice  «login passphrase»"),
    rest: DISK,
  }),
  "a session with `login key` whose principals have only passphrases": renderFactsPage({
    top: 'principal alice { passphrase "alice" }',
    sessions: SESSION("operator", "principals alice  «login key»"),
  }),
  "a session with `login key` and two principals who have only passphrases": renderFactsPage({
    top: 'principal alice { passphrase "alice" }  principal bob { passphrase "bob" }',
    sessions: SESSION("operator", "principals alice, bob  «login key»"),
  }),
  "a session that inherits its login, at its name": renderFactsPage({
    sessions: `abstract session base { kind operator  login key  models { auto canned }  permit { auto readOnly } }
      session «operator» extends base {}`,
  }),
});

expectRefused("file-unreadable", {
  "an unreadable key, which counts as a key": renderFactsPage({
    top: 'principal alice { ssh «"keys/none.pub"» }',
    sessions: SESSION("operator", "principals alice  login key"),
  }),
});

expectRefused("wrong-word", {
  "an unknown kind of proof": renderFactsPage({
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
  "a session of a principal with a key": renderFactsPage({
    top: KEY,
    sessions: SESSION("operator", "principals alice  login key"),
  }),
  "a session of a principal with a passphrase": renderFactsPage({
    top: 'principal alice { passphrase "alice" }',
    sessions: SESSION("operator", "principals alice  login passphrase"),
    rest: DISK,
  }),
  "a session that is not booted": renderFactsPage({
    top: KEY,
    sessions: `${SESSION("operator", "")} ${SESSION("night", "principals alice  login key")}`,
  }),
  "an abstract session without principals, and one that adds them": renderFactsPage({
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
  "a principal that a syntax error hides": renderFactsPage({
    top: 'principa alice { ssh "keys/alice.pub" }',
    sessions: SESSION("operator", "principals alice  login key"),
  }),
});
