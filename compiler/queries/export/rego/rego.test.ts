// Tests that OPA decides exported policies as the gate does. If the module can evaluate all conditions of a call, the
// answers must be equal. For conditions on URLs, OPA's answer must not be looser.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { IndexedTables } from "../../../../engine/lib/policy/index.ts";
import { anyScene } from "../../../../engine/lib/policy/testing/arbitrary.ts";
import { check, indexed, PUBLIC, row, where } from "../../../../engine/lib/policy/testing/sample.ts";
import { compileExample, listExampleNames } from "../../../dev/golden/golden.ts";
import { indexPolicyTables } from "../../../phases/policy/index.ts";
import { collectCells, type ExportedCell } from "../cells.ts";
import { isAtLeastAsStrict, pageAnswer, withoutBytes } from "../testing/answers.ts";
import { anyAsked, KINDS, kindsDrawn } from "../testing/kinds.ts";
import { inputOf, opaEngine } from "../testing/opa-engine.ts";
import { everyQuestion, type Question, someQuestions } from "../testing/questions.ts";
import { ENTRYPOINT, readRegoModule } from "./rego.ts";
import { canBeTold } from "./tables.ts";

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

test("the tested module is the one that OPA compiled (make rego)", () => {
  const read = (name: string) => readFileSync(new URL(`../testing/opa/${name}`, import.meta.url));
  expect(JSON.parse(read("made.json").toString())).toEqual({
    opa: "1.22.2",
    entrypoint: ENTRYPOINT,
    module: sha256(readRegoModule()),
    wasm: sha256(read("decision.wasm")),
  });
});

/**
 * Returns whether the module can evaluate all conditions of the decision exactly. The module supports only some
 * conditions, and evaluates conditions on a URL's origin inexactly.
 */
function isWhole({ list }: ExportedCell): boolean {
  return [...list.clauses, ...list.floors].every(({ conditions }) =>
    conditions.every((one) => one.term !== "origin" && canBeTold(one)),
  );
}

/** Returns the decisions that the module can evaluate exactly, by place and tool. */
function wholly(tables: IndexedTables): ReadonlySet<string> {
  return new Set(
    collectCells(tables)
      .filter(isWhole)
      .map(({ row, tool }) => `${tables.rows.indexOf(row)} ${tool.name}`),
  );
}

/** Compares the module's answers to the questions with the gate's decisions, and returns the number of questions. */
function compared(tables: IndexedTables, questions: Iterable<Question>): number {
  const { ask } = opaEngine(tables);
  const whole = wholly(tables);
  let count = 0;
  for (const question of questions) {
    const page = pageAnswer(tables, question.conversation, question) ?? "refused";
    const opa = ask(question);
    const isSame = whole.has(`${question.conversation.row} ${question.tool}`);
    if (isSame ? opa !== page : !isAtLeastAsStrict(opa, page)) expect({ question, opa }).toEqual({ page });
    count += 1;
  }
  return count;
}

const examples = new Map<string, IndexedTables>();
beforeAll(async () => {
  for (const name of listExampleNames()) examples.set(name, indexPolicyTables((await compileExample(name)).policy));
});

test.each(listExampleNames())("%s: OPA decides each cell like the gate, or more strictly", (name) => {
  const tables = examples.get(name);
  if (tables === undefined) throw new Error("not compiled");
  expect(compared(tables, everyQuestion(tables))).toBeGreaterThan(0);
});

test("in OPA, a rule with a condition on the source of an argument is at least as strict as at the gate", () => {
  const asking = { ...check("path", "from"), sources: [{ which: "untrusted" as const }] };
  const tables = (mode: "auto" | "forbidden", otherwise: "auto" | "forbidden") =>
    indexed({
      decisions: [{ clauses: [where([asking], mode, otherwise)], floors: [] }],
      rows: [row("operator", [2], { starts: PUBLIC })],
    });
  expect(canBeTold(asking)).toBe(false);
  for (const one of [tables("forbidden", "auto"), tables("auto", "forbidden")])
    expect(compared(one, everyQuestion(one))).toBeGreaterThan(0);
});

test("on random tables, OPA decides like the gate where the export is exact, and is never looser elsewhere", () => {
  fc.assert(
    fc.property(
      anyAsked,
      ([
        {
          tables: any,
          call,
          conversation: { label, unattended },
        },
        first,
      ]) => {
        const tables = withoutBytes(any);
        compared(tables, someQuestions(tables, { call, label, unattended }, first));
      },
    ),
    { numRuns: 250 },
  );
});

test("the random tables cover each decision, both where the export is exact and where it is not", () => {
  expect(kindsDrawn(wholly)).toEqual(KINDS);
});

test("a missing input field never makes a decision looser", () => {
  fc.assert(
    fc.property(anyScene, fc.nat(40), ({ tables: any, call, conversation: { label, unattended } }, first) => {
      const tables = withoutBytes(any);
      const { ask, evaluate } = opaEngine(tables);
      for (const question of someQuestions(tables, { call, label, unattended }, first)) {
        const input = inputOf(tables, question);
        const whole = ask(question);
        for (const name of Object.keys(input)) {
          const less = Object.fromEntries(Object.entries(input).filter(([key]) => key !== name));
          const answer = evaluate(less);
          if (!isAtLeastAsStrict(answer, whole)) expect({ question, name, answer }).toEqual({ whole });
        }
      }
    }),
    { numRuns: 60 },
  );
});
