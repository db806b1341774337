import type {
  Check,
  FloorCondition,
  FloorLine,
  Line,
  Literal,
  Operand,
  ParameterNode,
  Pattern,
  QuotaEntry,
  RelatedNode,
  SourceNode,
  Test,
  TimeLimit,
  WhenNode,
  WhereClause,
} from "../tree/index.ts";
import { quoteText, renderBecause, renderName, renderNumeral, renderReference } from "./text.ts";

// Renders single lines in their canonical form, which `/why`, the audit and every rule in the tables use.

/** Returns a text such as `auto Files.write where path under "/reports" else consent`. */
export function renderLine({ mode, isInherited, patterns, where, because }: Line): string {
  return `${isInherited ? "inherit" : mode.mode} ${renderPatterns(patterns)}${where === undefined ? "" : ` ${renderWhere(where)}`}${renderBecause(because)}`;
}

export function renderPatterns(patterns: readonly Pattern[]): string {
  return patterns.map(renderPattern).join(", ");
}

function renderPattern(pattern: Pattern): string {
  switch (pattern.kind) {
    case "everything":
      return "*";
    case "named":
      return renderReference(pattern.name);
    case "all-of":
      return `${renderReference(pattern.name)}.*`;
    case "within":
      return `${renderReference(pattern.name)} in ${renderReference(pattern.owner)}`;
  }
}

function renderWhere({ checks, otherwise }: WhereClause): string {
  return `${renderChecks(checks)} else ${otherwise.mode}`;
}

function renderChecks(checks: readonly Check[]): string {
  return `where ${checks.map(renderCheck).join(" and ")}`;
}

/** Returns a text such as `size(content) <= 64 KiB`. */
export function renderCheck({ term, test, isMetIfAbsent }: Check): string {
  const argument = renderReference(term.argument);
  if (test.kind === "has") return `${test.isWanted ? "" : "not "}has(${argument})`;
  const subject = term.functions.reduceRight((inner, name) => `${renderName(name)}(${inner})`, argument);
  return `${subject} ${renderTest(test)}${isMetIfAbsent ? " or absent" : ""}`;
}

function renderTest(test: Exclude<Test, { readonly kind: "has" }>): string {
  switch (test.kind) {
    case "compare":
      return `${test.operator} ${renderOperand(test.literal)}`;
    case "in":
      return `in [${test.literals.map(renderOperand).join(", ")}]`;
    case "in-set":
      return `in ${renderName(test.set)}`;
    case "under":
      return `under ${quoteText(test.root.value)}`;
    case "by-parameter":
      return `${test.operator} ${renderParameter(test.parameter)}`;
    case "from":
      return `from ${test.sources.map(renderSource).join(", ")}`;
    case "startsWith":
    case "endsWith":
    case "matches":
      return `${test.kind} ${quoteText(test.text.value)}`;
  }
}

/** Returns a text such as `files.read(path from person)` or `calendar.list.participants[owner == "ada"]`. */
function renderSource({ name, call, record }: SourceNode): string {
  const [service, method, ...fields] = name.parts.map((part) => ({ ...name, parts: [part] }));
  const head = [service, method].flatMap((part) => (part === undefined ? [] : renderReference(part)));
  const rest = fields.map((part) => `.${renderReference(part)}`).join("");
  const asked = call.length === 0 ? "" : `(${call.map(renderRelated).join(" and ")})`;
  return `${head.join(".")}${asked}${rest}${record.length === 0 ? "" : `[${record.map(renderRelated).join(" and ")}]`}`;
}

function renderRelated({ field, test }: RelatedNode): string {
  const right =
    test.kind === "is" ? `== ${quoteText(test.text.value)}` : `from ${test.sources.map(renderReference).join(", ")}`;
  return `${renderReference(field)} ${right}`;
}

/** Returns a text such as `["a", "b"]`. */
export function renderLiterals(literals: readonly Literal[]): string {
  return `[${literals.map(renderLiteral).join(", ")}]`;
}

function renderOperand(operand: Operand): string {
  return operand.kind === "parameter" ? renderParameter(operand) : renderLiteral(operand);
}

function renderParameter({ name }: ParameterNode): string {
  return `task.${renderName(name)}`;
}

export function renderLiteral(literal: Literal): string {
  switch (literal.kind) {
    case "text":
      return quoteText(literal.value);
    case "boolean":
      return String(literal.value);
    case "number":
      return literal.unit === undefined
        ? renderNumeral(literal.amount)
        : `${renderNumeral(literal.amount)} ${renderName(literal.unit)}`;
  }
}

/** Returns a text such as `when integrity <= untrusted: atLeast stepUp mutatingLocal`. */
export function renderFloor(when: WhenNode, floor: FloorLine): string {
  return `when ${when.met.map(renderMet).join(" and ")}: ${renderFloorLine(floor)}`;
}

/** Returns a text such as `atLeast stepUp Ledger.pay where amount > 100 EUR`. */
export function renderFloorLine({ mode, patterns, where }: FloorLine): string {
  return `atLeast ${mode.mode} ${renderPatterns(patterns)}${where === undefined ? "" : ` ${renderChecks(where.checks)}`}`;
}

/** Returns a text such as `integrity <= untrusted`. */
export function renderMet(met: FloorCondition): string {
  switch (met.kind) {
    case "confidentiality":
      return `confidentiality >= ${renderName(met.level)}`;
    case "integrity":
      return `integrity <= ${renderName(met.level)}`;
    case "compartment":
      return `compartment ${renderName(met.compartment)}`;
    case "unattended":
      return "unattended";
  }
}

/** Returns a text such as `10 destructive calls per login`. */
export function renderQuota({ amount, unit, noun, scope }: QuotaEntry): string {
  return `${renderNumeral(amount)} ${renderName(unit)}${noun === undefined ? "" : ` ${renderName(noun)}`} per ${renderName(scope)}`;
}

/** Returns a text such as `15 min per idle`. */
export function renderTimeLimit({ limit: { amount, unit }, scope }: TimeLimit): string {
  return `${renderNumeral(amount)} ${renderName(unit)} per ${renderName(scope)}`;
}
