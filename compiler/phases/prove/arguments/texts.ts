// Texts to try, each kind in every length that a condition on its size tells apart: words, folders, origins, amounts.
import { originOf, pathSegments } from "../../../../engine/lib/policy/index.ts";
import { decimalsAround, distinctDecimals } from "./amounts.ts";

/** What conditions compare one text with. */
export interface Literals {
  readonly words: readonly string[];
  readonly folders: readonly string[];
  readonly origins: readonly string[];
  readonly decimals: readonly string[];
  /** Sizes in bytes. */
  readonly sizes: readonly number[];
}

/** Of at most `longest` bytes, the short ones first. What is no folder at all comes last. */
export function textsAround(literals: Literals, longest: number): readonly string[] {
  const around = new Set(literals.sizes.flatMap((size) => [size - 1, size, size + 1]));
  const sizes = [...around].filter((size) => size > 0 && size <= longest);
  const grown = sorts(literals).flatMap(({ texts, grow }) => [
    ...texts,
    ...texts.slice(0, MOST_GROWN).flatMap((text) => sizes.flatMap((size) => grow(text, size) ?? [])),
  ]);
  const all = new Set([...grown, ...literals.words]);
  const short = [...all].sort((one, other) => one.length - other.length);
  const nowhere = literals.folders.length > 0 ? [1, ...sizes].map((size) => "\u0000".repeat(size)) : [];
  return [...short, ...nowhere].filter((text) => Buffer.byteLength(text) <= longest);
}

/** Texts of one kind that are tried in every length: a bound on memory, for a length may be that of the longest argument. */
const MOST_GROWN = 16;

interface Sort {
  readonly texts: readonly string[];
  /** A text of so many bytes with the same meaning; nothing where there is none of that length. */
  readonly grow: (text: string, size: number) => string | undefined;
}

function sorts({ words, folders, origins, decimals }: Literals): readonly Sort[] {
  const known = new Set(words);
  const unnamed = (_: string, size: number) =>
    LETTERS.map((letter) => letter.repeat(size)).find((text) => !known.has(text));
  return [
    { texts: ["", unnamed("", 1) ?? ""], grow: unnamed },
    { texts: folders.length > 0 ? foldersAround(folders) : [], grow: (text, size) => filled(text, "/", size) },
    { texts: origins.length > 0 ? addressesAround(origins) : [], grow: (text, size) => filled(`${text}/`, "a", size) },
    {
      texts: decimalsAround(distinctDecimals(decimals)),
      grow: (text, size) => filled(text.includes(".") ? text : `${text}.0`, "0", size),
    },
  ];
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

function filled(text: string, filler: string, size: number): string | undefined {
  const missing = size - Buffer.byteLength(text);
  return missing < 0 ? undefined : text + filler.repeat(missing);
}

/** Each folder by its shortest name, and one that is in none of them. */
function foldersAround(folders: readonly string[]): readonly string[] {
  const names = folders.flatMap((folder) => pathSegments(folder)?.join("/") ?? []);
  const first = new Set(names.map((name) => name.split("/")[0]));
  return ["", ...LETTERS.filter((letter) => !first.has(letter)).slice(0, 1), ...names];
}

/** Each origin, which is an address of its own, and one that is none of them. */
function addressesAround(origins: readonly string[]): readonly string[] {
  const known = new Set(origins);
  const other = LETTERS.map((letter) => `https://${letter}.example`).filter((origin) => !known.has(origin));
  return [...other.slice(0, 1), ...origins.filter((origin) => originOf(origin) === origin)];
}
