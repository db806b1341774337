// Reads a passphrase from a descriptor, the environment, or a person at a terminal, without echo. It is never a command-line argument,
// because every process of the machine can read those.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Result } from "../../../engine/lib/result/result.ts";
import type { World } from "../../host/world.ts";
import type { Option, ParsedArguments } from "../command.ts";

const VARIABLE = "CAPC_KEY_PASSPHRASE";

export const PASSPHRASE_OPTION: Option = {
  name: "passphrase-fd",
  value: "N",
  does: `file descriptor of the key's passphrase (default: ${VARIABLE}, else a prompt)`,
};

const LONGEST = 4096;

/**
 * Returns the passphrase, which is one line without its line end. `typedBefore` is the first entry if the passphrase
 * must be entered twice. A person at a terminal must then type it again; otherwise `typedBefore` is returned.
 */
export function readPassphrase(
  typed: ParsedArguments,
  prompt: string,
  world: World,
  typedBefore?: string,
): Result<string> {
  const isTyped = typed.values.get("passphrase-fd") === undefined && world.environment[VARIABLE] === undefined;
  if (typedBefore !== undefined && !isTyped) return { ok: true, value: typedBefore };
  const descriptor = typed.values.get("passphrase-fd");
  if (descriptor !== undefined) return readFromDescriptor(descriptor);
  const given = world.environment[VARIABLE];
  if (given !== undefined) return { ok: true, value: given };
  if (world.inputIsTerminal) return readFromTerminal(prompt);
  return { ok: false, reason: `the key needs a passphrase: give --passphrase-fd N or ${VARIABLE}, or use a terminal` };
}

function readFromDescriptor(descriptor: string): Result<string> {
  if (!/^\d{1,4}$/.test(descriptor)) return { ok: false, reason: "--passphrase-fd is the number of a descriptor" };
  try {
    const text = readFileSync(Number(descriptor), "utf8");
    if (text.length > LONGEST) return { ok: false, reason: "the passphrase is too long" };
    return { ok: true, value: text.replace(/\r?\n[\s\S]*$/, "") };
  } catch {
    return { ok: false, reason: `there is nothing to be read from descriptor ${descriptor}` };
  }
}

/** The shell restores the terminal's echo when it ends, also if it is interrupted. */
const ASK = `exec </dev/tty; trap 'stty echo' EXIT; trap 'exit 1' INT TERM; stty -echo
printf %s "$1" >/dev/tty; IFS= read -r line || exit 1; printf '\\n' >/dev/tty; printf %s "$line"`;

/** Returns one line that a person types without echo. */
export function readFromTerminal(prompt: string): Result<string> {
  const { status, stdout } = spawnSync("sh", ["-c", ASK, "sh", prompt], {
    stdio: ["inherit", "pipe", "inherit"],
    encoding: "utf8",
  });
  return status === 0 ? { ok: true, value: stdout } : { ok: false, reason: "nothing was typed" };
}
