// Makes random tables, conversations and calls over one small vocabulary, so that names often coincide.
import fc from "fast-check";
import type {
  Backend,
  Clause,
  Condition,
  Decision as DecisionList,
  Floor,
  Label,
  Literal,
  PolicyTables,
  Quota,
  Release,
  Row,
  Tool,
  Type,
} from "../../wire/generated/policy.ts";
import type { Call } from "../decide.ts";
import type { PermissionMode } from "../mode.ts";
import { CATEGORY, PLAIN, row, tables, tool } from "./sample.ts";

/** Time zone of an ingress, and its choice for missed runs, by its source. */
const TIMES = {
  mail: { zone: "", missed: "", says: "" },
  timer: { zone: "UTC", missed: "skip", says: "Sum up." },
} as const;

/**
 * Makes mostly loose modes. The strictest of all modes that apply to a call decides, so otherwise few calls would run.
 */
const mode = fc.constantFrom<PermissionMode>(
  "auto",
  "auto",
  "auto",
  "auto",
  "consent",
  "consent",
  "stepUp",
  "forbidden",
);

const TYPES = {
  path: { which: "text", text: { maxBytes: 40 } },
  url: { which: "text", text: { maxBytes: 60 } },
  amount: { which: "text", text: { maxBytes: 20 } },
  lines: { which: "integer", integer: { low: -5n, high: 500n } },
  force: { which: "boolean" },
  format: { which: "choice", choice: ["plain", "rich"] },
  tags: { which: "list", list: { which: "text", text: { maxBytes: 30 } } },
  items: {
    which: "list",
    list: {
      which: "record",
      record: [
        { name: "amount", type: { which: "number" }, required: false },
        { name: "to", type: { which: "text", text: { maxBytes: 90 } }, required: true },
      ],
    },
  },
  body: { which: "text", text: { maxBytes: 90 } },
  options: { which: "record", record: [{ name: "depth", type: { which: "number" }, required: false }] },
  filter: { which: "json", json: { maxBytes: 0, form: "object" } },
  value: { which: "either", either: [{ which: "text", text: { maxBytes: 5 } }, { which: "number" }] },
} as const satisfies Record<string, Type>;
const NAMES = Object.keys(TYPES) as readonly (keyof typeof TYPES)[];

const VALUES = {
  path: fc.constantFrom("a.txt", "reports/a", "/reports//b", "reports", "../x", "", "report\u0000s", "./reports/../a"),
  url: fc.constantFrom("https://a.example/x", "https://a.example:8443/", "http://u@a.example", "nonsense", "file:///x"),
  amount: fc.constantFrom("0", "99.50", "100", "100.00", "100.001", "1e3", "-5", "00", "9999999999999999.99"),
  lines: fc.constantFrom(-5, 0, 1, 10, 500),
  force: fc.boolean(),
  format: fc.constantFrom("plain", "rich"),
  tags: fc.array(fc.constantFrom("a", "bb", "", "x@a.example", "https://b.a.example/"), { maxLength: 2 }),
  items: fc.array(
    fc.record(
      {
        amount: fc.constantFrom(0, 10, 99.5),
        to: fc.constantFrom("reports", "x@a.example", "x@b.example https://a.example/"),
      },
      { requiredKeys: ["to"] },
    ),
    { maxLength: 2 },
  ),
  body: fc.constantFrom(
    "2026-12-31",
    "2026-12-31T10:00:00.5Z",
    "30 s",
    "29 s",
    "",
    "hello",
    "x@a.example y@b.example",
    "see https://a.example/ and http://b.example",
    "http://u@a.example",
  ),
  options: fc.record({ depth: fc.constantFrom(0, 1.5, 1e-9, 7) }, { requiredKeys: [] }),
  filter: fc.constantFrom<unknown>({}, { a: 1 }, { a: [true, null, { b: "x" }] }, [1], "x", null),
  value: fc.oneof(fc.constantFrom("", "a", "plain"), fc.constantFrom(0, 1.5, 40), fc.boolean()),
} as const;

const decimal = fc
  .constantFrom("0", "10", "99.5", "100.00", "-5", "40")
  .map((text): Literal => ({ which: "decimal", decimal: text }));
const wordy = fc.constantFrom("a.txt", "reports", "plain", "").map((text): Literal => ({ which: "text", text }));
const yesNo = fc.boolean().map((boolean): Literal => ({ which: "boolean", boolean }));
const path = fc.oneof(
  fc.constantFrom(...NAMES).map((name) => [name]),
  fc.constantFrom(["options", "depth"], ["tags", "0"], ["items", "amount"], ["items", "to"], ["absent"]),
);

const texts = (...words: readonly string[]) =>
  fc.constantFrom(...words).map((text): readonly Literal[] => [{ which: "text", text }]);

const plainCondition = fc.oneof(
  fc.record({
    path,
    term: fc.constant("value" as const),
    operator: fc.constantFrom("equal" as const, "notEqual" as const),
    literals: fc.oneof(decimal, wordy, yesNo).map((literal) => [literal]),
  }),
  fc.record({
    path,
    term: fc.constantFrom("value" as const, "size" as const),
    operator: fc.constantFrom("less" as const, "lessOrEqual" as const, "greater" as const, "greaterOrEqual" as const),
    literals: decimal.map((literal) => [literal]),
  }),
  fc.record({
    path,
    term: fc.constant("value" as const),
    operator: fc.constant("in" as const),
    literals: fc.array(fc.oneof(decimal, wordy), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    path,
    term: fc.constant("value" as const),
    operator: fc.constant("under" as const),
    literals: fc
      .constantFrom("/reports", "/", "reports/b")
      .map((text): readonly Literal[] => [{ which: "text", text }]),
  }),
  fc.record({
    path,
    term: fc.constant("origin" as const),
    operator: fc.constantFrom("equal" as const, "in" as const, "notEqual" as const),
    literals: texts("https://a.example", "https://a.example:8443"),
  }),
  fc.record({
    path,
    term: fc.constant("domain" as const),
    operator: fc.constantFrom("equal" as const, "in" as const, "notEqual" as const, "under" as const),
    literals: texts("a.example", "example", "b.example"),
  }),
  fc.record({
    path,
    term: fc.constant("value" as const),
    operator: fc.constantFrom("startsWith" as const, "endsWith" as const),
    literals: texts("a", "re", "b", "https:", ""),
  }),
  fc.record({
    path,
    term: fc.constant("value" as const),
    operator: fc.constant("matches" as const),
    literals: texts("*", "a*", "*e?orts*", "##", "99.5#", "*a.example*/", "?"),
  }),
  fc.record({
    path,
    term: fc.constantFrom("date" as const, "duration" as const),
    operator: fc.constantFrom("less" as const, "lessOrEqual" as const, "equal" as const, "greater" as const),
    literals: fc
      .constantFrom("0", "30000", "1798675200000")
      .map((text): readonly Literal[] => [{ which: "decimal", decimal: text }]),
  }),
);

const someCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    path,
    term: fc.constant("has" as const),
    operator: fc.constant("equal" as const),
    literals: yesNo.map((literal) => [literal]),
    each: fc.constant("single" as const),
    extract: fc.constant("none" as const),
    absentHolds: fc.constant(false),
    sources: fc.constant([]),
  }),
  fc.record({
    path,
    term: fc.constant("count" as const),
    operator: fc.constantFrom("less" as const, "lessOrEqual" as const, "equal" as const, "greater" as const),
    literals: fc.constantFrom("0", "1", "2").map((text): readonly Literal[] => [{ which: "decimal", decimal: text }]),
    each: fc.constant("single" as const),
    extract: fc.constantFrom("none" as const, "urls" as const, "addresses" as const),
    absentHolds: fc.boolean(),
    sources: fc.constant([]),
  }),
  fc
    .record({
      condition: plainCondition,
      each: fc.constantFrom("single" as const, "every" as const, "some" as const),
      extract: fc.constantFrom("none" as const, "none" as const, "urls" as const, "addresses" as const),
      absentHolds: fc.boolean(),
    })
    .map(({ condition, each, extract, absentHolds }) => ({
      ...condition,
      each,
      extract: each === "single" ? ("none" as const) : extract,
      absentHolds,
      sources: [],
    })),
);

const anyCondition: fc.Arbitrary<Condition> = fc.oneof(
  plainCondition.map((condition) => ({ ...condition, ...PLAIN })),
  someCondition,
);

export const anyClause: fc.Arbitrary<Clause> = fc.record({
  conditions: fc.array(anyCondition, { maxLength: 2 }),
  met: mode,
  otherwise: mode,
  rule: fc.constantFrom(0, 1),
  group: fc.constant(0),
});

/**
 * Makes two to four clauses of one group over a few conditions, so that the conditions of one clause often include
 * those of another.
 */
const anyGroup: fc.Arbitrary<readonly Clause[]> = fc
  .array(anyCondition, { minLength: 1, maxLength: 3 })
  .chain((conditions) => {
    const clause = fc.record({
      conditions: fc.shuffledSubarray(conditions),
      met: mode,
      otherwise: mode,
      rule: fc.constantFrom(0, 1),
      group: fc.constant(1),
    });
    return fc.array(clause, { minLength: 2, maxLength: 4 });
  });

export const anyLabel: fc.Arbitrary<Label> = fc.record({
  confidentiality: fc.nat(2),
  integrity: fc.nat(2),
  compartments: fc.bigInt(0n, 3n),
});

/** Makes the labels of sinks; most of them accept all data. */
const anySink: fc.Arbitrary<Label> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ confidentiality: 2, integrity: 0, compartments: 3n }) },
  { weight: 1, arbitrary: anyLabel },
);

const anyFloor: fc.Arbitrary<Floor> = fc.record({
  confidentialityAtLeast: fc.nat(2),
  integrityAtMost: fc.constantFrom(0, 1, 255),
  compartments: fc.bigInt(0n, 3n),
  unattended: fc.boolean(),
  mode,
  rule: fc.constantFrom(0, 1),
  conditions: fc.oneof(fc.constant([]), fc.array(anyCondition, { maxLength: 2 })),
});

export const anyList: fc.Arbitrary<DecisionList> = fc.record({
  clauses: fc.oneof(
    fc.array(anyClause, { minLength: 1, maxLength: 3 }),
    fc.array(anyClause, { minLength: 1, maxLength: 3 }),
    anyGroup,
    fc.tuple(anyGroup, fc.array(anyClause, { maxLength: 2 })).map((parts) => parts.flat()),
    fc.tuple(anyGroup, anyGroup).map(([one, other]) => [...one, ...other.map((clause) => ({ ...clause, group: 2 }))]),
  ),
  floors: fc.array(anyFloor, { maxLength: 2 }),
});

const anyTool: fc.Arbitrary<Tool> = fc
  .record({
    names: fc.subarray([...NAMES], { maxLength: 3 }),
    required: fc.boolean(),
    category: fc.constantFrom(...Object.values(CATEGORY)),
    low: anyLabel,
    high: anyLabel,
    sink: anySink,
    networked: fc.boolean(),
  })
  .map(({ names, required, category, low, high, sink, networked }) =>
    tool("t.x", {
      params: names.map((name) => ({ name, type: TYPES[name], required })),
      category,
      readOnly: category === CATEGORY.readOnly,
      result: { low, high },
      sink,
      networked,
    }),
  );

const anyQuota: fc.Arbitrary<Quota> = fc
  .record({
    amount: fc.bigInt(0n, 40n),
    unit: fc.constantFrom<Quota["unit"]>("calls", "tokens", "prompts", "bytes", "category", "money"),
    name: fc.constantFrom("destructive", "payments"),
    scope: fc.constantFrom<Quota["scope"]>("call", "turn", "conversation", "day"),
    rule: fc.constantFrom(0, 1),
  })
  .map((quota) => ({ ...quota, name: quota.unit === "category" ? quota.name : "" }));

const anyRelease: fc.Arbitrary<Release> = fc.record({
  tools: fc.subarray([0, 1, 2], { minLength: 1 }),
  act: fc.constantFrom<Release["act"]>("declassify", "endorse"),
  from: anySink,
  to: anyLabel,
  gate: fc.constantFrom<PermissionMode>("consent", "stepUp"),
  rule: fc.constantFrom(0, 1),
});

const anyBackend: fc.Arbitrary<Backend> = fc.record({
  name: fc.constantFrom("local", "frontier"),
  kind: fc.constantFrom<Backend["kind"]>("stub", "cpu", "gpu", "remote", "browser"),
  clearance: anyLabel,
  local: fc.boolean(),
  quotas: fc.array(anyQuota, { maxLength: 1 }),
  logRequired: fc.boolean(),
  currency: fc.constantFrom("", "EUR"),
  contextTokens: fc.nat(2 ** 32 - 1),
  inputMicros: fc.bigInt(0n, 1n << 40n),
  outputMicros: fc.bigInt(0n, 1n << 40n),
  embedder: fc.constantFrom("", "near"),
});

export const anyTables: fc.Arbitrary<PolicyTables> = fc
  .record({
    releases: fc.array(anyRelease, { maxLength: 2 }),
    held: fc.subarray([0, 1]),
    backends: fc.array(anyBackend, { maxLength: 2 }),
    source: fc.constantFrom("mail", "timer"),
    later: fc.constantFrom<PermissionMode>("auto", "consent", "stepUp"),
    remember: fc.constantFrom<Row["remember"]>("none", "turn", "conversation"),
    tools: fc.array(anyTool, { minLength: 1, maxLength: 3 }),
    decisions: fc.array(anyList, { minLength: 1, maxLength: 3 }),
    cells: fc.array(fc.nat(4), { minLength: 4, maxLength: 4 }),
    clearance: anySink,
    quotas: fc.array(anyQuota, { maxLength: 2 }),
    task: fc.constantFrom("", "triage"),
  })
  .map(({ tools, decisions, cells, clearance, quotas, task, releases, held, remember, ...more }) =>
    tables({
      backends: more.backends,
      ingresses: [{ name: "desk", source: more.source, address: "a", row: 0, label: clearance, ...TIMES[more.source] }],
      releases: releases.map((release) => ({ ...release, tools: release.tools.filter((at) => at < tools.length) })),
      tools: tools.map((one, index) => ({ ...one, name: `t.${"abc"[index]}` })),
      decisions,
      rows: ["", "later"].map((phase, phaseIndex) =>
        row(
          "operator",
          tools.map((_, index) => Math.min(cells[index + phaseIndex] ?? 0, decisions.length + 1)),
          {
            clearance,
            // In these samples a rule has at most one quota.
            quotas: quotas.map((quota, rule) => ({ ...quota, rule })),
            task: phaseIndex === 0 ? task : "triage",
            phase,
            phaseIndex,
            entry: phaseIndex === 0 ? "auto" : more.later,
            entryRule: phaseIndex,
            worker: "",
            remember,
            releases: held.filter((at) => at < releases.length),
          },
        ),
      ),
    }),
  );

export const anyConversation = fc.record({
  row: fc.constantFrom(0, 0, 0, 1, 2, -1),
  label: anyLabel,
  unattended: fc.boolean(),
  spent: fc.array(fc.bigInt(0n, 40n), { maxLength: 2 }),
});

/** Returns a call of one of the tools, mostly with arguments that fit it. */
function anyCall(tools: readonly Tool[]): fc.Arbitrary<Call> {
  const fitting = fc.constantFrom(...tools).chain((one) =>
    fc
      .record(Object.fromEntries(one.params.map(({ name }) => [name, VALUES[name as keyof typeof VALUES]])), {
        requiredKeys: [],
      })
      .map((args) => ({ tool: one.name, arguments: JSON.stringify(args) })),
  );
  const strange = fc.record({
    tool: fc.constantFrom("t.a", "t.d", "toString", "__proto__"),
    arguments: fc.object({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
  });
  return fc.oneof({ weight: 6, arbitrary: fitting }, { weight: 1, arbitrary: strange });
}

export const anyScene = anyTables.chain((sample) =>
  fc.record({ tables: fc.constant(sample), conversation: anyConversation, call: anyCall(sample.tools) }),
);
