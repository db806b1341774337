import { defineDiagnostic, escapeInvisible } from "../diagnostics/index.ts";

export const fileTooLarge = defineDiagnostic<{ bytes: number; limit: number }>({
  code: "file-too-large",
  severity: "error",
  say: ({ bytes, limit }) => `the file has ${bytes} bytes; at most ${limit} are allowed`,
  because:
    "A page that describes a system is short. The limit keeps a wrong or hostile file from using up the machine.",
  help: () => 'check that this is the file that you meant, or split the page with `use "./part.cap"`',
});

export const notUtf8 = defineDiagnostic<{ offset: number }>({
  code: "not-utf8",
  severity: "error",
  say: ({ offset }) => `the file is not UTF-8 text; the first wrong byte is number ${offset}`,
  because: "Two programs must never read two different policies from the same bytes.",
  help: () => "save the file as UTF-8",
});

export const hiddenCharacter = defineDiagnostic<{ character: string }>({
  code: "hidden-character",
  severity: "error",
  say: ({ character }) => `a source file must not contain the character ${escapeInvisible(character)}`,
  because: "Invisible characters can make a page look different from its real content.",
  help: () => "delete the character",
});

export const lineEnds = defineDiagnostic<{ end: string; isPage: boolean }>({
  code: "line-ends",
  severity: "error",
  say: ({ end }) =>
    end === "\r"
      ? "a carriage return (U+000D) stands here without a line feed"
      : `this line ends with ${NAMES_OF_ENDS[end]}, the lines before it with ${NAMES_OF_ENDS[end === "\n" ? "\r\n" : "\n"]}`,
  because:
    "Editors, git and terminals must show the same lines that capc reads. Otherwise a comment could hide a rule.",
  help: ({ end, isPage }) =>
    end === "\r"
      ? "delete it, or write LF where a line is to end"
      : `save the file with one kind of line end${isPage ? ", or run `capc fmt` on it" : ""}`,
});

const NAMES_OF_ENDS: Readonly<Record<string, string>> = { "\n": "LF", "\r\n": "CRLF" };

export const nestedTooDeep = defineDiagnostic<{ limit: number }>({
  code: "nested-too-deep",
  severity: "error",
  say: ({ limit }) => `brackets are nested deeper than ${limit}`,
  because: "No page needs such depth, and parsing it could use all memory of the machine.",
});

/** Characters that other languages use, each with the advice for a page of capc. */
const HABITS: ReadonlyMap<string | undefined, string> = new Map([
  ["#", "a comment begins with `//`"],
  ["/", "a comment begins with `//` and ends with its line"],
  ["'", 'a text stands in double quotes: `"…"`'],
  [";", "nothing stands between lines or attributes: leave it out"],
]);

export const unknownCharacter = defineDiagnostic<{ text: string }>({
  code: "unknown-character",
  severity: "error",
  say: ({ text }) => `\`${escapeInvisible(text)}\`${formatCodePoint(text)} has no meaning here`,
  because:
    "Names may only contain the letters A to Z and a to z, digits, `_` and `-`, so that different names look different.",
  help: ({ text }) =>
    isForeign(text) ? "write the name in these letters; any letter may stand in a text in quotes" : HABITS.get(text[0]),
});

export const unclosedText = defineDiagnostic<Record<string, never>>({
  code: "unclosed-text",
  severity: "error",
  say: () => "the quotation mark that closes this text is missing",
  because: "A text ends on the line on which it begins.",
  help: () => 'add `"` where the text ends',
});

export const unknownEscape = defineDiagnostic<{ sequence: string }>({
  code: "unknown-escape",
  severity: "error",
  say: ({ sequence }) => `\`${escapeInvisible(sequence)}\` is not an escape`,
  because: "Two programs could read an unknown escape as two different texts.",
  help: () => 'valid escapes are \\" \\\\ \\/ \\n \\r \\t and \\u with four hexadecimal digits',
});

export const numberTooLong = defineDiagnostic<{ limit: number }>({
  code: "number-too-long",
  severity: "error",
  say: ({ limit }) => `the number has more than ${limit} digits`,
  because: "The largest amount that capc can store has 20 digits, so a longer number is surely a mistake.",
});

interface Expected {
  readonly expected: readonly string[];
  readonly found: string;
  readonly near: string | undefined;
  /**
   * Correction that follows from the expected and found tokens, or `undefined`. It is used only if `near`, the word
   * that was probably meant, is undefined.
   */
  readonly hint: string | undefined;
}

export const unexpected = defineDiagnostic<Expected>({
  code: "syntax",
  severity: "error",
  say: ({ expected, found }) => `expected ${formatAlternatives(expected)}, found ${escapeInvisible(found)}`,
  because: "A page must have one meaning for all readers, so the parser does not guess the meaning of unknown text.",
  help: ({ near, hint }) => (near === undefined ? hint : `did you mean \`${near}\`?`),
});

export const tooManySyntaxErrors = defineDiagnostic<{ limit: number }>({
  code: "too-many-syntax-errors",
  severity: "error",
  say: ({ limit }) => `the parser stopped here after ${limit} syntax errors`,
  because: "After so many errors, further messages would not help.",
  help: () => "correct the first errors and run capc again",
});

/** Returns `a`, `a or b` or `a, b or c`. If there are more than twelve alternatives, it lists eleven and counts the others. */
function formatAlternatives(expected: readonly string[]): string {
  const shown = expected.length > 12 ? [...expected.slice(0, 11), `${expected.length - 11} others`] : [...expected];
  const last = shown.pop() ?? "nothing";
  return shown.length === 0 ? last : `${shown.join(", ")} or ${last}`;
}

function isForeign(text: string): boolean {
  return (text.codePointAt(0) ?? 0) > 0x7f;
}

/**
 * Returns the code point of a letter outside of ASCII for a message, because the letter may look like an ASCII letter. Returns an
 * empty text for other characters.
 */
function formatCodePoint(text: string): string {
  const number = (text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return isForeign(text) ? ` (U+${number}${[...text].length > 1 ? " …" : ""})` : "";
}
