import type { Command } from "../command.ts";
import { listOperandWords, listOptions, quoteForShell } from "./shell-words.ts";

/** Renders a script that a user sources in a shell, or stores as capc.fish in the folder of completions. */
export function renderFishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => [
    `complete -c capc -n __fish_use_subcommand -f -a ${command.name} -d ${quoteForShell(command.does)}`,
    ...listOptions(command).map(({ name, value, choices, does }) => {
      const takes = value === undefined ? "" : choices === undefined ? " -r -F" : ` -x -a ${renderOffered(choices)}`;
      return `complete -c capc -n ${renderCondition(command)} -l ${name}${takes} -d ${quoteForShell(does)}`;
    }),
    ...command.operands.flatMap((operand) => {
      const words = listOperandWords(operand);
      return words.length === 0
        ? []
        : [`complete -c capc -n ${renderCondition(command)} -f -a ${renderOffered(words)}`];
    }),
  ]);
  return `# fish completion of capc, made by \`capc completions fish\`\n${lines.join("\n")}\n`;
}

function renderCondition({ name }: Command): string {
  return quoteForShell(`__fish_seen_subcommand_from ${name}`);
}

function renderOffered(words: readonly string[]): string {
  return quoteForShell(words.join(" "));
}
