// Writes a project into the fragment of a link, and reads it from there. A browser sends a fragment to no server.
// Anybody can write a fragment, so its sizes are checked before its parts are read.

import { deflateSync, Inflate, strFromU8, strToU8 } from "fflate";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { isProjectPath } from "./files.ts";
import { ROOT } from "./protocol.ts";

/** Texts of files by path. */
export type ProjectTexts = ReadonlyMap<string, string>;

/** Version of the fragment's format; each later format gets another version. */
const VERSION = "1";

/** Maximum length of a fragment in characters. Chat programs and browsers cut longer links. */
export const MOST_FRAGMENT = 64 * 1024;
/** Maximum bytes of the decompressed text. */
export const MOST_TEXT = 1024 * 1024;
export const MOST_FILES = 50;
/**
 * Number of compressed bytes that are decompressed at once. The decompressed text can be a thousand times as large, so
 * its size is checked before more bytes are decompressed.
 */
const PIECE = 1024;

/** Returns the project as a fragment without `#`. Fails for a project that `decodeProject` would refuse. */
export function encodeProject(files: ProjectTexts): Result<string> {
  const checked = checkFiles(files);
  if (!checked.ok) return checked;
  const bytes = strToU8(JSON.stringify([...files]));
  if (bytes.length > MOST_TEXT) return refuse(`it has ${bytes.length} bytes, and a link has at most ${MOST_TEXT}`);
  const fragment = `${VERSION}.${encodeBase64(deflateSync(bytes, { level: 9, mem: 8 }))}`;
  if (fragment.length <= MOST_FRAGMENT) return accept(fragment);
  return refuse(`the link would have ${fragment.length} characters, and at most ${MOST_FRAGMENT} are read`);
}

/** Returns the files that a fragment without `#` contains, or the reason why it cannot be decoded. */
export function decodeProject(fragment: string): Result<ProjectTexts> {
  if (fragment.length > MOST_FRAGMENT)
    return refuse(`it has ${fragment.length} characters, and at most ${MOST_FRAGMENT} are read`);
  const [, version, data = ""] = /^(\d+)\.([\w-]+)$/.exec(fragment) ?? [];
  if (version === undefined) return refuse("it is not a project");
  if (version !== VERSION) return refuse(`it has version ${version} of the form, and this playground reads ${VERSION}`);
  const text = decompress(data);
  return text.ok ? readFiles(text.value) : text;
}

function decompress(data: string): Result<string> {
  const pieces: Uint8Array[] = [];
  let total = 0;
  let isComplete = false;
  const inflate = new Inflate((piece, isLast) => {
    pieces.push(piece);
    total += piece.length;
    isComplete = isLast;
  });
  try {
    const bytes = Uint8Array.from(atob(data.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    for (let at = 0; at < bytes.length; at += PIECE) {
      inflate.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length);
      if (total > MOST_TEXT) return refuse(`it has more than ${MOST_TEXT} bytes of text`);
    }
  } catch {
    return refuse("it is damaged");
  }
  if (!isComplete) return refuse("its end is missing");
  const joined = new Uint8Array(total);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return accept(strFromU8(joined));
}

function readFiles(text: string): Result<ProjectTexts> {
  const entries = parseEntries(text);
  if (entries === undefined) return refuse("it is not a list of files");
  const files = new Map(entries);
  return files.size < entries.length ? refuse("two of its files have the same name") : checkFiles(files);
}

/** Returns the files if a link may contain them, otherwise the reason why it may not. */
function checkFiles(files: ProjectTexts): Result<ProjectTexts> {
  if (files.size > MOST_FILES) return refuse(`it has ${files.size} files, and at most ${MOST_FILES} are read`);
  if (![...files.keys()].every(isProjectPath))
    return refuse("one of its files is outside the folder of the page, or has a path that is not allowed");
  return files.has(ROOT) ? accept(files) : refuse(`it has no ${ROOT}`);
}

function parseEntries(text: string): readonly (readonly [string, string])[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return Array.isArray(value) && value.every(isEntry) ? value : undefined;
}

function isEntry(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");
}

function encodeBase64(bytes: Uint8Array): string {
  let signs = "";
  for (const byte of bytes) signs += String.fromCharCode(byte);
  return btoa(signs).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
