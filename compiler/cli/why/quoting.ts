// Finds the question that a person meant but did not quote for the shell, and shows it quoted.

import { quoteShellWord } from "../../host/shell-word.ts";

const NAME = /^[A-Za-z_]\w*$/;

/** Returns how to quote the operands of `capc why FILE WORDS…`; `undefined` if there are at most two. */
export function suggestQuoting(operands: readonly string[]): string | undefined {
  const [file = "", ...words] = operands;
  if (words.length < 2) return undefined;
  // A person may quote only a part of the question, such as "visitor notes.read". So all words are joined and split
  // again.
  const [place = "", tool = "", ...rest] = words.join(" ").trim().split(/\s+/);
  const given = rest.join(" ");
  const args = given === "" ? [] : [suggestArguments(given) ?? '{"NAME": "VALUE"}'];
  const question = [place, tool, ...args].join(" ");
  return `quote the question as one word: capc why ${quoteShellWord(file)} ${quoteShellWord(question)}`;
}

/**
 * Converts `name=value name=value`, or an object whose quotes the shell removed, to a JSON object of arguments. Returns `undefined` for
 * any other text.
 */
export function suggestArguments(text: string): string | undefined {
  const [, inside] = /^\{(.*)\}$/s.exec(text.trim()) ?? [];
  const parts = inside === undefined ? splitPairs(text) : inside.split(",");
  const pairs = parts.map((part) => splitPair(part, inside === undefined ? "=" : ":"));
  const known = pairs.filter((pair) => pair !== undefined);
  if (pairs.length === 0 || known.length < pairs.length) return undefined;
  return `{${known.map(([name, value]) => `"${name}": ${renderValue(value)}`).join(", ")}}`;
}

/** Splits `a=b c d=e` before each `name=`, so that a value may contain blanks. */
function splitPairs(text: string): readonly string[] {
  return text.trim().split(/[\s,]+(?=[A-Za-z_]\w*=)/);
}

function splitPair(part: string, sign: "=" | ":"): readonly [string, string] | undefined {
  const at = part.indexOf(sign);
  const name = part.slice(0, Math.max(at, 0)).trim();
  return NAME.test(name) ? [name, part.slice(at + 1).trim()] : undefined;
}

/** Renders a number, `true`, `false` or a quoted text as it is, and anything else as a text. */
function renderValue(value: string): string {
  return /^(-?\d+(\.\d+)?|true|false|"[^"\\]*")$/.test(value) ? value : JSON.stringify(value);
}
