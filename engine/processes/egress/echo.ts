// Whether a server says back what it was told in confidence. It may: it knows the secret, and can hide it in a thousand ways.
// Found are those that come about by themselves: as it is, and as headers, addresses, JSON, HTML and dumps write it.

import { accept, type Result, refuse } from "../../lib/result/result.ts";

/** A filter for the bytes of one answer; it ends the answer if it would contain the secret. */
export interface Watch {
  /** Returns the bytes that may be passed on so far; the rest may begin the secret. Fails if the secret is in them. */
  readonly next: (piece: Uint8Array) => Result<Uint8Array>;
  /** Returns the bytes that were held back, once the answer has ended; call it once. */
  readonly last: () => Uint8Array;
}

export const ECHOED = "the answer repeats the credential, and is not passed on";

/** Characters that writers of URLs, JSON and dumps replace: all, those that no URL takes unescaped, or those but the slash. */
const REPLACED = [/./g, /[^\w.~-]/g, /[^\w.~/-]/g];
/** Prefixes of the two hexadecimal digits of an escaped character. */
const BEFORE_DIGITS = ["%", "\\u00", "\\x"];

/** The ways in which it is looked for, each once. As characters of one byte. */
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

/** Returns the part of the secret's base64 that does not depend on its neighbours, `before` bytes into a group of three. */
function encodeBase64Cores(bytes: Buffer, before: number): readonly string[] {
  const padded = Buffer.concat([Buffer.alloc(before), bytes]);
  const whole = padded.subarray(0, padded.length - (padded.length % 3));
  return (["base64", "base64url"] as const).map((kind) => whole.toString(kind).slice(before === 0 ? 0 : 4));
}

/** Whether a text, such as a field of a header, holds it in one of its forms. */
export function hasEcho(text: string, forms: readonly string[]): boolean {
  return forms.some((form) => text.includes(form));
}

/** Returns a watch for the body of one answer, piece by piece. Without forms it passes all bytes on. */
export function watchFor(forms: readonly string[]): Watch {
  let kept = "";
  let hasEchoed = false;
  return {
    next: (piece) => {
      const text = kept + Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString("latin1");
      if (hasEchoed || hasEcho(text, forms)) {
        // The bytes held back begin the secret: a reader who continues gets none of them, nor of what followed.
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
 * Returns how many of the last characters of a text are the first ones of a form. A server may send them one by one, as often as it
 * likes.
 */
function measureOverlap(text: string, form: string): number {
  const first = form.charAt(0);
  for (let at = text.indexOf(first, text.length - form.length + 1); at !== -1; at = text.indexOf(first, at + 1)) {
    if (form.startsWith(text.slice(at))) return text.length - at;
  }
  return 0;
}
