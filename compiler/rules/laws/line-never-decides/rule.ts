import { isStricter, serializeCondition } from "../../../../engine/lib/policy/index.ts";
import type { BoundCheck, BoundLine, Tool } from "../../../phases/bind/index.ts";
import { canBeAnswered } from "../../../phases/conditions/index.ts";
import { encodeCondition } from "../../../phases/policy/index.ts";
import {
  collectLayers,
  defineLaw,
  findArgument,
  findMisfit,
  listSharedPatterns,
  type Report,
} from "../../support/index.ts";
import { elseNeverReached, lineNeverDecides } from "./codes.ts";

/**
 * Reports lines that never decide, because other lines with the same pattern in the same layer take precedence (ruling
 * 4). Also reports modes after `else` that no call reaches. Lines of different layers are not compared, because each
 * layer is meant to narrow the layers around it.
 */
export const rule = defineLaw({
  reports: [lineNeverDecides, elseNeverReached],
  check: ({ model }, report) => {
    for (const { said, widenings } of collectLayers(model)) {
      // Lines of widenings replace the session's other lines, so they are compared only with each other.
      checkLines(said.lines, report);
      checkLines(
        widenings.flatMap(({ lines }) => lines),
        report,
      );
    }
  },
});

interface Conditional {
  readonly line: BoundLine;
  readonly where: NonNullable<BoundLine["where"]>;
  /** Texts of the line's conditions. */
  readonly conditions: ReadonlySet<string>;
}

/** The lines of one pattern. */
interface Group {
  readonly conditional: readonly Conditional[];
  readonly plain: BoundLine | undefined;
}

function checkLines(lines: readonly BoundLine[], report: Report): void {
  const shared = listSharedPatterns(lines);
  const conditional = lines.flatMap((line): Conditional[] => {
    const { where, patterns } = line;
    if (where === undefined || !patterns.some(({ key }) => shared.has(key))) return [];
    return [
      { line, where, conditions: new Set(where.checks.map((check) => serializeCondition(encodeCondition(check)))) },
    ];
  });
  if (conditional.length === 0) return;
  const groups = groupByPattern(lines, conditional);
  for (const one of conditional) {
    const own = one.line.patterns.flatMap(({ key }) => groups.get(key) ?? []);
    const plain = own.flatMap((group) => group.plain ?? []).find(({ mode }) => mode !== one.where.otherwise);
    if (plain !== undefined) reportElse(one, plain, report);
    const by = findPreventing(one, groups);
    if (by !== undefined) reportLine(one, by, report);
  }
}

function groupByPattern(lines: readonly BoundLine[], conditional: readonly Conditional[]): ReadonlyMap<string, Group> {
  const written = lines.flatMap((line) => line.patterns.map(({ key }) => ({ key, line })));
  const byLine = new Map(conditional.map((one) => [one.line, one]));
  return new Map(
    [...Map.groupBy(written, ({ key }) => key)].map(([key, some]) => [
      key,
      {
        conditional: some.flatMap(({ line }) => byLine.get(line) ?? []),
        plain: some.find(({ line }) => line.where === undefined)?.line,
      },
    ]),
  );
}

/**
 * Maximum number of lines of one pattern whose pairs are compared. The time grows with the square of the number of
 * lines.
 */
const MOST_COMPARED = 256;

/**
 * If other lines take precedence over the line `one` for all of its tools, returns the first of them. Returns
 * `undefined` if there are none, or if too many lines would have to be compared.
 */
function findPreventing(one: Conditional, groups: ReadonlyMap<string, Group>): Conditional | undefined {
  const isBeyond = one.line.patterns.some(({ key }) => (groups.get(key)?.conditional.length ?? 0) > MOST_COMPARED);
  if (isBeyond) return undefined;
  const preventing = one.line.patterns.flatMap(({ key, tools }) => {
    const others = (groups.get(key)?.conditional ?? []).filter(({ line }) => line.mode !== one.line.mode);
    const beside = others.filter((other) => isMore(other, one) || isOverruling(other, one, groups.get(key)));
    return tools.map((tool) => beside.find((other) => canOnlyMatchWith(tool, one, other)));
  });
  return preventing.includes(undefined) ? undefined : preventing[0];
}

/** Returns whether a line has all conditions of another line, and further conditions. */
function isMore({ conditions }: Conditional, other: Conditional): boolean {
  return conditions.size > other.conditions.size && other.conditions.isSubsetOf(conditions);
}

/**
 * Returns whether the line `one` is stricter than the line `other`, and no line of the group has all conditions of
 * `one` and further conditions. Such a line would take precedence over `one`.
 */
function isOverruling(one: Conditional, other: Conditional, group: Group | undefined): boolean {
  const { conditions } = one;
  // Two lines with the same conditions contradict each other, which another law reports.
  const isSame = conditions.size === other.conditions.size && conditions.isSubsetOf(other.conditions);
  if (isSame || !isStricter(one.line.mode, other.line.mode)) return false;
  return group?.conditional.some((more) => isMore(more, one)) !== true;
}

/** Returns whether the line `other` matches all arguments that the line `one` matches. */
function canOnlyMatchWith(tool: Tool, one: Conditional, other: Conditional): boolean {
  const held = one.where.checks.map((check): Asked => ({ check, holds: true }));
  return other.where.checks.every((check) => !canHold(tool, [...held, { check, holds: false }]));
}

interface Asked {
  readonly check: BoundCheck;
  readonly holds: boolean;
}

/**
 * Returns whether the conditions can hold. If this is uncertain, the answer is `true`: other laws report conditions that fit no
 * argument, and lines that match nothing.
 */
function canHold(tool: Tool, asked: readonly Asked[]): boolean {
  const byTerm = Map.groupBy(asked, ({ check: { path, each, extract } }) => [path.join("."), each, extract].join(" "));
  const answers = [...byTerm.values()].map((some) => {
    const [first] = some;
    const argument = first && findArgument(tool, first.check);
    if (argument === undefined || some.some(({ check }) => findMisfit(argument, check) !== undefined)) return true;
    const sign = (all: readonly Asked[]) =>
      all.map(({ check, holds }) => ({ condition: encodeCondition(check), holds }));
    const met = sign(some.filter(({ holds }) => holds));
    return !canBeAnswered(argument.type, met) || canBeAnswered(argument.type, sign(some));
  });
  return !answers.includes(false);
}

function reportLine({ line, conditions }: Conditional, by: Conditional, report: Report): void {
  const isDisplaced = by.conditions.size > conditions.size && conditions.isSubsetOf(by.conditions);
  const facts = { line: line.words, mode: line.mode, other: by.line.words, isDisplaced };
  const message = isDisplaced ? "the more specific line" : "the stricter line";
  report(lineNeverDecides.at(line.node.span, facts, { related: [{ span: by.line.node.span, message }] }));
}

function reportElse({ line, where }: Conditional, plain: BoundLine, report: Report): void {
  const span = line.node.where?.otherwise.span ?? line.node.span;
  const facts = { mode: where.otherwise, line: plain.words, other: plain.mode };
  const related = [{ span: plain.node.span, message: "the line without a condition" }];
  report(elseNeverReached.at(span, facts, { related }));
}
