// Signs step-up challenges as a person does: with ssh-keygen, on another machine than the one that asks.

import { join } from "node:path";
import type { Signer } from "../chat/play.ts";
import { runProgram } from "./programs.ts";

/** The namespace that a signature for a step-up carries, so that one made for anything else is none. */
const NAMESPACE = "stepup@capos";

/** `folder` holds private keys by name; without one there are none. */
export function signerFrom(folder: string | undefined): Signer {
  return (key, line) => {
    if (folder === undefined) return { reason: `? sign ${key} needs --keys DIR` };
    const words = ["-q", "-Y", "sign", "-n", NAMESPACE, "-f", join(folder, key), "-"];
    const ran = runProgram("ssh-keygen", words, "openssh-client", { input: line });
    return ran.ok ? { armour: ran.output } : { reason: ran.reason };
  };
}
