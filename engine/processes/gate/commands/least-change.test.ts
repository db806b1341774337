import { expect, test } from "vitest";
import { type Conversation, decide, type IndexedTables, openConversation } from "../../../lib/policy/index.ts";
import { always, check, indexed, PUBLIC, row, SECRET, tool, where } from "../../../lib/policy/testing/sample.ts";
import type { Quota } from "../../../lib/wire/generated/policy.ts";
import { Files, HttpEndpoint } from "../../../lib/wire/generated/tools.ts";
import { describeLeastChange } from "./least-change.ts";

const NONE = ["no change of one line is known that would loosen this"];
/** The last lines of each answer about a call with the path "a". */
const askThere = (tool: string, label = "public/reviewed") => [
  "only the page shows whether the laws allow it, which flows it opens, and whether less is enough; ask there:",
  `  capc why system.cap 'operator ${tool} {"path":"a"}' --label ${label}`,
];
const floor = { conditions: [], confidentialityAtLeast: 0, integrityAtMost: 255, compartments: 2n };

interface Asking {
  readonly path?: string;
  readonly spent?: Quota | undefined;
}

function asked(tables: IndexedTables, name: string, changes: Partial<Conversation> = {}, asking: Asking = {}) {
  const { path = "a", spent } = asking;
  const opened = openConversation(tables, "operator");
  if (opened === undefined) throw new Error("the tables have no such session");
  const conversation = { ...opened, ...changes };
  const call = { tool: name, arguments: JSON.stringify({ path }) };
  return describeLeastChange(tables, { conversation, call, decision: decide(tables, conversation, call), spent });
}

test("suggests to loosen one rule so that a read runs without a question, and lists no effect on other tools", () => {
  const tables = indexed({
    tools: [tool("notes.read", { readOnly: true }), tool("notes.write")],
    decisions: [
      { clauses: [always("forbidden")], floors: [] },
      { clauses: [always("stepUp", 1)], floors: [] },
    ],
    rows: [row("operator", [2, 3])],
  });
  expect(asked(tables, "notes.read")).toEqual([
    "least change, after which the answer is auto:",
    "  the first line (a.cap:1:1) becomes auto",
    "what else that opens:",
    "  operator notes.read: forbidden → auto, with any arguments",
    ...askThere("notes.read"),
  ]);
  expect(asked(tables, "notes.write")[1]).toBe("  the second line (a.cap:2:1) becomes auto");
});

test("does not suggest a change of a rule if another rule demands the same gate", () => {
  const tables = indexed({ decisions: [{ clauses: [always("consent"), always("consent", 1)], floors: [] }] });
  expect(asked(tables, "notes.write")).toEqual(NONE);
});

test("suggests to loosen the rule that decides, and to change no other rule, quota or release", () => {
  const quotas = [{ amount: 5n, unit: "calls", name: "", scope: "turn", rule: 1 } as const];
  const release = { tools: [0], act: "declassify", from: SECRET, to: PUBLIC, gate: "stepUp", rule: 1 } as const;
  const tables = indexed({
    tools: [tool("notes.read", { readOnly: true })],
    decisions: [{ clauses: [always("forbidden"), always("consent", 1)], floors: [] }],
    rows: [row("operator", [2], { quotas, releases: [0] })],
    releases: [release],
  });
  expect(asked(tables, "notes.read")).toEqual([
    "least change, after which the answer is consent:",
    "  the first line (a.cap:1:1) becomes auto",
    "what else that opens:",
    "  operator notes.read: forbidden; consent → auto; consent, with any arguments",
    ...askThere("notes.read"),
  ]);
});

test("explains a call that the grant of its service does not cover, whatever mode the page gives", () => {
  const server = { scheme: "https", host: "a.example", port: 443, path: "/api" };
  for (const mode of ["auto", "consent"] as const) {
    const tables = indexed({
      tools: [tool("notes.write", { interfaceId: HttpEndpoint.id, networked: true, servers: [server] })],
      decisions: [{ clauses: [always(mode)], floors: [] }],
    });
    expect(asked(tables, "notes.write", {}, { path: "/other" })).toEqual([
      "the grant of its service limits this call: no line of `permit` loosens it, but a wider `scope` of the grant",
    ]);
    expect(asked(tables, "notes.write", {}, { path: "/api" })).toHaveLength(mode === "auto" ? 1 : 6);
  }
});

test("suggests to raise a quota of prompts or bytes by as much as the decided call needs", () => {
  const quota = (unit: Quota["unit"]): Quota => ({ amount: 5n, unit, name: "", scope: "turn", rule: 1 });
  const raised = (spent: Quota, gate: "auto" | "consent") => {
    const tables = indexed({
      decisions: [{ clauses: [always(gate)], floors: [] }],
      rows: [row("operator", [2], { quotas: [spent] })],
    });
    const conversation = openConversation(tables, "operator");
    if (conversation === undefined) throw new Error("the tables have no such session");
    const call = { tool: "notes.write", arguments: ' { "path" : "a" } ' };
    const decided = { ...decide(indexed({ decisions: tables.decisions }), conversation, call) };
    return describeLeastChange(tables, { conversation, call, decision: decided, spent }).slice(0, 2).at(-1);
  };
  expect(raised(quota("prompts"), "consent")).toBe("  the second line (a.cap:2:1) becomes 6");
  expect(raised(quota("bytes"), "consent")).toBe("  the second line (a.cap:2:1) becomes 17");
  expect(raised(quota("prompts"), "auto")).toBe(NONE[0]);
});

test("lists at most twenty decisions that a suggested change affects, and counts the decisions that are left out", () => {
  const told = (count: number) => {
    const names = Array.from({ length: count + 1 }, (_, index) => `notes.n${String(index).padStart(2, "0")}`);
    const tables = indexed({
      tools: names.map((name) => tool(name)),
      decisions: [{ clauses: [always("consent")], floors: [] }],
      rows: [row("operator", Array(names.length).fill(2))],
    });
    return asked(tables, "notes.n00").slice(3);
  };
  expect([told(19).length, told(19).at(-3)]).toEqual([22, "  operator notes.n19: consent → auto"]);
  expect([told(20).length, told(20).at(-3)]).toEqual([23, "  and 1 more"]);
});

test("lists the decisions that loosening a rule also changes: for other tools and rows, under conditions, under a floor", () => {
  const tables = indexed({
    tools: [tool("notes.list"), tool("notes.read"), tool("notes.write")],
    decisions: [
      { clauses: [always("consent")], floors: [] },
      { clauses: [where([check("path", "equal", "a")], "consent", "auto")], floors: [] },
      { clauses: [always("auto", 1)], floors: [{ ...floor, unattended: false, mode: "stepUp", rule: 0 }] },
    ],
    rows: [
      row("operator", [2, 3, 4]),
      row("operator", [2, 0, 0], { task: "triage", phase: "look" }),
      row("visitor", [2, 0, 0]),
    ],
  });
  expect(asked(tables, "notes.list").slice(2)).toEqual([
    "what else that opens:",
    "  operator notes.list: consent → auto, with any arguments",
    "  operator notes.read: consent → auto",
    "  operator notes.write: auto; at least stepUp under a `when` → auto; at least auto under a `when`",
    "  operator.triage.look notes.list: consent → auto",
    "  visitor notes.list: consent → auto",
    ...askThere("notes.list"),
  ]);
});

test("suggests no change if two rules forbid the tool, the clearance forbids the result, or the call is malformed", () => {
  const tables = indexed({
    tools: [tool("notes.read", { result: { low: PUBLIC, high: SECRET } }), tool("notes.write")],
    decisions: [
      { clauses: [always("auto")], floors: [] },
      { clauses: [always("forbidden"), always("forbidden", 1)], floors: [] },
    ],
    rows: [row("operator", [2, 3], { clearance: PUBLIC })],
  });
  expect(asked(tables, "notes.write")).toEqual(NONE);
  expect(asked(tables, "notes.read")).toEqual(NONE);
  expect(asked(tables, "notes.read", {}, { path: "x".repeat(65) })).toEqual(NONE);
  expect(asked(tables, "notes.burn")).toEqual(NONE);
});

test("suggests to loosen a rule with a condition, whether or not the call meets it, and lists the effect on other arguments", () => {
  const tables = indexed({
    decisions: [{ clauses: [where([check("path", "equal", "locked")], "forbidden", "consent")], floors: [] }],
  });
  expect(asked(tables, "notes.write").slice(0, 4)).toEqual([
    "least change, after which the answer is auto:",
    "  the first line (a.cap:1:1) becomes auto",
    "what else that opens:",
    '  operator notes.write: forbidden where path == "locked" else consent → auto, with other arguments',
  ]);
  expect(asked(tables, "notes.write", {}, { path: "locked" }).slice(0, 3)).toEqual([
    "least change, after which the answer is consent:",
    "  the first line (a.cap:1:1) becomes consent",
    "it opens nothing else",
  ]);
});

test("suggests no change for a call that runs without a question", () => {
  expect(asked(indexed(), "notes.write")).toEqual(["nothing asks: there is no looser answer"]);
});

const [HIGH, LOW] = [SECRET, { ...PUBLIC, integrity: 0 }];

test("if no principal could sign, suggests a release behind consent for a blocked flow, in every row of the session", () => {
  const tables = indexed({
    tools: [tool("notes.write", { sink: PUBLIC })],
    rows: [row("operator", [2]), row("operator", [2], { task: "triage", phase: "look" }), row("visitor", [2])],
  });
  expect(asked(tables, "notes.write", { label: HIGH })).toEqual([
    "least change, after which the answer is consent:",
    '  add `declassify notes.write from secret to public by consent for operator because "say why"`',
    "what else that opens:",
    "  operator notes.write: refusedByPolicy, for data at secret → consent by a release, with any arguments",
    "  operator.triage.look notes.write: refusedByPolicy, for data at secret → consent by a release",
    "  what extends operator, where something does",
    ...askThere("notes.write", "secret/reviewed"),
  ]);
});

test("suggests an endorsement for low integrity, but no change if confidentiality blocks the flow too", () => {
  const tables = indexed({ tools: [tool("notes.write", { sink: { ...PUBLIC, integrity: 1 } })] });
  expect(asked(tables, "notes.write", { label: LOW })[1]).toBe(
    '  add `endorse notes.write from public to public/reviewed by consent for operator because "say why"`',
  );
  expect(asked(tables, "notes.write", { label: { ...HIGH, integrity: 0 } })).toEqual(NONE);
});

test("suggests consent for a release that asks for a signature", () => {
  const release = { act: "declassify", from: HIGH, to: PUBLIC, tools: [0], gate: "stepUp", rule: 1 } as const;
  const tables = indexed({
    tools: [tool("notes.write", { sink: PUBLIC })],
    releases: [release],
    rows: [row("operator", [2], { releases: [0] })],
  });
  expect(asked(tables, "notes.write", { label: HIGH }).slice(0, 4)).toEqual([
    "least change, after which the answer is consent:",
    "  the second line (a.cap:2:1) becomes consent",
    "what else that opens:",
    "  operator notes.write: stepUp by a release, for data at secret → consent by a release, with any arguments",
  ]);
});

test("lists the further flows that a looser release allows: other tools and other rows", () => {
  const release = { act: "declassify", from: HIGH, to: PUBLIC, tools: [0, 1], gate: "stepUp", rule: 1 } as const;
  const tables = indexed({
    tools: [tool("notes.send", { sink: PUBLIC }), tool("notes.write", { sink: PUBLIC })],
    releases: [release],
    rows: [row("operator", [2, 2], { releases: [0] }), row("visitor", [2, 2], { releases: [0] })],
  });
  expect(asked(tables, "notes.write", { label: HIGH }).slice(1, 7)).toEqual([
    "  the second line (a.cap:2:1) becomes consent",
    "what else that opens:",
    "  operator notes.write: stepUp by a release, for data at secret → consent by a release, with any arguments",
    "  operator notes.send: stepUp by a release, for data at secret → consent by a release",
    "  visitor notes.send: stepUp by a release, for data at secret → consent by a release",
    "  visitor notes.write: stepUp by a release, for data at secret → consent by a release",
  ]);
});

const quota = (changes: Partial<Quota>): Quota => ({
  ...{ amount: 0n, unit: "calls", name: "", scope: "turn", rule: 1 },
  ...changes,
});

test.each([
  ["bytes of one call, as many as it needs", { unit: "bytes", scope: "call", amount: 4n }, "12"],
  ["calls", { amount: 0n }, "1"],
  ["prompts", { unit: "prompts", amount: 0n }, "1"],
] as const)("suggests to raise a quota that is too small for the call: %s", (_, changes, enough) => {
  const tables = indexed({
    decisions: [{ clauses: [always("consent")], floors: [] }],
    rows: [row("operator", [2], { quotas: [quota(changes)] }), row("visitor", [2], { quotas: [quota(changes)] })],
  });
  const before = String(quota(changes).amount);
  expect(asked(tables, "notes.write")).toEqual([
    "least change, after which the answer is consent:",
    `  the second line (a.cap:2:1) becomes ${enough}`,
    "what else that opens:",
    `  operator the second line: ${before} → ${enough}`,
    `  visitor the second line: ${before} → ${enough}`,
    ...askThere("notes.write"),
  ]);
});

test("if the broker reports an exhausted quota, suggests to raise it enough for the call, unless it is a quota of tokens", () => {
  const six = quota({ amount: 6n });
  const tokens = quota({ unit: "tokens", amount: 6n, rule: 0 });
  const tables = indexed({ rows: [row("operator", [2], { quotas: [six, tokens] })] });
  expect(asked(tables, "notes.write", { spent: [0n, 0n] }, { spent: six })).toContain(
    "  the second line (a.cap:2:1) becomes 7",
  );
  const others = "whether the other quotas that count it have enough left, `/budget` tells";
  expect(asked(tables, "notes.write", { spent: [0n, 0n] }, { spent: six })).toContain(others);
  const alone = indexed({ rows: [row("operator", [2], { quotas: [six] })] });
  expect(asked(alone, "notes.write", { spent: [0n] }, { spent: six })).not.toContain(others);
  expect(asked(tables, "notes.write", { spent: [0n, 0n] }, { spent: tokens })).toEqual(NONE);
});

test("shows a suggestion that affects 30 tools in 26 lines, and counts the tools that are left out", () => {
  const tools = Array.from({ length: 30 }, (_, index) => tool(`notes.t${10 + index}`));
  const tables = indexed({
    tools,
    decisions: [{ clauses: [always("consent")], floors: [] }],
    rows: [
      row(
        "operator",
        tools.map(() => 2),
      ),
    ],
  });
  const lines = asked(tables, "notes.t10");
  expect([lines.length, lines.at(-3)]).toEqual([26, "  and 10 more"]);
});

const LOCKED = check("path", "under", "/locked");
const rules = ['forbidden Files.write where path under "/locked" else consent', "auto readOnly"].map((words, at) => ({
  id: `operator/${words}`,
  words,
  place: `a.cap:${at + 1}:1`,
}));

test("suggests a further line for the path of the call, and does not loosen the rule for the whole folder", () => {
  const tables = indexed({ rules, decisions: [{ clauses: [where([LOCKED], "forbidden", "consent")], floors: [] }] });
  const old = 'forbidden where path under "/locked" else consent';
  const line = 'consent Files.write where path under "/locked" and path under "/locked/a.txt" else consent';
  const found = asked(tables, "notes.write", {}, { path: "locked/a.txt" });
  expect(found.slice(0, 4)).toEqual([
    "least change, after which the answer is consent:",
    `  add \`${line}\` beside ${rules[0]?.words} (a.cap:1:1)`,
    "what else that opens:",
    `  operator notes.write: ${old} → ${old}; consent where path under "/locked" and path under "/locked/a.txt" else consent, with other arguments`,
  ]);
  // The first rule decides this call by its `else` part, because the path is not under /locked. So the proposed line
  // has only a condition on the path of the call.
  expect(asked(tables, "notes.write", {}, { path: "open/b.txt" })[1]).toBe(
    `  add \`auto Files.write where path under "/open/b.txt" else consent\` beside ${rules[0]?.words} (a.cap:1:1)`,
  );
  // No line is proposed for a path with invisible characters, or for a path that leads to the root.
  for (const path of ["locked/\u200b", "locked/..", "/"])
    expect(asked(tables, "notes.write", {}, { path })[1]).not.toContain("add");
});

test("for tools of Files, suggests a line for the path of the call instead of loosening a whole rule, except in tasks", () => {
  const files = { tools: [tool("notes.write", { interfaceId: Files.id })] };
  const tables = indexed({ ...files, decisions: [{ clauses: [always("consent")], floors: [] }] });
  expect(asked(tables, "notes.write", {}, { path: "a.txt" }).slice(1, 4)).toEqual([
    '  add `auto notes.write where path under "/a.txt" else consent` to session operator, where it goes before the first line (a.cap:1:1)',
    "what else that opens:",
    '  operator notes.write: consent → auto where path under "/a.txt" else consent, with other arguments',
  ]);
  // A line of a task replaces that of its session, so a line in the session would change nothing.
  const inTask = indexed({
    ...files,
    decisions: [
      { clauses: [always("consent")], floors: [] },
      { clauses: [always("consent", 1)], floors: [] },
    ],
    rows: [row("operator", [2]), row("operator", [3], { task: "triage", phase: "look" })],
  });
  expect(asked(inTask, "notes.write", { row: 1 }, { path: "a.txt" })[1]).toBe(
    "  the second line (a.cap:2:1) becomes auto",
  );
});

test("the suggested command `capc why` names the task, its values and the label, and omits long arguments", () => {
  const params = [{ name: "path", type: { which: "text", text: { maxBytes: 1000 } }, required: true } as const];
  const tables = indexed({
    tools: [tool("notes.write", { params })],
    decisions: [{ clauses: [always("consent")], floors: [] }],
    rows: [
      row("operator", [2]),
      row("operator", [2], {
        task: "pay",
        phase: "look",
        parameters: [{ name: "to", kind: "text", currency: "" }],
      }),
      row("operator", [2], { worker: "helper" }),
    ],
  });
  const command = (changes: Partial<Conversation>, path = "a") =>
    asked(tables, "notes.write", changes, { path }).at(-1)?.trim();
  const parameters = new Map([["to", { which: "text", text: "it's" } as const]]);
  expect(command({ row: 1, label: SECRET, parameters, unattended: true })).toBe(
    `capc why system.cap 'operator.pay.look notes.write {"path":"a"}' --label secret/reviewed --values 'to="it'\\''s"' --unattended`,
  );
  expect(command({}, "x".repeat(300))).toBe(
    "capc why system.cap 'operator notes.write ARGUMENTS' --label public/reviewed",
  );
  expect(command({ row: 2 })).toBe("capc why");
});

test("limits a release to the path of the call, in the session or in the task of the call", () => {
  const files = [tool("notes.write", { interfaceId: Files.id, sink: PUBLIC })];
  const release = 'declassify notes.write from secret to public by consent for operator because "say why"';
  const limited = 'auto where path under "/a" and size(path) <= 2 else forbidden';
  const tables = indexed({
    tools: files,
    rows: [row("operator", [2]), row("operator", [2], { task: "triage", phase: "look" }), row("visitor", [2])],
  });
  const told = asked(tables, "notes.write", { label: HIGH });
  expect(told).toEqual([
    "least change, after which the answer is consent:",
    '  add `auto notes.write where path under "/a" and size(path) <= 2 else forbidden` to session operator',
    `  add \`${release}\``,
    "what else that opens:",
    `  operator notes.write: refusedByPolicy, for data at secret → ${limited}, at least consent, by a release`,
    `  operator.triage.look notes.write: refusedByPolicy, for data at secret → ${limited}, at least consent, by a release`,
    "  what extends operator, where something does",
    "what that narrows:",
    `  operator notes.write: auto → ${limited}`,
    `  operator.triage.look notes.write: auto → ${limited}`,
    "if both lines stand in a task, they change only this task",
    ...askThere("notes.write", "secret/reviewed"),
  ]);
  expect(asked(tables, "notes.write", { row: 1, label: HIGH }).slice(0, 7)).toEqual([
    "least change, after which the answer is consent:",
    '  add `auto notes.write where path under "/a" and size(path) <= 2 else forbidden` to task triage',
    `  add \`${release}\` to task triage`,
    "what else that opens:",
    `  operator.triage.look notes.write: refusedByPolicy, for data at secret → ${limited}, at least consent, by a release`,
    "what that narrows:",
    `  operator.triage.look notes.write: auto → ${limited}`,
  ]);
});

test("suggests to replace a rule about this tool alone by the rule that limits a release", () => {
  const rules = ["operator/auto notes.write", "visitor/auto notes.write"].map((id) => ({
    ...{ id, words: "auto notes.write", place: "a.cap:1:1" },
  }));
  const tables = indexed({ rules, tools: [tool("notes.write", { interfaceId: Files.id, sink: PUBLIC })] });
  expect(asked(tables, "notes.write", { label: HIGH })[1]).toBe(
    '  auto notes.write (a.cap:1:1) becomes `auto notes.write where path under "/a" and size(path) <= 2 else forbidden`',
  );
});

test("the line that limits a release has the strictest mode of several rules, which stay unchanged", () => {
  const tables = indexed({
    tools: [tool("notes.write", { interfaceId: Files.id, sink: PUBLIC })],
    decisions: [{ clauses: [always("auto"), always("consent", 1)], floors: [] }],
  });
  const told = asked(tables, "notes.write", { label: HIGH });
  expect(told[1]).toBe(
    '  add `consent notes.write where path under "/a" and size(path) <= 2 else forbidden` to session operator',
  );
  expect(told).toContain(
    '  operator notes.write: auto; consent → auto; consent; consent where path under "/a" and size(path) <= 2 else forbidden',
  );
});

test("suggests a release without a limit if a condition on arguments decides about the tool", () => {
  const tables = indexed({
    tools: [tool("notes.write", { interfaceId: Files.id, sink: PUBLIC })],
    decisions: [{ clauses: [where([check("path", "under", "/b")], "auto", "consent")], floors: [] }],
  });
  expect(asked(tables, "notes.write", { label: HIGH })[1]).toContain("  add `declassify ");
});
