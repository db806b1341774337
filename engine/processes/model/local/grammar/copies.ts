// Finds the parts of a conversation that an argument of a call may copy, so that the decoder makes these texts more
// likely; no text is forced or forbidden. Without this, a small model sometimes begins to copy a word, and then writes
// another word with the same beginning: `modly-yucca` for `modest-yucca`.

import type { ChatMessage } from "../../../../lib/wire/generated/capos.ts";

const ARGUMENTS = '"arguments": ';
/**
 * Only this many UTF-16 units of text, the latest of users and tools, are searched for copies. Older text is rarely
 * copied.
 */
const MOST_SOURCE = 2048;
const MOST_COPIES = 64;
/** Maximum characters of one copied text: enough for the longest piece of any vocabulary. */
const MOST_TEXT = 24;

/**
 * A word begins after a blank or after an opening or joining character; names include their own dots, hyphens and
 * slashes.
 */
const WORD = /(?<=^|[\s"'`([{<,;:=])[^\s"'`([{<,;:=\\]/gu;
/** A number that stands alone, not inside a date, a version or a name. */
const NUMBER = /(?<![\p{L}\p{N}_.:/-])-?\d+(?:\.\d+)?(?![\d_]|[.:/-]\d)/gu;
const IN_WORD = /^[\p{L}\p{N}_]/u;
/** Quotation marks that end a text value, each with the characters that a token may contain after it. */
const TEXT_ENDS = ['"', '",', '"}', '"}}'] as const;
const NUMBER_ENDS = [",", "}", "}}"] as const;

/** Returns the texts that may continue a partial call, or an empty list if the call does not end inside an argument. */
type Copies = (text: string) => readonly string[];

export function indexCopies(messages: readonly ChatMessage[]): Copies {
  const said = messages.filter(({ role }) => role === "user" || role === "tool").map(({ content }) => content);
  // The copied text is written as in a call, with the escapes of JSON.
  const source = JSON.stringify(said.join("\n").slice(-MOST_SOURCE)).slice(1, -1);
  const starts = Array.from(source.matchAll(WORD), ({ index }) => index);
  const numbers = Array.from(source.matchAll(NUMBER), ([number]) => number);
  const findCopiesAt = ({ isText, begun, blank }: Place): readonly string[] => {
    if (isText) return findTextsAfter(source, starts, begun);
    // A value that has not begun may become a text. Its quotation mark and first letters may be one token, so texts
    // with this mark are offered as well.
    const texts = begun === "" ? findTextsAfter(source, starts, "").map((text) => `${blank}"${text}`) : [];
    return [...texts, ...findNumbersAfter(numbers, begun, blank)];
  };
  return (text) => {
    const place = placeIn(text);
    if (place === undefined) return [];
    return [...new Set(findCopiesAt(place))].slice(-MOST_COPIES);
  };
}

function findTextsAfter(source: string, starts: readonly number[], begun: string): readonly string[] {
  const rests = starts
    .filter((at) => source.startsWith(begun, at))
    .map((at) => source.slice(at + begun.length, at + begun.length + MOST_TEXT));
  const isWhole = begun !== "" && rests.some((rest) => !IN_WORD.test(rest));
  return [...rests.filter((rest) => rest !== ""), ...(isWhole ? TEXT_ENDS : [])];
}

/** Returns the numbers that may continue the value. The first piece of a number begins with the blank before it. */
function findNumbersAfter(numbers: readonly string[], begun: string, blank: string): readonly string[] {
  const rests = numbers
    .map((number) => `${blank}${number}`)
    .filter((number) => number.startsWith(begun))
    .map((number) => number.slice(begun.length));
  return rests.flatMap((rest) => (rest === "" ? NUMBER_ENDS : [rest]));
}

interface Place {
  readonly isText: boolean;
  /** Text of the value so far: after the quotation mark of a text, otherwise after the colon, the comma or the bracket. */
  readonly begun: string;
  /** Blank before a value; empty before the first item of a list. */
  readonly blank: "" | " ";
}

/**
 * Returns the unfinished value at the end of a partial call, or `undefined` if the call does not end inside a value of
 * its arguments.
 */
function placeIn(call: string): Place | undefined {
  const at = call.indexOf(ARGUMENTS);
  if (at === -1) return undefined;
  const scan = new Scan();
  const text = call.slice(at + ARGUMENTS.length);
  for (let index = 0; index < text.length; index++) scan.take(text[index] ?? "", index);
  return scan.place(text);
}

/** Scans incomplete JSON character by character; the grammar guarantees that the text contains nothing else. */
class Scan {
  readonly #open: string[] = [];
  #awaits: "key" | "value" | "other" = "value";
  #began = 0;
  #text: "key" | "value" | undefined;
  #isEscaped = false;

  take(character: string, index: number): void {
    if (this.#text !== undefined) this.#consumeInText(character);
    else if (character === '"') this.#begin(index);
    else if ("{[:,".includes(character)) this.#awaitBehind(character, index);
    else if ("}]".includes(character)) {
      this.#open.pop();
      this.#awaits = "other";
    }
  }

  place(text: string): Place | undefined {
    const begun = text.slice(this.#began);
    const blank = text[this.#began - 1] === "[" ? "" : " ";
    if (this.#text !== undefined) return this.#text === "value" ? { isText: true, begun, blank } : undefined;
    return this.#awaits === "value" && /^ ?-?[\d.]*$/.test(begun) ? { isText: false, begun, blank } : undefined;
  }

  #begin(index: number): void {
    this.#text = this.#awaits === "key" ? "key" : "value";
    this.#began = index + 1;
    this.#awaits = "other";
  }

  #consumeInText(character: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === "\\") this.#isEscaped = true;
    else if (character === '"') this.#text = undefined;
  }

  #awaitBehind(character: string, index: number): void {
    if (character === "{" || character === "[") this.#open.push(character);
    const isKey = character === "{" || (character === "," && this.#open.at(-1) === "{");
    this.#awaits = isKey ? "key" : "value";
    this.#began = index + 1;
  }
}
