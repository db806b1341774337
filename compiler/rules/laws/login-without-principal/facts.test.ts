import { accepts, page, refuses } from "../../../dev/fixtures/facts.ts";

const SESSION = (name: string, rest: string) =>
  `session ${name} { kind operator  models { auto canned }  permit { auto readOnly } ${rest} }`;
const DISK = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';
const KEY = 'principal alice { ssh "keys/alice.pub" }';

refuses("login-without-principal", {
  "a session that closes itself": page({ sessions: SESSION("operator", "«login key»") }),
  "a session whose principals have keys, and none a passphrase": page({
    top: KEY,
    sessions: SESSION("operator", "principals alice  «login passphrase»"),
    rest: DISK,
  }),
  "a session whose principals have passphrases, and none a key": page({
    top: 'principal alice { passphrase "alice" }',
    sessions: SESSION("operator", "principals alice  «login key»"),
  }),
  "a session that is closed by the one it is built on, at its name": page({
    sessions: `abstract session base { kind operator  login key  models { auto canned }  permit { auto readOnly } }
      session «operator» extends base {}`,
  }),
});

refuses("file-unreadable", {
  "a key that cannot be read counts as one": page({
    top: 'principal alice { ssh «"keys/none.pub"» }',
    sessions: SESSION("operator", "principals alice  login key"),
  }),
});

refuses("wrong-word", {
  "another proof than those there are": page({
    top: KEY,
    sessions: SESSION("operator", "principals alice  login «fingerprint»"),
  }),
});

refuses("duplicate-entry", {
  "a second login": page({ top: KEY, sessions: SESSION("operator", "principals alice  login key  «login key»") }),
});

accepts("login, kept", {
  "a session of a principal": page({ top: KEY, sessions: SESSION("operator", "principals alice  login key") }),
  "a session of a principal with a passphrase": page({
    top: 'principal alice { passphrase "alice" }',
    sessions: SESSION("operator", "principals alice  login passphrase"),
    rest: DISK,
  }),
  "one that is not booted": page({
    top: KEY,
    sessions: `${SESSION("operator", "")} ${SESSION("night", "principals alice  login key")}`,
  }),
  "an abstract one without principals, and one that brings them": page({
    top: KEY,
    sessions: `abstract session base { kind operator  login key  models { auto canned }  permit { auto readOnly } }
      session operator extends base { principals alice }`,
  }),
});
