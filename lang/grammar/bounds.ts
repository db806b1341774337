import type { Diagnostic } from "../diagnostics/index.ts";
import { createSourceText, makeSpan, type SourceText, UNSEEN } from "../text/index.ts";
import { fileTooLarge, hiddenCharacter, lineEnds, notUtf8 } from "./codes.ts";

// Checks untrusted bytes before any other code reads them: size, encoding and hidden characters.

export const MAX_FILE_BYTES = 1024 * 1024;

/** Invisible characters, except for tabs and line ends. */
const HIDDEN = new RegExp(`(?![\\t\\n\\r])(?:${UNSEEN})`, "u");

type Bounded =
  | { readonly ok: true; readonly source: SourceText }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** Rule for line ends. The formatter allows `mixed` in its input, and writes only one kind of line end. */
export type LineEndRule = "one kind" | "mixed";

/**
 * Decodes the bytes of a source file. Fails with a finding if the file is too large, not UTF-8, or has hidden
 * characters or forbidden line ends.
 */
export function decodeSource(path: string, bytes: Uint8Array, ends: LineEndRule = "one kind"): Bounded {
  const start = makeSpan(createSourceText(path, ""), 0, 0);
  if (bytes.length > MAX_FILE_BYTES) {
    return { ok: false, diagnostic: fileTooLarge.at(start, { bytes: bytes.length, limit: MAX_FILE_BYTES }) };
  }
  const text = decodeUtf8(bytes);
  if (text === undefined) return { ok: false, diagnostic: notUtf8.at(start, { offset: findInvalidByte(bytes) }) };
  const source = createSourceText(path, text);
  const diagnostic = findUnseen(source, ends);
  return diagnostic === undefined ? { ok: true, source } : { ok: false, diagnostic };
}

/**
 * Finds the first place where editors, git or a terminal could show other characters or lines than capc reads. Returns
 * a finding, or `undefined` if there is no such place. Every text that people review should be checked by this
 * function.
 */
export function findUnseen(source: SourceText, ends: LineEndRule = "one kind"): Diagnostic | undefined {
  const hidden = HIDDEN.exec(source.text);
  if (hidden === null) return findLineEnds(source, ends);
  return hiddenCharacter.at(makeSpan(source, hidden.index, hidden.index + hidden[0].length), { character: hidden[0] });
}

/**
 * Returns a finding at the first line end that some programs would not treat as a line end, or that differs from
 * earlier line ends. Returns `undefined` if there is no such line end.
 */
function findLineEnds(source: SourceText, ends: LineEndRule): Diagnostic | undefined {
  const { text } = source;
  if (!text.includes("\r")) return undefined;
  let usual: string | undefined;
  for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) {
    usual ??= end;
    if (end === "\r" || (end !== usual && ends !== "mixed"))
      return lineEnds.at(makeSpan(source, index, index + end.length), { end, isPage: source.path.endsWith(".cap") });
  }
  return undefined;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Returns the number, from 1, of the first invalid byte. The function decodes prefixes of the bytes in a binary search.
 * A prefix that ends inside a character counts as valid.
 */
function findInvalidByte(bytes: Uint8Array): number {
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
