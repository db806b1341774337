import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const SESSION = (name: string, rest: string, before = "") =>
  `${before}session ${name} { kind operator  models { auto canned }  permit { auto readOnly } ${rest} }`;
const PARTS = {
  top: 'principal alice { ssh "keys/alice.pub"  passphrase "alice" }',
  services: "service machine : Status {}",
  permit: "auto readOnly",
};
const IMAGE = "image { target linux  machine vm  boot operator }";
const DISK = `storage { disk "capos-data" }  ${IMAGE}`;

expectRefused("passphrase-without-disk", {
  "a session without a disk": renderFactsPage({
    ...PARTS,
    sessions: SESSION("operator", "principals alice  «login passphrase»"),
    rest: IMAGE,
  }),
  "a login at its own line, even in a session that others extend": renderFactsPage({
    ...PARTS,
    sessions: `${SESSION("base", "«login passphrase»", "abstract ")} session operator extends base { principals alice }`,
    rest: IMAGE,
  }),
});

expectRefused("key-shared", {
  "one passphrase of two principals": renderFactsPage({
    top: 'principal alice { passphrase "ours" }  principal bob { «passphrase "ours"» }',
    rest: DISK,
  }),
});

expectRefused("principal-without-key", {
  "a passphrase without a name": renderFactsPage({ top: 'principal «alice» { passphrase "" }', rest: DISK }),
  "an unnamed passphrase beside a key, in a session that does not ask for the key": renderFactsPage({
    ...PARTS,
    top: 'principal «alice» { ssh "keys/alice.pub"  passphrase "" }',
    sessions: SESSION("operator", "principals alice  login passphrase"),
    rest: DISK,
  }),
});

expectRefused("duplicate-entry", {
  "a second passphrase": renderFactsPage({ top: 'principal alice { passphrase "a"  «passphrase "b"» }', rest: DISK }),
});

expectRefused("widens-parent", {
  "a passphrase in place of a key": renderFactsPage({
    ...PARTS,
    sessions: `${SESSION("base", "principals alice  login key", "abstract ")}
      session operator extends base { «login passphrase» }`,
    rest: DISK,
  }),
});

expectAccepted("passphrase-on-disk, kept", {
  "a session with a disk": renderFactsPage({
    ...PARTS,
    sessions: SESSION("operator", "principals alice  login passphrase"),
    rest: DISK,
  }),
  "a key without a disk": renderFactsPage({
    ...PARTS,
    sessions: SESSION("operator", "principals alice  login key"),
    rest: IMAGE,
  }),
  "a key in place of a passphrase": renderFactsPage({
    ...PARTS,
    sessions: `${SESSION("base", "principals alice  login passphrase", "abstract ")}
      session operator extends base { login key }`,
    rest: DISK,
  }),
});
