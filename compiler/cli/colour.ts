// Decides whether diagnostics and results are printed in colour. An option takes precedence over the environment, and the
// environment over the terminal.

import type { World } from "../host/world.ts";
import type { Option, ParsedArguments } from "./command.ts";

/** Every command that prints diagnostics has this option. */
export const COLOUR_OPTION: Option = {
  name: "color",
  value: "WHEN",
  choices: ["auto", "always", "never"],
  does: "colour of diagnostics: always, never or auto (on a terminal, unless NO_COLOR is set)",
};

/** Returns whether escape sequences may be written to standard error. */
export function hasColour(typed: ParsedArguments, world: World): boolean {
  return isWanted(typed, world) ?? world.errorIsTerminal;
}

/** Returns what an option or the environment says about colour, or `undefined` if the terminal decides. */
function isWanted(typed: ParsedArguments, { environment }: World): boolean | undefined {
  const wish = typed.values.get(COLOUR_OPTION.name) ?? "auto";
  if (wish !== "auto") return wish === "always";
  const { NO_COLOR, TERM } = environment;
  // According to no-color.org, any value counts if it is not empty.
  return (NO_COLOR ?? "") !== "" || TERM === "dumb" ? false : undefined;
}

/** Colours of a result by their purpose; each returns its text unchanged if there is no colour. */
export type Paint = Readonly<Record<"strong" | "quiet" | "widened" | "moved" | "narrowed", (text: string) => string>>;

/** Returns the colours of standard output: red for more authority, yellow for other authority, green for less. */
export function createOutputPaint(typed: ParsedArguments, world: World): Paint {
  const isColoured = isWanted(typed, world) ?? world.outputIsTerminal;
  const createDye = (code: string) => (text: string) =>
    isColoured && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text;
  return {
    strong: createDye("1"),
    quiet: createDye("2"),
    widened: createDye("31"),
    moved: createDye("33"),
    narrowed: createDye("32"),
  };
}
