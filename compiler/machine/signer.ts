// Signs the challenges of step-ups and logins as a person does: with ssh-keygen, on another machine than the one that asks.

import { statSync } from "node:fs";
import { join } from "node:path";
import type { Signer } from "./chat/play.ts";
import { runProgram } from "./programs.ts";

/**
 * Returns the namespace of the signature, as in the `ssh-keygen` command that the console shows. A signature for a
 * login is invalid for a step-up, and the reverse.
 */
function chooseNamespace(line: string): string {
  // Only a challenge of a login contains `"tool":"/login"`. The arguments of a call cannot imitate it, because a
  // backslash precedes each quotation mark within them.
  return line.includes('"tool":"/login"') ? "login@capos" : "stepup@capos";
}

/**
 * Returns why a path cannot be the folder of a signer's keys, or `undefined` if it can. A missing folder is not a fault
 * here: the first signature that needs it fails.
 */
export function explainNoKeys(folder: string): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return undefined;
  return `--keys is a folder of private keys, and ${folder} is a file; name the folder that contains it`;
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
