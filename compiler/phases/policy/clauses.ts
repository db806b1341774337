import { serializeCondition } from "../../../engine/lib/policy/index.ts";
import type {
  Condition,
  Decision,
  Floor,
  Literal,
  Related,
  Source,
  Clause as WireClause,
} from "../../../engine/lib/wire/generated/policy.ts";
import {
  type BoundCheck,
  type BoundLiteral,
  type BoundRelated,
  type BoundSource,
  isStrongField,
} from "../bind/index.ts";
import type { CellFloor, Clause } from "./layers.ts";
import type { Answer } from "./resolve.ts";

/** Index of a rule by its id. */
export type RuleIndex = (id: string) => number;

/** Returns the decision list of a cell: clauses and floors in the order of their rules, each once. */
export function encodeDecision(answer: Answer, ruleIndex: RuleIndex): Decision {
  return {
    clauses: encodeClauses(answer.clauses, ruleIndex),
    floors: keepDistinctRules(answer.floors.map((floor) => encodeFloor(floor, ruleIndex))),
  };
}

/**
 * Returns a text of the decision. Different decisions have different texts, and cells with the same text share one
 * decision list.
 */
export function serializeDecision({ clauses, floors }: Decision): string {
  const lines = clauses.map(({ conditions, met, otherwise, rule, group }) => {
    return `${rule} ${met} ${otherwise} ${group} ${conditions.map(serializeInOrder)}`;
  });
  const raising = floors.map(({ conditions, mode, rule, ...when }) => {
    const { confidentialityAtLeast, integrityAtMost, compartments, unattended } = when;
    const met = `${confidentialityAtLeast} ${integrityAtMost} ${compartments} ${unattended}`;
    return `${rule} ${mode} ${met} ${conditions.map(serializeInOrder)}`;
  });
  return `${lines.join("\n")}\n\n${raising.join("\n")}`;
}

/**
 * Returns a text of the condition. The text of an `in` condition depends on the order of its literals, because the
 * tables keep the order of the page.
 */
function serializeInOrder(condition: Condition): string {
  return condition.operator === "in" ? serializeValue(condition) : serializeCondition(condition);
}

/** Returns a text of the value. Different values have different texts. */
export function serializeValue(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}n` : part));
}

/** Returns one item for each rule, in the order of the rules. All items of one rule are equal, because a rule is identified by its text. */
function keepDistinctRules<T extends { readonly rule: number }>(items: readonly T[]): readonly T[] {
  if (items.length < 2) return items;
  const byRule = new Map(items.map((item) => [item.rule, item]));
  return [...byRule.values()].sort((one, other) => one.rule - other.rule);
}

/** Returns clauses in the form of the tables, in the order of their rules. */
function encodeClauses(clauses: readonly Clause[], ruleIndex: RuleIndex): readonly WireClause[] {
  const first = clauses[0];
  if (first !== undefined && clauses.length === 1) return [encodeClause(first, ruleIndex)];
  const ofRule = new Map(clauses.map(({ rule, group }) => [ruleIndex(rule.id), group]));
  const distinct = keepDistinctRules(clauses.map((clause) => encodeClause(clause, ruleIndex)));
  const sizes = new Map<object | undefined, number>();
  for (const group of ofRule.values()) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const numbers = new Map<object | undefined, number>();
  return distinct.map((clause) => {
    const group = ofRule.get(clause.rule);
    // A group consists of the lines of one layer with the same pattern: of those that match, the most specific ones
    // decide. A group of a single line gets no number, so that most tables have the same bytes as in versions of capc
    // without groups.
    if ((sizes.get(group) ?? 0) < 2) return clause;
    const number = numbers.get(group) ?? numbers.size + 1;
    numbers.set(group, number);
    return { ...clause, group: number };
  });
}

/** Encodes clauses that are not in tables: numbers their rules in order of first occurrence. */
export function encodeUnnamedClauses(clauses: readonly Clause[]): readonly WireClause[] {
  const ids = [...new Set(clauses.map(({ rule }) => rule.id))];
  const numbers = new Map(ids.map((id, index) => [id, index]));
  return encodeClauses(clauses, (id) => numbers.get(id) ?? 0);
}

function encodeClause(clause: Clause, ruleIndex: RuleIndex): WireClause {
  const { checks, met, otherwise = met, rule } = clause;
  // If there are no conditions, the mode `otherwise` is never used. `otherwise` still needs a fixed value, so that
  // equal policies have equal bytes.
  return { conditions: checks.map(encodeCondition), met, otherwise, rule: ruleIndex(rule.id), group: 0 };
}

/** Cache of encoded conditions of the page. They never change, and laws, tables and proofs need the same ones. */
const CONDITIONS = new WeakMap<BoundCheck, Condition>();

/** Encodes a condition of the page in the form of the tables. For the same condition it returns the same object. */
export function encodeCondition(check: BoundCheck): Condition {
  const known = CONDITIONS.get(check);
  if (known !== undefined) return known;
  const { path, term, operator, literals, sources, each, extract, absentHolds } = check;
  const compared = { path: [...path], term, operator, literals: literals.map(encodeLiteral) };
  const made: Condition = { ...compared, each, extract, absentHolds, sources: sources.map(encodeSource) };
  CONDITIONS.set(check, made);
  return made;
}

function encodeSource(source: BoundSource): Source {
  switch (source.kind) {
    case "person":
    case "pasted":
    case "page":
    case "untrusted":
      return { which: source.kind };
    case "atLeast":
      return { which: "atLeast", atLeast: source.level };
    case "field":
      return {
        which: "field",
        field: {
          tool: source.tool,
          name: source.field,
          related: source.related.map(encodeRelated),
          isStrong: isStrongField(source),
        },
      };
  }
}

function encodeRelated({ name, ofCall, text, sources }: BoundRelated): Related {
  return { name, ofCall, text: text ?? "", sources: sources.map(encodeSource) };
}

function encodeLiteral(literal: BoundLiteral): Literal {
  switch (literal.kind) {
    case "text":
      return { which: "text", text: literal.text };
    case "boolean":
      return { which: "boolean", boolean: literal.boolean };
    case "decimal":
      return { which: "decimal", decimal: literal.decimal };
    case "parameter": {
      const { name, kind } = literal.parameter;
      return { which: "parameter", parameter: { name, kind } };
    }
  }
}

function encodeFloor({ floor, rule }: CellFloor, ruleIndex: RuleIndex): Floor {
  const { confidentialityAtLeast, integrityAtMost, compartments, unattended } = floor.when;
  const met = { confidentialityAtLeast, integrityAtMost, compartments, unattended };
  return { ...met, mode: floor.mode, rule: ruleIndex(rule.id), conditions: floor.checks.map(encodeCondition) };
}
