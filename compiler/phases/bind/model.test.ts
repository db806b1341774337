// Checks that each construct of a page produces its part of the model.

import { expect, test } from "vitest";
import { ALICE, BOB, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { SCHEMA_HEAD } from "../../dev/fixtures/imports.ts";
import type { BoundFloor, BoundLabel, BoundLine, BoundPattern, BoundRange, Model, Session } from "./model/index.ts";
import { boundPage, modelWith, named } from "./testing/bound.ts";

const LEVELS =
  "confidentiality { public < internal < secret }  integrity { low < high }  compartments { hr, finance, it }";

/** Renders `confidentiality/integrity:compartments`, with `-` if no integrity is written. */
const labelled = (label: BoundLabel | undefined): string =>
  label === undefined ? "none" : `${label.confidentiality}/${label.integrity ?? "-"}:${label.compartments}`;
const ranged = (range: BoundRange | undefined): readonly string[] =>
  range === undefined ? [] : [labelled(range.low), labelled(range.high)];
const keysIn = (patterns: readonly BoundPattern[]): readonly string[] => patterns.map(({ key }) => key);

/** Returns the session `operator` of a page; `operator` has these attributes. */
async function operatorWith(inside: string, top = LEVELS): Promise<Session> {
  const model = await modelWith(top, { sessions: `session operator { kind operator  ${inside} }` });
  return sessionOf(model, "operator");
}

function sessionOf({ sessions }: Model, id: string): Session {
  const found = sessions.find((session) => session.id === id);
  if (found === undefined) throw new Error(`no session is ${id}`);
  return found;
}

test("levels are numbered from the lowest, and compartments are bits in the order of their names", async () => {
  const { lattice } = await modelWith(LEVELS);
  expect(lattice).toEqual({
    confidentiality: ["public", "internal", "secret"],
    integrity: ["low", "high"],
    compartments: ["finance", "hr", "it"],
  });
});

test("a page that declares no levels of a kind has those of the standard library", async () => {
  const { lattice } = await modelWith("integrity { mine }");
  expect(lattice).toEqual({ confidentiality: ["public", "internal", "secret"], integrity: ["mine"], compartments: [] });
});

test.each(["confidentiality", "integrity"] as const)(
  "of more than 64 levels of %s, only the first 64 are bound",
  async (kind) => {
    const names = Array.from({ length: 66 }, (_, index) => `l${index}`);
    const { model, findings } = await boundPage(renderFactsPage({ top: `${kind} { ${names.join(" < ")} }` }));
    expect(model.lattice[kind]).toEqual(names.slice(0, 64));
    expect(findings.map(({ message, span: { start } }) => [message, start])).toEqual([
      [
        `there are more than 64 ${kind} levels`,
        renderFactsPage({ top: `${kind} { ${names.join(" < ")} }` }).indexOf("l64"),
      ],
    ]);
  },
);

test("64 compartments are allowed, and 65 are not", async () => {
  const names = Array.from({ length: 65 }, (_, index) => `c${index}`);
  expect((await modelWith(`compartments { ${names.slice(1).join(", ")} }`)).lattice.compartments).toHaveLength(64);
  const { findings } = await boundPage(renderFactsPage({ top: `compartments { ${names.join(", ")} }` }));
  expect(findings.map(({ message }) => message)).toEqual(["there are more than 64 compartments"]);
});

test.each<[string, string]>([
  ["public", "0/-:0"],
  ["secret", "2/-:0"],
  ["internal/high", "1/1:0"],
  ["internal/low", "1/0:0"],
  ["secret:{finance}", "2/-:1"],
  ["secret:{it, hr}/high", "2/1:6"],
])("the label %s is bound as %s", async (label, expected) => {
  const session = await operatorWith(`clearance ${label}  starts ${label}`);
  expect([labelled(session.clearance), labelled(session.starts)]).toEqual([expected, expected]);
});

test.each(["nope", "public/nope", "public:{nope}", "public:{hr, nope}/high"])(
  "a label with an unknown name is undefined: %s",
  async (label) => {
    const { model } = await boundPage(
      renderFactsPage({ top: LEVELS, sessions: `session operator { clearance ${label} }` }),
    );
    expect(labelled(sessionOf(model, "operator").clearance)).toBe("none");
  },
);

test("every category has its parent, and the page's categories come after the five built-in categories", async () => {
  const { categories } = await modelWith("/// Where money goes.\ncategory vault : destructive  category deep : vault");
  expect(categories.map(({ name, parent }) => [name, parent?.name])).toEqual([
    ...["readOnly", "mutatingLocal", "destructive", "outboundNet", "admin"].map((root) => [root, undefined]),
    ["vault", "destructive"],
    ["deep", "vault"],
  ]);
  expect(named(categories, "vault").doc).toBe("Where money goes.");
});

test("a method is bound with the page's category, meanings, labels, redacted fields and truncation", async () => {
  const { interfaces } = await modelWith(`${LEVELS}
    interface Board { method post : destructive  arg line is path  returns public .. secret:{hr}/high  sends internal
      redact "iban", "card" truncate 4 KiB says "Puts a line up."  method wipe : admin }
    interface Shop { method buy : readOnly  arg price is money EUR  arg from is url  arg gift is program  arg count is text }`);
  const post = named(interfaces, "Board").methods.get("post");
  expect([post?.name, post?.category.name, post?.redact, post?.truncateBytes]).toEqual([
    "post",
    "destructive",
    ["iban", "card"],
    4096,
  ]);
  expect([ranged(post?.returns), labelled(post?.sends)]).toEqual([["0/-:0", "2/1:2"], "1/-:0"]);
  const wipe = named(interfaces, "Board").methods.get("wipe");
  expect([post?.words, wipe?.words]).toEqual(["Puts a line up.", wipe?.description.doc]);
  expect([wipe?.category.name, wipe?.redact, wipe?.truncateBytes, wipe?.returns, wipe?.sends]).toEqual([
    "admin",
    [],
    0,
    undefined,
    undefined,
  ]);
  expect([...(named(interfaces, "Shop").methods.get("buy")?.meanings ?? [])]).toEqual([
    ["price", { kind: "money", currency: "EUR" }],
    ["from", { kind: "url" }],
    ["gift", { kind: "program" }],
    ["count", { kind: "text" }],
  ]);
});

test("a single label is a range of one label", async () => {
  const { services } = await modelWith(`${LEVELS}  service drafts : Files { label internal/high }`);
  const { label } = named(services, "drafts");
  expect(ranged(label)).toEqual(["1/1:0", "1/1:0"]);
});

test("a range with an unknown end is undefined, and each unknown name causes one finding", async () => {
  for (const label of ["nope .. public", "public .. nope", "nope"]) {
    const { model, findings } = await boundPage(
      renderFactsPage({ services: `service notes : Files { label ${label} }` }),
    );
    expect([named(model.services, "notes").label, findings.length]).toEqual([undefined, 1]);
  }
});

const LEDGER = `interface Ledger {
  balance @0 () -> (sum :Text) $Capos.category("readOnly") $Capos.label("internal");
  pay @1 (to :Text $Capos.meaning("path"), sum :Text $Capos.meaning("text")) -> () $Capos.category("mutatingLocal") $Capos.truncate(4096);
  quiet @2 () -> ();
}`;

test("each fact that the page states about an imported method replaces the schema's fact", async () => {
  const text = renderFactsPage({
    top: `use capnp "ledger.capnp" as ledger
      interface ledger.Ledger { method pay : destructive  arg sum is money EUR  truncate 1 KiB }`,
    services: "service books : ledger.Ledger {}",
  });
  const { model, findings } = await boundPage(text, { "/ledger.capnp": `${SCHEMA_HEAD} ${LEDGER}` });
  expect(findings).toEqual([]);
  const { methods, alias } = named(model.interfaces, "ledger.Ledger");
  expect([alias, [...methods.keys()]]).toEqual(["ledger", ["pay", "balance"]]);
  const pay = methods.get("pay");
  expect([pay?.category.name, pay?.truncateBytes]).toEqual(["destructive", 1024]);
  expect([...(pay?.meanings ?? [])]).toEqual([
    ["sum", { kind: "money", currency: "EUR" }],
    ["to", { kind: "path" }],
  ]);
  const balance = methods.get("balance");
  expect([balance?.category.name, ranged(balance?.returns)]).toEqual(["readOnly", ["1/-:0", "1/-:0"]]);
});

test("an imported interface without facts on the page is bound with the categories of its schema", async () => {
  const text = renderFactsPage({ top: 'use capnp "ledger.capnp" as ledger', services: "service books : Ledger {}" });
  const { model, findings } = await boundPage(text, { "/ledger.capnp": `${SCHEMA_HEAD} ${LEDGER}` });
  expect(findings).toEqual([]);
  expect(model.tools.map(({ name }) => name)).toEqual(["books.balance", "books.pay"]);
});

test("an unknown category in an annotation is reported at the import, with the place in the schema and without a fix", async () => {
  const schema = `interface Ledger { balance @0 () -> () $Capos.category("redOnly"); }`;
  const text = renderFactsPage({
    top: 'use capnp "ledger.capnp" as ledger',
    services: "service books : ledger.Ledger {}",
  });
  const { findings } = await boundPage(text, { "/ledger.capnp": `${SCHEMA_HEAD} ${schema}` });
  expect(findings).toHaveLength(1);
  const [found] = findings;
  expect(text.slice(found?.span.start, found?.span.end)).toContain("ledger");
  expect([found?.message, found?.fix]).toEqual(["there is no category named `redOnly`", undefined]);
  expect(found?.related.map(({ message, span }) => [message, span.source.path])).toEqual([
    ["its schema says this", "ledger.capnp (annotations)"],
  ]);
});

test("names of an unreadable import are unknown, and their uses cause no findings", async () => {
  const text = renderFactsPage({
    top: 'use capnp "lost.capnp" as ledger  interface ledger.Ledger { method pay : destructive }',
    services: "service books : ledger.Ledger {}",
    permit: "auto ledger.*  consent ledger.Ledger.pay  forbidden books.pay",
  });
  const { model, findings } = await boundPage(text, { "/lost.capnp": "this is no schema" });
  expect([findings, model.damaged]).toEqual([[], true]);
});

test("two imports with interfaces of the same name are distinguished by the imports' names", async () => {
  const schema = `${SCHEMA_HEAD} interface Ledger { balance @0 () -> () $Capos.category("readOnly"); }`;
  const other = schema.replace("@0xf81d4b0c2e6a9357", "@0xf81d4b0c2e6a9358");
  const text = (face: string) =>
    renderFactsPage({
      top: 'use capnp "a.capnp" as first  use capnp "b.capnp" as second',
      services: `service books : ${face} {}`,
    });
  const files = { "/a.capnp": schema, "/b.capnp": other };
  expect((await boundPage(text("second.Ledger"), files)).model.services[0]?.interface.name).toBe("second.Ledger");
  const { findings } = await boundPage(text("Ledger"), files);
  expect(findings.map(({ message, help }) => [message, help])).toEqual([
    ["there is no interface named `Ledger`", "write `first.Ledger` or `second.Ledger`"],
  ]);
  const misspelt = await boundPage(text("first.Zzzzzzzzzz"), files);
  expect(misspelt.findings.map(({ help }) => help)).toEqual(["write `first.Ledger`"]);
});

test("a service is bound with its state, label, program, and grants with their scopes", async () => {
  const text = renderFactsPage({
    services: `service notes : Files { state 2 MiB }
      service relay : Logs { exec "relay.js"  grant notes  grant Logs  grant kernel.console
        grant HttpEndpoint scope "https://a.example", "GET" }
      service plans : ActionPlans { grant operator }`,
  });
  const { model, findings } = await boundPage(text, { "/relay.js": "export default {}" });
  expect(findings).toEqual([]);
  const [notes, relay, plans] = ["notes", "relay", "plans"].map((name) => named(model.services, name));
  expect([notes?.stateBytes, notes?.exec, notes?.grants]).toEqual([2n << 20n, undefined, []]);
  expect([relay?.stateBytes, relay?.exec?.path.value, relay?.exec?.asset === undefined]).toEqual([
    0n,
    "relay.js",
    false,
  ]);
  expect(relay?.grants.map(({ to, scopes }) => [to.kind, to.name, scopes.map(({ value }) => value)])).toEqual([
    ["service", "notes", []],
    ["interface", "Logs", []],
    ["kernel", "kernel.console", []],
    ["interface", "HttpEndpoint", ["https://a.example", "GET"]],
  ]);
  expect(plans?.grants.map(({ to }) => to)).toEqual([{ kind: "session", name: "operator" }]);
});

test("a service without its own program has the program of the standard library", async () => {
  const services =
    'service plans : ActionPlans { grant operator }  service own : ActionPlans { exec "own.js"  grant plans }';
  const { model } = await boundPage(renderFactsPage({ services }), { "/own.js": "export default {}" });
  expect(["plans", "own"].map((name) => named(model.services, name).standard === undefined)).toEqual([false, true]);
  expect(named(model.services, "own").grants.map(({ to }) => to)).toEqual([{ kind: "service", name: "plans" }]);
});

test.each(["HttpEndpoint", "Fetch", "Socket", "Peer"])(
  "a service with a grant of %s reaches the network, and so does every service that may use that service",
  async (face) => {
    const { services } = (
      await boundPage(
        renderFactsPage({
          services: `service a : Files { grant b }  service b : Logs { grant c  grant a }  service c : Logs { grant ${face} }  service d : Logs { grant Logs }`,
        }),
      )
    ).model;
    expect(services.filter(({ networked }) => networked).map(({ name }) => name)).toEqual(["a", "b", "c"]);
  },
);

test("a service that implements a network interface reaches the network without a grant", async () => {
  const { services } = await modelWith("service web : Fetch {}");
  expect(services.filter(({ networked }) => networked).map(({ name }) => name)).toEqual(["web"]);
});

test("the tools are all classified methods of all services, ordered by name", async () => {
  const services = "service a : Logs {}  service a-b : Logs {}  service B2 : Status {}".replace("B2", "b");
  expect((await modelWith("", { services })).tools.map(({ name }) => name)).toEqual([
    ...["a-b.follow", "a-b.tail", "a.follow", "a.tail", "b.show"],
  ]);
});

test.each<[string, string, boolean, readonly string[]]>([
  ["*", "*", false, ["drafts.delete", "drafts.list", "drafts.read", "drafts.write", "log.follow", "log.tail"]],
  ["readOnly", "category readOnly", false, ["drafts.list", "drafts.read", "log.follow", "log.tail"]],
  ["vault", "category vault", false, []],
  ["readOnly in Logs", "category readOnly in Logs", false, ["log.follow", "log.tail"]],
  ["Files.*", "interface Files", false, ["drafts.delete", "drafts.list", "drafts.read", "drafts.write"]],
  ["tools.Files.*", "interface Files", false, ["drafts.delete", "drafts.list", "drafts.read", "drafts.write"]],
  ["Files.read", "method Files.read", true, ["drafts.read"]],
  ["tools.Files.read", "method Files.read", true, ["drafts.read"]],
  ["drafts.*", "instance drafts", false, ["drafts.delete", "drafts.list", "drafts.read", "drafts.write"]],
  ["drafts.read", "tool drafts.read", true, ["drafts.read"]],
])("the pattern %s is bound with the key `%s` and the tools it covers", async (pattern, key, exact, tools) => {
  const model = await modelWith("category vault : admin", {
    services: "service drafts : Files {}  service log : Logs {}",
    sessions: `session operator { suppress ${pattern} }`,
  });
  const [found, ...more] = sessionOf(model, "operator").suppress;
  expect([found?.key, found?.exact, found?.tools.map(({ name }) => name)]).toEqual([key, exact, tools]);
  expect(found?.category?.name).toBe(/^category (\w+)/.exec(key)?.[1]);
  expect(more).toEqual([]);
});

test("a pattern for an import becomes one pattern for each interface of the import", async () => {
  const schema = `${SCHEMA_HEAD} interface Ledger { balance @0 () -> () $Capos.category("readOnly"); }
    interface Desk { open @0 () -> () $Capos.category("readOnly"); }`;
  const text = (pattern: string, services = "service books : bank.Ledger {}  service desk : bank.Desk {}") =>
    renderFactsPage({ top: 'use capnp "a.capnp" as bank', services, permit: `auto ${pattern}` });
  const keysOf = async (pattern: string, services?: string) => {
    const { model } = await boundPage(text(pattern, services), { "/a.capnp": schema });
    return keysIn(sessionOf(model, "operator").lines.flatMap(({ patterns }) => patterns)).toSorted();
  };
  expect(await keysOf("bank.*")).toEqual(["interface bank.Desk", "interface bank.Ledger"]);
  expect(await keysOf("bank.open")).toEqual(["method bank.Desk.open"]);
  expect(await keysOf("bank.Ledger.balance")).toEqual(["method bank.Ledger.balance"]);
  // If a service and an import have the same name, the service takes precedence.
  expect(await keysOf("bank.*", "service bank : bank.Ledger {}")).toEqual(["instance bank"]);
});

/** Returns a short form of a rule, for comparisons. */
const shortly = ({ mode, patterns, where, words }: BoundLine) => ({
  mode,
  keys: keysIn(patterns),
  otherwise: where?.otherwise,
  words,
});

test("a permission rule has its mode, its patterns, the mode of its `else`, and its canonical text", async () => {
  const { lines } = await operatorWith(
    `permit { auto   readOnly, Files.list  stepUp destructive because "why" } permit { consent Files.write where path under "/a" else forbidden }`,
  );
  expect(lines.map(shortly)).toEqual([
    {
      mode: "auto",
      keys: ["category readOnly", "method Files.list"],
      otherwise: undefined,
      words: "auto readOnly, Files.list",
    },
    { mode: "stepUp", keys: ["category destructive"], otherwise: undefined, words: 'stepUp destructive because "why"' },
    {
      mode: "consent",
      keys: ["method Files.write"],
      otherwise: "forbidden",
      words: 'consent Files.write where path under "/a" else forbidden',
    },
  ]);
});

test.each<[string, string, string, string, readonly unknown[]]>([
  ['path under "/a"', "path", "value", "under", [{ kind: "text", text: "/a", node: undefined }]],
  ['path == "x"', "path", "value", "equal", [{ kind: "text", text: "x" }]],
  ['path != "x"', "path", "value", "notEqual", [{ kind: "text", text: "x" }]],
  ["gift == true", "gift", "value", "equal", [{ kind: "boolean", boolean: true }]],
  ["gift == false", "gift", "value", "equal", [{ kind: "boolean", boolean: false }]],
  ["count < 3", "count", "value", "less", [{ kind: "decimal", decimal: "3", unit: undefined }]],
  ["count <= 3.50", "count", "value", "lessOrEqual", [{ kind: "decimal", decimal: "3.5", unit: undefined }]],
  ["price > 3.5 EUR", "price", "value", "greater", [{ kind: "decimal", decimal: "3.5", unit: "EUR" }]],
  [
    "size(content) >= 1.5 KiB",
    "content",
    "size",
    "greaterOrEqual",
    [{ kind: "decimal", decimal: "1536", unit: "bytes" }],
  ],
  [
    'origin(url) in ["a", "b"]',
    "url",
    "origin",
    "in",
    [
      { kind: "text", text: "a" },
      { kind: "text", text: "b" },
    ],
  ],
  ["size.width == 2", "size.width", "value", "equal", [{ kind: "decimal", decimal: "2", unit: undefined }]],
])("the condition `%s` has its argument, operator and literals", async (check, path, term, operator, literals) => {
  const { lines } = await operatorWith(`permit { auto * where ${check} else forbidden }`);
  const [found, ...more] = lines[0]?.where?.checks ?? [];
  expect([found?.path.join("."), found?.term, found?.operator]).toEqual([path, term, operator]);
  expect(found?.literals).toMatchObject(literals);
  expect(found?.literals).toHaveLength(literals.length);
  expect([lines[0]?.where?.otherwise, more]).toEqual(["forbidden", []]);
});

test("a rule with an invalid condition covers no tools", async () => {
  const line = 'auto * where path == "a" and siz(content) < 3 and size(content) < 3 kB else forbidden';
  const { model } = await boundPage(renderFactsPage({ permit: line }));
  const [found] = sessionOf(model, "operator").lines;
  expect([found?.patterns, found?.where?.checks.length]).toEqual([[], 1]);
});

test("each `only` is bound as a separate list, and all `suppress` as one list", async () => {
  const { only, suppress } = await operatorWith(
    "only readOnly, Files.*  only Files.read  suppress notes.*  suppress Files.write, *",
  );
  expect(only.map(keysIn)).toEqual([["category readOnly", "interface Files"], ["method Files.read"]]);
  expect(keysIn(suppress)).toEqual(["instance notes", "method Files.write", "*"]);
});

const floorsOf = (floors: readonly BoundFloor[]) =>
  floors.map(({ mode, patterns, when, words }) => ({
    mode,
    keys: keysIn(patterns),
    when: [when.confidentialityAtLeast, when.integrityAtMost, when.compartments, when.unattended],
    words,
  }));

test("a floor is bound with its mode, its patterns and its condition", async () => {
  const { floors } = await operatorWith(`
    when confidentiality >= internal and integrity <= high and compartment hr and unattended { atLeast stepUp readOnly, Files.*  atLeast consent * }
    when unattended { atLeast consent notes.* }`);
  const when = [1, 1, 2n, true];
  const words = "when confidentiality >= internal and integrity <= high and compartment hr and unattended";
  expect(floorsOf(floors)).toEqual([
    {
      mode: "stepUp",
      keys: ["category readOnly", "interface Files"],
      when,
      words: `${words}: atLeast stepUp readOnly, Files.*`,
    },
    { mode: "consent", keys: ["*"], when, words: `${words}: atLeast consent *` },
    {
      mode: "consent",
      keys: ["instance notes"],
      when: [0, 255, 0n, true],
      words: "when unattended: atLeast consent notes.*",
    },
  ]);
});

test("a floor is bound with its conditions, also if the next floor begins right after a number", async () => {
  const { floors } = await operatorWith(
    'when unattended { atLeast forbidden Files.write where size(content) > 100 atLeast stepUp Files.write where path under "/a" and has(content) }',
  );
  expect(
    floors.map(({ mode, checks, words }) => [mode, checks.map(({ path, operator }) => [path, operator]), words]),
  ).toEqual([
    [
      "forbidden",
      [[["content"], "greater"]],
      "when unattended: atLeast forbidden Files.write where size(content) > 100",
    ],
    [
      "stepUp",
      [
        [["path"], "under"],
        [["content"], "equal"],
      ],
      'when unattended: atLeast stepUp Files.write where path under "/a" and has(content)',
    ],
  ]);
});

test("a floor with an invalid condition covers no tools", async () => {
  const sessions = "session operator { when unattended { atLeast forbidden Files.write where siz(content) > 100 } }";
  const { model, findings } = await boundPage(renderFactsPage({ top: LEVELS, sessions }));
  expect(findings.map(({ message }) => message)).toEqual(["`siz` is not a valid function"]);
  const { floors } = sessionOf(model, "operator");
  expect(floors.map(({ patterns, checks }) => [patterns.length, checks.length])).toEqual([[0, 0]]);
});

test("repeated conditions of a `when` are combined to the higher confidentiality, the lower integrity and all compartments", async () => {
  const { floors } =
    await operatorWith(`when confidentiality >= internal and confidentiality >= secret and confidentiality >= public
    and integrity <= high and integrity <= low and compartment hr and compartment it { atLeast consent * }`);
  expect(
    floors.map(({ when }) => [when.confidentialityAtLeast, when.integrityAtMost, when.compartments, when.unattended]),
  ).toEqual([[2, 0, 6n, false]]);
});

test.each(["confidentiality >= nope", "integrity <= nope", "compartment nope"])(
  "a floor with the unknown name in `%s` is dropped",
  async (condition) => {
    const sessions = `session operator { when ${condition} and unattended { atLeast consent * } }`;
    const { model } = await boundPage(renderFactsPage({ top: LEVELS, sessions }));
    expect(sessionOf(model, "operator").floors).toEqual([]);
  },
);

test("quotas have their amount in the smallest unit, their unit and their scope", async () => {
  const { quotas } = await operatorWith(
    `quota { 3 calls per call  2k tokens per conversation  4 prompts per turn  2 KiB per login  1 MiB per principal }
     quota { 5 readOnly per task  6 destructive calls per hour  0.25 EUR per day  7 B per hour  1 GiB per turn }`,
  );
  expect(quotas.map(({ amount, unit, name, scope, words }) => [amount, unit, name, scope, words])).toEqual([
    [3n, "calls", "", "call", "3 calls per call"],
    [2000n, "tokens", "", "conversation", "2000 tokens per conversation"],
    [4n, "prompts", "", "turn", "4 prompts per turn"],
    [2048n, "bytes", "", "login", "2 KiB per login"],
    [1n << 20n, "bytes", "", "principal", "1 MiB per principal"],
    [5n, "category", "readOnly", "task", "5 readOnly per task"],
    [6n, "category", "destructive", "hour", "6 destructive calls per hour"],
    [250_000n, "money", "EUR", "day", "0.25 EUR per day"],
    [7n, "bytes", "", "hour", "7 B per hour"],
    [1n << 30n, "bytes", "", "turn", "1 GiB per turn"],
  ]);
});

test("of two quotas with the same unit and scope, the first is kept", async () => {
  const { model, findings } = await boundPage(
    renderFactsPage({ permit: "auto readOnly } quota { 3 calls per turn  4 calls per turn  5 calls per day" }),
  );
  expect(sessionOf(model, "operator").quotas.map(({ amount, scope }) => [amount, scope])).toEqual([
    [3n, "turn"],
    [5n, "day"],
  ]);
  expect(findings).toHaveLength(1);
});

test("`EUR` in a quota is a category if the page declares this category, but `KiB` is always the unit", async () => {
  const { quotas } = await operatorWith(
    "quota { 3 EUR per turn  2 KiB calls per turn }",
    "category EUR : admin  category KiB : admin",
  );
  expect(quotas.map(({ unit, name }) => [unit, name])).toEqual([
    ["category", "EUR"],
    ["bytes", ""],
  ]);
});

test("timeouts are in milliseconds, and only the first one for each scope is kept", async () => {
  const { timeouts } = await operatorWith("timeout { 5 s per call  2 min per turn }  timeout { 1 h per login }");
  expect(timeouts.map(({ scope, milliseconds }) => [scope, milliseconds])).toEqual([
    ["call", 5000],
    ["turn", 120_000],
    ["login", 3_600_000],
  ]);
  const { model } = await boundPage(
    renderFactsPage({ permit: "auto * } timeout { 5 s per call  6 s per call  7 s per week  0 s per turn" }),
  );
  expect(sessionOf(model, "operator").timeouts.map(({ scope, milliseconds }) => [scope, milliseconds])).toEqual([
    ["call", 5000],
  ]);
});

test.each(["turn", "conversation"])("consent is remembered for a %s", async (scope) => {
  expect((await operatorWith(`remember ${scope}`)).remember?.scope).toBe(scope);
});

test("a session without settings has only empty values", async () => {
  const { sessions } = await modelWith("session bare {}");
  const { node: _, ...bare } = sessions.find(({ id }) => id === "bare") ?? {};
  const none = {
    kind: undefined,
    principals: undefined,
    login: undefined,
    taskRequirement: undefined,
    starts: undefined,
    clearance: undefined,
    models: undefined,
  };
  const empty = { lines: [], only: [], suppress: [], floors: [], quotas: [], timeouts: [], widenings: [] };
  expect(bare).toEqual({
    ...{
      id: "bare",
      base: undefined,
      damaged: false,
      own: true,
      abstract: false,
      relation: undefined,
      remember: undefined,
    },
    ...none,
    ...empty,
  });
});

test("a session has its kind, principals, login and models", async () => {
  const top =
    'principal alice { ssh "keys/alice.pub" }  principal bob { ssh "keys/bob.pub"  passphrase "pass" }  backend other { stub }';
  const session = await operatorWith(
    "principals bob, alice, bob  login passphrase  models { auto canned  stepUp other }",
    top,
  );
  expect([session.kind?.name, session.login?.proof]).toEqual(["operator", "passphrase"]);
  expect(session.principals?.map(({ name }) => name)).toEqual(["bob", "alice"]);
  expect(session.models?.map(({ backend, mode }) => [backend.name, mode])).toEqual([
    ["canned", "auto"],
    ["other", "stepUp"],
  ]);
});

test("unknown principals and models are dropped, and known ones are kept", async () => {
  const sessions = "session operator { principals alice, nobody  models { auto nothing  consent canned } }";
  const { model } = await boundPage(renderFactsPage({ top: 'principal alice { ssh "keys/alice.pub" }', sessions }));
  const operator = sessionOf(model, "operator");
  expect([operator.principals?.map(({ name }) => name), operator.models?.map(({ backend }) => backend.name)]).toEqual([
    ["alice"],
    ["canned"],
  ]);
});

test("a bound session states its base, whether it `extends` this base, and whether it is abstract or damaged", async () => {
  const { sessions } = await modelWith(
    "use std.profiles  abstract session base from profiles.operator {}  session night extends base {}",
  );
  const facts = sessions.map(({ id, base, relation, own, abstract, damaged }) => [
    id,
    base?.id,
    relation,
    own,
    abstract,
    damaged,
  ]);
  expect(facts).toContainEqual(["base", "profiles.operator", "from", true, true, false]);
  expect(facts).toContainEqual(["night", "base", "extends", true, false, false]);
  expect(facts.filter(([id]) => `${id}`.startsWith("profiles.")).every(([, , , own]) => own === false)).toBe(true);
});

test("a session with an unknown base is damaged, and so are all sessions that extend it", async () => {
  const top = "session a extends nowhere {}  session b extends a {}  session c {}  task t in b {}  worker w in b {}";
  const { model } = await boundPage(renderFactsPage({ top }));
  expect(["a", "b", "c"].map((id) => sessionOf(model, id).damaged)).toEqual([true, true, false]);
  expect([model.tasks[0]?.damaged, model.workers[0]?.damaged, model.damaged]).toEqual([true, true, true]);
});

test("a syntax error in a session, task, phase or worker damages it and the page", async () => {
  const damage = async (top: string) => (await boundPage(renderFactsPage({ top }))).model;
  expect(sessionOf(await damage("session s { permit { auto , } }"), "s").damaged).toBe(true);
  for (const [top, tasks, workers] of [
    ["task t in operator { only , }", [true], []],
    ["task t in operator { phase p { only , } }", [true], []],
    ["task t in operator { phase p { only , }  phase q {} }", [true], []],
    ["task t in operator { phase p {} }  worker w in operator { only , }", [false], [true]],
  ] as const) {
    const model = await damage(top);
    expect([model.tasks.map(({ damaged }) => damaged), model.workers.map(({ damaged }) => damaged)]).toEqual([
      tasks,
      workers,
    ]);
    expect(model.damaged).toBe(true);
  }
  expect((await damage("session s {}")).damaged).toBe(false);
});

test("a widening is bound with its rules, models, clearance and quotas, and with the text of its reason and last day", async () => {
  const { widenings } = await operatorWith(
    'widen { auto Files.*  consent readOnly  clearance secret  models { auto canned }  quota { 5 calls per hour } } because "a b" until "2027-01-31"  widen { auto * } because "c"',
  );
  const [first, second] = widenings;
  expect(first?.lines.map(({ mode, patterns }) => [mode, keysIn(patterns)])).toEqual([
    ["auto", ["interface Files"]],
    ["consent", ["category readOnly"]],
  ]);
  expect([labelled(first?.clearance), first?.models?.map(({ backend }) => backend.name)]).toEqual([
    "2/-:0",
    ["canned"],
  ]);
  expect(first?.quotas.map(({ amount, scope }) => [amount, scope])).toEqual([[5n, "hour"]]);
  expect(widenings.map(({ words }) => words)).toEqual(['because "a b" until "2027-01-31"', 'because "c"']);
  expect([second?.models, second?.clearance, second?.quotas]).toEqual([undefined, undefined, []]);
});

test("names of tasks, phases and workers begin with the name of their parent", async () => {
  const { tasks, workers } = await modelWith(
    `session night extends operator {}
     task triage in operator { phase look { only Files.read }  phase mend after consent { only Files.* }  phase end after stepUp {}  phase last {}  quota { 3 calls per task } }
     worker digest in operator { only readOnly }  worker sort in triage {}  worker late in night.triage {}`,
    { sessions: "session operator { kind operator }" },
  );
  expect(tasks.map(({ id, name, session, damaged, quotas }) => [id, name, session.id, damaged, quotas.length])).toEqual(
    [["operator.triage", "triage", "operator", false, 1]],
  );
  expect(tasks[0]?.phases.map(({ id, name, after, only }) => [id, name, after, only.map(keysIn)])).toEqual([
    ["operator.triage.look", "look", undefined, [["method Files.read"]]],
    ["operator.triage.mend", "mend", "consent", [["interface Files"]]],
    ["operator.triage.end", "end", "stepUp", []],
    ["operator.triage.last", "last", undefined, []],
  ]);
  expect(workers.map(({ id, name, within, damaged }) => [id, name, within.kind, within.session.id, damaged])).toEqual([
    ["operator.digest", "digest", "session", "operator", false],
    ["operator.triage.sort", "sort", "task", "operator", false],
    ["operator.triage.late", "late", "task", "night", false],
  ]);
  expect(workers.map(({ only }) => only.map(keysIn))).toEqual([[["category readOnly"]], [], []]);
});

test("of two tasks or workers with the same name, the first is kept", async () => {
  const top = `task t in operator { quota { 1 calls per task } }  task t in operator { quota { 2 calls per task } }
    worker w in operator { quota { 1 calls per task } }  worker w in t { quota { 2 calls per task } }`;
  const { model } = await boundPage(renderFactsPage({ top }));
  expect([model.tasks, model.workers].map((all) => all.map(({ quotas }) => quotas[0]?.amount))).toEqual([[1n], [1n]]);
});

test("tasks with the same name in two sessions are two tasks", async () => {
  const top = 'session night {}  task t in operator {}  task t in night {}  test "x" { as operator.t  as night.t }';
  const { tasks, tests } = await modelWith(top);
  expect(tasks.map(({ id }) => id)).toEqual(["operator.t", "night.t"]);
  expect(tests[0]?.steps.map((step) => step.kind === "as" && step.who.kind === "task" && step.who.task.id)).toEqual([
    "operator.t",
    "night.t",
  ]);
});

test("a session that is declared `from` another session does not have the tasks of the other session", async () => {
  const { findings } = await boundPage(
    renderFactsPage({ top: "session night from operator {}  task t in operator {}  worker w in night.t {}" }),
  );
  expect(findings.map(({ message }) => message)).toEqual(["there is no session or task named `night.t`"]);
});

test("a principal is bound with the keys of its files and the name of its passphrase", async () => {
  const top =
    'principal both { ssh "keys/alice.pub"  ssh "keys/bob.pub"  passphrase "p"  passkey "phone" }  principal none { passkey "x" }';
  const { principals } = await modelWith(top);
  const [both, none] = ["both", "none"].map((name) => named(principals, name));
  const keyOf = (line: string) => line.split(" ").slice(0, 2).join(" ");
  expect(both?.keys.map(({ key }) => key)).toEqual([ALICE, BOB].map(keyOf));
  expect([both?.passphrase?.name, none?.keys, none?.passphrase]).toEqual(["p", [], undefined]);
});

test("a model is bound with all its settings, or with empty values if the page gives none", async () => {
  const text = renderFactsPage({
    top: `model all { weights "a.gguf"  arch llama  quantisation q4_k_m  context 4k tokens  tools true  served "gpt"  price 0.15 USD, 0.6 USD  accept 85 percent }
      model bare {}  model dull { tools false  price 0 EUR }`,
  });
  const { model } = await boundPage(text, { "/a.gguf": "GGUF" });
  const { path, file, node: _, ...all } = named(model.weights, "all");
  expect([path?.value, file === undefined]).toEqual(["a.gguf", false]);
  expect(all).toEqual({
    ...{
      name: "all",
      arch: "llama",
      quantisation: "q4_k_m",
      contextTokens: 4000,
      tools: true,
      served: "gpt",
      acceptPercent: 85,
    },
    price: { currency: "USD", inputMicros: 150_000n, outputMicros: 600_000n },
  });
  const { node: __, ...bare } = named(model.weights, "bare");
  const none = {
    path: undefined,
    file: undefined,
    arch: undefined,
    quantisation: undefined,
    served: undefined,
    price: undefined,
  };
  expect(bare).toEqual({ name: "bare", contextTokens: 0, tools: false, acceptPercent: 0, ...none });
  const { tools, price } = named(model.weights, "dull");
  expect([tools, price]).toEqual([false, { currency: "EUR", inputMicros: 0n, outputMicros: 0n }]);
});

test.each([
  "1 euro",
  "1 EUR, 2 USD",
  "1 EUR, 2 EUR, 3 EUR",
  "0.0000001 EUR",
  "1 EUR, 0.0000001 EUR",
  "1000001 EUR",
  "1 EUR, 1000001 EUR",
])("a price of `%s` is refused", async (price) => {
  const { model, findings } = await boundPage(renderFactsPage({ top: `model m { price ${price} }` }));
  expect([named(model.weights, "m").price, findings.length]).toEqual([undefined, 1]);
});

test("a price may be a million units of a currency", async () => {
  const { weights } = await modelWith("model m { price 1000000 EUR }");
  expect(named(weights, "m").price?.inputMicros).toBe(10n ** 12n);
});

test.each<[string, string, { readonly name: string; readonly address: string } | undefined]>([
  ["stub", "stub", undefined],
  ["cpu", "cpu", undefined],
  ["gpu", "gpu", undefined],
  ['remote openai "https://a.example"', "remote", { name: "openai", address: "https://a.example" }],
  ['browser openai "https://b.example"', "browser", { name: "openai", address: "https://b.example" }],
])("a backend with the engine `%s` has the kind `%s`", async (engine, kind, provider) => {
  const { backends } = await modelWith(`backend other { ${engine} }`);
  const other = named(backends, "other");
  expect([other.kind, other.provider]).toEqual([kind, provider]);
});

test("a backend is bound with its settings, or with empty values if the page gives none", async () => {
  const text = renderFactsPage({
    top: `${LEVELS} model a {}  model b {}
      backend all { stub "replies.json"  model a  embedder b  threads 3  memory 2 GiB  token vault.key  log required  clearance secret:{hr}  quota { 2 calls per day }  quota { 3 tokens per day } }
      backend bare { cpu }`,
  });
  const { model, findings } = await boundPage(text);
  expect(findings).toEqual([]);
  const all = named(model.backends, "all");
  expect([all.model?.name, all.embedder?.name, all.threads, all.memoryBytes]).toEqual(["a", "b", 3, 2n << 30n]);
  expect([all.token, all.logRequired, labelled(all.clearance), all.replies === undefined]).toEqual([
    "vault.key",
    true,
    "2/-:2",
    false,
  ]);
  expect(all.quotas.map(({ unit }) => unit)).toEqual(["calls", "tokens"]);
  const bare = named(model.backends, "bare");
  expect([bare.model, bare.embedder, bare.threads, bare.memoryBytes]).toEqual([undefined, undefined, 0, 0n]);
  expect([bare.token, bare.logRequired, bare.clearance, bare.replies, bare.quotas]).toEqual([
    undefined,
    false,
    undefined,
    undefined,
    [],
  ]);
});

test("a backend with invalid amounts is bound without them", async () => {
  const { model } = await boundPage(renderFactsPage({ top: "backend other { stub  threads 0  memory 1 MB }" }));
  const { threads, memoryBytes } = named(model.backends, "other");
  expect([threads, memoryBytes]).toEqual([0, 0n]);
});

test.each(["console", "web", "chat", "webhook", "mail", "file"])(
  "an ingress with the source `%s` is bound with its address, session and label",
  async (source) => {
    const top = `${LEVELS}  task t in operator {}  ingress i : ${source} "there" into operator.t label internal/low`;
    const { ingresses } = await modelWith(top);
    const [found] = ingresses;
    expect([found?.name, found?.source, found?.address, found?.into.kind, found?.into.session.id]).toEqual([
      "i",
      source,
      "there",
      "task",
      "operator",
    ]);
    expect(labelled(found?.label)).toBe("1/0:0");
  },
);

test("a timer is bound with its schedule, its time zone, its choice for missed runs and its message", async () => {
  const top = 'ingress i : timer "0 3 * * *" in "Europe/Berlin" missed each says "Sum  up." into operator label public';
  const [timer] = (await modelWith(top)).ingresses;
  expect(timer?.timer).toEqual({
    schedule: { expression: "0 3 * * *", zone: "Europe/Berlin" },
    missed: "each",
    says: "Sum  up.",
  });
  const [mail] = (await modelWith('ingress i : mail "there" into operator label public')).ingresses;
  expect([mail?.address, mail?.timer]).toEqual(["there", undefined]);
});

test.each([
  ["timer", "it does not state when it runs"],
  ['timer "0 3 * * *"', "its time zone is missing"],
  ['timer "0 3 * * *" missed once', "its time zone is missing"],
  ['timer "0 3 * * *" in "UTC"', "it does not state what becomes of missed runs"],
  ['timer "3:00" in "UTC" missed once', "its schedule cannot be read: it has 1 fields"],
  ['timer "0 0 31 2 *" in "UTC" missed once', "its schedule cannot be read: it has no run"],
  ['timer "0 3 * * *" in "Berlin" missed once', "its time zone is not one of the IANA database"],
  ['timer "0 3 * * *" in "europe/berlin" missed once', "write its time zone as Europe/Berlin"],
  ['timer "0 3 * * *" in "UTC" missed once', "it does not state what the agent is asked"],
  ['mail "a@example.org" in "UTC"', "only a timer has a time zone, missed runs and a message"],
  ["web missed once", "only a timer has a time zone, missed runs and a message"],
])("the ingress `%s` is refused: %s", async (source, fault) => {
  const { model, findings } = await boundPage(
    renderFactsPage({ top: `ingress i : ${source} into operator label public` }),
  );
  expect(model.ingresses).toEqual([]);
  expect(findings.map(({ code }) => code)).toEqual(["timer-unfit"]);
  expect(findings[0]?.message).toContain(fault);
});

test.each([
  ['says ""', "its message is empty"],
  ['says "  "', "its message is empty"],
  [`says "${"é".repeat(2048)}."`, "its message is too long"],
])("a timer with `%s` is refused: %s", async (says, fault) => {
  const top = `ingress i : timer "0 3 * * *" in "UTC" missed once ${says} into operator label public`;
  const { model, findings } = await boundPage(renderFactsPage({ top }));
  expect(model.ingresses).toEqual([]);
  expect(findings.map(({ code, message }) => [code, message.includes(fault)])).toEqual([["timer-unfit", true]]);
});

test("a mail ingress with a message is refused", async () => {
  const top = 'ingress i : mail "there" says "Read it." into operator label public';
  const { findings } = await boundPage(renderFactsPage({ top }));
  expect(findings.map(({ code }) => code)).toEqual(["timer-unfit"]);
});

test("the label after `digests above` of the audit is bound, and dropped if it is not a valid confidentiality", async () => {
  const limitOf = async (audit: string) =>
    (await boundPage(renderFactsPage({ top: `${LEVELS}  ${audit}` }))).model.audit;
  expect(labelled((await limitOf("audit { digests above internal }"))?.digests?.above)).toBe("1/-:0");
  for (const wrong of ["", "audit {}", "audit { digests above nope }", "audit { digests above internal/reviewed }"])
    expect(await limitOf(wrong)).toBeUndefined();
});

test("the audit keeps records until they are exported or shipped, or for ever", async () => {
  const keepOf = async (lines: string) => (await boundPage(renderFactsPage({ top: lines }))).model.audit?.keep?.until;
  expect(await keepOf("audit { keep until exported }")).toBe("exported");
  const network = 'network { address dhcp  collector "syslog", "logs.example" }';
  expect(await keepOf(`${network}  audit { keep until shipped }`)).toBe("shipped");
  expect(await keepOf("audit { keep until shipped }")).toBeUndefined();
  expect(await keepOf("")).toBeUndefined();
});

test("a redaction is bound with its label, patterns and fields, and dropped if its level is unknown", async () => {
  const top = `${LEVELS}  redact a label internal { matches "###", "a*bc"  from notes.read.content.x  arg notes.write.path }
    redact b label nope { matches "###" }`;
  const { redactions } = (await boundPage(renderFactsPage({ top }))).model;
  expect(redactions.map(({ name, patterns }) => [name, patterns.map(({ value }) => value)])).toEqual([
    ["a", ["###", "a*bc"]],
  ]);
  expect(redactions[0]?.fields.map(({ of, tool, method, field }) => [of, tool, method, field])).toEqual([
    ["result", "notes.read", "read", "content.x"],
    ["arguments", "notes.write", "write", "path"],
  ]);
  expect(labelled(redactions[0]?.label)).toBe("1/-:0");
});

test.each([
  "ingress i : pigeon into operator label public",
  "ingress i : mail into nobody label public",
  "ingress i : mail into operator label nope",
])("an ingress with an unknown name is dropped: %s", async (ingress) => {
  expect((await boundPage(renderFactsPage({ top: ingress }))).model.ingresses).toEqual([]);
});

test("a release is bound with its pattern, both labels, its gate and its session", async () => {
  const { releases } = await modelWith(`${LEVELS}
    declassify notes.read from secret:{hr} to public by stepUp for operator because "a"
    endorse Files.write from public/low to public/high by consent because "b"`);
  expect(
    releases.map(({ act, pattern, from, to, by, session }) => [
      act,
      pattern.key,
      labelled(from),
      labelled(to),
      by,
      session?.id,
    ]),
  ).toEqual([
    ["declassify", "tool notes.read", "2/-:2", "0/-:0", "stepUp", "operator"],
    ["endorse", "method Files.write", "0/0:0", "0/1:0", "consent", undefined],
  ]);
  expect(releases.map(({ words }) => words)).toEqual([
    'declassify notes.read from secret:{hr} to public by stepUp for operator because "a"',
    'endorse Files.write from public/low to public/high by consent because "b"',
  ]);
});

test.each([
  "notes.nope from secret to public by consent",
  "notes.read from nope to public by consent",
  "notes.read from secret to nope by consent",
  "notes.read from secret to public by consent for nobody",
  "notes.read from secret to public by auto",
])("a release with an unknown name or without a gate is dropped: %s", async (release) => {
  expect((await boundPage(renderFactsPage({ top: `declassify ${release} because "x"` }))).model.releases).toEqual([]);
});

test("a waiver names one assertion, and applies to all sessions or to one", async () => {
  const { waivers } = await modelWith('waive trifecta for operator because "a"  waive audited because "b"');
  expect(waivers.map(({ assertion, session, reason }) => [assertion, session?.id, reason])).toEqual([
    ["trifecta", "operator", "a"],
    ["audited", undefined, "b"],
  ]);
  const { model } = await boundPage(
    renderFactsPage({ top: 'waive trifecta for nobody because "a"  waive nope because "b"' }),
  );
  expect(model.waivers).toEqual([]);
});

test("each kind of assertion is bound with its values", async () => {
  const { assertions } = await modelWith(`${LEVELS}  service log : Logs {}  task t in operator {}
    assert never flow secret:{hr} to canned without releases
    assert never flow public to notes for operator
    assert never flow public to Logs
    assert never trifecta
    assert never call destructive, notes.* ungated for operator.t
    assert never call Files.read directly
    assert always stepUp admin, Files.delete directly
    assert limit 2 destructive calls per turn`);
  const about = assertions.map(({ claim }) => {
    if (claim.kind === "never-flow") {
      const { to } = claim;
      const target = to.kind === "backend" ? to.backend : to.kind === "service" ? to.service : to.interface;
      return [to.kind, target.name, labelled(claim.label)];
    }
    if (claim.kind === "never-call") return [keysIn(claim.patterns), claim.ungated, claim.directly];
    if (claim.kind === "always") return [claim.mode, keysIn(claim.patterns), claim.directly];
    return claim.kind === "limit" ? [claim.quota.amount, claim.quota.name, claim.quota.scope] : [claim.kind];
  });
  expect(about).toEqual([
    ["backend", "canned", "2/-:2"],
    ["service", "notes", "0/-:0"],
    ["interface", "Logs", "0/-:0"],
    ["never-trifecta"],
    [["category destructive", "instance notes"], true, false],
    [["method Files.read"], false, true],
    ["stepUp", ["category admin", "method Files.delete"], true],
    [2n, "destructive", "turn"],
  ]);
  expect(
    assertions.map(({ withoutReleases, subject }) => [withoutReleases, subject?.kind, subject?.session.id]),
  ).toEqual([
    [true, undefined, undefined],
    [false, "session", "operator"],
    [false, undefined, undefined],
    [false, undefined, undefined],
    [false, "task", "operator"],
    [false, undefined, undefined],
    [false, undefined, undefined],
    [false, undefined, undefined],
  ]);
});

test.each([
  "never flow nope to canned",
  "never flow secret to nothing",
  "never flow secret to Nothing",
  "never call readOnly, nope",
  "always stepUp readOnly, nope",
  "limit 0 calls per turn",
  "never trifecta for nobody",
])("an assertion with an unknown name is dropped: assert %s", async (claim) => {
  expect((await boundPage(renderFactsPage({ top: `assert ${claim}` }))).model.assertions).toEqual([]);
});

test("assertions of the standard library are bound if a page uses them, before the page's own", async () => {
  const { assertions } = await modelWith("use std.assertions  assert never call admin");
  expect(assertions.map(({ words }) => words)).toEqual(["assert never trifecta", "assert never call admin"]);
});

test("an assertion for an abstract session is refused if no session extends it, unless a base of a session is unknown", async () => {
  const asked = async (top: string) => (await boundPage(renderFactsPage({ top }))).findings.map(({ code }) => code);
  const idle = "abstract session idle {}";
  expect(await asked(`${idle}  assert never trifecta for idle`)).toEqual(["abstract-session"]);
  expect(await asked(`${idle}  session night extends idle {}  assert never trifecta for idle`)).toEqual([]);
  expect(await asked(`${idle}  session night from idle {}  assert never trifecta for idle`)).toEqual([
    "abstract-session",
  ]);
  expect(await asked(`${idle}  session night extends lost {}  assert never trifecta for idle`)).toEqual([
    "unknown-name",
  ]);
});

test("each step of a test is bound with its kind, its answer and its expected outcome", async () => {
  const { tests } = await modelWith(`${LEVELS}  task t in operator { phase p {} }
    test "a b" { as operator  say "hello" paste "x" as operator.t unattended  enter p answer yes expect ok  infer canned answer no expect deniedByUser
      call notes.read { path: "a" } returning secret:{hr}/high giving ["a"] answer yes expect consent  call notes.nope {} expect unknownTool }`);
  const [found] = tests;
  expect([found?.title, found?.steps.map(({ kind }) => kind)]).toEqual([
    "a b",
    ["as", "say", "paste", "as", "enter", "infer", "call", "call"],
  ]);
  const steps = found?.steps.map((step) => {
    if (step.kind === "as") return [step.who.kind, step.unattended];
    if ("text" in step) return [step.text];
    const said = [step.answer, step.expect];
    if (step.kind === "enter") return [step.phase, ...said];
    return step.kind === "infer"
      ? [step.backend.name, ...said]
      : [step.name, step.tool?.name, labelled(step.returning), step.giving, ...said];
  });
  expect(steps).toEqual([
    ["session", false],
    ["hello"],
    ["x"],
    ["task", true],
    ["p", "yes", "ok"],
    ["canned", "no", "deniedByUser"],
    ["notes.read", "notes.read", "2/1:2", '["a"]', "yes", "consent"],
    ["notes.nope", undefined, "none", undefined, undefined, "unknownTool"],
  ]);
});

test("arguments of a call are rendered as a model would send them, even with duplicate names", async () => {
  const json = '{ a: [1, -2.50, 200k, true, false, null, "x\\n\\"y"], "b c": { }, d: [], a: { e: 0 } }';
  const { tests } = await modelWith(`test "t" { as operator  call notes.read ${json} expect auto }`);
  const step = tests[0]?.steps[1];
  expect(step?.kind === "call" && step.arguments).toBe(
    '{"a":[1,-2.5,200000,true,false,null,"x\\n\\"y"],"b c":{},"d":[],"a":{"e":0}}',
  );
});

test.each([
  "as nobody",
  "as operator  infer nothing expect auto",
  "as operator  call notes.nope {} expect auto",
  "as operator  call notes.read {} returning nope expect auto",
  "as operator  call notes.read {} answer maybe expect auto",
  "as operator  enter p expect nope",
  "as operator  infer canned expect nope",
])("a test with an invalid step is dropped: %s", async (steps) => {
  expect((await boundPage(renderFactsPage({ top: `test "t" { ${steps} }` }))).model.tests).toEqual([]);
});

test("the disk is bound with its name, its encryption and its creation setting", async () => {
  const storage = async (inside: string) => (await modelWith("", { rest: `storage { ${inside} }` })).storage;
  const whole = await storage('disk "data"  encrypt passphrase  create blank');
  expect([whole?.disk, whole?.encrypt?.text, whole?.create?.text]).toEqual(["data", "passphrase", "blank"]);
  const bare = await storage("disk data");
  expect([bare?.disk, bare?.encrypt, bare?.create]).toEqual(["data", undefined, undefined]);
  expect(await storage("encrypt passphrase")).toBeUndefined();
  expect((await modelWith("", { rest: "" })).storage).toBeUndefined();
});

test("the network is bound with its address, host, router, resolvers and log collector", async () => {
  const network = async (inside: string) => (await modelWith("", { rest: `network { ${inside} }` })).network;
  const whole = await network(
    'address static  host "10.0.0.2/24"  router "10.0.0.1"  resolvers "1.1.1.1", "9.9.9.9"  collector "syslog", "a.example"',
  );
  expect([whole?.address?.text, whole?.host?.text, whole?.router?.text]).toEqual(["static", "10.0.0.2/24", "10.0.0.1"]);
  expect([whole?.resolvers, whole?.collector].map((names) => names?.map(({ text }) => text))).toEqual([
    ["1.1.1.1", "9.9.9.9"],
    ["syslog", "a.example"],
  ]);
  for (const address of ["dhcp", "none"]) expect((await network(`address ${address}`))?.address?.text).toBe(address);
  const bare = await network("");
  expect([bare?.address, bare?.host, bare?.router, bare?.resolvers, bare?.collector]).toEqual([
    undefined,
    undefined,
    undefined,
    [],
    undefined,
  ]);
  expect((await modelWith("", { rest: "" })).network).toBeUndefined();
});

test("the image is bound with its target, console, firmware, memory and boot session", async () => {
  const image = async (inside: string) => (await modelWith("use std.profiles", { rest: `image { ${inside} }` })).image;
  const whole = await image(
    "target linux  machine vm  console screen  firmware uefi, bios  trust sealed  memory 2 GiB  boot operator",
  );
  expect([whole?.target?.text, whole?.machine?.text, whole?.console, whole?.trust]).toEqual([
    "linux",
    "vm",
    "screen",
    "sealed",
  ]);
  // The model lists `bios` before `uefi`, whatever their order on the page.
  expect([whole?.firmware, whole?.memory?.bytes]).toEqual([["bios", "uefi"], 2n << 30n]);
  expect([whole?.boot?.id, whole?.bootName?.text]).toEqual(["operator", "operator"]);
  for (const console of ["serial", "screen"]) expect((await image(`console ${console}`))?.console).toBe(console);
  for (const trust of ["media", "sealed"]) expect((await image(`trust ${trust}`))?.trust).toBe(trust);
  const { node: _, upstream, ...bare } = (await image("")) ?? {};
  const none = {
    target: undefined,
    machine: undefined,
    console: undefined,
    firmware: undefined,
    trust: undefined,
    memory: undefined,
  };
  expect(bare).toEqual({ ...none, bootName: undefined, boot: undefined });
  const unsaid = {
    kernel: undefined,
    limine: undefined,
    hostname: undefined,
    motd: undefined,
    log: undefined,
    exits: undefined,
    tables: undefined,
  };
  expect(upstream).toEqual({ ...unsaid, init: [], restart: [] });
});

test("settings for upstream's kernel are stored as written", async () => {
  const { image } = await modelWith("", {
    rest: `image { kernel "k"  limine "l"  init console, timer  hostname "h"  motd "m"  log debug  restart "notes always", "x"  exits notes  tables none }`,
  });
  const { upstream } = image ?? {};
  const single = (["kernel", "limine", "hostname", "motd", "log", "exits", "tables"] as const).map(
    (name) => upstream?.[name]?.text,
  );
  expect(single).toEqual(["k", "l", "h", "m", "debug", "notes", "none"]);
  expect([upstream?.init, upstream?.restart].map((names) => names?.map(({ text }) => text))).toEqual([
    ["console", "timer"],
    ["notes always", "x"],
  ]);
});

test.each(["debug", "info", "warn", "error"])("the log level of upstream's kernel may be %s", async (level) => {
  expect((await modelWith("", { rest: `image { log ${level} }` })).image?.upstream.log?.text).toBe(level);
});

test("an unknown word in a setting is dropped", async () => {
  const { model } = await boundPage(
    renderFactsPage({
      rest: 'storage { disk "d"  encrypt nope }  image { console nope  trust nope  firmware nope, uefi  memory nope  log nope }',
    }),
  );
  expect(model.storage?.encrypt).toBeUndefined();
  const { image } = model;
  expect([image?.console, image?.trust, image?.firmware, image?.memory, image?.upstream.log]).toEqual([
    undefined,
    undefined,
    ["uefi"],
    undefined,
    undefined,
  ]);
});

test("a profile of the standard library cannot be the session that boots", async () => {
  const { model, findings } = await boundPage(
    renderFactsPage({ top: "use std.profiles", rest: "image { boot operatr }" }),
  );
  expect([model.image?.boot, model.image?.bootName?.text]).toEqual([undefined, "operatr"]);
  expect(findings).toHaveLength(1);
});

test("a page is bound with the system that it declares, and is not damaged", async () => {
  const { system, damaged } = await modelWith("");
  expect([system?.name.text, damaged]).toEqual(["sample", false]);
});
