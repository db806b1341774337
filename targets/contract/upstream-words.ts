// Parses the words of a grant of `target capos`: the name of the capability in its holder, its badge, the properties of a session that it
// discloses, and whether the holder may grant it to others. On the page these words follow `scope` as strings. Each string is a keyword
// with a value, so the language needs no special grammar for them.

import { accept, type Result, refuse } from "../../engine/lib/result/result.ts";
/** Properties of a session that a grant may disclose to the server of an endpoint. */
export const DISCLOSURES = ["principal_kind", "auth_strength", "profile_class"] as const;
export type Disclosure = (typeof DISCLOSURES)[number];

export interface CapWords {
  /**
   * Name under which the holder has the capability; `undefined` if the page does not state `as NAME`, and the name of
   * the grant is used.
   */
  readonly name: string | undefined;
  readonly badge: bigint;
  readonly discloses: readonly Disclosure[];
  /** Whether the holder may grant the capability to others. */
  readonly isExported: boolean;
  /** For a grant of a service: name of the one capability, of those that the service exports, that is granted. */
  readonly export: string | undefined;
}

interface CapWordsRead {
  readonly words: CapWords;
  /** Words that could not be parsed, by their index. */
  readonly unreadable: readonly { readonly index: number; readonly why: string }[];
}

const NOTHING: CapWords = { name: undefined, badge: 0n, discloses: [], isExported: false, export: undefined };

/** Upstream reserves the largest badge for `keep the existing badge` (capos-config 0.1.0, src/lib.rs). */
const MOST_BADGE = (1n << 64n) - 2n;

/** Reads the words in any order. A second word with the same keyword is an error, except `discloses`. */
export function readCapWords(words: readonly string[]): CapWordsRead {
  let read = NOTHING;
  const unreadable: { index: number; why: string }[] = [];
  const seen = new Set<string>();
  for (const [index, text] of words.entries()) {
    const one = readWord(text, read);
    const [kind = ""] = text.split(" ", 1);
    if (!one.ok) unreadable.push({ index, why: one.reason });
    else if (seen.has(kind) && kind !== "discloses") unreadable.push({ index, why: `\`${kind}\` is there already` });
    else read = one.value;
    seen.add(kind);
  }
  return { words: read, unreadable };
}

function readWord(text: string, read: CapWords): Result<CapWords> {
  const [, kind = "", value = ""] = /^(\S+)(?: (.*))?$/s.exec(text) ?? [];
  switch (kind) {
    case "as":
      return value === "" ? refuse("`as` wants a name") : accept({ ...read, name: value });
    case "badge":
      return parseBadge(value, read);
    case "discloses":
      return parseDisclosure(value, read);
    case "exported":
      return value === ""
        ? accept({ ...read, isExported: true })
        : refuse("`exported` stands alone: `as NAME` names what others import");
    case "export":
      return value === "" ? refuse("`export` wants a name") : accept({ ...read, export: value });
    default:
      return refuse("it is none of `as NAME`, `badge N`, `discloses WORD`, `exported`, `export NAME`");
  }
}

function parseBadge(value: string, read: CapWords): Result<CapWords> {
  const badge = /^(?:0|[1-9]\d{0,19})$/.test(value) ? BigInt(value) : MOST_BADGE + 1n;
  return badge > MOST_BADGE ? refuse("a badge is a whole number below 2^64 - 1") : accept({ ...read, badge });
}

function parseDisclosure(value: string, read: CapWords): Result<CapWords> {
  const word = DISCLOSURES.find((known) => known === value);
  if (word === undefined) return refuse(`a session discloses one of ${DISCLOSURES.join(", ")}`);
  if (read.discloses.includes(word)) return refuse(`\`discloses ${word}\` is there already`);
  const discloses = DISCLOSURES.filter((known) => known === word || read.discloses.includes(known));
  return accept({ ...read, discloses });
}
