import { parseArgs } from "node:util";
import { findNearest } from "../../lang/diagnostics/index.ts";
import type { Command, Option, ParsedArguments } from "./command.ts";

type Reading =
  | { readonly kind: "typed"; readonly typed: ParsedArguments }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly reason: string };

/**
 * Parses the words after the command's name. `--help` at any position takes precedence over the other words, even if
 * these contain errors.
 */
export function readArguments(command: Command, words: readonly string[]): Reading {
  if (words.includes("--help") || words.includes("-h")) return { kind: "help" };
  const options = Object.fromEntries(
    command.options.map((option) => [
      option.name,
      {
        type: option.value === undefined ? ("boolean" as const) : ("string" as const),
        multiple: option.repeats === true,
      },
    ]),
  );
  try {
    const args = addValues(command, words);
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
    const typed = sortArguments(positionals, values);
    const reason = findOperandFault(command, positionals) ?? findChoiceFault(command.options, typed);
    return reason === undefined ? { kind: "typed", typed } : { kind: "wrong", reason };
  } catch (error) {
    // parseArgs throws only for mistakes in the user's arguments.
    const reason = error instanceof Error ? extractFirstSentence(error.message) : String(error);
    return { kind: "wrong", reason: `${reason}${suggestOption(command, reason)}` };
  }
}

/** Returns the words with a default value for each option that is given without its optional value. */
function addValues({ options }: Command, words: readonly string[]): string[] {
  return words.map((word, index) => {
    const option = options.find(({ name, otherwise }) => word === `--${name}` && otherwise !== undefined);
    const isGiven = option?.choices?.includes(words[index + 1] ?? "") === true;
    return option === undefined || isGiven ? word : `${word}=${option.otherwise}`;
  });
}

/** Returns a suggestion of the option that a misspelt option resembles, or an empty text. */
function suggestOption({ options }: Command, reason: string): string {
  const [, unknown = ""] = /^Unknown option '--([\w-]+)'/.exec(reason) ?? [];
  const near = findNearest(unknown, ["help", ...options.map(({ name }) => name)]);
  return near === undefined ? "" : ` (did you mean --${near}?)`;
}

function sortArguments(operands: readonly string[], values: Readonly<Record<string, unknown>>): ParsedArguments {
  const entries = Object.entries(values);
  return {
    operands,
    switches: new Set(entries.filter(([, value]) => value === true).map(([name]) => name)),
    values: new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string")),
    lists: new Map(entries.filter((entry): entry is [string, string[]] => Array.isArray(entry[1]))),
  };
}

function findOperandFault(
  { operands: wanted, suggestOperands }: Command,
  given: readonly string[],
): string | undefined {
  const missing = wanted[given.length];
  if (missing !== undefined && !missing.startsWith("[")) return `${missing.replace("…", "")} is missing`;
  const tooMany = given[wanted.length];
  if (tooMany === undefined || wanted.at(-1)?.includes("…") === true) return undefined;
  const suggestion = suggestOperands?.(given);
  return `'${tooMany}' is one operand too many${suggestion === undefined ? "" : `; ${suggestion}`}`;
}

function findChoiceFault(options: readonly Option[], { values, lists }: ParsedArguments): string | undefined {
  for (const { name, choices } of options) {
    const given = lists.get(name) ?? [values.get(name)];
    const wrong = given.find((value) => value !== undefined && choices?.includes(value) === false);
    if (wrong !== undefined) return `--${name} is ${choices?.join(" or ")}, not '${wrong}'`;
  }
  return undefined;
}

/**
 * Returns the first sentence of a message of Node.js. The sentences after the first give advice about `--`, which no
 * command of capc needs.
 */
function extractFirstSentence(text: string): string {
  return text.split(/\. |\n/, 1)[0] ?? text;
}
