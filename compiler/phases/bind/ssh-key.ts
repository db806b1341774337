// Parses a public key of a kind that step-up accepts, in OpenSSH's one-line form (RFC 4253, 6.6; RFC 8709; the sk- form as in
// OpenSSH's PROTOCOL.u2f). The encoded blob is checked too, not only the word before it.

import { type Result, refuse } from "../../../engine/lib/result/result.ts";
import { findUnseen } from "../../../lang/grammar/index.ts";
import { createSourceText } from "../../../lang/text/index.ts";

const MAX_KEY_BYTES = 4096;
/**
 * Maximum length of `kind base64`, which is also the limit of the signature checker. Without a limit, a key that is
 * stored on a security key could contain an application name of any length.
 */
const MAX_LINE_LENGTH = 1024;
const ED25519_BYTES = 32;
const KINDS = ["ssh-ed25519", "sk-ssh-ed25519@openssh.com"];

/**
 * Returns a public key as `kind base64`, without its comment. Fails with the reason if the bytes are not a valid key.
 */
export function readSshKey(bytes: Uint8Array): Result<string> {
  if (bytes.length > MAX_KEY_BYTES) return refuse("it is too long for one key");
  const text = new TextDecoder("latin1").decode(bytes);
  if (text.includes("PRIVATE KEY")) return refuse("it is a private key");
  // Decode as UTF-8 only for this check, because a comment may be in any script.
  const unseen = findUnseen(createSourceText("", new TextDecoder().decode(bytes)));
  if (unseen !== undefined) return refuse(unseen.message);
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const [line] = lines;
  if (line === undefined) return refuse("it is empty");
  if (lines.length > 1) return refuse("it holds more than one line; give each principal's key a file of its own");
  const [kind = "", base64 = ""] = line.trim().split(/[ \t]+/);
  if (!KINDS.includes(kind)) return refuse(`its kind is not one of ${KINDS.join(", ")}`);
  if (`${kind} ${base64}`.length > MAX_LINE_LENGTH) return refuse("it is too long for one key");
  const blob = Buffer.from(base64, "base64");
  // Node ignores characters that are not base64: so the text is valid only if encoding it again gives the same text.
  if (base64 === "" || blob.toString("base64") !== base64) return refuse("what follows its kind is not base64");
  const fields = readFields(blob);
  const [name, point, application] = fields ?? [];
  const count = kind.startsWith("sk-") ? 3 : 2;
  if (fields?.length !== count || name?.toString("latin1") !== kind || point?.length !== ED25519_BYTES) {
    return refuse("its bytes are not those of such a key");
  }
  if (count === 3 && application?.length === 0) return refuse("it names no application");
  return { ok: true, value: `${kind} ${base64}` };
}

/**
 * Returns the length-prefixed strings of a blob, or `undefined` if their lengths do not add up to the length of the
 * blob.
 */
function readFields(blob: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  let at = 0;
  while (at < blob.length) {
    if (at + 4 > blob.length) return undefined;
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return undefined;
    fields.push(blob.subarray(at + 4, end));
    at = end;
  }
  return fields;
}
