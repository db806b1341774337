import type { Command, Option } from "../command.ts";

/** Every command accepts the option `--help`, but no command lists it. */
const HELP: Option = { name: "help", does: "what the command does" };

/** Returns the options of the command, and the option that every command accepts. */
export function listOptions({ options }: Command): readonly Option[] {
  return [...options, HELP];
}

/** Returns the words of an operand such as `verify|show`; none if it is a file or a name. */
export function listOperandWords(operand: string): readonly string[] {
  const words = operand.replace(/^\[(.*)\]$/, "$1");
  return /^[a-z][a-z-]*(\|[a-z][a-z-]*)+$/.test(words) ? words.split("|") : [];
}

/**
 * Quotes any text as one word for all three shells. Single quotes and backslashes are replaced by similar characters:
 * a single quote would end the word, and only fish interprets backslashes between single quotes.
 */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "’").replaceAll("\\", "/")}'`;
}
