// Tests the recorded names of a page. Editors use them to jump to a declaration and to rename it.

import { expect, test } from "vitest";
import { SCHEMA_HEAD } from "../../dev/fixtures/imports.ts";
import { type BoundPage, boundPage } from "./testing/bound.ts";

const PAGE = `system sample version "1.0.0" {
  use std.tools
  use std.profiles
  confidentiality { public < secret }
  integrity { low < high }
  compartments { hr, finance }
  category vault : destructive
  interface Board { method post : vault  arg line is text  returns public .. secret:{hr}/high  sends secret }
  principal alice { ssh "keys/alice.pub" }
  model smol { weights "smol.gguf" }
  backend canned { stub  model smol  clearance secret:{finance}  quota { 3 vault calls per day } }
  backend other { stub  embedder smol }
  service board : Board { label secret }
  service notes : tools.Files { state 1 MiB  grant board  grant Logs  grant kernel.console }
  service plans : ActionPlans { grant operator }
  session operator extends base { principals alice  models { auto canned  consent other }
    permit { auto vault  consent notes.read  stepUp board.*  forbidden Files.write  auto Logs.*  auto readOnly in Files }
    when confidentiality >= secret and integrity <= low and compartment hr { atLeast consent vault }
    widen { auto vault } because "x" }
  abstract session base from profiles.operator {}
  task triage in operator { phase look { only readOnly } }
  worker digest in operator.triage { only readOnly }
  worker more in triage { only readOnly }
  ingress desk : console into operator label public
  redact cards label secret { matches "####"  from notes.read.content }
  declassify notes.read from secret to public by consent for operator because "x"
  waive trifecta for base because "x"
  assert never flow secret to canned for operator
  assert never flow secret to notes
  assert never flow secret to Files
  test "t" { as operator.triage  enter look expect ok  infer canned expect auto
    call notes.read { path: "a" } returning secret expect auto  as operator  enter look expect ok }
  storage { disk "d" }
  image { target linux  machine vm  boot operator }
}
`;

/**
 * Returns a text for each name in a part of the page, with the kind and the id of what it names. Examples: `vault is
 * category vault`, and `vault declares category vault` for a declaration.
 */
function namingsOf({ text, namings }: BoundPage, part: string): readonly string[] {
  const start = text.indexOf(part);
  expect(start).toBeGreaterThanOrEqual(0);
  return namings
    .filter(({ span }) => span.start >= start && span.end <= start + part.length)
    .map(
      ({ span, what, id, declares }) =>
        `${text.slice(span.start, span.end)} ${declares ? "declares" : "is"} ${what} ${id}`,
    );
}

test.each<[string, readonly string[]]>([
  [
    "confidentiality { public < secret }",
    ["public declares confidentiality level public", "secret declares confidentiality level secret"],
  ],
  ["integrity { low < high }", ["low declares integrity level low", "high declares integrity level high"]],
  ["compartments { hr, finance }", ["hr declares compartment hr", "finance declares compartment finance"]],
  ["category vault : destructive", ["vault declares category vault", "destructive is category destructive"]],
  [
    "interface Board { method post : vault",
    [
      "Board declares interface Board",
      "post declares method of Board post",
      "post is method of Board post",
      "vault is category vault",
    ],
  ],
  ["arg line is text", ["line is argument of post line"]],
  [
    "returns public .. secret:{hr}/high  sends secret",
    [
      "public is confidentiality level public",
      "secret is confidentiality level secret",
      "hr is compartment hr",
      "high is integrity level high",
      "secret is confidentiality level secret",
    ],
  ],
  ["principal alice", ["alice declares principal alice"]],
  ["model smol {", ["smol declares model smol"]],
  [
    "backend canned { stub  model smol  clearance secret:{finance}  quota { 3 vault calls per day } }",
    [
      "canned declares backend canned",
      "smol is model smol",
      "secret is confidentiality level secret",
      "finance is compartment finance",
      "vault is category vault",
    ],
  ],
  ["embedder smol", ["smol is model smol"]],
  ["service board : Board", ["board declares service board", "Board is interface Board"]],
  ["service notes : tools.Files", ["notes declares service notes", "Files is interface Files"]],
  [
    "grant board  grant Logs  grant kernel.console",
    ["board is service board", "Logs is interface Logs", "console is kernel source console"],
  ],
  ["grant operator", ["operator is session operator"]],
  ["session operator extends base", ["operator declares session operator", "base is session base"]],
  [
    "principals alice  models { auto canned  consent other }",
    ["alice is principal alice", "canned is backend canned", "other is backend other"],
  ],
  [
    "permit { auto vault  consent notes.read  stepUp board.*",
    ["vault is category vault", "notes is service notes", "read is method of Files read", "board is service board"],
  ],
  [
    "forbidden Files.write  auto Logs.*  auto readOnly in Files",
    [
      "Files is interface Files",
      "write is method of Files write",
      "Logs is interface Logs",
      "readOnly is category readOnly",
      "Files is interface Files",
    ],
  ],
  [
    "when confidentiality >= secret and integrity <= low and compartment hr { atLeast consent vault }",
    [
      "secret is confidentiality level secret",
      "low is integrity level low",
      "hr is compartment hr",
      "vault is category vault",
    ],
  ],
  [
    "abstract session base from profiles.operator",
    ["base declares session base", "profiles.operator is session profiles.operator"],
  ],
  [
    "task triage in operator { phase look { only readOnly } }",
    [
      "triage declares task operator.triage",
      "operator is session operator",
      "look declares phase of operator.triage look",
      "readOnly is category readOnly",
    ],
  ],
  [
    "worker digest in operator.triage {",
    ["digest declares worker digest", "operator is session operator", "triage is task operator.triage"],
  ],
  ["worker more in triage {", ["more declares worker more", "triage is task operator.triage"]],
  [
    'redact cards label secret { matches "####"  from notes.read.content }',
    [
      "cards declares redaction cards",
      "secret is confidentiality level secret",
      "notes is service notes",
      "read is method of Files read",
    ],
  ],
  [
    "ingress desk : console into operator label public",
    ["desk declares ingress desk", "operator is session operator", "public is confidentiality level public"],
  ],
  [
    "declassify notes.read from secret to public by consent for operator",
    [
      "notes is service notes",
      "read is method of Files read",
      "secret is confidentiality level secret",
      "public is confidentiality level public",
      "operator is session operator",
    ],
  ],
  ["waive trifecta for base", ["base is session base"]],
  [
    "assert never flow secret to canned for operator",
    ["secret is confidentiality level secret", "canned is backend canned", "operator is session operator"],
  ],
  ["flow secret to notes", ["secret is confidentiality level secret", "notes is service notes"]],
  ["flow secret to Files", ["secret is confidentiality level secret", "Files is interface Files"]],
  [
    "as operator.triage  enter look expect ok  infer canned expect auto",
    [
      "operator is session operator",
      "triage is task operator.triage",
      "look is phase of operator.triage look",
      "canned is backend canned",
    ],
  ],
  [
    `call notes.read { path: "a" } returning secret`,
    ["notes is service notes", "read is method of Files read", "secret is confidentiality level secret"],
  ],
  // Outside of a task, it is unknown which task the phase belongs to.
  ["as operator  enter look", ["operator is session operator"]],
  ["boot operator", ["operator is session operator"]],
])("%s", async (part, namings) => {
  expect(namingsOf(await boundPage(PAGE), part)).toEqual(namings);
});

test("the sample page has no findings, and every name that it uses is declared", async () => {
  const { findings, namings } = await boundPage(PAGE);
  expect(findings).toEqual([]);
  const declared = new Set(namings.filter(({ declares }) => declares).map(({ what, id }) => `${what} ${id}`));
  const elsewhere = /^(?:method of|argument of|kernel source|interface|category|session profiles)/;
  const used = namings.map(({ what, id }) => `${what} ${id}`).filter((name) => !elsewhere.test(name));
  expect(used.filter((name) => !declared.has(name))).toEqual([]);
});

test("names of a module's sessions begin with the module's name", async () => {
  const { library } = await boundPage(PAGE);
  const sessions = library.filter(({ what }) => what === "session");
  expect(sessions.every(({ declares, id }) => declares && id.startsWith("profiles."))).toBe(true);
  expect(sessions.map(({ id }) => id)).toContain("profiles.operator");
  expect(
    sessions.map(({ span: { source, start, end }, id }) => `profiles.${source.text.slice(start, end)}` === id),
  ).not.toContain(false);
});

test("the name of an import is recorded where it stands before a dot, and names inside its schema are not recorded", async () => {
  const schema = `interface Ledger { balance @0 () -> () $Capos.category("readOnly"); pay @1 () -> (); }`;
  const page = await boundPage(
    `system s version "1.0.0" {
  use std.tools
  use capnp "ledger.capnp" as ledger
  interface ledger.Ledger { method pay : destructive }
  service books : ledger.Ledger {}
  service more : Ledger {}
  session o { permit { auto ledger.Ledger.pay  consent ledger.*  stepUp Ledger.balance } }
}`,
    { "/ledger.capnp": `${SCHEMA_HEAD} ${schema}` },
  );
  const saidOf = (part: string) => namingsOf(page, part);
  expect(saidOf(`"ledger.capnp" as ledger`)).toEqual(["ledger declares import ledger"]);
  expect(saidOf("interface ledger.Ledger { method pay : destructive }")).toEqual([
    "ledger.Ledger declares interface ledger.Ledger",
    "ledger is import ledger",
    "pay declares method of ledger.Ledger pay",
    "pay is method of ledger.Ledger pay",
    "destructive is category destructive",
  ]);
  expect(saidOf("service books : ledger.Ledger")).toEqual([
    "books declares service books",
    "ledger is import ledger",
    "Ledger is interface ledger.Ledger",
  ]);
  expect(saidOf("service more : Ledger")).toEqual(["more declares service more", "Ledger is interface ledger.Ledger"]);
  expect(saidOf("permit { auto ledger.Ledger.pay  consent ledger.*  stepUp Ledger.balance }")).toEqual([
    "ledger is import ledger",
    "Ledger is interface ledger.Ledger",
    "pay is method of ledger.Ledger pay",
    "ledger is import ledger",
    "Ledger is interface ledger.Ledger",
    "balance is method of ledger.Ledger balance",
  ]);
});
