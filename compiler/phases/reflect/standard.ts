import { STANDARD } from "./generated/standard.ts";
import type { InterfaceDescription } from "./tools.ts";

/** Returns the interfaces of the standard library, as the schemas define them. */
export function reflectStandard(): readonly InterfaceDescription[] {
  return STANDARD;
}
