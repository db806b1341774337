// Decides whether diagnostics are printed in colour. An option takes precedence over the environment, and the
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
  const wish = typed.values.get(COLOUR_OPTION.name) ?? "auto";
  if (wish !== "auto") return wish === "always";
  const { NO_COLOR } = world.environment;
  // According to no-color.org, any value counts if it is not empty.
  return world.errorIsTerminal && (NO_COLOR === undefined || NO_COLOR === "");
}
