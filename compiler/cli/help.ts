import type { Command, Option } from "./command.ts";

export function renderOverview(commands: readonly Command[]): string {
  return [
    "capc compiles a one-page description of an agent operating system.",
    "",
    "usage: capc COMMAND …        capc COMMAND --help        capc --version",
    "",
    ...formatColumns(commands.map((command) => [renderSignature(command), command.does])),
    "",
    "Exit status: 0 success, 1 findings, 2 wrong usage, 3 an error of the environment or an interruption. Every command has --json.",
    "",
  ].join("\n");
}

export function renderHelp(command: Command): string {
  const options = command.options.map((option): [string, string] => [
    `--${option.name}${renderValue(option)}`,
    option.does,
  ]);
  return [
    `usage: capc ${renderSignature(command)}${options.length > 0 ? " [OPTIONS]" : ""}`,
    "",
    command.does,
    ...(command.details === undefined ? [] : ["", command.details]),
    ...(options.length > 0 ? ["", ...formatColumns(options)] : []),
    "",
  ].join("\n");
}

function renderValue({ value, otherwise }: Option): string {
  if (value === undefined) return "";
  return otherwise === undefined ? ` ${value}` : ` [${value}]`;
}

function renderSignature(command: Command): string {
  return [command.name, ...command.operands.map(renderOperand)].join(" ");
}

/**
 * Maximum length in characters of an operand. A longer operand is abbreviated, so that the text beside it stays
 * visible.
 */
const LONGEST_OPERAND = 60;

function renderOperand(operand: string): string {
  if (operand.length <= LONGEST_OPERAND) return operand;
  return operand.startsWith("[") ? "[NAME]" : "NAME";
}

function formatColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
}
