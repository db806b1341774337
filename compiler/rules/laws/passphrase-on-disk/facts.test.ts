import { accepts, page, refuses } from "../../../dev/fixtures/facts.ts";

const SESSION = (name: string, rest: string, before = "") =>
  `${before}session ${name} { kind operator  models { auto canned }  permit { auto readOnly } ${rest} }`;
const PARTS = {
  top: 'principal alice { ssh "keys/alice.pub"  passphrase "alice" }',
  services: "service machine : Status {}",
  permit: "auto readOnly",
};
const IMAGE = "image { target linux  machine vm  boot operator }";
const DISK = `storage { disk "capos-data" }  ${IMAGE}`;

refuses("passphrase-without-disk", {
  "a session without a disk": page({
    ...PARTS,
    sessions: SESSION("operator", "principals alice  «login passphrase»"),
    rest: IMAGE,
  }),
  "where it is written, which may be a session that others are built on": page({
    ...PARTS,
    sessions: `${SESSION("base", "«login passphrase»", "abstract ")} session operator extends base { principals alice }`,
    rest: IMAGE,
  }),
});

refuses("key-shared", {
  "one passphrase of two people": page({
    top: 'principal alice { passphrase "ours" }  principal bob { «passphrase "ours"» }',
    rest: DISK,
  }),
});

refuses("principal-without-key", {
  "a passphrase without a name": page({ top: 'principal «alice» { passphrase "" }', rest: DISK }),
  "the same beside a key, which the session does not ask for": page({
    ...PARTS,
    top: 'principal «alice» { ssh "keys/alice.pub"  passphrase "" }',
    sessions: SESSION("operator", "principals alice  login passphrase"),
    rest: DISK,
  }),
});

refuses("duplicate-entry", {
  "a second passphrase": page({ top: 'principal alice { passphrase "a"  «passphrase "b"» }', rest: DISK }),
});

refuses("widens-parent", {
  "a passphrase in place of a key": page({
    ...PARTS,
    sessions: `${SESSION("base", "principals alice  login key", "abstract ")}
      session operator extends base { «login passphrase» }`,
    rest: DISK,
  }),
});

accepts("passphrase-on-disk, kept", {
  "a session with a disk": page({
    ...PARTS,
    sessions: SESSION("operator", "principals alice  login passphrase"),
    rest: DISK,
  }),
  "a key without a disk": page({ ...PARTS, sessions: SESSION("operator", "principals alice  login key"), rest: IMAGE }),
  "a key in place of a passphrase": page({
    ...PARTS,
    sessions: `${SESSION("base", "principals alice  login passphrase", "abstract ")}
      session operator extends base { login key }`,
    rest: DISK,
  }),
});
