import {
  Alternation,
  Alternative,
  type IProduction,
  type IToken,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  RepetitionMandatoryWithSeparator,
  RepetitionWithSeparator,
  type Rule,
  Terminal,
  type TokenType,
  tokenMatcher,
} from "chevrotain";

// Finds all tokens that may come next, including optional ones, by following the tokens on all paths of the grammar at the same
// time. A parser would report only the tokens that it expected where it failed, and not the optional tokens that it had passed.

/** A token that may come next. */
export interface NextToken extends OpenRules {
  readonly type: TokenType;
}

/** The rules that are being parsed, outermost first. */
interface OpenRules {
  /** Names of these rules. If a rule uses another rule several times, its further uses are `name 1`, `name 2` and so on. */
  readonly rules: readonly string[];
  /**
   * For each of these rules, the index of the token with which the rule begins. If a rule begins with the next token, this index is
   * the number of tokens so far.
   */
  readonly begins: readonly number[];
}

interface Step extends NextToken {
  readonly behind: Way | undefined;
}

/** The productions that still have to be parsed, innermost first. */
type Way =
  | {
      readonly sequence: readonly IProduction[];
      readonly at: number;
      readonly open: OpenRules;
      readonly outer: Way | undefined;
    }
  | { readonly loop: Loop; readonly open: OpenRules; readonly outer: Way | undefined };

/** A part of a rule that may be repeated. */
interface Loop {
  readonly body: readonly IProduction[];
  readonly separator: TokenType | undefined;
}

/**
 * Returns the tokens that may come next if `tokens` are the first tokens of a text of the rule. Returns none if no text
 * of the rule begins with them.
 */
export function followOf(rule: Rule, tokens: readonly IToken[]): readonly NextToken[] {
  const open = { rules: [rule.name], begins: [0] };
  let steps = findSteps({ sequence: rule.definition, at: 0, open, outer: undefined }, 0);
  for (const [index, token] of tokens.entries()) {
    steps = steps.flatMap(({ type, behind }) => (tokenMatcher(token, type) ? findSteps(behind, index + 1) : []));
  }
  return steps;
}

/** Returns the tokens that the remaining productions allow next. `count` is the number of tokens that were already followed. */
function findSteps(way: Way | undefined, count: number): Step[] {
  if (way === undefined) return [];
  if ("loop" in way) return [...findSteps(way.outer, count), ...repeatLoop(way.loop, way, count)];
  const { sequence, at, open, outer } = way;
  const production = sequence[at];
  if (production === undefined) return findSteps(outer, count);
  return expandProduction(production, { sequence, at: at + 1, open, outer }, count);
}

function expandProduction(production: IProduction, rest: Exclude<Way, { readonly loop: Loop }>, count: number): Step[] {
  const { open } = rest;
  const enterBody = (body: readonly IProduction[], outer: Way): Step[] =>
    findSteps({ sequence: body, at: 0, open, outer }, count);
  const makeLoop = (body: readonly IProduction[], separator?: TokenType): Way => ({
    loop: { body, separator },
    open,
    outer: rest,
  });
  if (production instanceof Terminal) return [{ type: production.terminalType, ...open, behind: rest }];
  if (production instanceof NonTerminal) {
    const { idx, nonTerminalName, referencedRule } = production;
    const rules = [...open.rules, idx === 0 ? nonTerminalName : `${nonTerminalName} ${idx}`];
    const inner = { rules, begins: [...open.begins, count] };
    return findSteps({ sequence: referencedRule.definition, at: 0, open: inner, outer: rest }, count);
  }
  if (production instanceof Alternation)
    return production.definition.flatMap((one) => expandProduction(one, rest, count));
  if (production instanceof Alternative) return enterBody(production.definition, rest);
  if (production instanceof RepetitionMandatory)
    return enterBody(production.definition, makeLoop(production.definition));
  if (production instanceof RepetitionMandatoryWithSeparator)
    return enterBody(production.definition, makeLoop(production.definition, production.separator));
  if (production instanceof Repetition) return findSteps(makeLoop(production.definition), count);
  if (production instanceof RepetitionWithSeparator)
    return [
      ...findSteps(rest, count),
      ...enterBody(production.definition, makeLoop(production.definition, production.separator)),
    ];
  if (production instanceof Option) return [...findSteps(rest, count), ...enterBody(production.definition, rest)];
  return [];
}

function repeatLoop({ body, separator }: Loop, way: Way, count: number): Step[] {
  const next: Way = { sequence: body, at: 0, open: way.open, outer: way };
  return separator === undefined ? findSteps(next, count) : [{ type: separator, ...way.open, behind: next }];
}
