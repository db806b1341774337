import type { Diagnostic } from "../diagnostics/index.ts";
import { makeSpan, type SourceText } from "../text/index.ts";
import { nestedTooDeep, numberTooLong, unclosedText, unknownCharacter } from "./codes.ts";
import { MAX_NESTING, type ScanResult } from "./scanner.ts";

// Reports findings about the tokens of a source, before the source is parsed.

export const MAX_DIGITS = 30;

export function collectFindings({ source, tokens, unknown, tooDeep }: ScanResult): Diagnostic[] {
  const diagnostics = unknown.map(({ start, end }) =>
    unknownCharacter.at(makeSpan(source, start, end), { text: source.text.slice(start, Math.min(end, start + 20)) }),
  );
  for (let index = 0; index < tokens.count; index++) {
    const at = makeSpan(source, tokens.start(index), tokens.end(index));
    const kind = tokens.getKind(index);
    if (kind === "StrangeName") diagnostics.push(reportStrangeLetters(source, at.start, at.end));
    if (kind === "UnclosedString") diagnostics.push(unclosedText.at(at, {}));
    if (kind === "Number" && at.end - at.start > MAX_DIGITS)
      diagnostics.push(numberTooLong.at(at, { limit: MAX_DIGITS }));
  }
  if (tooDeep !== undefined) {
    diagnostics.push(nestedTooDeep.at(makeSpan(source, tooDeep.start, tooDeep.end), { limit: MAX_NESTING }));
  }
  return diagnostics;
}

function reportStrangeLetters(source: SourceText, start: number, end: number): Diagnostic {
  const name = source.text.slice(start, end);
  const [letters = ""] = /[\u0080-\uffff]+/.exec(name) ?? [];
  const at = start + name.indexOf(letters);
  return unknownCharacter.at(makeSpan(source, at, at + letters.length), { text: letters.slice(0, 20) });
}
