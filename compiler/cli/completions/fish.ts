import type { Command } from "../command.ts";
import { optionsOf, quotedForShell, wordsOf } from "./words.ts";

/** To be sourced, or to lie in the folder of completions as capc.fish. */
export function fishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => [
    `complete -c capc -n __fish_use_subcommand -f -a ${command.name} -d ${quotedForShell(command.does)}`,
    ...optionsOf(command).map(({ name, value, choices, does }) => {
      const takes = value === undefined ? "" : choices === undefined ? " -r -F" : ` -x -a ${offered(choices)}`;
      return `complete -c capc -n ${seen(command)} -l ${name}${takes} -d ${quotedForShell(does)}`;
    }),
    ...command.operands.flatMap((operand) => {
      const words = wordsOf(operand);
      return words.length === 0 ? [] : [`complete -c capc -n ${seen(command)} -f -a ${offered(words)}`];
    }),
  ]);
  return `# fish completion of capc, made by \`capc completions fish\`\n${lines.join("\n")}\n`;
}

function seen({ name }: Command): string {
  return quotedForShell(`__fish_seen_subcommand_from ${name}`);
}

function offered(words: readonly string[]): string {
  return quotedForShell(words.join(" "));
}
