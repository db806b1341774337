import { isStricter } from "../../../../engine/lib/policy/index.ts";
import type { Mode } from "../../../../lang/tree/index.ts";
import type { BoundCheck, BoundLine, Tool } from "../../../phases/bind/index.ts";
import { canBeAnswered } from "../../../phases/conditions/index.ts";
import { encodeCondition, isLooser } from "../../../phases/policy/index.ts";
import { collectLayers, defineLaw, findArgument, findMisfit, listLines } from "../../support/index.ts";
import { modeNeverReached } from "./codes.ts";

/** Lines of one pattern and layer. What another layer narrows is meant. */
export const rule = defineLaw({
  reports: [modeNeverReached],
  check: ({ model, trees }, report) => {
    const own = new Set(trees.map(({ source }) => source));
    for (const { said, widenings } of collectLayers(model)) {
      for (const [line, other] of findOutdone(listLines(said, widenings))) {
        const { span } = line.node;
        if (!own.has(span.source)) continue;
        const facts = { line: line.words, mode: chooseLooser(line), other: other.words };
        report(
          modeNeverReached.at(span, facts, { related: [{ span: other.node.span, message: "the stricter line" }] }),
        );
      }
    }
  },
});

type Pair = readonly [line: BoundLine, other: BoundLine];

/** Lines with a condition whose looser mode another line of the same pattern never lets decide, each with that line. */
function findOutdone(lines: readonly BoundLine[]): readonly Pair[] {
  const written = lines.flatMap((line) => line.patterns.map(({ key, tools }) => ({ line, key, tools })));
  const byKey = Map.groupBy(written, ({ key }) => key);
  return lines.flatMap((line): Pair[] => {
    if (line.where === undefined || line.mode === line.where.otherwise) return [];
    // A line is told where it is so for all of its tools.
    const others = line.patterns.flatMap(({ key, tools }) =>
      tools.map((tool) => (byKey.get(key) ?? []).find((one) => one.line !== line && isOutdone(tool, line, one.line))),
    );
    const [first] = others;
    return first === undefined || others.includes(undefined) ? [] : [[line, first.line]];
  });
}

function chooseLooser({ mode, where }: BoundLine): Mode {
  return where !== undefined && isLooser(where.otherwise, mode) ? where.otherwise : mode;
}

interface Asked {
  readonly check: BoundCheck;
  readonly holds: boolean;
}

/** Whether the other line is stricter for all arguments with which the line comes to its looser mode. */
function isOutdone(tool: Tool, line: BoundLine, other: BoundLine): boolean {
  const mode = chooseLooser(line);
  const ways = enumerateAnswers(line, (one) => one === mode);
  const left = enumerateAnswers(other, (one) => !isStricter(one, mode));
  return ways.every((way) => left.every((one) => !canHold(tool, [...way, ...one])));
}

/** Each way in which a line comes to such a mode: answers to its checks, of which others are open. */
function enumerateAnswers({ mode, where }: BoundLine, isSuch: (mode: Mode) => boolean): readonly (readonly Asked[])[] {
  const met = isSuch(mode) ? [(where?.checks ?? []).map((check): Asked => ({ check, holds: true }))] : [];
  if (where === undefined || !isSuch(where.otherwise)) return met;
  return [...met, ...where.checks.map((check): readonly Asked[] => [{ check, holds: false }])];
}

/** Errs to one side: what fits no argument is the business of laws. */
function canHold(tool: Tool, asked: readonly Asked[]): boolean {
  const byTerm = Map.groupBy(asked, ({ check: { path, each, extract } }) => [path.join("."), each, extract].join(" "));
  return [...byTerm.values()].every((some) => {
    const [first] = some;
    const argument = first && findArgument(tool, first.check);
    if (argument === undefined || some.some(({ check }) => findMisfit(argument, check) !== undefined)) return true;
    const signed = some.map(({ check, holds }) => ({ condition: encodeCondition(check), holds }));
    return canBeAnswered(argument.type, signed);
  });
}
