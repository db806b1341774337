import { accepts, page, refuses } from "../../../testing/facts.ts";

const SESSION = (name: string, rest: string) =>
  `session ${name} { kind operator  models { auto canned }  permit { auto readOnly } ${rest} }`;
const KEY = 'principal alice { ssh "keys/alice.pub" }';

refuses("login-without-principal", {
  "a session that closes itself": page({ sessions: SESSION("operator", "«login key»") }),
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
