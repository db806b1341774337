import type { ExitStatus, World } from "../host/world.ts";

/** One option of a command, named without its dashes. Without `value`, it is a switch. */
export interface Option {
  readonly name: string;
  /** Placeholder of the value in the help, e.g. "DIR". */
  readonly value?: string;
  /** All allowed values; any other is a usage error. */
  readonly choices?: readonly string[];
  /** Value of the option if it is given without one of `choices`; absent if a value is required. */
  readonly otherwise?: string;
  /** The option may be given several times; its values are in `lists` instead of `values`. */
  readonly repeats?: true;
  readonly does: string;
}

/** Arguments after the command's name, checked against its options. */
export interface ParsedArguments {
  readonly operands: readonly string[];
  readonly switches: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  /** Values of the options that may be given several times, in the order of the arguments; absent if there are none. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

export interface Command {
  readonly name: string;
  /**
   * Placeholders of the operands in the help. `FILE` is required and `[CODE]` is optional. `FILE…` stands for one or more and
   * `[FILE…]` for any number; only the last operand may be one of these. An operand such as `verify|show` lists the allowed
   * words.
   */
  readonly operands: readonly string[];
  readonly does: string;
  /** Longer description as plain text of at most 100 columns. */
  readonly details?: string;
  readonly options: readonly Option[];
  /** Returns a suggestion for a command line with too many operands, or `undefined` if there is no suggestion. */
  readonly suggestOperands?: (operands: readonly string[]) => string | undefined;
  readonly run: (typed: ParsedArguments, world: World) => Promise<ExitStatus>;
}

/** Every command has this option: it prints the same facts as one JSON value on standard output. */
export const JSON_OPTION: Option = { name: "json", does: "print one JSON value instead of text" };

/**
 * Returns a function that prints why the command `name` refuses, as one sentence to standard error, and returns the
 * exit status.
 */
export function createRefuser(name: string): (world: World, status: ExitStatus, reason: string) => ExitStatus {
  return (world, status, reason) => {
    world.report(`capc ${name}: ${reason}\n`);
    return status;
  };
}
