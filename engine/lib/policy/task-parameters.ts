// Parses the values that a person types at the console to begin a task. The parser is strict and never guesses; if it refuses a value, no
// task begins.
import { accept, type Result, refuse } from "../result/result.ts";
import type { Literal, Parameter, ParameterKind } from "../wire/generated/policy.ts";
import { parseDecimal } from "./decimal.ts";
import { parseDateText, parseDurationText, renderDateText } from "./time-text.ts";

/** A value as conditions compare it: a text, or an exact decimal in the smallest unit of its kind. */
export type ParameterValue = Extract<Literal, { readonly which: "text" | "decimal" }>;

/** Values of a task's parameters by their names. */
export type ChosenValues = ReadonlyMap<string, ParameterValue>;

/** A value, with the text that the person typed for it. */
export interface ChosenParameter {
  readonly name: string;
  readonly value: ParameterValue;
  readonly words: string;
}

/** Maximum number of parameters of one task. */
export const MAX_PARAMETERS = 8;
/** Maximum bytes of one value in UTF-8. */
export const MAX_PARAMETER_BYTES = 256;
/** Maximum bytes of a parameter's name. */
export const MAX_PARAMETER_NAME_BYTES = 64;
/** Maximum bytes of the text after the name of a task. */
const MAX_ARGUMENTS_BYTES = 4096;

const EXAMPLES = {
  text: "TEXT",
  number: "NUMBER",
  money: "AMOUNT",
  date: "2026-12-31",
  duration: "30 min",
  size: "64 KiB",
} as const satisfies Record<ParameterKind, string>;

/** Returns how a task is begun: `/task pay recipient="TEXT" limit="AMOUNT EUR"`. */
export function renderTaskUsage(task: string, parameters: readonly Parameter[]): string {
  const asked = parameters.map(({ name, kind, currency }) => {
    return ` ${name}="${EXAMPLES[kind]}${currency === "" ? "" : ` ${currency}`}"`;
  });
  return `/task ${task}${asked.join("")}`;
}

/** Returns a parameter as the page writes it: `limit: money EUR`. */
export function renderParameter({ name, kind, currency }: Parameter): string {
  return `${name}: ${kind}${currency === "" ? "" : ` ${currency}`}`;
}

/** Returns the command that begins a task with these values, such as `/task pay recipient="ACME GmbH" limit="100"`. */
export function renderTaskCommand(task: string, parameters: readonly Parameter[], chosen: ChosenValues): string {
  const values = renderTaskValues(parameters, chosen);
  return `/task ${task}${values === "" ? "" : ` ${values}`}`;
}

/** Returns the values of a task's parameters as a person types them: `recipient="ACME GmbH" limit="100"`. */
export function renderTaskValues(parameters: readonly Parameter[], chosen: ChosenValues): string {
  return parameters.map((one) => `${one.name}=${renderValue(one, chosen.get(one.name))}`).join(" ");
}

function renderValue({ kind }: Parameter, value: ParameterValue | undefined): string {
  if (value === undefined) return "?";
  if (value.which === "text") return `"${value.text.replace(/["\\]/g, "\\$&")}"`;
  const { decimal } = value;
  if (kind === "date") return renderDateText(decimal) ?? decimal;
  if (kind === "duration") return `"${decimal} ms"`;
  return kind === "size" ? `"${decimal} B"` : decimal;
}

/**
 * Returns the values in the text after the name of a task, in the order of the parameters. The text has the form
 * `recipient="ACME GmbH" limit=100`, or `"ACME GmbH" 100` in the order of the parameters. Fails if a value is missing, unknown, given twice
 * or not of its kind.
 */
export function parseTaskArguments(
  parameters: readonly Parameter[],
  words: string,
): Result<readonly ChosenParameter[]> {
  if (Buffer.byteLength(words) > MAX_ARGUMENTS_BYTES) return refuse(`more than ${MAX_ARGUMENTS_BYTES} bytes of values`);
  const tokens = splitTokens(words);
  if (!tokens.ok) return tokens;
  const given = assignTokens(parameters, tokens.value);
  if (!given.ok) return given;
  const missing = parameters.filter(({ name }) => !given.value.has(name)).map(({ name }) => name);
  if (missing.length > 0) return refuse(`no value for ${missing.join(", ")}`);
  const chosen: ChosenParameter[] = [];
  for (const parameter of parameters) {
    const text = given.value.get(parameter.name) ?? "";
    const value = parseParameterValue(parameter, text);
    if (!value.ok) return refuse(`${parameter.name}: ${value.reason}`);
    chosen.push({ name: parameter.name, value: value.value, words: stripCurrency(parameter, text) });
  }
  return accept(chosen);
}

/** Returns the values by their names. */
export function indexChosen(chosen: readonly ChosenParameter[]): ChosenValues {
  return new Map(chosen.map(({ name, value }) => [name, value]));
}

/** One value of the text after a task's name, with the name before its `=` if there is one. */
interface Token {
  readonly name: string | undefined;
  readonly value: string;
}

const TOKEN = /\s*(?:([A-Za-z_][\w-]*)=)?(?:"((?:[^"\\]|\\["\\])*)"|([^\s"]+))(?=\s|$)/y;

function splitTokens(words: string): Result<readonly Token[]> {
  const tokens: Token[] = [];
  const text = words.trim();
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length; ) {
    const at = TOKEN.lastIndex;
    const [, name, quoted, bare] = TOKEN.exec(text) ?? [];
    const value = quoted === undefined ? bare : quoted.replace(/\\(["\\])/g, "$1");
    if (value === undefined) return refuse(`a value cannot be read from position ${at + 1} on; put it in quotes`);
    tokens.push({ name, value });
  }
  return accept(tokens);
}

/**
 * Returns the text of each parameter. A value without a name belongs to the first parameter that has no value yet. Fails if a name is
 * unknown, a parameter gets two values, or there are too many values.
 */
function assignTokens(parameters: readonly Parameter[], tokens: readonly Token[]): Result<ReadonlyMap<string, string>> {
  const given = new Map<string, string>();
  for (const { name, value } of tokens) {
    const parameter = parameters.find((one) => (name === undefined ? !given.has(one.name) : one.name === name));
    if (parameter === undefined && name !== undefined) return refuse(`there is no parameter ${name}`);
    if (parameter === undefined) return refuse("more values than parameters; put a value of several words in quotes");
    if (given.has(parameter.name)) return refuse(`two values for ${parameter.name}`);
    given.set(parameter.name, value);
  }
  return accept(given);
}

/** Returns a value of the parameter's kind. Fails with the expected form if the text is not such a value. */
export function parseParameterValue({ kind, currency }: Parameter, text: string): Result<ParameterValue> {
  if (text === "") return refuse("it is empty");
  if (Buffer.byteLength(text) > MAX_PARAMETER_BYTES) return refuse(`it has more than ${MAX_PARAMETER_BYTES} bytes`);
  switch (kind) {
    case "text":
      return text.isWellFormed() && !HIDDEN.test(text)
        ? accept({ which: "text", text })
        : refuse("it has a character that nobody sees");
    case "number":
      return readDecimal(parseDecimal(text) && text, "a number: 12 or 12.50");
    case "money": {
      const amount = stripCurrency({ kind, currency }, text);
      return readDecimal(isAmount(amount) ? amount : undefined, `an amount: 100.00 ${currency}`);
    }
    case "date":
      return readDecimal(parseDateText(text), "a date: 2026-12-31 or 2026-12-31T10:00:00Z");
    case "duration":
      return readDecimal(parseDurationText(text), "a duration: 30 s, 5 min or PT5M");
    case "size":
      return readDecimal(parseSize(text), "a size: 500 B or 64 KiB");
  }
}

/** Invisible characters, and characters that change how others are drawn. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

function readDecimal(decimal: string | undefined, expected: string): Result<ParameterValue> {
  const isExact = decimal !== undefined && parseDecimal(decimal) !== undefined;
  return isExact ? accept({ which: "decimal", decimal }) : refuse(`it is not ${expected}`);
}

function isAmount(text: string): boolean {
  return parseDecimal(text) !== undefined && !text.startsWith("-");
}

/** Returns the text of a value without the currency after it, if that is the parameter's currency. */
function stripCurrency({ kind, currency }: Pick<Parameter, "kind" | "currency">, text: string): string {
  if (kind !== "money" || !text.endsWith(currency)) return text;
  return text.slice(0, -currency.length).trimEnd();
}

const SIZE = /^(\d{1,15}) ?(B|KiB|MiB|GiB|TiB)?$/;
const UNITS = { B: 1n, KiB: 1n << 10n, MiB: 1n << 20n, GiB: 1n << 30n, TiB: 1n << 40n };

function parseSize(text: string): string | undefined {
  const [, amount, unit = "B"] = SIZE.exec(text) ?? [];
  return amount === undefined ? undefined : String(BigInt(amount) * (isUnit(unit) ? UNITS[unit] : 0n));
}

function isUnit(word: string): word is keyof typeof UNITS {
  return Object.hasOwn(UNITS, word);
}

/**
 * Returns whether a value has the form of a kind: a text for `text`, and a decimal for any other kind. A value that was
 * stored under other tables may have the wrong form.
 */
export function isOfKind({ which }: ParameterValue, kind: ParameterKind): boolean {
  return (which === "text") === (kind === "text");
}

/** Returns the literal, or the value of the parameter that it names; `undefined` if that value is unknown. */
export function resolveLiteral(literal: Literal, chosen: ChosenValues | undefined): ComparedLiteral | undefined {
  if (literal.which !== "parameter") return literal;
  const value = chosen?.get(literal.parameter.name);
  return value !== undefined && isOfKind(value, literal.parameter.kind) ? value : undefined;
}

/** A literal that can be compared with a value. */
export type ComparedLiteral = Exclude<Literal, { readonly which: "parameter" }>;

/** Returns whether a condition compares its term with a parameter of the task. */
export function asksForParameters({ literals }: { readonly literals: readonly Literal[] }): boolean {
  // A loop is faster than `some`, and this runs for each condition of a call.
  for (const { which } of literals) if (which === "parameter") return true;
  return false;
}

/** Returns a sample value of a kind, for checks that need one. */
export function makeStandIn(kind: ParameterKind): ParameterValue {
  return kind === "text" ? { which: "text", text: "a" } : { which: "decimal", decimal: "0" };
}
