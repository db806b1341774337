import type { Command } from "./command.ts";

export function helpOnAll(commands: readonly Command[]): string {
  return [
    "capc compiles a one-page description of an agent operating system.",
    "",
    "use: capc COMMAND …        capc COMMAND --help        capc --version",
    "",
    ...columns(commands.map((command) => [signature(command), command.does])),
    "",
    "Exit status: 0 well, 1 findings, 2 wrong use, 3 an error of the environment or an interruption. --json everywhere.",
    "",
  ].join("\n");
}

export function helpOn(command: Command): string {
  const options = command.options.map((option): [string, string] => [
    `--${option.name}${option.value === undefined ? "" : ` ${option.value}`}`,
    option.does,
  ]);
  return [
    `use: capc ${signature(command)}${options.length > 0 ? " [OPTIONS]" : ""}`,
    "",
    command.does,
    ...(command.details === undefined ? [] : ["", command.details]),
    ...(options.length > 0 ? ["", ...columns(options)] : []),
    "",
  ].join("\n");
}

function signature(command: Command): string {
  return [command.name, ...command.operands.map(operandText)].join(" ");
}

/** Of an operand with so many choices that they would push everything beside them out of sight, that there is one. */
const LONGEST_OPERAND = 60;

function operandText(operand: string): string {
  if (operand.length <= LONGEST_OPERAND) return operand;
  return operand.startsWith("[") ? "[NAME]" : "NAME";
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
}
