import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import type { Model } from "../bind/index.ts";
import type { LoweredPolicy } from "../policy/index.ts";
import { imageTooLarge, machineLimit, machineTooSmall } from "./codes.ts";
import { checkMachine } from "./machine.ts";
import { checkSizes } from "./sizes.ts";

/** Codes of all findings of this phase. */
export const FIT_CODES: readonly string[] = [imageTooLarge.code, machineLimit.code, machineTooSmall.code];

/**
 * Returns the reasons why the image of a page without errors would not start: an artefact is too large for its reader,
 * or the machine is too small for the processes.
 */
export function checkFit({ policy, origins }: Pick<LoweredPolicy, "policy" | "origins">, model: Model): Diagnostic[] {
  return [...checkSizes({ policy, origins }, model.system?.name.span), ...checkMachine(policy, model)];
}
