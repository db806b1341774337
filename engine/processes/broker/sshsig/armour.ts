import { accept, type Result, refuse } from "../../../lib/result/result.ts";

/**
 * Maximum bytes of a signature: a signature of an sk- key takes about 500, and the console also reads no more than
 * this.
 */
const MAX_ARMOUR_BYTES = 4096;

// An SSH signature as text. Lines may end with CR and LF, as on a serial line. No text is allowed before the line with
// BEGIN; after the line with END, one line end is allowed.
const ARMOUR =
  /^-----BEGIN SSH SIGNATURE-----\r?\n((?:[A-Za-z0-9+/]{1,76}={0,2}\r?\n)+)-----END SSH SIGNATURE-----(?:\r?\n)?$/;

/**
 * Returns the bytes of an armoured SSHSIG. Fails if the text is not one. A signature has only one valid Base64 form:
 * unused bits must be zero.
 */
export function decodeArmour(text: string): Result<Uint8Array> {
  if (text.length > MAX_ARMOUR_BYTES) return refuse(`a signature is longer than ${MAX_ARMOUR_BYTES} bytes`);
  const body = ARMOUR.exec(text)?.[1]?.replace(/[\r\n]/g, "");
  if (body === undefined) return refuse("this is no text from BEGIN SSH SIGNATURE to END SSH SIGNATURE");
  const bytes = Buffer.from(body, "base64");
  return bytes.toString("base64") === body ? accept(bytes) : refuse("its Base64 is damaged");
}
