import { parseArgs } from "node:util";
import type { Command, Typed } from "./command.ts";

export type Reading =
  | { readonly kind: "typed"; readonly typed: Typed }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly reason: string };

/** Reads what stands after the command's name. `--help` anywhere wins, also over what is wrong beside it. */
export function readArguments(command: Command, words: readonly string[]): Reading {
  if (words.includes("--help") || words.includes("-h")) return { kind: "help" };
  const options = Object.fromEntries(
    command.options.map((option) => [
      option.name,
      { type: option.value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
    const reason = wrongOperands(command, positionals);
    if (reason !== undefined) return { kind: "wrong", reason };
    return { kind: "typed", typed: sorted(positionals, values) };
  } catch (error) {
    // parseArgs throws for what a person typed wrongly, and only for that.
    return { kind: "wrong", reason: error instanceof Error ? firstSentence(error.message) : String(error) };
  }
}

function sorted(operands: readonly string[], values: Readonly<Record<string, unknown>>): Typed {
  const entries = Object.entries(values);
  return {
    operands,
    switches: new Set(entries.filter(([, value]) => value === true).map(([name]) => name)),
    values: new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string")),
  };
}

function wrongOperands(command: Command, given: readonly string[]): string | undefined {
  const missing = command.operands[given.length];
  if (missing !== undefined) return `${missing} is missing`;
  const tooMany = given[command.operands.length];
  return tooMany === undefined ? undefined : `'${tooMany}' is one operand too many`;
}

/** Node's messages go on with advice about `--`, which no command here needs. */
function firstSentence(text: string): string {
  return text.split(/\. |\n/, 1)[0] ?? text;
}
