// Detects whether a server's answer contains the secret that it was sent. A hostile server knows the secret and can
// hide it in many ways. This module finds accidental repetitions: the secret as it is, and as headers, addresses, JSON,
// HTML and dumps write it.

import { accept, type Result, refuse } from "../../lib/result/result.ts";

/** A filter for the bytes of one answer; it ends the answer before the secret is passed on. */
export interface Watch {
  /**
   * Returns the bytes that may be passed on so far; the bytes after them may be the beginning of the secret. Fails if
   * the bytes contain the secret.
   */
  readonly next: (piece: Uint8Array) => Result<Uint8Array>;
  /** Returns the bytes that were held back, once the answer has ended; call it once. */
  readonly last: () => Uint8Array;
}

export const ECHOED = "the answer repeats the credential, and is not passed on";

/**
 * The characters that a program may escape when it writes the secret into a URL, JSON or a dump. Programs differ: some
 * escape all characters, some those that a URL must escape, and some of the latter not the slash.
 */
const REPLACED = [/./g, /[^\w.~-]/g, /[^\w.~/-]/g];
/** Prefixes of the two hexadecimal digits of an escaped character. */
const BEFORE_DIGITS = ["%", "\\u00", "\\x"];

/** Returns the forms of the secret to search for, each once, as text with one character for each byte. */
export function listSecretForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "latin1");
  const hex = bytes.toString("hex");
  const forms = [
    ...[secret, encodeURIComponent(secret), hex, hex.toUpperCase()],
    ...REPLACED.flatMap((some) => BEFORE_DIGITS.flatMap((before) => escapeAsDigits(secret, some, before))),
    ...[secret.replaceAll("/", "\\/"), JSON.stringify(secret).slice(1, -1)],
    secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
    ...[0, 1, 2].flatMap((before) => encodeBase64Cores(bytes, before)),
  ];
  return [...new Set(forms)];
}

/** Returns the secret with its characters escaped, once in lower-case and once in upper-case digits. */
function escapeAsDigits(secret: string, replaced: RegExp, before: string): readonly string[] {
  const encodeHex = (character: string) => Buffer.from(character, "latin1").toString("hex");
  return [
    secret.replace(replaced, (character) => `${before}${encodeHex(character)}`),
    secret.replace(replaced, (character) => `${before}${encodeHex(character).toUpperCase()}`),
  ];
}

/**
 * Returns the part of the secret's base64 that does not depend on the bytes around the secret, once as base64 and once
 * as base64url. Base64 encodes groups of three bytes; `before` bytes of the first group precede the secret.
 */
function encodeBase64Cores(bytes: Buffer, before: number): readonly string[] {
  const padded = Buffer.concat([Buffer.alloc(before), bytes]);
  const whole = padded.subarray(0, padded.length - (padded.length % 3));
  return (["base64", "base64url"] as const).map((kind) => whole.toString(kind).slice(before === 0 ? 0 : 4));
}

/** Returns whether a text, such as a header field, contains the secret in one of its forms. */
export function hasEcho(text: string, forms: readonly string[]): boolean {
  return forms.some((form) => text.includes(form));
}

/** Returns a watch for the body of one answer, piece by piece. Without forms, the watch passes all bytes on. */
export function watchFor(forms: readonly string[]): Watch {
  let kept = "";
  let hasEchoed = false;
  return {
    next: (piece) => {
      const text = kept + Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString("latin1");
      if (hasEchoed || hasEcho(text, forms)) {
        // `kept` has the last bytes of the previous piece, which begin the secret. The caller gets neither these bytes
        // nor any later ones.
        [hasEchoed, kept] = [true, ""];
        return refuse(ECHOED);
      }
      const begun = Math.max(0, ...forms.map((form) => measureOverlap(text, form)));
      kept = text.slice(text.length - begun);
      return accept(Buffer.from(text.slice(0, text.length - begun), "latin1"));
    },
    last: () => {
      const rest = Buffer.from(kept, "latin1");
      kept = "";
      return rest;
    },
  };
}

/**
 * Returns how many of the last characters of a text begin a form. The function must be fast, because a hostile server
 * may send such beginnings again and again, in single bytes.
 */
function measureOverlap(text: string, form: string): number {
  const first = form.charAt(0);
  for (let at = text.indexOf(first, text.length - form.length + 1); at !== -1; at = text.indexOf(first, at + 1)) {
    if (form.startsWith(text.slice(at))) return text.length - at;
  }
  return 0;
}
