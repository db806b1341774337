import { compareDecimals, type Decimal, decimalFrom } from "../../../../engine/policy/index.ts";
import type { BoundCheck, BoundLiteral } from "../../../bind/index.ts";
import type { Argument } from "../../arguments.ts";

// Whether some value meets all checks of one argument. Exact for words, truth values, folders and bounds of numbers;
// anything else is taken to be possible, for only what is certainly dead may be called an error.

export function canBeMet(argument: Argument, checks: readonly BoundCheck[]): boolean {
  return wordsCanBe(argument, checks) && numbersCanBe(argument, checks) && foldersCanBe(checks);
}

function wordsCanBe({ type }: Argument, checks: readonly BoundCheck[]): boolean {
  const choices = type.which === "choice" ? type.choice : type.which === "boolean" ? ["true", "false"] : undefined;
  const allowed = checks.filter(({ operator }) => operator === "equal" || operator === "in").map(wordsOf);
  const start = choices ?? allowed[0]?.flatMap((word) => word ?? []);
  if (start === undefined || checks.flatMap(wordsOf).includes(undefined)) return true;
  const refused = checks.filter(({ operator }) => operator === "notEqual").flatMap(wordsOf);
  return start.some((word) => allowed.every((words) => words.includes(word)) && !refused.includes(word));
}

function wordsOf({ literals }: BoundCheck): (string | undefined)[] {
  return literals.map(wordOf);
}

function wordOf(literal: BoundLiteral): string | undefined {
  switch (literal.kind) {
    case "text":
      return literal.text;
    case "boolean":
      return String(literal.boolean);
    case "decimal":
      return undefined;
  }
}

interface Bound {
  readonly value: Decimal;
  /** The value itself is outside. */
  readonly open: boolean;
}

function numbersCanBe({ type }: Argument, checks: readonly BoundCheck[]): boolean {
  const zero = decimalFrom("0");
  const lows: Bound[] = [];
  const highs: Bound[] = [];
  const add = (bounds: Bound[], value: Decimal | undefined, open: boolean) => {
    if (value !== undefined) bounds.push({ value, open });
  };
  const integer = type.which === "integer" ? type.integer : undefined;
  if (integer !== undefined) add(lows, decimalFrom(String(integer.low)), false);
  if (integer !== undefined) add(highs, decimalFrom(String(integer.high)), false);
  for (const { operator, term, literals } of checks) {
    if (term === "size") add(lows, zero, false);
    if (operator === "under" || operator === "in" || operator === "notEqual") continue;
    const value = decimalOf(literals[0]);
    if (operator === "equal" || operator.startsWith("greater")) add(lows, value, operator === "greater");
    if (operator === "equal" || operator.startsWith("less")) add(highs, value, operator === "less");
  }
  return lows.every((low) => highs.every((high) => leavesRoom(low, high)));
}

function leavesRoom(low: Bound, high: Bound): boolean {
  const order = compareDecimals(low.value, high.value);
  return order < 0 || (order === 0 && !low.open && !high.open);
}

function decimalOf(literal: BoundLiteral | undefined): Decimal | undefined {
  return literal?.kind === "decimal" ? decimalFrom(literal.decimal) : undefined;
}

/** Two folders share a file only where one holds the other. */
function foldersCanBe(checks: readonly BoundCheck[]): boolean {
  const folders = checks
    .filter(({ operator }) => operator === "under")
    .map(({ literals: [root] }) => (root?.kind === "text" ? root.text.split("/").filter((part) => part !== "") : []));
  return folders.every((left) =>
    folders.every((right) => left.every((part, index) => (right[index] ?? part) === part)),
  );
}
