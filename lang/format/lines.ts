import type {
  Check,
  FloorLine,
  Line,
  Literal,
  Met,
  Pattern,
  QuotaEntry,
  Test,
  TimeLimit,
  WhenNode,
  Where,
} from "../tree/index.ts";
import { becauseText, nameText, numeralText, quoted, referenceText } from "./text.ts";

// Canonical text of single lines: what `/why`, the audit and every rule in the tables call them.

/** `auto Files.write where path under "/reports" else consent` */
export function lineText({ mode, patterns, where, because }: Line): string {
  return `${mode.mode} ${patternsText(patterns)}${where === undefined ? "" : ` ${whereText(where)}`}${becauseText(because)}`;
}

export function patternsText(patterns: readonly Pattern[]): string {
  return patterns.map(patternText).join(", ");
}

function patternText(pattern: Pattern): string {
  switch (pattern.kind) {
    case "everything":
      return "*";
    case "named":
      return referenceText(pattern.name);
    case "all-of":
      return `${referenceText(pattern.name)}.*`;
    case "within":
      return `${referenceText(pattern.name)} in ${referenceText(pattern.owner)}`;
  }
}

function whereText({ checks, otherwise }: Where): string {
  return `where ${checks.map(checkText).join(" and ")} else ${otherwise.mode}`;
}

/** `size(content) <= 64 KiB` */
export function checkText({ term, test }: Check): string {
  const argument = referenceText(term.argument);
  const subject = term.function === undefined ? argument : `${nameText(term.function)}(${argument})`;
  return `${subject} ${testText(test)}`;
}

function testText(test: Test): string {
  switch (test.kind) {
    case "compare":
      return `${test.operator} ${literalText(test.literal)}`;
    case "in":
      return `in [${test.literals.map(literalText).join(", ")}]`;
    case "under":
      return `under ${quoted(test.root.value)}`;
  }
}

function literalText(literal: Literal): string {
  switch (literal.kind) {
    case "text":
      return quoted(literal.value);
    case "boolean":
      return String(literal.value);
    case "number":
      return literal.unit === undefined
        ? numeralText(literal.amount)
        : `${numeralText(literal.amount)} ${nameText(literal.unit)}`;
  }
}

/** `when integrity <= untrusted: atLeast stepUp mutatingLocal` */
export function floorText(when: WhenNode, { mode, patterns }: FloorLine): string {
  return `when ${when.met.map(metText).join(" and ")}: atLeast ${mode.mode} ${patternsText(patterns)}`;
}

/** `integrity <= untrusted` */
export function metText(met: Met): string {
  switch (met.kind) {
    case "confidentiality":
      return `confidentiality >= ${nameText(met.level)}`;
    case "integrity":
      return `integrity <= ${nameText(met.level)}`;
    case "compartment":
      return `compartment ${nameText(met.compartment)}`;
    case "unattended":
      return "unattended";
  }
}

/** `10 destructive calls per login` */
export function quotaText({ amount, unit, noun, scope }: QuotaEntry): string {
  return `${numeralText(amount)} ${nameText(unit)}${noun === undefined ? "" : ` ${nameText(noun)}`} per ${nameText(scope)}`;
}

/** `15 min per idle` */
export function timeLimitText({ limit: { amount, unit }, scope }: TimeLimit): string {
  return `${numeralText(amount)} ${nameText(unit)} per ${nameText(scope)}`;
}
