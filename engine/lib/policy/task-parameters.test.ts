import fc from "fast-check";
import { expect, test } from "vitest";
import type { Clause, Condition, Literal, Parameter, PolicyTables } from "../wire/generated/policy.ts";
import { evaluateConditions } from "./condition.ts";
import { renderCondition } from "./condition-text.ts";
import { decide } from "./decide.ts";
import { openIngress, openTask } from "./row-transitions.ts";
import { indexTables } from "./tables.ts";
import {
  type ChosenValues,
  MAX_PARAMETER_BYTES,
  MAX_PARAMETERS,
  type ParameterValue,
  parseTaskArguments,
  renderTaskUsage,
  resolveLiteral,
} from "./task-parameters.ts";
import { anyScene } from "./testing/arbitrary.ts";
import { naiveDecision } from "./testing/naive.ts";
import { check, indexed, PUBLIC, row, tables, tool, where } from "./testing/sample.ts";

const parameter = (name: string, kind: Parameter["kind"], currency = ""): Parameter => ({ name, kind, currency });
const PAY = [parameter("recipient", "text"), parameter("limit", "money", "EUR")];
const USAGE = '/task pay recipient="TEXT" limit="AMOUNT EUR"';

const read = (words: string, parameters: readonly Parameter[] = PAY) => {
  const chosen = parseTaskArguments(parameters, words);
  if (!chosen.ok) return chosen.reason;
  return chosen.value.map(({ value, words: typed }) => [value.which === "text" ? value.text : value.decimal, typed]);
};

test.each([
  ['recipient="ACME GmbH" limit="100 EUR"', ["ACME GmbH", "ACME GmbH"], ["100", "100"]],
  ['"ACME GmbH" 100', ["ACME GmbH", "ACME GmbH"], ["100", "100"]],
  ["limit=99.50 recipient=ACME", ["ACME", "ACME"], ["99.50", "99.50"]],
  ["limit=5 ACME", ["ACME", "ACME"], ["5", "5"]],
  ['  ACME\t"0 EUR"  ', ["ACME", "ACME"], ["0", "0"]],
  ['"recipient=ACME" 1EUR', ["recipient=ACME", "recipient=ACME"], ["1", "1"]],
  ['"a \\"b\\" \\\\ c" 1', ['a "b" \\ c', 'a "b" \\ c'], ["1", "1"]],
  ["ACME,b{}[] 1", ["ACME,b{}[]", "ACME,b{}[]"], ["1", "1"]],
])("reads %j", (words, recipient, limit) => {
  expect(read(words)).toEqual([recipient, limit]);
});

test.each([
  ["", "no value for recipient, limit"],
  ["ACME", "no value for limit"],
  ["limit=100", "no value for recipient"],
  ["ACME GmbH 100", "more values than parameters; put a value of several words in quotes"],
  ['recipent="ACME" 100', "there is no parameter recipent"],
  ["recipient=a recipient=b limit=1", "two values for recipient"],
  ["a b recipient=c", "two values for recipient"],
  ['"ACME 100', "a value cannot be read from position 1 on; put it in quotes"],
  ['ACME"x" 100', "a value cannot be read from position 1 on; put it in quotes"],
  ['"a""b" 1', "a value cannot be read from position 1 on; put it in quotes"],
  ['"" 1', "recipient: it is empty"],
  ["ACME -1", "limit: it is not an amount: 100.00 EUR"],
  ["ACME 1e3", "limit: it is not an amount: 100.00 EUR"],
  ["ACME 1,000.00", "limit: it is not an amount: 100.00 EUR"],
  ['ACME "100 USD"', "limit: it is not an amount: 100.00 EUR"],
  ["ACME EUR", "limit: it is not an amount: 100.00 EUR"],
  ['"A\u200bCME" 1', "recipient: it has a character that nobody sees"],
  ['"A\u202eCME" 1', "recipient: it has a character that nobody sees"],
  ['"A\ud800CME" 1', "recipient: it has a character that nobody sees"],
  [`${"ä".repeat(MAX_PARAMETER_BYTES / 2 + 1)} 1`, "recipient: it has more than 256 bytes"],
  ["x ".repeat(2049), "more than 4096 bytes of values"],
])("refuses %j", (words, reason) => {
  expect(read(words)).toBe(reason);
});

test.each([
  ["number", "-12.50", "-12.50"],
  ["date", "2026-12-31", "1798675200000"],
  ["duration", "PT5M", "300000"],
  ["size", "64KiB", "65536"],
  ["size", "7", "7"],
] as const)("a value of the kind %s that is typed as %s is read as %s", (kind, words, value) => {
  expect(read(words, [parameter("it", kind)])).toEqual([[value, words]]);
});

test.each([
  ["number", "twelve", "it: it is not a number: 12 or 12.50"],
  ["number", "012", "it: it is not a number: 12 or 12.50"],
  ["date", "31.12.2026", "it: it is not a date: 2026-12-31 or 2026-12-31T10:00:00Z"],
  ["duration", "P1M", "it: it is not a duration: 30 s, 5 min or PT5M"],
  ["size", "1.5KiB", "it: it is not a size: 500 B or 64 KiB"],
  ["size", "1kb", "it: it is not a size: 500 B or 64 KiB"],
] as const)("a value of the kind %s must not be typed as %s", (kind, words, reason) => {
  expect(read(words, [parameter("it", kind)])).toBe(reason);
});

test("the usage names each parameter and the kind of its value", () => {
  expect(renderTaskUsage("pay", PAY)).toBe(USAGE);
  expect(renderTaskUsage("triage", [])).toBe("/task triage");
});

test("property: any typed text is refused with a reason, or read as bounded values of the right kinds", () => {
  const kind = fc.constantFrom<Parameter["kind"]>("text", "number", "money", "date", "duration", "size");
  const parameters = fc
    .uniqueArray(kind, { maxLength: 4 })
    .map((kinds) => kinds.map((one) => parameter(one, one, one === "money" ? "EUR" : "")));
  const words = fc
    .array(fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constantFrom(" ", '"', "\\", "=", "text=", "5 EUR")))
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(parameters, words, (asked, typed) => {
      const chosen = parseTaskArguments(asked, typed);
      if (!chosen.ok) {
        expect(chosen.reason).not.toBe("");
        return;
      }
      expect(chosen.value.map(({ name }) => name)).toEqual(asked.map(({ name }) => name));
      for (const { name, value, words: own } of chosen.value) {
        expect(value.which === "text").toBe(name === "text");
        expect(own.isWellFormed() && Buffer.byteLength(own) <= MAX_PARAMETER_BYTES).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});

test("property: quoted values are read back unchanged", () => {
  const text = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
    .filter((one) => !/[\p{C}\p{Zl}\p{Zp}]/u.test(one) && Buffer.byteLength(one) <= MAX_PARAMETER_BYTES);
  fc.assert(
    fc.property(text, (value) => {
      const quoted = `"${value.replace(/["\\]/g, "\\$&")}"`;
      for (const words of [quoted, `it=${quoted}`])
        expect(read(words, [parameter("it", "text")])).toEqual([[value, value]]);
    }),
  );
});

const named = (name: string, kind: Parameter["kind"]): Literal => ({ which: "parameter", parameter: { name, kind } });
const against = (operator: Condition["operator"], literal: Literal): Condition => {
  return { ...check("path", operator, ""), literals: [literal] };
};
const chosen = (values: Readonly<Record<string, ParameterValue>>): ChosenValues => new Map(Object.entries(values));

test("a condition on a parameter cannot be evaluated if its value is unknown or of another kind", () => {
  const condition = against("equal", named("recipient", "text"));
  expect(renderCondition(condition)).toBe("path == task.recipient");
  const judge = (parameters?: ChosenValues) => evaluateConditions([condition], { path: "a" }, { parameters });
  expect(judge()).toBe("unknown");
  expect(judge(chosen({ limit: { which: "text", text: "a" } }))).toBe("unknown");
  expect(judge(chosen({ recipient: { which: "decimal", decimal: "1" } }))).toBe("unknown");
  expect(judge(chosen({ recipient: { which: "text", text: "a" } }))).toBe("holds");
  expect(judge(chosen({ recipient: { which: "text", text: "b" } }))).toBe("fails");
  const some = {
    ...against("in", named("recipient", "text")),
    literals: [named("recipient", "text"), named("x", "text")],
  };
  expect(
    evaluateConditions([some], { path: "a" }, { parameters: chosen({ recipient: { which: "text", text: "a" } }) }),
  ).toBe("unknown");
});

/**
 * Returns tables with a task `pay`, in which a write is allowed if its path equals the task's parameter `recipient`.
 */
function paying(
  changes: Partial<PolicyTables["rows"][number]> = {},
  condition = against("equal", named("recipient", "text")),
) {
  const own = { task: "pay", parameters: PAY, ...changes };
  return tables({
    decisions: [{ clauses: [where([condition], "auto", "consent")], floors: [] }],
    rows: [row("operator", [0]), row("operator", [2], own)],
  });
}

test("a task begins only if each parameter has a value", () => {
  const sample = indexed(paying());
  const begin = (values?: Readonly<Record<string, ParameterValue>>) =>
    openTask(sample, "operator", "pay", values && chosen(values));
  const [recipient, limit] = [{ which: "text", text: "a" } as const, { which: "decimal", decimal: "5" } as const];
  expect(begin({})).toEqual({ ok: false, reason: "the parameter recipient of task pay has no value" });
  expect(begin({ recipient, limit: recipient })).toMatchObject({ ok: false });
  const begun = begin({ recipient, limit });
  if (!begun.ok) throw new Error(begun.reason);
  const gate = (path: string, conversation = begun.value.conversation) => {
    return decide(sample, conversation, { tool: "notes.write", arguments: JSON.stringify({ path }) });
  };
  expect(gate("a")).toMatchObject({ gate: "auto" });
  expect(gate("b")).toMatchObject({ gate: "consent" });
  const unknown = begin();
  if (!unknown.ok) throw new Error(unknown.reason);
  expect(gate("a", unknown.value.conversation)).toMatchObject({ gate: "consent" });
});

test("an ingress cannot begin a task with parameters, because no person has chosen their values", () => {
  const ingress = { name: "mail", source: "mail", address: "", row: 1, label: PUBLIC, zone: "", missed: "", says: "" };
  expect(openIngress(indexed({ ...paying(), ingresses: [ingress] }), "mail")).toEqual({
    ok: false,
    reason: "task pay has parameters, which a person chooses",
  });
});

const WRONG = "policy tables contradict themselves: ";
const PLACE = "row operator/pay//: ";
test.each<[string, PolicyTables, string]>([
  [
    "another kind",
    paying({ parameters: [parameter("recipient", "number")] }),
    "its task has no parameter recipient of the kind text",
  ],
  ["no such parameter", paying({ parameters: [] }), "its task has no parameter recipient of the kind text"],
  ["a name twice", paying({ parameters: [...PAY, parameter("limit", "text")] }), "parameter limit stands twice"],
  ["no name", paying({ parameters: [...PAY, parameter("", "text")] }), "a parameter without a name"],
  [
    "money without a currency",
    paying({ parameters: [...PAY, parameter("m", "money")] }),
    "parameter m has a wrong currency",
  ],
  [
    "a text with one",
    paying({ parameters: [...PAY, parameter("m", "text", "EUR")] }),
    "parameter m has a wrong currency",
  ],
  [
    "too many",
    paying({ parameters: Array.from({ length: MAX_PARAMETERS + 1 }, (_, at) => parameter(`p${at}`, "text")) }),
    "more than 8 parameters",
  ],
])("tables with a wrong parameter are refused: %s", (_, bad, reason) => {
  expect(indexTables(bad)).toEqual({ ok: false, reason: `${WRONG}${PLACE}${reason}` });
});

test.each<[string, Condition, string]>([
  [
    "an order of a text",
    against("less", named("recipient", "text")),
    "an order is asked of something else than a number",
  ],
  ["a folder that is a number", against("under", named("limit", "money")), "a literal is no path"],
  ["a pattern", against("matches", named("recipient", "text")), "a parameter is a pattern"],
  [
    "a size of a text",
    { ...against("less", named("recipient", "text")), term: "size" },
    "a size is compared with a parameter of the kind text",
  ],
  [
    "a date of money",
    { ...against("less", named("limit", "money")), term: "date" },
    "a date is compared with a parameter of the kind money",
  ],
])("tables with a wrong use of a parameter are refused: %s", (_, condition, reason) => {
  expect(indexTables(paying({}, condition))).toEqual({ ok: false, reason: `${WRONG}decision 0: ${reason}` });
});

test("refuses tables with parameters outside of a task, or with different parameters in two phases", () => {
  expect(indexTables(tables({ rows: [row("operator", [2], { parameters: PAY })] }))).toEqual({
    ok: false,
    reason: `${WRONG}row operator///: parameters outside of a task`,
  });
  const inPhase = (phase: string, phaseIndex: number, parameters: readonly Parameter[]) =>
    row("operator", [2], { task: "pay", phase, phaseIndex, parameters });
  expect(indexTables(tables({ rows: [inPhase("a", 0, PAY), inPhase("b", 1, [])] }))).toEqual({
    ok: false,
    reason: `${WRONG}row operator/pay/b/: its task has other parameters elsewhere`,
  });
});

/** Returns the kind of parameter that a condition may name instead of a literal; `undefined` if it may name none. */
function kindOf({ operator, term, literals }: Condition): Parameter["kind"] | undefined {
  if (operator === "matches" || term === "has") return undefined;
  const [literal] = literals;
  if (literals.some(({ which }) => which !== literal?.which) || literal?.which === "boolean") return undefined;
  if (term === "date" || term === "duration") return term;
  return literal?.which === "text" ? "text" : "number";
}

test("property: a parameter gives the same decision as its value, and an unknown value never loosens a decision", () => {
  const ORDER = ["auto", "consent", "stepUp", "refused"];
  fc.assert(
    fc.property(anyScene, ({ tables: sample, conversation, call }) => {
      const values = new Map<string, ParameterValue>();
      const parameters: Parameter[] = [];
      const names = new Map<string, string>();
      const hide = (condition: Condition): Condition => {
        const kind = kindOf(condition);
        if (kind === undefined) return condition;
        const literals = condition.literals.map((literal): Literal => {
          if (literal.which === "boolean" || literal.which === "parameter") return literal;
          // Equal literals get the same parameter: otherwise equal conditions would become different, and other rules would be displaced.
          const key = JSON.stringify([kind, literal]);
          const known = names.get(key);
          if (known !== undefined) return named(known, kind);
          const name = `p${parameters.length}`;
          names.set(key, name);
          parameters.push(parameter(name, kind));
          values.set(name, literal);
          return named(name, kind);
        });
        return { ...condition, literals };
      };
      const hideIn = <T extends Pick<Clause, "conditions">>(line: T): T => ({
        ...line,
        conditions: line.conditions.map(hide),
      });
      const decisions = sample.decisions.map((list) => ({
        clauses: list.clauses.map(hideIn),
        floors: list.floors.map(hideIn),
      }));
      const inTask = (one: PolicyTables["rows"][number]) => ({
        ...one,
        task: one.task === "" ? "own" : one.task,
        requiresTask: false,
      });
      const plain = { ...sample, rows: sample.rows.map(inTask) };
      const hidden = { ...plain, decisions, rows: plain.rows.map((one) => ({ ...one, parameters })) };
      const [before, after] = [indexTables(plain), indexTables(hidden)];
      // When all rows are in one task, two rows may have the same name; such samples are skipped.
      fc.pre(before.ok && parameters.length <= MAX_PARAMETERS);
      if (!before.ok || !after.ok) throw new Error(after.ok ? "" : after.reason);
      const known = { ...conversation, parameters: values };
      const outcome = (decision: ReturnType<typeof decide>) => (decision.kind === "gated" ? decision.gate : "refused");
      const asked = decide(after.value, known, call);
      expect({ ...asked, reason: "" }).toEqual({ ...decide(before.value, conversation, call), reason: "" });
      if (asked.kind === "gated") expect(naiveDecision(hidden, known, call.tool, call.arguments)).toBe(asked.gate);
      const strange = decide(after.value, conversation, call);
      if (parameters.length > 0)
        expect(ORDER.indexOf(outcome(strange))).toBeGreaterThanOrEqual(ORDER.indexOf(outcome(asked)));
    }),
    { numRuns: 1500 },
  );
});

test("the sample tool of these tests has the argument `path`", () => {
  expect(tool("notes.write").params.map(({ name }) => name)).toContain("path");
});

test("a value whose kind differs from the parameter's kind counts as unknown", () => {
  const literal = (kind: Parameter["kind"]): Literal => ({ which: "parameter", parameter: { name: "limit", kind } });
  const chosen = (value: ParameterValue): ChosenValues => new Map([["limit", value]]);
  const [text, amount] = [chosen({ which: "text", text: "5" }), chosen({ which: "decimal", decimal: "5" })];
  expect(resolveLiteral(literal("money"), amount)).toEqual({ which: "decimal", decimal: "5" });
  expect(resolveLiteral(literal("money"), text)).toBeUndefined();
  expect(resolveLiteral(literal("text"), amount)).toBeUndefined();
  expect(resolveLiteral(literal("text"), undefined)).toBeUndefined();
});
