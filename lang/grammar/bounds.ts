import type { Diagnostic } from "../diagnostics/index.ts";
import { type SourceText, sourceText, span } from "../text/index.ts";
import { fileTooLarge, hiddenCharacter, notUtf8 } from "./codes.ts";

// Bytes of strangers are bounded before anything looks at them: size, encoding, hidden characters.

export const MAX_FILE_BYTES = 1024 * 1024;

/** C0 but tab and line ends, DEL, C1; what has no shape of its own: direction, zero-width, separator, tag characters. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\p{Cf}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;

export type Bounded =
  | { readonly ok: true; readonly source: SourceText }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** Decodes the bytes of one file, or says why it is not looked at. */
export function boundedSource(path: string, bytes: Uint8Array): Bounded {
  const start = span(sourceText(path, ""), 0, 0);
  if (bytes.length > MAX_FILE_BYTES) {
    return { ok: false, diagnostic: fileTooLarge.at(start, { bytes: bytes.length, limit: MAX_FILE_BYTES }) };
  }
  const text = decoded(bytes);
  if (text === undefined) return { ok: false, diagnostic: notUtf8.at(start, { offset: firstWrongByte(bytes) }) };
  const hidden = HIDDEN.exec(text);
  const source = sourceText(path, text);
  if (hidden !== null) {
    const at = span(source, hidden.index, hidden.index + 1);
    return { ok: false, diagnostic: hiddenCharacter.at(at, { character: hidden[0] }) };
  }
  return { ok: true, source };
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The number (from 1) of the first byte that cannot be read: found by halving, each prefix decoded as a stream. */
function firstWrongByte(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length;
  while (good + 1 < bad) {
    const middle = (good + bad) >> 1;
    if (isPrefixOfUtf8(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  return bad;
}

function isPrefixOfUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
