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
  const allowed = checks
    .filter(({ operator }) => operator === "equal" || operator === "in")
    .map((check) => new Set(wordsOf(check)));
  const start = choices ?? allowed[0];
  if (start === undefined || checks.flatMap(wordsOf).includes(undefined)) return true;
  const refused = new Set(checks.filter(({ operator }) => operator === "notEqual").flatMap(wordsOf));
  return [...start].some((word) => allowed.every((words) => words.has(word)) && !refused.has(word));
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
  const low = lows.reduce<Bound | undefined>(
    (most, bound) => (most && !isStricter(bound, most, 1) ? most : bound),
    undefined,
  );
  const high = highs.reduce<Bound | undefined>(
    (most, bound) => (most && !isStricter(bound, most, -1) ? most : bound),
    undefined,
  );
  return low === undefined || high === undefined || leavesRoom(low, high);
}

/** Of two bounds on one side, `way` being 1 for low ones and -1 for high ones. A page may have a hundred thousand. */
function isStricter(bound: Bound, than: Bound, way: 1 | -1): boolean {
  const order = compareDecimals(bound.value, than.value) * way;
  return order > 0 || (order === 0 && bound.open);
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
  // Where all are parts of the way to the deepest one, each is part of the way to each that is deeper than it.
  const deepest = folders.reduce((most, folder) => (folder.length > most.length ? folder : most), []);
  return folders.every((folder) => folder.every((part, index) => part === deepest[index]));
}
