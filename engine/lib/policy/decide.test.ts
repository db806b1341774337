import fc from "fast-check";
import { expect, test } from "vitest";
import type { Clause, Condition, Floor, PolicyTables } from "../wire/generated/policy.ts";
import { type Conversation, openConversation } from "./conversation.ts";
import { type Call, type Decision, decide } from "./decide.ts";
import { join, type Label } from "./label.ts";
import { chooseAdvertisedMode, computeStrictestMode, isStricter, type PermissionMode } from "./mode.ts";
import type { IndexedTables } from "./tables.ts";
import { anyClause, anyConversation, anyLabel, anyScene, anyTables } from "./testing/arbitrary.ts";
import { naiveDecision } from "./testing/naive.ts";
import { always, CATEGORY, check, FINANCE, indexed, PUBLIC, row, SECRET, tool, where } from "./testing/sample.ts";

const write: Call = { tool: "notes.write", arguments: '{"path":"a"}' };

function ask(tables: IndexedTables, call: Call = write, changes: Partial<Conversation> = {}): string {
  const conversation = openConversation(tables, "operator");
  if (conversation === undefined) throw new Error("the sample has no session operator");
  return answer(decide(tables, { ...conversation, ...changes }, call));
}

function answer(decision: Decision): string {
  return decision.kind === "gated" ? decision.gate : decision.outcome;
}

function withClauses(...clauses: readonly Clause[]): IndexedTables {
  return indexed({ decisions: [{ clauses, floors: [] }] });
}

test("a tool has the mode of the rule that covers it", () => {
  for (const mode of ["auto", "consent", "stepUp"] as const) expect(ask(withClauses(always(mode)))).toBe(mode);
  expect(ask(withClauses(always("forbidden")))).toBe("refusedByPolicy");
});

test("if a session requires a task, every call before a task begins is refused, and the reason names the tasks", () => {
  const tables = indexed({
    rows: [
      row("operator", [1], { requiresTask: true, taskRule: 1 }),
      row("operator", [2], { task: "mend" }),
      row("operator", [2], { task: "pay" }),
    ],
    rules: [
      { id: "0", words: "consent mutatingLocal", place: "system.cap:1:1" },
      { id: "1", words: "requires task", place: "system.cap:2:1" },
    ],
  });
  const conversation = openConversation(tables, "operator");
  if (conversation === undefined) throw new Error("the sample has no session operator");
  const reason = "session operator requires a task, and none has begun; a person begins one with /task NAME: mend, pay";
  expect(decide(tables, conversation, write)).toMatchObject({ outcome: "refusedByPolicy", reason, rule: 1 });
  expect(decide(tables, { ...conversation, row: 2 }, write)).not.toMatchObject({ reason });
});

test("a suppressed, uncovered or missing tool is unknown, and the refusal does not reveal which of the three it is", () => {
  const reasons = [0, 1].map((cell) => {
    const tables = indexed({ rows: [row("operator", [cell])] });
    const conversation = openConversation(tables, "operator");
    return conversation && decide(tables, conversation, write);
  });
  expect(reasons[0]).toMatchObject({ outcome: "unknownTool" });
  expect(reasons[1]).toEqual(reasons[0]);
  expect(ask(indexed(), { ...write, tool: "notes.burn" })).toBe("unknownTool");
  expect(ask(indexed(), { ...write, tool: "__proto__" })).toBe("unknownTool");
});

test("reports an unknown tool before malformed arguments, and malformed arguments before the mode", () => {
  expect(ask(indexed(), { tool: "notes.burn", arguments: "{" })).toBe("unknownTool");
  expect(ask(withClauses(always("forbidden")), { ...write, arguments: "{" })).toBe("invalidArguments");
  expect(ask(withClauses(always("forbidden")), { ...write, arguments: '{"path":1}' })).toBe("invalidArguments");
});

test("the strictest rule decides, and the decision names it", () => {
  const tables = withClauses(always("auto", 0), always("consent", 1));
  const conversation = openConversation(tables, "operator");
  expect(conversation && decide(tables, conversation, write)).toMatchObject({ gate: "consent", rule: 1 });
});

test("a condition chooses between the two modes of its rule", () => {
  const tables = withClauses(where([check("path", "under", "/reports")], "auto", "consent"));
  expect(ask(tables, { ...write, arguments: '{"path":"reports/a"}' })).toBe("auto");
  expect(ask(tables, { ...write, arguments: '{"path":"report"}' })).toBe("consent");
});

test("if a condition cannot be evaluated, the strictest mode of all rules of the cell applies", () => {
  const forbidding = withClauses(where([check("path", "under", "/private")], "stepUp", "auto"));
  expect(ask(forbidding, { ...write, arguments: '{"path":"x/../private/a"}' })).toBe("stepUp");
  const beside = withClauses(
    where([check("path", "under", "/a")], "auto", "consent"),
    where([check("path", "equal", "z")], "stepUp", "auto"),
  );
  expect(ask(beside, { ...write, arguments: '{"path":".."}' })).toBe("stepUp");
});

test("a floor that the conversation meets makes the mode stricter, and never looser", () => {
  const floor = {
    conditions: [],
    confidentialityAtLeast: 2,
    integrityAtMost: 255,
    compartments: 0n,
    unattended: false,
    rule: 1,
  };
  const tightened = indexed({ decisions: [{ clauses: [always("auto")], floors: [{ ...floor, mode: "stepUp" }] }] });
  expect(ask(tightened)).toBe("auto");
  expect(ask(tightened, write, { label: SECRET })).toBe("stepUp");
  const loose = indexed({ decisions: [{ clauses: [always("consent")], floors: [{ ...floor, mode: "auto" }] }] });
  expect(ask(loose, write, { label: SECRET })).toBe("consent");
});

test("a floor with a condition makes the mode stricter if the condition holds or cannot be evaluated", () => {
  const floor: Floor = {
    conditions: [check("path", "under", "/locked")],
    ...{ confidentialityAtLeast: 2, integrityAtMost: 255, compartments: 0n, unattended: false },
    ...{ rule: 1, mode: "forbidden" },
  };
  const floored = (...conditions: readonly Condition[]) =>
    indexed({ decisions: [{ clauses: [always("consent")], floors: [{ ...floor, conditions }] }] });
  const asked = (tables: IndexedTables, path: string, label: Label = SECRET) =>
    ask(tables, { ...write, arguments: JSON.stringify({ path }) }, { label });
  const locked = floored(check("path", "under", "/locked"));
  expect(["locked/a", "a", ".."].map((path) => asked(locked, path))).toEqual([
    "refusedByPolicy",
    "consent",
    "refusedByPolicy",
  ]);
  expect(asked(locked, "locked/a", PUBLIC)).toBe("consent");
  const both = floored(check("path", "under", "/locked"), check("path", "endsWith", "b"));
  expect(["locked/b", "locked/a", "a", "../b"].map((path) => asked(both, path))).toEqual([
    "refusedByPolicy",
    "consent",
    "consent",
    "refusedByPolicy",
  ]);
});

test("an absent argument meets a floor's condition, unless the condition requires its presence", () => {
  const absent = check("count", "greater", 5);
  const asked = (condition: Condition) => {
    const floor = { confidentialityAtLeast: 0, integrityAtMost: 255, compartments: 0n, unattended: false };
    const floors: readonly Floor[] = [{ ...floor, conditions: [condition], mode: "stepUp", rule: 1 }];
    return ask(indexed({ decisions: [{ clauses: [always("auto")], floors }] }));
  };
  expect(asked(absent)).toBe("stepUp");
  expect(asked({ ...absent, absentHolds: true })).toBe("stepUp");
  const there = { ...check("count", "equal", true), term: "has" } as const;
  expect(asked(there)).toBe("auto");
});

test("a tool whose floor forbids only some arguments is advertised with the mode of the other arguments", () => {
  const floor = { confidentialityAtLeast: 0, integrityAtMost: 255, compartments: 0n, unattended: false, rule: 1 };
  const advertised = (mode: Floor["mode"], conditions: readonly Condition[]) => {
    const floors: readonly Floor[] = [{ ...floor, mode, conditions }];
    const list = { clauses: [always("auto")], floors };
    return [
      chooseAdvertisedMode(list, { label: PUBLIC, unattended: false }),
      computeStrictestMode(list, { label: PUBLIC, unattended: false }),
    ];
  };
  const some = [check("path", "under", "/locked")];
  expect(advertised("forbidden", some)).toEqual(["auto", "forbidden"]);
  expect(advertised("stepUp", some)).toEqual(["stepUp", "stepUp"]);
  expect(advertised("forbidden", [])).toEqual(["forbidden", "forbidden"]);
});

test("a floor applies only if all of its conditions hold", () => {
  const floor = {
    conditions: [],
    confidentialityAtLeast: 1,
    integrityAtMost: 0,
    compartments: FINANCE,
    unattended: true,
    rule: 1,
  };
  const decisions = [{ clauses: [always("auto")], floors: [{ ...floor, mode: "forbidden" as const }] }];
  const met = { label: { confidentiality: 1, integrity: 0, compartments: 3n }, unattended: true };
  const asked = (changes: Partial<Conversation>) => ask(indexed({ decisions }), write, { ...met, ...changes });
  expect(asked({})).toBe("refusedByPolicy");
  expect(asked({ label: { ...met.label, confidentiality: 0 } })).toBe("auto");
  expect(asked({ label: { ...met.label, integrity: 1 } })).toBe("auto");
  expect(asked({ label: { ...met.label, compartments: 2n } })).toBe("auto");
  expect(asked({ unattended: false })).toBe("auto");
});

test("denies a flow from the conversation to a sink with a lower label", () => {
  const low = (changes: object) =>
    indexed({ tools: [tool("notes.write", { sink: { ...PUBLIC, integrity: 0 }, ...changes })] });
  expect(ask(low({}))).toBe("auto");
  expect(ask(low({}), write, { label: SECRET })).toBe("refusedByPolicy");
  expect(ask(low({}), write, { label: { ...PUBLIC, compartments: FINANCE } })).toBe("refusedByPolicy");
});

test("ruling 11: the sink of a provider without a network grant does not limit read-only calls", () => {
  const sink = { ...PUBLIC, integrity: 0 };
  const reading = { sink, readOnly: true, category: CATEGORY.readOnly };
  expect(ask(indexed({ tools: [tool("notes.write", reading)] }), write, { label: SECRET })).toBe("auto");
  const fetching = { ...reading, networked: true };
  expect(ask(indexed({ tools: [tool("notes.write", fetching)] }), write, { label: SECRET })).toBe("refusedByPolicy");
});

test("refuses a call if the sink of its tool requires more integrity than the conversation has", () => {
  const tables = indexed({ tools: [tool("notes.write", { sink: { ...SECRET, integrity: 1 } })] });
  expect(ask(tables)).toBe("auto");
  expect(ask(tables, write, { label: { ...PUBLIC, integrity: 0 } })).toBe("refusedByPolicy");
});

test("ruling 12: a call with an effect is refused before it runs if the label of its result may be above the clearance", () => {
  const clearance = { ...PUBLIC, integrity: 0 };
  const tools = (readOnly: boolean) => [tool("notes.write", { result: { low: PUBLIC, high: SECRET }, readOnly })];
  const rows = [row("operator", [2], { clearance })];
  expect(ask(indexed({ tools: tools(false), rows }))).toBe("refusedByPolicy");
  expect(ask(indexed({ tools: tools(true), rows }))).toBe("auto");
});

test("a quota allows exactly its amount", () => {
  const quota = { amount: 2n, unit: "calls", name: "", scope: "turn", rule: 1 } as const;
  const tables = indexed({ rows: [row("operator", [2], { quotas: [quota] })] });
  expect([0n, 1n, 2n].map((spent) => ask(tables, write, { spent: [spent] }))).toEqual([
    "auto",
    "auto",
    "refusedByPolicy",
  ]);
});

test("a quota on a category also counts calls of tools of its descendant categories", () => {
  const quota = { amount: 0n, unit: "category", name: "destructive", scope: "day", rule: 1 } as const;
  const rows = [row("operator", [2], { quotas: [quota] })];
  expect(ask(indexed({ tools: [tool("notes.write", { category: CATEGORY.payments })], rows }))).toBe("refusedByPolicy");
  expect(ask(indexed({ rows }))).toBe("auto");
});

test("ruling 17: without a person, a gated call is refused outside a task and stays gated inside one", () => {
  const tables = withClauses(always("consent"));
  expect(ask(tables, write, { unattended: true })).toBe("refusedByPolicy");
  const decisions = [{ clauses: [always("consent")], floors: [] }];
  const inTask = indexed({ decisions, rows: [row("operator", [2], { task: "triage" })] });
  const conversation = { row: 0, label: PUBLIC, unattended: true, spent: [] };
  expect(answer(decide(inTask, conversation, write))).toBe("consent");
});

test("the arguments of a decision are canonical", () => {
  const tables = indexed({ tools: [tool("notes.write", { params: [] })] });
  const conversation = { row: 0, label: PUBLIC, unattended: false, spent: [] };
  expect(decide(tables, conversation, { tool: "notes.write", arguments: " { } " })).toMatchObject({ arguments: "{}" });
});

test("a refusal states the mode if the policy has determined one, and the rule if a rule decided", () => {
  const conversation = { row: 0, label: PUBLIC, unattended: false, spent: [5n] };
  const quotas = [{ amount: 5n, unit: "calls", name: "", scope: "turn", rule: 1 } as const];
  const exactly = (changes: Partial<PolicyTables>, name = "notes.write", args = '{"path":"a"}') =>
    Object.entries(decide(indexed(changes), conversation, { tool: name, arguments: args }));
  const kept = (entries: readonly (readonly [string, unknown])[]) =>
    Object.fromEntries(entries.filter(([name]) => name !== "reason"));
  const refused = { kind: "refused", outcome: "refusedByPolicy" };
  expect(kept(exactly({}, "notes.burn"))).toStrictEqual({ kind: "refused", outcome: "unknownTool" });
  expect(kept(exactly({}, "notes.write", "{"))).toStrictEqual({ kind: "refused", outcome: "invalidArguments" });
  const forbidden = { decisions: [{ clauses: [always("forbidden", 1)], floors: [] }] };
  expect(kept(exactly(forbidden))).toStrictEqual({ ...refused, mode: "forbidden", rule: 1 });
  const leak = { tools: [tool("notes.write", { sink: { ...PUBLIC, integrity: 2 } })] };
  expect(kept(exactly(leak))).toStrictEqual({ ...refused, mode: "auto" });
  const spent = { rows: [row("operator", [2], { quotas })] };
  expect(kept(exactly(spent))).toStrictEqual({ ...refused, mode: "auto", rule: 1 });
});

test("the reason of a refusal names the deciding rule, if there is one", () => {
  const conversation = { row: 0, label: SECRET, unattended: true, spent: [5n] };
  const reason = (changes: Partial<PolicyTables>, name = "notes.write") =>
    decide(indexed(changes), conversation, { ...write, tool: name }).reason;
  const listOf = (mode: PermissionMode) => ({ decisions: [{ clauses: [always(mode, 1)], floors: [] }] });
  const quotas = [{ amount: 5n, unit: "calls", name: "", scope: "turn", rule: 1 } as const];
  const result = { low: PUBLIC, high: SECRET };
  const rows = [row("operator", [2], { clearance: { ...PUBLIC, integrity: 0 } })];
  expect([
    reason({}, "notes.burn"),
    reason(listOf("forbidden")),
    reason({ tools: [tool("notes.write", { sink: PUBLIC })] }),
    reason({ tools: [tool("notes.write", { result })], rows }),
    reason({ rows: [row("operator", [2], { quotas })] }),
    reason(listOf("consent")),
  ]).toEqual([
    "no such tool is offered in this session",
    'forbidden in this session by "the second line"',
    "this conversation has seen what may not flow to this tool",
    "its result may be above what this session is cleared for",
    "used up: the second line",
    "nobody is there to be asked",
  ]);
});

test("the reason of a decision cites the else of a rule if the rule's second mode decided", () => {
  const reason = (words: string, path: string, met: PermissionMode, otherwise: PermissionMode) => {
    const decisions = [{ clauses: [where([check("path", "under", "/locked")], met, otherwise)], floors: [] }];
    const rules = [{ id: "first", words, place: "a.cap:1:1" }, ...indexed({}).rules.slice(1)];
    const call = { ...write, arguments: JSON.stringify({ path }) };
    return decide(indexed({ decisions, rules }), { row: 0, label: PUBLIC, unattended: false, spent: [] }, call).reason;
  };
  const [strict, open] = ["forbidden notes.write where … else consent", "auto notes.write where … else forbidden"];
  expect([
    reason(strict, "locked/a", "forbidden", "consent"),
    reason(strict, "a", "forbidden", "consent"),
    reason(open, "locked/a", "auto", "forbidden"),
    reason(open, "a", "auto", "forbidden"),
    reason(`widen ${open}`, "a", "auto", "forbidden"),
    // A rule that does not set a mode, such as a floor or a phase, is cited by its text on the page.
    reason("when unattended", "a", "auto", "consent"),
  ]).toEqual([
    `forbidden in this session by "${strict}"`,
    `consent by the else of "${strict}"`,
    `auto by "${open}"`,
    `forbidden in this session by the else of "${open}"`,
    `forbidden in this session by the else of "widen ${open}"`,
    'consent by "when unattended"',
  ]);
});

test("the reason does not cite the else of a rule whose gate is stricter only because a source is weak", () => {
  const words = "auto notes.write where path from contacts.find.name else forbidden";
  const from = { ...check("path", "from"), sources: [{ which: "person" as const }] };
  const decisions = [{ clauses: [where([from], "auto", "forbidden")], floors: [] }];
  const rules = [{ id: "first", words, place: "a.cap:1:1" }, ...indexed({}).rules.slice(1)];
  const sources = { judge: () => "weak" as const, trace: () => undefined };
  const conversation = { row: 0, label: PUBLIC, unattended: false, spent: [], sources };
  const { reason } = decide(indexed({ decisions, rules }), conversation, {
    ...write,
    arguments: JSON.stringify({ path: "a" }),
  });
  expect(reason).toBe(`consent by "${words}", with words that an outsider may have chosen`);
});

test("a quota of prompts counts only calls that ask a person", () => {
  const rows = [row("operator", [2], { quotas: [{ amount: 1n, unit: "prompts", name: "", scope: "turn", rule: 1 }] })];
  const asked = (mode: PermissionMode, spent: bigint) =>
    ask(indexed({ rows, decisions: [{ clauses: [always(mode)], floors: [] }] }), write, { spent: [spent] });
  expect([asked("consent", 0n), asked("consent", 1n), asked("auto", 1n)]).toEqual([
    "consent",
    "refusedByPolicy",
    "auto",
  ]);
});

test("if a rule with a condition and a rule without one cover a tool, the stricter of their modes applies", () => {
  const tables = withClauses(where([check("path", "under", "/reports")], "auto", "consent"), always("auto"));
  expect(ask(tables, { ...write, arguments: '{"path":"reports/a"}' })).toBe("auto");
  expect(ask(tables, { ...write, arguments: '{"path":"b"}' })).toBe("consent");
});

test("property: agrees with the naive evaluator", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(anyScene, ({ tables, conversation, call }) => {
      const decision = answer(decide(indexed(tables), conversation, call));
      seen.add(decision);
      expect(decision).toBe(naiveDecision(tables, conversation, call.tool, call.arguments));
    }),
    { numRuns: 1000 },
  );
  expect([...seen].sort()).toEqual(["auto", "consent", "invalidArguments", "refusedByPolicy", "stepUp", "unknownTool"]);
});

test("property: an additional rule never widens access, and an additional rule with `forbidden` ends access", () => {
  fc.assert(
    fc.property(anyScene, anyClause, fc.boolean(), ({ tables, conversation, call }, clause, closes) => {
      const added = closes ? always("forbidden") : clause;
      const narrowed = tables.decisions.map((list) => ({ ...list, clauses: [...list.clauses, added] }));
      const before = decide(indexed(tables), conversation, call);
      const after = decide(indexed({ ...tables, decisions: narrowed }), conversation, call);
      expect(isAtLeastAsStrict(after, before)).toBe(true);
      if (closes) expect(after.kind).toBe("refused");
    }),
  );
});

test("property: a higher label never loosens a decision", () => {
  fc.assert(
    fc.property(anyScene, anyLabel, ({ tables, conversation, call }, seen) => {
      const raised = { ...conversation, label: join(conversation.label, seen) };
      const before = decide(indexed(tables), conversation, call);
      expect(isAtLeastAsStrict(decide(indexed(tables), raised, call), before)).toBe(true);
    }),
  );
});

test("property: decides on any text without throwing", () => {
  fc.assert(
    fc.property(
      anyTables,
      anyConversation,
      fc.string({ unit: "binary" }),
      fc.oneof(fc.json(), fc.string({ unit: "binary" })),
      (tables, conversation, name, json) => {
        for (const called of [name, "t.a"]) {
          expect(["gated", "refused"]).toContain(
            decide(indexed(tables), conversation, { tool: called, arguments: json }).kind,
          );
        }
      },
    ),
  );
});

function isAtLeastAsStrict(a: Decision, b: Decision): boolean {
  const mode = (decision: Decision): PermissionMode => (decision.kind === "gated" ? decision.gate : "forbidden");
  return !isStricter(mode(b), mode(a));
}
