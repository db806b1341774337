import { expect, test } from "vitest";
import { ALICE, compilePage, expectAccepted, expectRefused, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { readSshKey } from "./ssh-key.ts";

expectRefused("unknown-name", {
  "a category": renderFactsPage({ permit: "auto «readOnli»" }),
  "a backend": renderFactsPage({
    sessions: "session operator { kind operator models { auto «caned» } permit { auto readOnly } }",
  }),
  "a principal": renderFactsPage({
    sessions: "session operator { kind operator principals «alice» models { auto canned } permit { auto readOnly } }",
  }),
  "an interface": renderFactsPage({ services: "service notes : «Flies» { state 1 MiB }", permit: "auto *" }),
  "the interface of a pattern": renderFactsPage({ permit: "auto readOnly  consent «Flies».write" }),
  "the service of a pattern": renderFactsPage({ permit: "auto readOnly  consent «nots».write" }),
  "a base session": renderFactsPage({
    sessions: "session operator extends «operater» { kind operator models { auto canned } permit { auto readOnly } }",
  }),
  "a level": renderFactsPage({ services: "service notes : Files { state 1 MiB label «secrets» }" }),
  "an integrity level": renderFactsPage({ services: "service notes : Files { state 1 MiB label public/«revewed» }" }),
  "a compartment": renderFactsPage({ services: "service notes : Files { state 1 MiB label public:{«hr»} }" }),
  "the session that boots": renderFactsPage({
    rest: 'storage { disk "capos-data" }  image { target linux machine vm boot «operater» }',
  }),
  "a unit of a quota": renderFactsPage({ permit: "auto readOnly } quota { 3 «cals» per turn" }),
  "a profile without its module": renderFactsPage({
    sessions: "session operator from «profiles.operator» { models { auto canned } }",
  }),
  "the parent of a category": renderFactsPage({ top: "category vault : «destructiv»" }),
  "a name of a property that all JavaScript objects have": renderFactsPage({
    sessions: "session operator from «toString» { models { auto canned } }",
  }),
});

expectRefused("duplicate-name", {
  "two services": renderFactsPage({
    services: "service notes : Files { state 1 MiB } service «notes» : Files { state 1 MiB }",
  }),
  "two sessions": renderFactsPage({
    rest: `session «operator» { kind guest models { auto canned } permit { auto readOnly } }
           storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
  "a root category of the standard library": renderFactsPage({ top: "category «readOnly» : destructive" }),
  "two levels": renderFactsPage({ top: "confidentiality { public < «public» }" }),
  "facts of the standard library about an interface": renderFactsPage({
    top: "interface «Files» { method read : admin }",
  }),
});

expectRefused("duplicate-entry", {
  "two kinds": renderFactsPage({ permit: "auto readOnly } «kind guest» when unattended { atLeast consent readOnly" }),
  "two quotas with one unit and scope": renderFactsPage({
    permit: "auto readOnly } quota { 3 calls per turn «5 calls per turn»",
  }),
  "two timeouts with one scope": renderFactsPage({ permit: "auto readOnly } timeout { 3 s per call «5 s per call»" }),
  "a firmware twice": renderFactsPage({
    rest: 'storage { disk "a" }  image { target linux  machine vm  firmware uefi, bios, «uefi»  boot operator }',
  }),
  "two disks": renderFactsPage({
    rest: 'storage { disk "a" «disk "b"» }  image { target linux  machine vm  boot operator }',
  }),
});

expectRefused("declaration-cycle", {
  "a cycle of sessions": renderFactsPage({
    sessions: `abstract session a extends b {}  abstract session «b» extends a {}
               session operator { kind operator models { auto canned } permit { auto readOnly } }`,
  }),
  "a category that is its own parent": renderFactsPage({ top: "category «vault» : vault" }),
});

expectRefused("wrong-unit", {
  "a size": renderFactsPage({ services: "service notes : Files { state 1 «MB» }" }),
  "a time": renderFactsPage({ permit: "auto readOnly } timeout { 3 «seconds» per call" }),
});

expectRefused("wrong-amount", {
  nothing: renderFactsPage({ services: "service notes : Files { state «0» MiB }" }),
  "a negative amount": renderFactsPage({ permit: "auto readOnly } quota { «-3» calls per turn" }),
  "half a call": renderFactsPage({ permit: "auto readOnly } quota { «2.5» calls per turn" }),
  "an amount that is too large": renderFactsPage({ permit: "auto readOnly } timeout { «5000» h per call" }),
});

expectRefused("wrong-word", {
  "a kind": renderFactsPage({
    sessions: "session operator { kind «operatr» models { auto canned } permit { auto readOnly } }",
  }),
  "a scope": renderFactsPage({ permit: "auto readOnly } quota { 3 calls per «week»" }),
  "a function": renderFactsPage({
    permit: "auto readOnly consent Files.write where «length»(content) < 3 else forbidden",
  }),
  "a firmware": renderFactsPage({
    rest: 'storage { disk "capos-data" }  image { target linux  machine vm  firmware bios, «coreboot»  boot operator }',
  }),
  "a word instead of a memory size": renderFactsPage({
    rest: 'storage { disk "capos-data" }  image { target linux  machine vm  memory «much»  boot operator }',
  }),
  "a setting": renderFactsPage({
    rest: 'storage { disk "capos-data" «size» big }  image { target linux  machine vm  boot operator }',
  }),
});

expectRefused("wrong-case", {
  "a service with an upper-case name": renderFactsPage({ services: "service «Notes» : Files { state 1 MiB }" }),
});

expectRefused("no-system", {
  "two systems": `${renderFactsPage({})}\nsystem «other» { }`,
});

expectRefused("not-a-tool", {
  "a method that takes a capability": renderFactsPage({ top: "interface Shop { method «open» : readOnly }" }),
});

expectRefused("unknown-schema", {
  "facts about an unknown interface": renderFactsPage({ top: "interface «Ledgr» { method a : readOnly }" }),
});

const key = (text: string | Uint8Array) => ({ "/keys/wrong.pub": text });
const withKey = renderFactsPage({
  top: 'principal alice { ssh «"keys/wrong.pub"» }',
  sessions: "session operator { kind operator principals alice models { auto canned } permit { auto readOnly } }",
});
const [kind = "", blob = ""] = ALICE.split(" ");

expectRefused("wrong-key", { "an empty file": withKey }, key(""));
expectRefused("wrong-key", { "a private key": withKey }, key("-----BEGIN OPENSSH PRIVATE KEY-----\n"));
expectRefused("wrong-key", { "a key of another kind": withKey }, key("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAB me\n"));
expectRefused("wrong-key", { "two keys in one file": withKey }, key(`${ALICE}${ALICE}`));
expectRefused("wrong-key", { "a truncated key": withKey }, key(`${kind} ${blob.slice(0, 40)} alice\n`));
expectRefused(
  "wrong-key",
  { "a key whose bytes are of another kind": withKey },
  key(`sk-ssh-ed25519@openssh.com ${blob}\n`),
);

expectRefused(
  "wrong-key",
  { "a comment that ends with a carriage return, before a second key": withKey },
  key(`# not this one\r${ALICE.trim()}\n${ALICE}`),
);

test("a security key whose application is too long for the signature checker is refused", () => {
  expect(readSshKey(securityKey("s".repeat(1000)))).toMatchObject({ ok: false, reason: "it is too long for one key" });
});

test("a security key is accepted, and comments after keys are removed", () => {
  const line = securityKey("ssh:").toString();
  expect(readSshKey(Buffer.from(`${line} alice's key\n`))).toEqual({ ok: true, value: line });
});

function securityKey(application: string): Buffer {
  const name = "sk-ssh-ed25519@openssh.com";
  const fields = [name, Buffer.alloc(32), application].map((field) => {
    const bytes = Buffer.from(field);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  });
  return Buffer.from(`${name} ${Buffer.concat(fields).toString("base64")}`);
}

test("one typo in a name that other declarations use causes one message", async () => {
  const typos = [
    renderFactsPage({}).replace("service notes", "service : notes"),
    renderFactsPage({}).replace("notes : Files", "notes : Flies"),
    renderFactsPage({}).replace("session operator", "sesion operator"),
    renderFactsPage({}).replace("backend canned", "backnd canned"),
    renderFactsPage({}).replace("use std.tools", "use std.tolls"),
    renderFactsPage({}).replace("kind operator", "kind operater"),
    renderFactsPage({}).replace("auto canned", "auto cannd"),
    renderFactsPage({}).replace("auto readOnly", "auto readonly"),
    renderFactsPage({}).replace("permit {", "permit"),
    renderFactsPage({ top: 'use "./lost.cap"', permit: "auto readOnly  consent ledger.pay" }),
  ];
  for (const text of typos) {
    const { diagnostics } = await compilePage(text);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.map(({ code, message }) => `${code}: ${message}`)).toEqual([expect.any(String)]);
  }
});

test("a name that is unknown at several places is reported once, at the first place, with a list of the others and without a fix", async () => {
  const permit =
    "auto readOnly  consent drafts.read  consent drafts.write  stepUp drafts.list  forbidden drafts.delete";
  const services = "service drfts : Files { state 1 MiB }";
  const { diagnostics } = await compilePage(renderFactsPage({ services, permit }));
  expect(diagnostics).toHaveLength(1);
  expect(diagnostics[0]).toMatchObject({ help: "did you mean `drfts`?", related: [{ message: "here too" }, {}] });
  expect(diagnostics[0]?.fix).toBeUndefined();
  expect(diagnostics[0]?.related[1]?.message).toBe("here too, and in 1 more place");
});

test("a name with a look-alike letter causes one message, even if it is used elsewhere", async () => {
  const { diagnostics } = await compilePage(
    renderFactsPage({ services: "service n\u043etes : Files { state 1 MiB }", permit: "auto notes.read" }),
  );
  expect(diagnostics.map(({ code }) => code)).toEqual(["unknown-character"]);
});

test("a wrong word gets a fix with the nearest word, or only the list of words if no word is near", async () => {
  const [near] = (await compilePage(renderFactsPage({}).replace("kind operator", "kind oprator"))).diagnostics;
  expect(near).toMatchObject({ code: "wrong-word", fix: { replacement: "operator" } });
  expect(near?.help).toBe("did you mean `operator`? write one of operator, guest, anonymous, service");
  const [far] = (await compilePage(renderFactsPage({}).replace("kind operator", "kind zzz"))).diagnostics;
  expect(far).toMatchObject({ code: "wrong-word", help: "write one of operator, guest, anonymous, service" });
  expect(far?.fix).toBeUndefined();
});

test("a misspelt name gets a fix with the nearest name", async () => {
  const { diagnostics } = await compilePage(renderFactsPage({ permit: "auto readOnli" }));
  expect(diagnostics).toMatchObject([{ help: "did you mean `readOnly`?", fix: { replacement: "readOnly" } }]);
});

expectAccepted("names", {
  "an interface with its module as prefix": renderFactsPage({
    services: "service notes : tools.Files { state 1 MiB }",
  }),
  "a method of an interface with its module as prefix": renderFactsPage({
    permit: "auto readOnly  consent tools.Files.write",
  }),
  "a category within an interface": renderFactsPage({ permit: "auto readOnly in Files" }),
});
