// Whether diagnostics are drawn in colour. An option goes before the environment, and that before the terminal.

import type { World } from "../host/world.ts";
import type { Option, ParsedArguments } from "./command.ts";

/** Every command that draws diagnostics has it. */
export const COLOUR_OPTION: Option = {
  name: "color",
  value: "WHEN",
  choices: ["auto", "always", "never"],
  does: "colour of diagnostics: always, never or auto (on a terminal, unless NO_COLOR is set)",
};

/** Whether escape sequences may be written to standard error. */
export function hasColour(typed: ParsedArguments, world: World): boolean {
  const wish = typed.values.get(COLOUR_OPTION.name) ?? "auto";
  if (wish !== "auto") return wish === "always";
  const { NO_COLOR } = world.environment;
  // no-color.org: set and not empty, whatever it says.
  return world.errorIsTerminal && (NO_COLOR === undefined || NO_COLOR === "");
}
