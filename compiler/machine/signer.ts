// Signs the challenges of step-ups and logins as a person does: with ssh-keygen, on another machine than the one that asks.

import { join } from "node:path";
import type { Signer } from "./chat/play.ts";
import { runProgram } from "./programs.ts";

/** What a signature is made for, as the command on the screen has it: one for the other is none. */
function chooseNamespace(line: string): string {
  // In the arguments of a call every quotation mark stands behind a backslash.
  return line.includes('"tool":"/login"') ? "login@capos" : "stepup@capos";
}

/** `folder` holds private keys by name; without one there are none. */
export function createSigner(folder: string | undefined): Signer {
  return (key, line) => {
    if (folder === undefined) return { reason: `? sign ${key} needs --keys DIR` };
    const words = ["-q", "-Y", "sign", "-n", chooseNamespace(line), "-f", join(folder, key), "-"];
    const ran = runProgram("ssh-keygen", words, "openssh-client", { input: line });
    return ran.ok ? { armour: ran.value } : { reason: ran.reason };
  };
}
