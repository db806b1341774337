// Tests what completion offers at every position of the grammar where a page has a name or a text. The positions come from the grammar
// itself: a position without an entry in these tables fails.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findExpectedAt, scan } from "../../../../../lang/grammar/index.ts";
import { createSourceText } from "../../../../../lang/text/index.ts";
import { ALICE } from "../../../../dev/fixtures/facts.ts";
import { SCHEMA_HEAD } from "../../../../dev/fixtures/imports.ts";
import { KERNEL_SOURCES } from "../../../../phases/bind/index.ts";
import { createMemoryHost } from "../../../../phases/source/index.ts";
import { listPositions } from "../../testing/positions.ts";
import { compiledAt, NO_FILES, readText } from "../../testing/snapshots.ts";
import { computeCompletion } from "./completion.ts";
import { findWanted } from "./completion-target.ts";
import { createMemoryLister, FILE_POSITIONS } from "./paths.ts";

const LEDGER = readFileSync(new URL("../../../../../examples/capnp-tools/ledger.capnp", import.meta.url), "utf8");

const PAGE = `system house version "1.0.0" {
  use std.profiles
  use std.tools
  use capnp "ledger.capnp" as bank
  confidentiality { public < secret }
  integrity { untrusted < reviewed < system }
  compartments { hr, finance }
  let partners = ["example.com"]
  category payments : destructive
  interface bank.Ledger { method pay : payments  method refund : payments  arg id is text }
  principal alice { ssh "alice.pub" }
  model smol { served "smol" }
  backend canned { stub }
  backend far { remote openai "https://a.example"  model smol }
  service books : bank.Ledger {}
  service notes : Files { state 1 MiB }
  abstract session base { kind operator  models { auto canned } }
  session operator extends base { principals alice  permit { auto readOnly } }
  task pay(limit: money CHF, due: date) in operator { phase look { only readOnly }  phase send after consent { only payments } }
  task sweep in operator { only readOnly }
  storage { disk "d" }
  image { target linux  machine vm  boot operator }
}
`;

const HOST = createMemoryHost({ "/system.cap": PAGE, "/ledger.capnp": LEDGER, "/alice.pub": ALICE });
const snapshot = await compiledAt(HOST, "/system.cap");
const model = snapshot.model ?? expect.fail("the page has no model");

const nameAll = (named: readonly { readonly name: string }[]): string[] => named.map(({ name }) => name);
const CATEGORIES = nameAll(model.categories);
const SERVICES = nameAll(model.services);
const INTERFACES = [...nameAll(model.interfaces), "Ledger", "bank"];
const SESSIONS = model.sessions.map(({ id }) => id);
const BEGUN = ["operator"];
const TASKS = ["pay", "operator.pay", "sweep", "operator.sweep"];
const LEVELS = ["public", "secret"];
const TRUST = ["untrusted", "reviewed", "system"];
const COMPARTMENTS = ["hr", "finance"];
const BACKENDS = ["canned", "far"];
const SOURCES = ["person", "pasted", "page", "untrusted", "reviewed", "system", ...SERVICES];
const FILES = ["read", "list", "write", "delete"];
const LEDGERS = ["balance", "history", "pay", "refund"];
const PAY = ["account", "payee", "cents", "memo"];
const ENTRY = ["id", "payee", "cents", "memo"];
const FUNCTIONS = [
  ...["every", "some", "count", "date", "domain", "duration", "origin", "size", "addresses", "urls", "has"],
];
const BYTES = ["B", "KiB", "MiB", "GiB", "TiB"];
const TIMES = ["ms", "s", "min", "h"];
const CURRENCIES = ["CHF", "EUR", "USD"];

/**
 * Each entry has a position of the grammar, a page whose text ends at `|`, and the names or texts that are offered at
 * `|`.
 */
const OFFERED: readonly (readonly [position: string, text: string, names: readonly string[]])[] = [
  ["system > name", "system |", []],
  ["system > words", "system a version |", []],
  ["use > name", "use |", ["std"]],
  ["use > name 1", "use std.|", ["assertions", "categories", "lattice", "profiles", "tools"]],
  ["use > words", "use |", ["std"]],
  ["useSchema > words", "use capnp |", []],
  ["useSchema > name", 'use capnp "a.capnp" as |', []],
  ["levels > name", "confidentiality { public < |", []],
  ["compartments > names > name", "compartments { hr, |", []],
  ["namedSet > name", "let |", []],
  ["category > name", "category |", []],
  ["category > name 1", "category x : |", CATEGORIES],
  ["interface > reference > name", "interface |", INTERFACES],
  ["interface > reference > member", "interface bank.|", ["Ledger"]],
  ["method > member", "interface bank.Ledger { method balance : readOnly  method |", ["history", "pay", "refund"]],
  ["method > name", "interface bank.Ledger { method pay : |", CATEGORIES],
  ["fact > reference > name", "interface bank.Ledger { method pay : payments  arg |", PAY],
  ["fact > reference > member", "interface bank.Ledger { method pay : payments  arg payee.|", []],
  ["fact > texts > words", "interface bank.Ledger { method pay : payments  redact |", []],
  ["fact > quantity > name", "interface bank.Ledger { method pay : payments  truncate 4 |", BYTES],
  ["fact > words", "interface bank.Ledger { method pay : payments  says |", []],
  ["meaning > name", "interface bank.Ledger { method pay : payments  arg cents is money |", CURRENCIES],
  ["principal > name", "principal |", []],
  ["proof > words", "principal a { ssh |", []],
  ["model > name", "model |", []],
  ["modelAttribute > words", "model a { weights |", []],
  ["modelAttribute > words 1", "model a { served |", []],
  ["modelAttribute > name", "model a { arch |", []],
  ["modelAttribute > name 1", "model a { quantisation |", []],
  ["modelAttribute > quantity > name", "model a { context 4096 |", ["tokens"]],
  ["modelAttribute > quantity 1 > name", "model a { accept 85 |", ["percent"]],
  ["modelAttribute > quantity 2 > name", "model a { price 0.15 |", CURRENCIES],
  ["backend > name", "backend |", []],
  ["engine > name", "backend a { remote |", ["openai", "ollama"]],
  ["engine > name 1", "backend a { browser |", ["openai", "ollama"]],
  ["engine > words", "backend a { stub |", []],
  ["engine > words 1", "backend a { remote openai |", []],
  ["engine > words 2", "backend a { browser openai |", []],
  ["backendAttribute > name", "backend a { cpu  model |", ["smol"]],
  ["backendAttribute > name 1", "backend a { cpu  embedder |", ["smol"]],
  ["backendAttribute > quantity > name", "backend a { cpu  memory 512 |", BYTES],
  ["backendAttribute > reference > name", 'backend a { remote openai "x"  token |', ["vault"]],
  ["backendAttribute > reference > member", 'backend a { remote openai "x"  token vault.|', []],
  ["service > name", "service |", []],
  ["service > reference > name", "service a : |", INTERFACES],
  ["service > reference > member", "service a : bank.|", ["Ledger"]],
  ["serviceAttribute > words", "service a : Files { exec |", []],
  ["serviceAttribute > texts > words", "service a : Files { grant Fetch scope |", []],
  ["serviceAttribute > quantity > name", "service a : Files { state 64 |", BYTES],
  ["serviceAttribute > references > reference > name", "service a : bank.Ledger { strong |", LEDGERS],
  ["serviceAttribute > references > reference > member", "service a : Ledger { strong history.entries.|", ENTRY],
  [
    "serviceAttribute > reference > name",
    "service a : Files { grant |",
    [...SERVICES, ...SESSIONS, "kernel", "HttpEndpoint", "Fetch", "Socket", "Peer", ...INTERFACES],
  ],
  ["serviceAttribute > reference > member", "service a : Files { grant bank.|", ["Ledger"]],
  ["session > name", "session |", []],
  ["session > reference > name", "session base from |", SESSIONS.filter((id) => id !== "base")],
  [
    "session > reference > member",
    "session a extends profiles.|",
    SESSIONS.flatMap((id) => (id.startsWith("profiles.") ? [id.slice(9)] : [])),
  ],
  ["sessionAttribute > name", "session a { kind |", ["operator", "guest", "anonymous", "service"]],
  ["sessionAttribute > names > name", "session a { principals |", ["alice"]],
  ["sessionAttribute > name 1", "session a { login |", ["key", "passphrase"]],
  ["modelChoice > name", "session a { models { auto |", BACKENDS],
  ["widen > words", 'session a { widen { auto readOnly } because "x" until |', []],
  ["because > words", "session a { permit { auto readOnly because |", []],
  ["label > name", "session a { clearance |", LEVELS],
  ["label > names > name", "session a { clearance secret:{|", COMPARTMENTS],
  ["label > name 1", "session a { clearance secret/|", TRUST],
  ["namedPattern > name", "session a { permit { auto |", [...CATEGORIES, ...SERVICES, ...INTERFACES]],
  ["namedPattern > member", "session a { permit { auto notes.|", FILES],
  ["namedPattern > reference > name", "session a { permit { auto readOnly in |", INTERFACES],
  ["namedPattern > reference > member", "session a { permit { auto readOnly in bank.|", ["Ledger"]],
  ["term > member", "session a { permit { auto books.pay where |", [...PAY, ...FUNCTIONS]],
  ["term > member 1", "session a { permit { auto books.pay where payee.|", ["name", "iban"]],
  ["absence > reference > name", "session a { permit { auto books.pay where not has(|", PAY],
  ["absence > reference > member", "session a { permit { auto Ledger.pay where not has(payee.|", ["name", "iban"]],
  ["test > name", "session a { permit { auto books.pay where memo in |", ["partners"]],
  ["test > words", "session a { permit { auto books.pay where memo matches |", []],
  ["textOperand > words", "session a { permit { auto books.pay where memo under |", []],
  ["literal > words", "session a { permit { auto books.pay where account == |", ['"travel"', '"coffee"']],
  ["literal > name", "session a { permit { auto books.pay where cents <= 5 |", [...BYTES, ...TIMES, "CHF"]],
  [
    "parameter > name",
    "task pay(x: text) in operator { permit { auto books.pay where memo == task.|",
    ["limit", "due"],
  ],
  ["origin > name", "session a { permit { auto books.pay where memo from |", SOURCES],
  ["origin > member", "session a { permit { auto books.pay where memo from books.|", LEDGERS],
  ["origin > member 1", "session a { permit { auto a where b from books.history(most from page).entries.|", ENTRY],
  [
    "relation > reference > name",
    "session a { permit { auto a where b from books.history(account from page and |",
    ["account", "most"],
  ],
  ["relation > reference > member", "session a { permit { auto a where b from books.pay(payee.|", ["name", "iban"]],
  ["relation > words", "session a { permit { auto a where b from books.history(account == |", []],
  [
    "relation > references > reference > name",
    "session a { permit { auto a where b from books.pay(memo from |",
    SOURCES,
  ],
  [
    "relation > references > reference > member",
    "session a { permit { auto a where b from books.pay(memo from notes.|",
    FILES,
  ],
  ["remember > name", "session a { remember |", ["turn", "conversation"]],
  ["met > name", "session a { when confidentiality >= |", LEVELS],
  ["met > name 1", "session a { when integrity <= |", TRUST],
  ["met > name 2", "session a { when compartment |", COMPARTMENTS],
  ["quotaEntry > name", "session a { quota { 4 |", ["calls", "tokens", "prompts", ...BYTES, ...CATEGORIES]],
  ["quotaEntry > name 1", "session a { quota { 4 destructive |", ["calls"]],
  [
    "quotaEntry > name 2",
    "session a { quota { 4 calls per |",
    ["call", "turn", "conversation", "task", "login", "principal", "hour", "day"],
  ],
  ["timeLimit > quantity > name", "session a { timeout { 5 |", TIMES],
  ["timeLimit > name", "session a { timeout { 5 s per |", ["call", "turn", "login", "idle"]],
  ["task > name", "task |", []],
  ["task > reference > name", "task a in |", SESSIONS],
  ["task > reference > member", "task a in profiles.|", ["operator", "guest", "anonymous"]],
  ["taskParameter > name", "task a(|", []],
  ["taskParameter > name 1", "task a(b: |", ["text", "number", "money", "date", "duration", "size"]],
  ["taskParameter > name 2", "task a(b: money |", CURRENCIES],
  ["phase > name", "task a in operator { phase |", []],
  ["release > name", "declassify |", SERVICES],
  ["release > member", "declassify notes.|", FILES],
  ["worker > name", "worker |", []],
  ["worker > reference > name", "worker a in |", [...SESSIONS, ...TASKS]],
  ["worker > reference > member", "worker a in operator.|", ["pay", "sweep"]],
  ["subject > reference > name", "assert never trifecta for |", [...SESSIONS, ...TASKS]],
  ["subject > reference > member", "assert never trifecta for operator.|", ["pay", "sweep"]],
  ["ingress > name", "ingress |", []],
  ["ingress > name 1", "ingress a : |", ["console", "web", "chat", "webhook", "mail", "timer", "file"]],
  ["ingress > words", "ingress a : web |", []],
  ["ingress > words 1", 'ingress a : timer "0 3 * * *" in |', []],
  ["ingress > name 2", 'ingress a : timer "0 3 * * *" in "UTC" missed |', ["skip", "once", "each"]],
  ["ingress > words 2", 'ingress a : timer "0 3 * * *" in "UTC" missed once says |', []],
  ["ingress > reference > name", "ingress a : web into |", [...BEGUN, ...TASKS]],
  ["ingress > reference > member", "ingress a : web into operator.|", ["pay", "sweep"]],
  ["redaction > name", "redact |", []],
  ["redactionPart > texts > words", "redact a label secret { matches |", []],
  ["redactionPart > fields > reference > name", "redact a label secret { from |", SERVICES],
  ["redactionPart > fields > reference > member", "redact a label secret { from books.history.entries.|", ENTRY],
  ["redactionPart > fields 1 > reference > name", "redact a label secret { arg |", SERVICES],
  ["redactionPart > fields 1 > reference > member", "redact a label secret { arg books.pay.|", PAY],
  [
    "waive > name",
    "waive |",
    ["model-isolated", "anonymous-asks", "guest-local", "no-self-widening", "remote-clearance", "audited", "trifecta"],
  ],
  ["never > reference > name", "assert never flow secret to |", [...BACKENDS, ...SERVICES, ...INTERFACES]],
  ["never > reference > member", "assert never flow secret to bank.|", ["Ledger"]],
  ["rehearsal > words", "test |", []],
  ["asStep > reference > name", 'test "a" { as |', [...BEGUN, ...TASKS]],
  ["asStep > reference > member", 'test "a" { as operator.|', ["pay", "sweep"]],
  ["given > name", 'test "a" { as pay(limit: 5 CHF, |', ["due"]],
  ["sayStep > words", 'test "a" { say |', []],
  ["enterStep > name", 'test "a" { as operator.pay  enter |', ["look", "send"]],
  ["callStep > name", 'test "a" { call |', SERVICES],
  ["callStep > member", 'test "a" { call notes.|', FILES],
  ["record > member", 'test "a" { call books.pay { cents: 5, |', ["account", "payee", "memo"]],
  ["json > words", 'test "a" { call books.pay { account: |', ['"travel"', '"coffee"']],
  ["answer > name", 'test "a" { call notes.list {} answer |', ["yes", "no"]],
  [
    "expect > name",
    'test "a" { call notes.list {} expect |',
    ["ok", "refusedByPolicy", "deniedByUser", "stepUpFailed", "invalidArguments", "unknownTool"],
  ],
  ["setting > name", 'storage { disk "a"  |', ["encrypt", "create"]],
  ["settingValue > name", "image { machine |", ["vm", "pc"]],
  ["settingValue > words", "storage { disk |", []],
  ["settingValue > quantity > name", "image { memory 2 |", BYTES],
];

/**
 * Files in the folder of the page. Each entry of the table above that accepts a text is also completed behind an opening quote. `NAMED`
 * lists the files that are offered after each word before the quote; after any other word, no files are offered.
 */
const BESIDE = [
  "system.cap",
  "people.cap",
  "ledger.capnp",
  "gh.tools.json",
  "alice.pub",
  "smol.gguf",
  "tool.mjs",
  "run",
];
const ALL = BESIDE.filter((file) => file !== "system.cap").toSorted();
const NAMED: Readonly<Record<string, readonly string[]>> = {
  use: ["people.cap"],
  capnp: ["ledger.capnp"],
  mcp: ["gh.tools.json"],
  ssh: ["alice.pub"],
  weights: ["smol.gguf"],
  stub: ["gh.tools.json"],
  exec: ALL,
  kernel: ALL,
  limine: [],
};
const QUOTED: readonly (readonly [position: string, text: string])[] = [
  ...OFFERED.flatMap(([position, text]): readonly (readonly [string, string])[] =>
    /(^| )(words|texts)\b/.test(position) ? [[position, text]] : [],
  ),
  ["useSchema > words", "use mcp |"],
  ["proof > words", "principal a { passphrase |"],
  ["settingValue > words", "image { kernel |"],
  ["settingValue > words", "image { limine |"],
];

const isKeyword = (label: string): boolean => /^[a-z]/.test(label);

/** Returns what is offered at the `|` of a text: names and texts, and keywords. */
async function offered(marked: string) {
  const at = marked.indexOf("|");
  const text = marked.replace("|", "");
  const { items } = await computeCompletion(readText(text), at, snapshot, NO_FILES);
  const expected = await findExpectedAt(scan(createSourceText("a.cap", text)), at);
  const keywords = new Set(expected.map(({ kind }) => kind).filter(isKeyword));
  const labels = items.map(({ label }) => label);
  const isOf = (label: string): boolean => [...keywords].some((keyword) => keyword === label);
  return { names: labels.filter((label) => !isOf(label)), keywords: labels.filter(isOf), expected };
}

test("every position of the grammar with a name or a text has an entry in the tables of this test", () => {
  expect([...new Set(OFFERED.map(([position]) => position))].sort()).toEqual([...listPositions()].sort());
});

test.each(OFFERED)("%s: %s", async (position, text, names) => {
  const found = await offered(text);
  const strip = (rules: readonly string[]): string => rules.join(" > ");
  const paths = found.expected.map(({ kind, rules }) => ({ kind, path: strip(rules) }));
  const isHere = ({ kind, path }: { kind: string; path: string }): boolean =>
    (kind === "Name" && [position, `${position} > name`].some((end) => path.endsWith(` > ${end}`))) ||
    (kind === "String" && path.endsWith(` > ${position}`));
  expect(paths.filter(isHere), `the text is not at ${position}`).not.toEqual([]);
  expect(found.names.toSorted()).toEqual([...new Set(names)].toSorted());
});

test.each(QUOTED)(
  "behind an opening quote at %s, exactly the files for this position are offered: %s",
  async (position, text) => {
    const cut = text.slice(0, text.indexOf("|"));
    const before = /\S+$/.exec(cut.trimEnd())?.[0] ?? "";
    const wanted = FILE_POSITIONS.includes(position) && Object.hasOwn(NAMED, before) ? NAMED[before] : [];
    const lister = createMemoryLister(BESIDE.map((file) => `/${file}`));
    for (const [typed, closing] of [
      [`${cut}"`, '"'],
      [`${cut}""`, ""],
    ] as const) {
      const { items } = await computeCompletion(readText(typed), cut.length + 1, snapshot, lister);
      expect(items.map(({ textEdit }) => textEdit?.newText)).toEqual(wanted?.map((file) => `${file}${closing}`));
    }
  },
);

test("each position for which completion offers files exists in the grammar and in the table of this test", () => {
  expect(listPositions()).toEqual(expect.arrayContaining([...FILE_POSITIONS]));
  expect([...new Set(QUOTED.map(([position]) => position))]).toEqual(expect.arrayContaining([...FILE_POSITIONS]));
});

test("every position of the grammar with a name has a completion target, or the page declares or freely chooses the name there", async () => {
  const unknown = await Promise.all(
    OFFERED.map(async ([position, text]) => {
      const { expected } = await offered(text);
      return expected.some(({ kind, rules }) => kind === "Name" && findWanted(kind, rules) === undefined)
        ? [position]
        : [];
    }),
  );
  expect(unknown.flat()).toEqual([]);
});

test.each<[string, string, readonly string[]]>([
  ["values of a boolean setting", "image { machine vm  console |", ["serial", "screen"]],
  ["the other firmware", "image { firmware bios, |", ["uefi"]],
  ["sessions that can boot", "image { boot |", ["operator"]],
  ["services that may end the machine", "image { target capos exits |", SERVICES],
  ["no names for a setting with a text", "image { motd |", []],
  ["targets", "image { target |", ["linux", "capos"]],
  ["settings of the target", "image { target linux  machine vm  |", ["console", "firmware", "boot", "trust", "memory"]],
  [
    "settings after one with a unit",
    "image { target linux  memory 2 GiB  machine vm  |",
    ["console", "firmware", "boot", "trust"],
  ],
  ["addresses", "network { address |", ["dhcp", "static", "none"]],
  ["sources of the kernel", "service a : Files { grant kernel.|", nameAll(KERNEL_SOURCES)],
  ["arguments that all tools of a line have", "session a { permit { auto Files.read, notes.write where |", ["path"]],
  ["arguments of a category", "session a { permit { auto payments where |", []],
  ["arguments of a category in an interface", "session a { permit { auto readOnly in Ledger where |", ["account"]],
  ["arguments of all tools of a service", "session a { permit { auto notes.* where |", ["path"]],
  ["arguments of a floor", "session a { when unattended { atLeast stepUp books.refund where |", ["id"]],
  ["arguments of an inherited line", "task a in operator { permit { inherit books.refund where |", ["id"]],
  ["arguments within a function", "session a { permit { auto books.refund where size(|", ["id"]],
  ["arguments after another check", 'session a { permit { auto books.refund where id == "a" and |', ["id"]],
  [
    "arguments before the rest of a line",
    "session a { permit { auto books.refund where | == 5 else forbidden } }",
    ["id"],
  ],
  ["choices in a list", 'session a { permit { auto books.pay where account in ["travel", |', ['"travel"', '"coffee"']],
  ["fields of a result in a test", 'test "a" { call books.history {} giving { |', ["entries"]],
  ["fields of a record in a list", 'test "a" { call books.history {} giving { entries: [{ id: "a" }, { |', ENTRY],
  ["fields of an argument", 'test "a" { call books.pay { memo: "x", payee: { name: "x", |', ["iban"]],
  ["fields of a record with a condition", "session a { permit { auto a where b from books.history.entries.id[|", ENTRY],
  ["fields of a result as a source", "session a { permit { auto a where b from books.history.|", ["entries"]],
  ["backends of an inference", 'test "a" { as operator.pay  infer |', BACKENDS],
  ["no phase outside of a task", 'test "a" { as operator.pay  as operator  enter |', []],
  ["parameters of this task only", "task sweep in operator { permit { auto a where b == task.|", []],
  ["no second value of a parameter", 'test "a" { as operator.pay(due: "2026-01-01", |', ["limit"]],
])("%s are offered at %s", async (_, text, names) => {
  const found = await offered(text);
  expect(found.names.filter((label) => !FUNCTIONS.includes(label) || names.includes(label)).toSorted()).toEqual(
    names.toSorted(),
  );
});

const WHOLE = readFileSync(new URL("../../../../../lang/spec/whole-page.cap", import.meta.url), "utf8");

test("at each place where whole-page.cap uses a keyword, completion offers this keyword", async () => {
  const { tokens, source } = scan(createSourceText("whole-page.cap", WHOLE));
  const missing: string[] = [];
  const seen = new Set<string>();
  for (let index = 0; index < tokens.count; index += 1) {
    const kind = tokens.getKind(index);
    const start = tokens.start(index);
    if (!isKeyword(kind) || kind !== source.text.slice(start, tokens.end(index))) continue;
    const expected = await findExpectedAt(scan(source), start);
    // A keyword may be a name here, as `text` in `size(text)`.
    if (!expected.some((one) => one.kind === kind)) continue;
    seen.add(kind);
    const { items } = await computeCompletion(readText(WHOLE), start, snapshot, NO_FILES);
    if (!items.some(({ label }) => label === kind)) missing.push(`${kind} at ${start}`);
  }
  expect(missing).toEqual([]);
  expect(seen.size).toBeGreaterThan(100);
});

test("a method whose name is a reserved word is offered in quotes", async () => {
  const schema = `${SCHEMA_HEAD} interface Gate { consent @0 (in :Text) -> () $Capos.category("readOnly"); }`;
  const page =
    'system s version "1.0.0" { use std.tools  use capnp "gate.capnp" as doors  service gate : doors.Gate {} }';
  const own = await compiledAt(createMemoryHost({ "/system.cap": page, "/gate.capnp": schema }), "/system.cap");
  const labelsOf = async (text: string) =>
    (await computeCompletion(readText(text), text.length, own, NO_FILES)).items.map(({ label }) => label);
  expect(await labelsOf("session a { permit { auto gate.")).toContain('"consent"');
  expect(await labelsOf('session a { permit { auto gate."consent" where ')).toContain('"in"');
  expect(await labelsOf("session a { permit { auto doors.* where ")).toContain('"in"');
  expect(await labelsOf('test "a" { call gate."consent" { ')).toEqual(['"in"']);
  expect(await labelsOf('redact a label secret { arg gate."consent".')).toEqual(['"in"']);
});
