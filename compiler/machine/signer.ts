// Signs the challenges of step-ups and logins as a person does: with ssh-keygen, outside of the machine that asks.

import { join } from "node:path";
import type { Signer } from "./chat/play.ts";
import { runProgram } from "./programs.ts";

/** Returns the signature namespace that the machine displays for this challenge. A signature for one namespace is invalid for the other. */
function chooseNamespace(line: string): string {
  // The arguments of a call cannot contain this text, because every quotation mark in them has a backslash before it.
  return line.includes('"tool":"/login"') ? "login@capos" : "stepup@capos";
}

/** Returns a signer with the private keys in `folder`, by name. Without a folder, each signature fails. */
export function createSigner(folder: string | undefined): Signer {
  return (key, line) => {
    if (folder === undefined) return { reason: `? sign ${key} needs --keys DIR` };
    const words = ["-q", "-Y", "sign", "-n", chooseNamespace(line), "-f", join(folder, key), "-"];
    const ran = runProgram("ssh-keygen", words, "openssh-client", { input: line });
    return ran.ok ? { armour: ran.value } : { reason: ran.reason };
  };
}
