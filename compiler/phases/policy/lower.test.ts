import { describe, expect, test } from "vitest";
import { decide, type IndexedTables, indexTables, openConversation } from "../../../engine/lib/policy/index.ts";
import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { decode, encode } from "../../../engine/lib/wire/index.ts";
import type { Policy } from "../../../targets/contract/policy.ts";
import { compilePolicy, compilePolicyWithoutLaws, renderFactsPage } from "../../dev/fixtures/facts.ts";

// These tests decide calls with the same function that the gate uses.

function indexed({ tables }: Policy): IndexedTables {
  const checked = indexTables(tables);
  if (!checked.ok) throw new Error(checked.reason);
  return checked.value;
}

interface Seen {
  readonly session?: string;
  readonly arguments?: unknown;
  readonly label?: Partial<{ confidentiality: number; integrity: number; compartments: bigint }>;
  readonly unattended?: boolean;
}

/** Returns the gate of a call, or the reason why it is refused. */
function answer(policy: Policy, tool: string, seen: Seen = {}): string {
  const tables = indexed(policy);
  const conversation = openConversation(tables, seen.session ?? "operator");
  if (conversation === undefined) return "no such session";
  const label = { ...conversation.label, ...seen.label };
  const state = { ...conversation, label, unattended: seen.unattended ?? false };
  const args = JSON.stringify(seen.arguments ?? { path: "a.txt", ...(tool.endsWith("write") ? { content: "x" } : {}) });
  const decision = decide(tables, state, { tool, arguments: args });
  return decision.kind === "gated" ? decision.gate : decision.outcome;
}

const session = (permit: string, rest = "") =>
  renderFactsPage({
    sessions: `session operator { kind operator  principals alice  models { auto canned }  permit { ${permit} } ${rest} }`,
    top: 'principal alice { ssh "keys/alice.pub" }',
    services: "service notes : Files { state 1 MiB }  service drafts : Files { state 1 MiB }",
  });

/** Checks the decisions of a page about tools, written as `tool=answer …`. */
async function answers(text: string, expected: Readonly<Record<string, string>>, seen: Seen = {}): Promise<void> {
  const policy = await compilePolicy(text);
  const given = Object.fromEntries(Object.keys(expected).map((tool) => [tool, answer(policy, tool, seen)]));
  expect(given).toEqual(expected);
}

test("ruling 3: a more specific rule takes precedence over a less specific one", () =>
  answers(
    session(`forbidden *  auto readOnly  consent readOnly in Files  forbidden Files.*
             auto Files.read  consent drafts.*  stepUp drafts.read`),
    {
      "notes.list": "refusedByPolicy",
      "notes.read": "auto",
      "drafts.list": "consent",
      "drafts.read": "stepUp",
      "drafts.delete": "consent",
    },
  ));

test("a rule about a category within an interface takes precedence over a rule about the category", () =>
  answers(session("auto readOnly  consent readOnly in Files  forbidden *"), { "notes.read": "consent" }));

test("ruling 2: a tool is unknown if no rule covers it, if it is suppressed, or if an `only` does not list it", async () => {
  await answers(session("auto readOnly"), { "notes.read": "auto", "notes.write": "unknownTool" });
  await answers(session("auto *", "suppress notes.*, destructive"), {
    "notes.read": "unknownTool",
    "drafts.read": "auto",
    "drafts.delete": "unknownTool",
  });
  await answers(session("auto *", "only drafts.*  only readOnly"), {
    "drafts.read": "auto",
    "drafts.write": "unknownTool",
    "notes.read": "unknownTool",
  });
});

const WHERE = session(`auto readOnly
  auto notes.write where path under "/drafts" and size(content) <= 4 B else consent
  forbidden notes.write where path under "/drafts/secret" else auto`);

test.each([
  ["/drafts/a.txt", "abcd", "auto"],
  ["drafts/./a.txt", "abcd", "auto"],
  ["/drafts/a.txt", "abcde", "consent"],
  ["/drafts/a.txt", "äöü", "consent"],
  ["/draftsman/a.txt", "a", "consent"],
  ["/drafts/secret/a.txt", "a", "refusedByPolicy"],
  ["/drafts/../a.txt", "a", "refusedByPolicy"],
])(
  "ruling 4: if several rules with one pattern have conditions, writing %s with the content %j is %s",
  async (path, content, expected) => {
    expect(answer(await compilePolicy(WHERE), "notes.write", { arguments: { path, content } })).toBe(expected);
  },
);

const FLOORS = session(
  "auto *",
  `clearance internal
   when integrity <= untrusted { atLeast consent mutatingLocal  atLeast stepUp destructive }
   when confidentiality >= internal and unattended { atLeast forbidden Files.write }`,
).replace("{ stub }", "{ stub  clearance internal }");

test("ruling 13: floors become stricter as the conversation's label changes, and never looser", async () => {
  const policy = await compilePolicy(FLOORS);
  const seen = (integrity: number, confidentiality: number, unattended: boolean) =>
    ["notes.read", "notes.write", "notes.delete"].map((tool) =>
      answer(policy, tool, { label: { integrity, confidentiality }, unattended }),
    );
  expect(seen(1, 0, false)).toEqual(["auto", "auto", "auto"]);
  expect(seen(0, 0, false)).toEqual(["auto", "consent", "stepUp"]);
  expect(seen(1, 1, true)).toEqual(["auto", "refusedByPolicy", "refusedByPolicy"]);
});

const LAYERS = (child: string) =>
  renderFactsPage({
    top: 'principal alice { ssh "keys/alice.pub" }',
    services: "service notes : Files { state 1 MiB }  service drafts : Files { state 1 MiB }",
    sessions: `abstract session day { kind operator  principals alice  models { auto canned }
        permit { auto readOnly  consent mutatingLocal  stepUp notes.delete } suppress drafts.list }
      session operator ${child}`,
  });

test("extends: the strictest decision wins, and a tool that the base does not cover stays unavailable", () =>
  answers(LAYERS("extends day { permit { consent readOnly  auto mutatingLocal  auto * } }"), {
    "notes.read": "consent",
    "notes.write": "consent",
    "notes.delete": "stepUp",
    "drafts.delete": "unknownTool",
    "drafts.list": "unknownTool",
  }));

test("extends: a session inherits the decision about a tool for which it has no rule", () =>
  answers(LAYERS("extends day { permit { forbidden drafts.write } }"), {
    "notes.read": "auto",
    "drafts.write": "refusedByPolicy",
    "notes.delete": "stepUp",
  }));

test("from: rules of the session replace the rules of the base, even if they are looser", () =>
  answers(LAYERS("from day { permit { auto *  consent drafts.read } }"), {
    "notes.delete": "auto",
    "notes.read": "auto",
    "drafts.read": "consent",
    "drafts.list": "unknownTool",
  }));

test("ruling 6: widen replaces the decisions that it names, but no floors and no suppression", async () => {
  const text = LAYERS(`extends day {
    when unattended { atLeast forbidden notes.* }
    widen { auto notes.*, drafts.* } because "CHG-1: the night" until "2026-01-01" }`);
  await answers(text, { "notes.write": "auto", "notes.delete": "auto", "drafts.list": "unknownTool" });
  await answers(text, { "notes.write": "refusedByPolicy" }, { unattended: true });
  const { tables } = await compilePolicy(text);
  expect(tables.rules.map(({ words }) => words)).toContain(
    'widen auto notes.*, drafts.* because "CHG-1: the night" until "2026-01-01"',
  );
});

test("ruling 7: tools of the category `admin` are forbidden in sessions that are not of the kind `operator`, unless a widening allows them", async () => {
  const board = (kind: string, rest: string) =>
    renderFactsPage({
      top: "interface Board { method post : readOnly  method wipe : admin }",
      services: "service board : Board {}",
      sessions: `session operator { kind ${kind} models { auto canned } permit { auto * } ${rest} }`,
      rest: "image { target linux  machine vm  boot operator }",
    });
  await answers(board("operator", ""), { "board.wipe": "auto" }, { arguments: {} });
  await answers(board("guest", ""), { "board.wipe": "refusedByPolicy" }, { arguments: {} });
  const widened = board("guest", 'widen { consent board.wipe } because "CHG-2: guests wipe"');
  await answers(widened, { "board.wipe": "consent" }, { arguments: {} });
});

test("a profile's widening does not allow a tool for which the session has a rule", async () => {
  const text = renderFactsPage({
    top: "interface Board { method post : readOnly  method wipe : admin }",
    services: "service board : Board {}",
    sessions: `abstract session base { kind guest models { auto canned } permit { auto readOnly }
        widen { consent board.wipe } because "CHG-2: guests wipe" }
      session operator from base { permit { auto * } }`,
    rest: "image { target linux  machine vm  boot operator }",
  });
  await answers(text, { "board.wipe": "refusedByPolicy" }, { arguments: {} });
});

test("a widening of backends adds or replaces the named backends and keeps the others", async () => {
  const text = renderFactsPage({
    backends: "backend canned { stub } backend spare { stub clearance internal } backend other { stub }",
    sessions: `session day { kind operator models { auto other } permit { auto readOnly } }
      session operator extends day { widen { models { auto spare } } because "CHG-5: a second one" }
      session third from day { models { auto canned } }`,
  });
  const { tables } = await compilePolicyWithoutLaws(text);
  const names = tables.rows
    .find(({ session: name }) => name === "operator")
    ?.backends.map(({ backend }) => tables.backends[backend]?.name);
  expect(names).toEqual(["other", "spare"]);
});

test("ruling 10: results raise the label, arguments cannot flow to a lower label, and compartments stay separate", async () => {
  const text = renderFactsPage({
    top: "compartments { hr, finance }",
    services: `service notes : Files { state 1 MiB  label secret:{hr}/reviewed }
               service drafts : Files { state 1 MiB }`,
    backends: "backend canned { stub  clearance secret:{hr, finance} }",
    sessions: `session operator { kind operator  clearance secret:{hr}  starts internal:{hr}
                 models { auto canned } permit { auto * } }`,
  });
  const { tables } = await compilePolicy(text);
  expect(tables.lattice.compartments).toEqual(["finance", "hr"]);
  const hr = 2n;
  expect(tables.tools.find(({ name }) => name === "notes.read")?.result).toEqual({
    low: { confidentiality: 2, integrity: 1, compartments: hr },
    high: { confidentiality: 2, integrity: 1, compartments: hr },
  });
  expect(tables.rows[0]?.starts).toEqual({ confidentiality: 1, integrity: 1, compartments: hr });
  await answers(text, { "notes.write": "auto", "drafts.write": "refusedByPolicy", "drafts.read": "auto" });
  await answers(text, { "notes.write": "refusedByPolicy" }, { label: { integrity: 0 } });
});

test("a service without a label is public and untrusted, and so are its results", async () => {
  const { tables } = await compilePolicy(renderFactsPage({}));
  const lowest = { confidentiality: 0, integrity: 0, compartments: 0n };
  expect(tables.tools[0]).toMatchObject({ result: { low: lowest, high: lowest }, sink: lowest, networked: false });
});

test("the upper label of a range has the integrity of the lower label if it states none itself", async () => {
  const services = "service notes : Files { state 1 MiB  label public/system .. internal }";
  const { tables } = await compilePolicy(renderFactsPage({ services }));
  expect(tables.tools[0]?.result).toEqual({
    low: { confidentiality: 0, integrity: 2, compartments: 0n },
    high: { confidentiality: 1, integrity: 2, compartments: 0n },
  });
});

test("quotas and timeouts come from the nearest session that has them, and are stored in the smallest unit", async () => {
  const text = renderFactsPage({
    sessions: `session day { kind operator models { auto canned } permit { auto readOnly  consent mutatingLocal }
        quota { 2k prompts per conversation  40 calls per turn  10 readOnly calls per login }
        timeout { 5 s per call } }
      session operator extends day { quota { 5 calls per turn }  timeout { 0.5 s per call }
        widen { quota { 4k prompts per conversation } } because "CHG-3: long talks" }`,
  });
  const { tables } = await compilePolicy(text);
  const row = tables.rows.find(({ session: name }) => name === "operator");
  expect(row?.quotas.map(({ amount, unit, name, scope }) => `${amount} ${unit} ${name} ${scope}`)).toEqual([
    "5 calls  turn",
    "10 category readOnly login",
    "4000 prompts  conversation",
  ]);
  expect(row?.quotas.map(({ rule }) => tables.rules[rule]?.id)).toEqual([
    "operator/quota 5 calls per turn",
    "day/quota 10 readOnly calls per login",
    "operator/quota 4000 prompts per conversation",
  ]);
  expect(row?.timeouts).toEqual({ callMs: 500, turnMs: 0, loginMs: 0, idleMs: 0 });
});

test("the policy contains principals, backends, services and the image", async () => {
  const text = renderFactsPage({
    top: 'principal bob { ssh "keys/bob.pub" } principal alice { ssh "keys/alice.pub" }',
    backends: 'backend spare { stub } backend canned { stub "replies.json" }',
    sessions: `session operator { kind operator principals bob, alice models { auto canned } permit { auto readOnly } }
               session visitor { kind guest models { auto spare } permit { auto readOnly } }`,
  });
  const policy = await compilePolicy(text);
  expect(policy.tables.principals.map(({ name, keys }) => [name, keys.length])).toEqual([
    ["alice", 1],
    ["bob", 1],
  ]);
  expect(policy.tables.principals[0]?.keys[0]).toMatch(/^ssh-ed25519 [A-Za-z0-9+/=]+$/);
  expect(
    policy.tables.rows.map(({ session: name, kind, principals, backends }) => [name, kind, principals, backends]),
  ).toEqual([
    ["operator", "operator", [0, 1], [{ backend: 0, mode: "auto" }]],
    ["visitor", "guest", [], [{ backend: 1, mode: "auto" }]],
  ]);
  expect(policy.backends).toMatchObject([{ name: "canned", replies: { path: "replies.json" } }, { name: "spare" }]);
  expect(policy.services).toMatchObject([
    { name: "notes", interfaceName: "Files", implementation: "files", stateBytes: 1_048_576 },
  ]);
  expect(policy.storage).toEqual({ disk: "capos-data", encrypted: false, create: false });
  // A page that names no firmware gets an image for both kinds.
  expect(policy.image).toEqual({
    target: "linux",
    machine: "vm",
    console: "serial",
    firmware: ["bios", "uefi"],
    trust: "media",
    memoryBytes: 512 * 1024 * 1024,
    boot: "operator",
  });
});

test.each([
  ["machine vm  firmware uefi", { machine: "vm", firmware: ["uefi"] }],
  ["machine vm  memory 2 GiB", { machine: "vm", memoryBytes: 2 ** 31 }],
  ["machine vm  trust sealed", { machine: "vm", firmware: ["uefi"], trust: "sealed" }],
  ["machine pc  firmware uefi, bios", { machine: "pc", firmware: ["bios", "uefi"] }],
  ["machine pc", { machine: "pc", console: "screen" }],
  ["machine pc  console serial", { machine: "pc", console: "serial" }],
  ["machine vm  console screen", { machine: "vm", console: "screen" }],
])(
  "an image with `%s` has the stated settings, and its kinds of firmware are in a fixed order",
  async (words, wanted) => {
    const policy = await compilePolicy(
      renderFactsPage({ rest: `storage { disk "d" }  image { target linux  ${words}  boot operator }` }),
    );
    expect(policy.image).toMatchObject(wanted);
  },
);

test("an encrypted data disk is marked as encrypted in the policy", async () => {
  const disk = 'storage { disk "d"  create blank  encrypt passphrase }';
  const policy = await compilePolicy(
    renderFactsPage({ rest: `${disk}  image { target linux  machine vm  boot operator }` }),
  );
  expect(policy.storage).toEqual({ disk: "d", encrypted: true, create: true });
});

test("every rule has its position on the page, and decoding the encoded tables gives equal tables", async () => {
  const { tables } = await compilePolicy(FLOORS);
  expect(tables.rules.map(({ id, place }) => [id, /^system\.cap:\d+:\d+$/.test(place)])).toEqual([
    ["operator/auto *", true],
    ["operator/when confidentiality >= internal and unattended: atLeast forbidden Files.write", true],
    ["operator/when integrity <= untrusted: atLeast consent mutatingLocal", true],
    ["operator/when integrity <= untrusted: atLeast stepUp destructive", true],
  ]);
  expect(decode(PolicyTables, encode(PolicyTables, tables))).toEqual({ ok: true, value: tables });
});

test("tools with equal decisions share one decision list", async () => {
  const { tables } = await compilePolicy(session("auto readOnly  forbidden *"));
  expect(tables.decisions).toHaveLength(2);
  expect(tables.rows[0]?.cells).toHaveLength(8);
});

describe("named sets", () => {
  const page = (where: string) =>
    renderFactsPage({
      sessions: `session operator { kind operator  models { auto canned }
        permit { auto readOnly  auto notes.write where ${where} else consent } }`,
      top: 'let drafts = ["b.txt", "a.txt", "b.txt"]  let sizes = [5, 6]',
      services: "service notes : Files { state 1 MiB }",
    });

  test("a condition with a named set means the same as one with the set's values", async () => {
    const [named, written] = await Promise.all([
      compilePolicy(page("content in drafts")),
      compilePolicy(page('content in ["b.txt", "a.txt", "b.txt"]')),
    ]);
    expect(named.tables.decisions).toEqual(written.tables.decisions);
    expect(answer(named, "notes.write", { arguments: { path: "x", content: "a.txt" } })).toBe("auto");
    expect(answer(named, "notes.write", { arguments: { path: "x", content: "c.txt" } })).toBe("consent");
  });

  test("the tables contain the texts of those sets that a condition with `from page` needs, each once", async () => {
    const texts = async (where: string) => (await compilePolicy(page(where))).tables.pageTexts;
    expect(await texts("content in drafts")).toEqual([]);
    expect(await texts("path from page")).toEqual(["a.txt", "b.txt"]);
    expect(await texts("path from notes.read(path from page).content")).toEqual(["a.txt", "b.txt"]);
  });
});
