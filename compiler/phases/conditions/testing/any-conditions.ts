// Makes random arguments, and conditions on them, from one small vocabulary, so that arguments often meet conditions.
import fc from "fast-check";
import type { Json, PermissionMode } from "../../../../engine/lib/policy/index.ts";
import type {
  Clause,
  Condition,
  Decision,
  Literal,
  Param,
  Type,
} from "../../../../engine/lib/wire/generated/policy.ts";

export interface Asked {
  readonly params: readonly Param[];
  readonly list: Decision;
  /** Whether every condition fits its argument, as the laws require. */
  readonly lawful: boolean;
}

const text = (...bytes: readonly number[]) =>
  fc.constantFrom(...bytes).map((maxBytes): Type => ({ which: "text", text: { maxBytes } }));
const words = (...each: readonly string[]) =>
  fc.constantFrom(...each).map((one): Literal => ({ which: "text", text: one }));
const integer = fc
  .tuple(fc.constantFrom(-9_007_199_254_740_991n, -5n, 0n, 3n), fc.constantFrom(3n, 10n, 500n, 9_007_199_254_740_991n))
  .map(([low, high]): Type => ({ which: "integer", integer: { low, high } }));

const TYPES: Readonly<Record<string, fc.Arbitrary<Type>>> = {
  path: text(1, 2, 9, 30, 131_072),
  // The smallest maximum lengths here still suffice for the shortest address and the shortest amount.
  url: text(60, 131_072),
  amount: text(9, 131_072),
  word: text(1, 2, 9, 131_072),
  due: text(9, 30, 131_072),
  lines: integer,
  ratio: fc.constant({ which: "number" }),
  force: fc.constant({ which: "boolean" }),
  format: fc.subarray(["plain", "rich", "raw"], { minLength: 1 }).map((choice) => ({ which: "choice", choice })),
  tags: fc.constant({ which: "list", list: { which: "boolean" } }),
  links: text(30, 131_072).map((list) => ({ which: "list", list })),
  items: fc.tuple(integer, fc.boolean()).map(([type, required]) => ({
    which: "list",
    list: { which: "record", record: [{ name: "depth", type, required }] },
  })),
  body: text(2, 60, 131_072),
  options: fc
    .tuple(integer, fc.boolean())
    .map(([type, required]) => ({ which: "record", record: [{ name: "depth", type, required }] })),
};

/** Values to try by brute force, some of which fit no type. */
export const VOCABULARY: Readonly<Record<string, readonly Json[]>> = {
  path: ["", "a", "reports", "/reports/b", "reports/b/c", "..", "r\u0000"],
  url: ["", "https://a.example/x", "https:b.example", "http://u@a.example", "https://c.example"],
  amount: ["", "0", "1.5", "1.50", "10", "-5", "99.5", "100.00", "1e3"],
  word: ["", "a", "red", "green", "€", "aaaaaaaaaa"],
  due: ["", "2026-12-31", "2026-12-30T23:59:59Z", "2027-01-01", "5000 ms", "300000 ms", "0 ms", "1 ms", "soon"],
  lines: [-5, 0, 3, 4, 5, 9, 10, 500],
  ratio: [0, 0.5, 1.5, 99.5, 1e-9, -6, 10],
  force: [true, false],
  format: ["plain", "rich", "raw"],
  tags: [[], [true]],
  links: [[], ["https://a.example/x"], ["b@c.a.example", "red"], ["https://b.example", "a@b.example"], ["aa"]],
  items: [[], [{}], [{ depth: 3 }, { depth: 5 }], [{ depth: 10 }], [{ depth: 4 }, {}]],
  body: [
    "",
    "aa",
    "see https://a.example/x",
    "https://a.example and http://c.a.example and www.b.example",
    "write to a@b.example",
    "https:",
  ],
  options: [{}, { depth: 3 }, { depth: 5 }, { depth: 10 }],
};

const decimals = fc.constantFrom("0", "1.5", "3", "4", "5", "10", "99.5", "100.00", "-5");
const toDecimal = (each: string): Literal => ({ which: "decimal", decimal: each });
const decimal = decimals.map(toDecimal);
const truth = fc.boolean().map((boolean): Literal => ({ which: "boolean", boolean }));

const ORDERED = ["equal", "notEqual", "less", "lessOrEqual", "greater", "greaterOrEqual"] as const;
const NAMED = ["equal", "notEqual", "in"] as const;

function condition(
  path: readonly string[],
  term: Condition["term"],
  operators: readonly Condition["operator"][],
  literal: fc.Arbitrary<Literal>,
): fc.Arbitrary<Condition> {
  return fc
    .constantFrom(...operators)
    .chain((operator) =>
      fc
        .array(literal, { minLength: 1, maxLength: operator === "in" ? 3 : 1 })
        .map((literals) => ({ path: [...path], term, operator, literals, ...PLAIN })),
    );
}

const PLAIN = {
  each: "single",
  extract: "none",
  absentHolds: false,
  sources: [],
} as const satisfies Partial<Condition>;

/** Generates these conditions, some of them with `or absent`. */
function orAbsent(conditions: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> {
  return fc.tuple(conditions, fc.boolean()).map(([one, absentHolds]) => ({ ...one, absentHolds }));
}

/** Generates these conditions about `every` or `some` element of the list at `path`. */
function ofElements(
  conditions: fc.Arbitrary<Condition>,
  path: readonly string[],
  extract: Condition["extract"] = "none",
): fc.Arbitrary<Condition> {
  return fc
    .tuple(conditions, fc.constantFrom("every" as const, "some" as const), fc.boolean())
    .map(([one, each, absentHolds]) => ({ ...one, path: [...path], each, extract, absentHolds }));
}

const has = (path: readonly string[]) => condition(path, "has", ["equal"], truth);
const count = (path: readonly string[], extract: Condition["extract"] = "none") =>
  orAbsent(condition(path, "count", [...ORDERED, "in"], fc.constantFrom("0", "1", "2", "3").map(toDecimal))).map(
    (one) => ({
      ...one,
      extract,
    }),
  );
const domain = (path: readonly string[]) =>
  condition(path, "domain", [...NAMED, "under"], words("a.example", "b.example", "example", "c.a.example"));
const parts = (path: readonly string[]) =>
  fc.oneof(
    condition(path, "value", ["startsWith", "endsWith"], words("a", "aa", "re", "red", "n", "€")),
    condition(path, "value", ["matches"], words("*", "a*", "?", "??", "re?", "*e*n", "g*", "#", "*d")),
  );
const times = (path: readonly string[]) =>
  fc.oneof(
    condition(path, "date", [...ORDERED, "in"], fc.constantFrom("1798675200000", "1798761600000").map(toDecimal)),
    condition(path, "duration", [...ORDERED, "in"], fc.constantFrom("5000", "300000", "0").map(toDecimal)),
  );

const bytesOf = (name: string) => condition([name], "size", ORDERED, decimal);

/** For each argument, conditions that the laws allow on a page. */
const LAWFUL: Readonly<Record<string, fc.Arbitrary<Condition>>> = {
  path: fc.oneof(
    condition(["path"], "value", ["under"], words("/", "/reports", "/reports/b", "/a", "/b/c")),
    bytesOf("path"),
  ),
  url: fc.oneof(
    condition(["url"], "origin", NAMED, words("https://a.example", "https://b.example", "http://a.example:81")),
    domain(["url"]),
  ),
  amount: orAbsent(condition(["amount"], "value", [...ORDERED, "in"], decimal)),
  word: fc.oneof(
    condition(["word"], "value", NAMED, words("", "a", "red", "green")),
    bytesOf("word"),
    parts(["word"]),
    has(["word"]),
  ),
  due: orAbsent(times(["due"])),
  lines: orAbsent(condition(["lines"], "value", [...ORDERED, "in"], decimal)),
  ratio: condition(["ratio"], "value", [...ORDERED, "in"], decimal),
  force: fc.oneof(condition(["force"], "value", ["equal", "notEqual"], truth), has(["force"])),
  format: condition(["format"], "value", NAMED, words("plain", "rich", "raw")),
  tags: fc.oneof(ofElements(condition(["tags"], "value", ["equal", "notEqual"], truth), ["tags"]), count(["tags"])),
  links: fc.oneof(
    ofElements(domain(["links"]), ["links"]),
    ofElements(parts(["links"]), ["links"]),
    count(["links"]),
    has(["links"]),
  ),
  items: fc.oneof(ofElements(condition(["items"], "value", ORDERED, decimal), ["items", "depth"]), count(["items"])),
  body: fc.oneof(
    ofElements(domain(["body"]), ["body"], "urls"),
    ofElements(domain(["body"]), ["body"], "addresses"),
    count(["body"], "urls"),
    bytesOf("body"),
  ),
  options: fc.oneof(
    condition(["options", "depth"], "value", [...ORDERED, "in"], decimal),
    orAbsent(condition(["options", "depth"], "value", ORDERED, decimal)),
    has(["options"]),
    has(["options", "depth"]),
  ),
};

/** Conditions that tables could hold but no page can write: any literal with any operator of any argument. */
const unlawful: fc.Arbitrary<Condition> = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...Object.keys(TYPES)).map((name) => [name]),
      fc.constantFrom(["options", "depth"], ["items", "depth"], ["tags", "0"], ["absent"]),
    ),
    fc.constantFrom<Condition["term"]>("value", "value", "size", "origin", "domain", "count"),
  )
  .chain(([path, term]) => {
    const literal = fc.oneof(decimal, truth, words("", "a", "/reports", "reports", "https://a.example", "plain", "10"));
    const some = condition(path, term, [...ORDERED, "in", "under", "startsWith", "endsWith"], literal);
    return fc.oneof(some, orAbsent(some), ofElements(some, path));
  });

const mode = fc.constantFrom<PermissionMode>("auto", "auto", "auto", "consent", "consent", "stepUp", "forbidden");

/** At most nine conditions on at most three arguments: so few that the search can combine all their truths. */
export const anyAsked: fc.Arbitrary<Asked> = fc
  .tuple(fc.subarray(Object.keys(TYPES), { maxLength: 3 }), fc.boolean())
  .chain(([names, lawful]) => {
    const asked = names.flatMap((name) => LAWFUL[name] ?? []);
    const one = asked.length === 0 ? unlawful : lawful ? fc.oneof(...asked) : fc.oneof(...asked, unlawful);
    const clause: fc.Arbitrary<Clause> = fc.record({
      conditions: fc.array(one, { maxLength: 3 }),
      met: mode,
      otherwise: mode,
      rule: fc.constant(0),
      group: fc.constant(0),
    });
    return fc.record({
      params: fc.tuple(...names.map(anyParam)),
      list: fc.record({ clauses: fc.array(clause, { minLength: 1, maxLength: 3 }), floors: fc.constant([]) }),
      lawful: fc.constant(lawful && asked.length > 0),
    });
  });

function anyParam(name: string): fc.Arbitrary<Param> {
  const type = TYPES[name] ?? fc.constant<Type>({ which: "boolean" });
  return fc.record({ name: fc.constant(name), type, required: fc.boolean() });
}
