import type { Command, Option } from "../command.ts";

/** Every command takes it, and none lists it. */
const HELP: Option = { name: "help", does: "what the command does" };

/** Those of the command and those of all. */
export function listOptions({ options }: Command): readonly Option[] {
  return [...options, HELP];
}

/** Returns the words of an operand such as `verify|show`; none if it is a file or a name. */
export function listOperandWords(operand: string): readonly string[] {
  const words = operand.replace(/^\[(.*)\]$/, "$1");
  return /^[a-z][a-z-]*(\|[a-z][a-z-]*)+$/.test(words) ? words.split("|") : [];
}

/** One word of any of the three shells, whatever is in it. Fish alone knows a backslash between single quotes. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "’").replaceAll("\\", "/")}'`;
}
