import { expect, test } from "vitest";
import { indexTables, renderDecisionMatrix } from "../engine/lib/policy/index.ts";
import { encodeGguf } from "../engine/lib/weights/testing/gguf-writer.ts";
import { PolicyTables } from "../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../engine/lib/wire/index.ts";
import { type Diagnostic, isError } from "../lang/diagnostics/index.ts";
import { CONTEXTUAL, parse, RESERVED, scan } from "../lang/grammar/index.ts";
import { createSourceText, type Span } from "../lang/text/index.ts";
import { findReadbackDifference } from "./artefacts/readback/verify.ts";
import { compile, type Purpose } from "./compile.ts";
import { ALICE, BOB } from "./dev/fixtures/facts.ts";
import { testSurroundings } from "./dev/fixtures/surroundings.ts";
import { createMemoryHost } from "./phases/source/index.ts";
import { runTests } from "./queries/page-tests/index.ts";

// Tests one valid page with every construct of the grammar, except imports, which have their own tests. Each construct
// must have an effect on the tables, or cause a finding if the image does not support it yet.

/** The header of weights as the page describes them. */
const WEIGHTS = encodeGguf({
  entries: [
    ["general.architecture", { kind: "text", value: "llama" }],
    ["llama.context_length", { kind: "u32", value: 4096 }],
    ["tokenizer.ggml.tokens", { kind: "texts", value: ["<|im_start|>", "<|im_end|>"] }],
  ],
  tensors: [{ name: "t", dimensions: [256], type: 12, bytes: new Uint8Array(144) }],
});

const PAGE = `/// A shop that asks before it buys.
system shop version "2.1.0" {
  use std.tools
  use std.profiles
  use "./people.cap"

  confidentiality { public < internal < secret }
  integrity       { untrusted < reviewed < system }
  compartments    { finance, hr }
  category payments : destructive
  let partners = ["shop.example", "till.example"]

  interface Shop {
    method buy : payments  arg price is money EUR  arg from is url  returns internal .. secret:{finance}/untrusted
                           redact "card"  truncate 4 KiB  says "Buys it."
  }
  interface Board { method post : outboundNet  arg line is text  sends internal  method wipe : admin }

  interface Mail { method send : outboundNet }

  model   smol     { weights "smol.gguf"  arch llama  quantisation q4_k_m  context 4096 tokens  tools true  accept 85 percent }
  backend canned   { stub "replies.json"  embedder smol  clearance secret:{finance, hr} }
  model   mini     { served "gpt-4o-mini"  context 128k tokens  tools true  price 0.15 USD, 0.60 USD }
  backend local    { cpu  model smol  threads 2  memory 512 MiB  clearance secret:{finance, hr} }
  backend fast     { gpu  model smol  clearance secret:{finance, hr} }
  backend frontier { remote openai "https://llm.example.net"  model mini  token vault.frontier  clearance internal  log required
                     quota { 5.25 USD per day } }
  backend page     { browser openai "https://b.example.net"  clearance public }

  service notes : Files { state 16 MiB  label secret:{hr}/reviewed }
  service open  : Files { state 1 MiB   label public/reviewed .. internal  strong read.content }
  service till  : Shop  { label internal/reviewed .. secret:{finance} }
  service mail  : Mail  { label internal/reviewed }
  service board : Board { label internal  grant HttpEndpoint scope "https://board.example", "POST" }

  session operator from profiles.operator {
    kind operator
    principals alice
    login key
    starts internal/reviewed
    clearance secret:{finance, hr}
    models { stepUp fast  consent local  auto canned }
    permit {
      consent   open.write where path under "/in" and size(content) <= 64 KiB else forbidden because "the inbox alone"
      stepUp    Shop.buy where price <= 100.00 EUR and origin(from) in ["https://shop.example"] else forbidden
      forbidden board.wipe
      consent   Board.post where line from person, open.read(path from person).content[title == "x"] else stepUp
      consent   mail.send where every(domain(recipients)) under "shop.example" and every(domain(cc)) in partners and subject startsWith "Re: " and subject matches "*#" and date(reply) > "2026-01-01" else forbidden
      forbidden mail.send where not has(reply) and some(cc) endsWith "@example.com" or absent and count(urls(body)) > 3 else consent
      stepUp    payments
    }
    suppress notes.delete
    remember conversation
    when integrity <= untrusted and compartment finance { atLeast stepUp mutatingLocal, outboundNet }
    when integrity <= untrusted { atLeast stepUp notes.write where path under "/a" atLeast forbidden notes.write where size(content) > 1000 }
    when confidentiality >= secret and unattended { atLeast forbidden Board.post }
    quota   { 200k tokens per conversation  40 calls per turn  10 destructive calls per login  12 prompts per hour
              5.00 EUR per principal  1 MiB per day  8 calls per task }
    timeout { 5 s per call  90 s per turn  30 min per login  15 min per idle }
  }

  abstract session watch { kind guest  clearance internal  models { auto canned }  permit { consent readOnly }
    quota { 9 calls per turn } }
  session visitor extends watch {
    only readOnly, Board.*
    widen { auto open.read  clearance secret:{hr}  quota { 20 calls per turn } } because "CHG-1" until "2027-01-31"
  }
  session far { kind anonymous  requires task  models { consent frontier  consent page  auto canned }  permit { auto readOnly in Files } }

  /// What a person starts on purpose.
  task triage in operator {
    phase look               { only readOnly  permit { consent open.read } }
    phase mend after consent { only notes.*, open.*  permit { inherit notes.write where path under "/b" else forbidden }  quota { 3 prompts per task } }
    quota { 30 calls per conversation }
    declassify notes.write from secret:{finance, hr} to secret:{hr} by consent because "triage files what it found"
    remember turn
    timeout { 2 s per call }
  }
  task glance in far { only Files.read }
  task buy(from: text, most: money EUR, size: number, until: date, wait: duration, room: size) in operator {
    permit { stepUp Shop.buy where price <= task.most and origin(from) == task.from else forbidden
             consent open.write where path under task.from and size(content) <= task.room else forbidden
             stepUp Board.post where date(line) < task.until and size(line) <= task.size else forbidden }
    when integrity <= untrusted { atLeast forbidden Board.post where duration(line) < task.wait }
  }
  worker digest in operator { only readOnly }
  worker reader in triage   { permit { consent readOnly } }
  redact cards label internal:{finance} { matches "#### #### #### ####", "sk-*"  from till.buy.card  arg till.buy.from }
  ingress desk : mail "ops@example.net" into triage label internal/untrusted
  ingress nightly : timer "0 3 * * *" in "Europe/Berlin" missed once says "Triage the night's mail." into triage label public/untrusted
  declassify open.write from secret:{finance, hr} to internal by stepUp for operator because "the report is published"
  endorse notes.write from secret:{finance, hr}/untrusted to secret/reviewed by consent because "a person has read it"
  waive trifecta for visitor because "CHG-9: reviewed by hand"
  waive guest-local for far because "CHG-9: only what is public is read there"

  assert never flow secret to frontier without releases
  assert never call outboundNet ungated for visitor
  assert never call destructive directly for visitor
  assert always stepUp destructive directly for operator
  assert always stepUp payments for operator
  assert limit 12 prompts per hour for triage
  assert never trifecta

  test "what was read of people leaves by a release alone" {
    as operator
    say "read it"
    paste "that"
    call notes.read { path: "/a" } returning secret:{hr}/reviewed giving { content: "x" } expect auto
    call open.write { path: "/in/a", content: "x" } expect stepUp
    call open.write { path: "/out", content: "x" } expect forbidden
    infer fast answer yes expect ok
    as operator.buy(from: "https://shop.example", most: 10 EUR, size: 3, until: "2027-01-01", wait: 5 min, room: 1 KiB)
    as triage unattended
    enter mend answer yes expect consent
  }

  storage { disk "capos-data"  encrypt passphrase }
  network { address dhcp }
  image   { target linux  machine vm  console serial  firmware bios, uefi  memory 4 GiB  boot operator }
  audit   { digests above internal:{finance}  keep until exported }
}`;
/**
 * Keywords that the page does not contain. Imports and programs need files and have other tests, and no construct of
 * the page accepts `false` or `null`.
 */
const LEFT_OUT = ["false", "null", "capnp", "exec", "mcp", "program", "shipped"];

/** Constructs of the page that have no effect, because another construct says the same or more. */
const SAID_AGAIN = [
  // Constructs without an effect: the default, the standard library or the profile of the page already states the same.
  "confidentiality { public < internal < secret }",
  "integrity       { untrusted < reviewed < system }",
  "arg line is text",
  "clearance public",
  "kind operator",
  "console serial",
  "firmware bios, uefi",
  // A `widen` block replaces this clearance by another one.
  "clearance internal",
  // The header of the weights states the same architecture and quantisation. The other settings are only in plans of
  // local backends, and this page gets no such plans, because a build of it has errors.
  "arch llama",
  "quantisation q4_k_m",
  "tools true",
  "threads 2",
  "memory 512 MiB",
];
const PEOPLE = 'principal alice { ssh "alice.pub"  passkey "phone"  passphrase "argon2id" }';

async function compiled(purpose: Purpose, page = PAGE) {
  const files = {
    "/system.cap": page,
    "/people.cap": PEOPLE,
    "/alice.pub": ALICE,
    "/bob.pub": BOB,
    "/replies.json": "[]",
    "/smol.gguf": WEIGHTS,
  };
  return await compile(createMemoryHost(files, "2026-01-01"), "/system.cap", { ...testSurroundings, purpose });
}

async function made() {
  const { policy, origins, model, diagnostics } = await compiled("check");
  expect(diagnostics.filter(isError).map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  if (policy === undefined || origins === undefined || model === undefined) throw new Error("neither error nor policy");
  return { policy, origins, model };
}

test("every construct is bound and lowered, and the tables are consistent", async () => {
  const { tables } = (await made()).policy;
  const indexed = indexTables(tables);
  expect(indexed.ok ? "" : indexed.reason).toBe("");
  const rows = tables.rows.map(({ session, task, phase, worker }) => [session, task, phase, worker].join("/"));
  expect(rows).toEqual([
    "far///",
    "far/glance//",
    "operator///",
    "operator///digest",
    "operator/buy//",
    "operator/buy//digest",
    "operator/triage/look/",
    "operator/triage/look/digest",
    "operator/triage/look/reader",
    "operator/triage/mend/",
    "operator/triage/mend/digest",
    "operator/triage/mend/reader",
    "visitor///",
  ]);
  expect(tables.backends.map(({ name, kind, local, quotas }) => [name, kind, local, quotas.length])).toEqual([
    ["canned", "stub", true, 0],
    ["fast", "gpu", true, 0],
    ["frontier", "remote", false, 1],
    ["local", "cpu", true, 0],
    ["page", "browser", false, 0],
  ]);
  expect(tables.redactions).toEqual([
    {
      name: "cards",
      label: { confidentiality: 1, integrity: 2, compartments: 1n },
      patterns: ["#### #### #### ####", "sk-*"],
      results: [{ tool: "till.buy", name: "card" }],
      arguments: [{ tool: "till.buy", name: "from" }],
    },
  ]);
  expect([tables.releases.length, tables.ingresses.length, tables.principals.length]).toEqual([3, 2, 1]);
  expect(indexed.ok && renderDecisionMatrix(indexed.value)).toHaveLength(1 + rows.length * tables.tools.length);
});

test("a decoder that shares no code with the encoder reads back the same tables", async () => {
  const { tables } = (await made()).policy;
  expect(findReadbackDifference("PolicyTables", tables, encodeMessage(PolicyTables, tables))).toBeUndefined();
});

test("the tests of the page pass", async () => {
  const { policy, origins, model } = await made();
  expect(runTests(policy, origins, model).results.flatMap(({ failures }) => failures)).toEqual([]);
});

test("a build of the page is refused for exactly the constructs that the image cannot enforce", async () => {
  const { policy, diagnostics } = await compiled("build");
  expect(policy).toBeUndefined();
  const errors = diagnostics.filter(isError);
  expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["not-enforced-yet"]));
  const words = errors.map(({ message }) => message.replace(/^the image cannot enforce (.*) yet$/, "$1"));
  expect([...new Set(words)].sort()).toEqual([
    "`accept` of a model",
    "`passkey`",
    "a `browser` backend",
    "a `gpu` backend",
    "a grant of an interface to a service",
    "a quota of `EUR` without prices in it",
    "a worker",
    "an ingress",
  ]);
});

test("the page has every word of the language", () => {
  const { tokens } = scan(createSourceText("/system.cap", PAGE + PEOPLE));
  const kinds = new Set(Array.from({ length: tokens.count }, (_, index) => tokens.getKind(index)));
  expect(
    [...RESERVED, ...CONTEXTUAL].filter((word) => !kinds.has(word)),
    "words that PAGE does not use",
  ).toEqual(LEFT_OUT);
});

/** Returns the spans of all elements of lists in a tree: declarations, their members and their rules. */
function findListed(node: unknown): Span[] {
  if (Array.isArray(node)) return node.flatMap((each) => [...(hasSpan(each) ? [each.span] : []), ...findListed(each)]);
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => (key === "span" ? [] : findListed(value)));
}

function hasSpan(node: unknown): node is { readonly span: Span } {
  return typeof node === "object" && node !== null && "span" in node;
}

/** Returns the policy of a page, with its findings, tests and proofs, as text. */
async function checkedResultOf(page: string): Promise<string> {
  const { policy, model, proofs, diagnostics, advice } = await compiled("check", page);
  const tests = model?.tests.map(({ title, steps }) => [title, steps.length]);
  const proved = proofs?.results.map(({ claim, verdict }) => [claim.kind, verdict]);
  const waived = proofs?.waived.map(({ session, reason }) => [session, reason]);
  return JSON.stringify([policy, findingsOf([...diagnostics, ...advice]), tests, proved, waived], (_, value) =>
    typeof value === "bigint" ? `${value}` : value,
  );
}

/** Returns the findings of a build of a page as text. */
async function builtResultOf(page: string): Promise<string> {
  return JSON.stringify(findingsOf((await compiled("build", page)).diagnostics));
}

const findingsOf = (found: readonly Diagnostic[]) => found.map(({ code, message }) => [code, message]);

test("each construct of the page, except the listed redundant ones, changes the policy, the findings or the proofs of the page", async () => {
  const { tree } = await parse(createSourceText("/system.cap", PAGE));
  const [checked, built] = [await checkedResultOf(PAGE), await builtResultOf(PAGE)];
  const meaningless: string[] = [];
  const listed = findListed(tree.items);
  expect(listed.length).toBeGreaterThan(200);
  for (const { start, end } of listed) {
    // Replacing the construct with blanks keeps the positions of everything else.
    const page = `${PAGE.slice(0, start)}${PAGE.slice(start, end).replace(/[^\n]/g, " ")}${PAGE.slice(end)}`;
    if ((await checkedResultOf(page)) === checked && (await builtResultOf(page)) === built)
      meaningless.push(PAGE.slice(start, end));
  }
  expect(meaningless.toSorted()).toEqual(SAID_AGAIN.toSorted());
});

/** Pages with one typo each: a word of at least four letters, outside of texts and comments, lacks its third letter. */
const SLIPS = [...PAGE.matchAll(/"[^"\n]*"|\/\/.*|(?<![\w.])[A-Za-z_][\w-]{3,}/g)]
  .filter(([word]) => /^\w/.test(word))
  .map(
    ({ 0: word, index }) =>
      PAGE.slice(0, index + 2) + PAGE.slice(index + 3, index + word.length) + PAGE.slice(index + word.length),
  );

test("a typo in the page gives at most one error", async () => {
  expect(SLIPS.length).toBeGreaterThan(300);
  const several: string[][] = [];
  // Only each third typo is tested, which saves four seconds.
  for (const slip of SLIPS.filter((_, index) => index % 3 === 0)) {
    const { diagnostics } = await compiled("check", slip);
    const errors = diagnostics.filter(isError).map(({ code, message }) => `${code}: ${message}`);
    if (errors.length > 1) several.push(errors);
  }
  expect(several).toEqual([]);
});
