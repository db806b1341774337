// Makes sentences of a grammar, and checks whether a text is one. This module does what the engine would do, in the
// simplest way.

import type { Expression } from "../expression.ts";

/** Maximum number of repetitions beyond the required ones; sentences with more repetitions would test nothing new. */
const FEW = 5;
const SAMPLE = [0x20, 0x61, 0x7a, 0x5a, 0x30, 0xe4, 0x20ac, 0x1f600, 0x7b, 0x2c];

/** Returns a random sentence. `chance` returns numbers from 0 to below 1. */
export function createSentence(expression: Expression, chance: () => number): string {
  const drawBelow = (count: number): number => Math.floor(chance() * count);
  switch (expression.kind) {
    case "words":
      return expression.text;
    case "characters": {
      const { ranges, isWithout } = expression;
      const isIn = (point: number): boolean => ranges.some(([first, last]) => point >= first && point <= last);
      if (isWithout) {
        const open = SAMPLE.filter((point) => !isIn(point));
        return String.fromCodePoint(open[drawBelow(open.length)] ?? 0x61);
      }
      const [first, last] = ranges[drawBelow(ranges.length)] ?? [0x61, 0x61];
      return String.fromCodePoint(first + drawBelow(last - first + 1));
    }
    case "sequence":
      return expression.parts.map((part) => createSentence(part, chance)).join("");
    case "choice": {
      const part = expression.parts[drawBelow(expression.parts.length)];
      return part === undefined ? "" : createSentence(part, chance);
    }
    case "repeated": {
      const { part, least, most = least + FEW } = expression;
      const times = least + drawBelow(Math.min(most - least, FEW) + 1);
      return Array.from({ length: times }, () => createSentence(part, chance)).join("");
    }
  }
}

export function isSentence(expression: Expression, text: string): boolean {
  const points = [...text];
  return findEnds(expression, points, new Set([0])).has(points.length);
}

/** Returns the positions at which the expression can end, given those at which it may begin. */
function findEnds(expression: Expression, points: readonly string[], from: ReadonlySet<number>): ReadonlySet<number> {
  switch (expression.kind) {
    case "words": {
      const wanted = [...expression.text];
      return new Set(
        [...from]
          .filter((at) => wanted.every((one, index) => points[at + index] === one))
          .map((at) => at + wanted.length),
      );
    }
    case "characters": {
      const { ranges, isWithout } = expression;
      const isMatch = (one: string | undefined): boolean => {
        const point = one?.codePointAt(0);
        return point !== undefined && ranges.some(([first, last]) => point >= first && point <= last) !== isWithout;
      };
      return new Set([...from].filter((at) => isMatch(points[at])).map((at) => at + 1));
    }
    case "sequence":
      return expression.parts.reduce((starts, part) => findEnds(part, points, starts), from);
    case "choice":
      return new Set(expression.parts.flatMap((part) => [...findEnds(part, points, from)]));
    case "repeated":
      return findRepeatedEnds(expression, points, from);
  }
}

function findRepeatedEnds(
  { part, least, most = Number.POSITIVE_INFINITY }: Extract<Expression, { kind: "repeated" }>,
  points: readonly string[],
  from: ReadonlySet<number>,
): ReadonlySet<number> {
  const found = new Set<number>(least === 0 ? from : []);
  let starts = from;
  for (let times = 1; times <= most && times <= points.length + least && starts.size > 0; times++) {
    starts = findEnds(part, points, starts);
    if (times >= least) for (const end of starts) found.add(end);
  }
  return found;
}
