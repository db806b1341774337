import type { ExitStatus, World } from "../host/world.ts";

/** One option of a command, named without its dashes. Without `value` it is a switch. */
export interface Option {
  readonly name: string;
  /** What stands for the value in the help, e.g. "DIR". */
  readonly value?: string;
  /** The only values there are; any other is wrong use. */
  readonly choices?: readonly string[];
  readonly does: string;
}

/** What was typed after the command's name, checked against its options. */
export interface ParsedArguments {
  readonly operands: readonly string[];
  readonly switches: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
}

export interface Command {
  readonly name: string;
  /**
   * What stands for the operands in the help. `FILE` is required, `[CODE]` may be left out, `FILE…` stands for one or
   * more and `[FILE…]` for any number, which only the last may be; `verify|show` names the words that there are.
   */
  readonly operands: readonly string[];
  readonly does: string;
  /** More than one line can say: plain text, 100 columns. */
  readonly details?: string;
  readonly options: readonly Option[];
  readonly run: (typed: ParsedArguments, world: World) => Promise<ExitStatus>;
}

/** Every command has it: the same facts as JSON, one value on standard output. */
export const JSON_OPTION: Option = { name: "json", does: "print one JSON value instead of text" };

/** How the command `name` ends where it gives its reason in one sentence, on standard error; the status is passed on. */
export function createRefuser(name: string): (world: World, status: ExitStatus, reason: string) => ExitStatus {
  return (world, status, reason) => {
    world.report(`capc ${name}: ${reason}\n`);
    return status;
  };
}
