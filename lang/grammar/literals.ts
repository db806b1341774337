import type { Diagnostic } from "../diagnostics/index.ts";
import { makeSpan, type Span } from "../text/index.ts";
import { unknownEscape } from "./codes.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Returns the text between the quotation marks with its escapes resolved, and reports each invalid escape. */
export function unescapeText(image: string, at: Span, report: (diagnostic: Diagnostic) => void): string {
  const closed = image.length > 1 && image.endsWith('"');
  const inner = image.slice(1, closed ? -1 : undefined);
  const value = inner.replace(/\\(u[0-9a-fA-F]{4}|.|$)/gs, (whole, letters: string, offset: number) => {
    if (letters.length === 5) return String.fromCharCode(Number.parseInt(letters.slice(1), 16));
    const character = Object.hasOwn(ESCAPES, letters) ? ESCAPES[letters] : undefined;
    if (character !== undefined) return character;
    const start = at.start + 1 + offset;
    // A text that is not closed has already been reported.
    if (closed) report(unknownEscape.at(makeSpan(at.source, start, start + whole.length), { sequence: whole }));
    return "";
  });
  // A lone surrogate cannot be written to the policy tables, so it is reported and replaced.
  if (!value.isWellFormed()) report(unknownEscape.at(at, { sequence: image }));
  return value.toWellFormed();
}

/** Returns a number as an exact decimal, without `k`, `M`, unnecessary zeros, or a minus before zero. */
export function normalizeDecimal(image: string): string {
  if (isPlain(image)) return image;
  const suffix = image.endsWith("k") ? 3 : image.endsWith("M") ? 6 : 0;
  const digits = suffix === 0 ? image : image.slice(0, -1);
  const negative = digits.startsWith("-");
  const [whole = "0", fraction = ""] = digits.replace("-", "").split(".");
  const moved = whole + fraction.slice(0, suffix).padEnd(suffix, "0");
  // Remove the zeros at the end of the fraction. With `(?<!0)` a match begins only at the first zero of a run; without
  // it, a fraction with a long run of zeros before its last digit would take quadratic time.
  const rest = fraction.slice(suffix).replace(/(?<!0)0+$/, "");
  const decimal = `${moved.replace(/^0+(?=\d)/, "")}${rest === "" ? "" : `.${rest}`}`;
  return negative && decimal !== "0" ? `-${decimal}` : decimal;
}

/**
 * Returns whether the text has only digits, and the first is not zero. Nearly all numbers have this form, and need no further conversion.
 */
function isPlain(image: string): boolean {
  for (let at = 0; at < image.length; at++) {
    const unit = image.charCodeAt(at);
    if (unit < (at === 0 ? ONE : ZERO) || unit > NINE) return false;
  }
  return image.length > 0;
}

const ZERO = 48;
const ONE = 49;
const NINE = 57;
