// Renders the line that a person signs to approve a call or to log in. The line is pasted into a shell between single
// quotes, so it contains only printable ASCII and no single quote. For text that such a line cannot contain, the line
// has only the digest; the gate shows the text itself.

import { createHash } from "node:crypto";
import { renderCanonicalJson } from "../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";

export const MAX_SHOWN_BYTES = 1024;

/**
 * The fields of one challenge. The line to sign is a JSON object with exactly these fields, sorted by name.
 */
export interface Terms {
  /** Canonical JSON. */
  readonly arguments: string;
  /** The boot id in lower-case hexadecimal, like the nonce and the digest. */
  readonly bootId: string;
  readonly conversation: string;
  /** Milliseconds of the boot clock after which the challenge is invalid. */
  readonly expiry: number;
  readonly nonce: string;
  /** SHA-256 of the policy tables. */
  readonly policyDigest: string;
  readonly session: string;
  readonly systemId: string;
  readonly tool: string;
  readonly turn: number;
}

/** Returns the exact characters to sign. Fails if a name contains a character that the line must not have. */
export function renderChallengeLine(terms: Terms): Result<string> {
  const line = renderCanonicalJson({ ...terms, arguments: renderArguments(terms.arguments) });
  return isShellSafe(line) ? accept(line) : refuse("a name in the challenge cannot stand in a line of a shell");
}

/**
 * Returns the arguments if they are short and have only characters that the line may have; otherwise "sha256:" and
 * their digest in hexadecimal. Canonical arguments begin with a brace, so they cannot be mistaken for a digest.
 */
function renderArguments(text: string): string {
  if (text.length <= MAX_SHOWN_BYTES && isShellSafe(text)) return text;
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

function isShellSafe(text: string): boolean {
  return /^[\x20-\x26\x28-\x7e]*$/.test(text);
}
