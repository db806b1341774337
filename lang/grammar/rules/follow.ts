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
// time. A parser would only report the tokens that it missed where it stopped.

/** A token that may come next. */
export interface NextToken {
  readonly type: TokenType;
  /** Rules that would read it, outermost first: `name` or, where a rule uses another more than once, `name 1`. */
  readonly rules: readonly string[];
}

interface Step extends NextToken {
  readonly behind: Way | undefined;
}

/** Remaining productions, innermost first. */
type Way =
  | {
      readonly sequence: readonly IProduction[];
      readonly at: number;
      readonly rules: readonly string[];
      readonly outer: Way | undefined;
    }
  | { readonly loop: Loop; readonly rules: readonly string[]; readonly outer: Way | undefined };

/** Repeatable part of a rule. */
interface Loop {
  readonly body: readonly IProduction[];
  readonly separator: TokenType | undefined;
}

/** Returns the tokens that may follow when the rule is parsed from its beginning; none if the rule cannot begin with these tokens. */
export function followOf(rule: Rule, tokens: readonly IToken[]): readonly NextToken[] {
  let steps = findSteps({ sequence: rule.definition, at: 0, rules: [rule.name], outer: undefined });
  for (const token of tokens) {
    steps = steps.flatMap(({ type, behind }) => (tokenMatcher(token, type) ? findSteps(behind) : []));
  }
  return steps;
}

function findSteps(way: Way | undefined): Step[] {
  if (way === undefined) return [];
  if ("loop" in way) return [...findSteps(way.outer), ...repeatLoop(way.loop, way)];
  const { sequence, at, rules, outer } = way;
  const production = sequence[at];
  if (production === undefined) return findSteps(outer);
  return expandProduction(production, rules, { sequence, at: at + 1, rules, outer });
}

function expandProduction(production: IProduction, rules: readonly string[], rest: Way): Step[] {
  const enterBody = (body: readonly IProduction[], outer: Way): Step[] =>
    findSteps({ sequence: body, at: 0, rules, outer });
  const makeLoop = (body: readonly IProduction[], separator?: TokenType): Way => ({
    loop: { body, separator },
    rules,
    outer: rest,
  });
  if (production instanceof Terminal) return [{ type: production.terminalType, rules, behind: rest }];
  if (production instanceof NonTerminal) {
    const { idx, nonTerminalName, referencedRule } = production;
    const inner = [...rules, idx === 0 ? nonTerminalName : `${nonTerminalName} ${idx}`];
    return findSteps({ sequence: referencedRule.definition, at: 0, rules: inner, outer: rest });
  }
  if (production instanceof Alternation)
    return production.definition.flatMap((one) => expandProduction(one, rules, rest));
  if (production instanceof Alternative) return enterBody(production.definition, rest);
  if (production instanceof RepetitionMandatory)
    return enterBody(production.definition, makeLoop(production.definition));
  if (production instanceof RepetitionMandatoryWithSeparator)
    return enterBody(production.definition, makeLoop(production.definition, production.separator));
  if (production instanceof Repetition) return findSteps(makeLoop(production.definition));
  if (production instanceof RepetitionWithSeparator)
    return [
      ...findSteps(rest),
      ...enterBody(production.definition, makeLoop(production.definition, production.separator)),
    ];
  if (production instanceof Option) return [...findSteps(rest), ...enterBody(production.definition, rest)];
  return [];
}

function repeatLoop({ body, separator }: Loop, way: Way): Step[] {
  const next: Way = { sequence: body, at: 0, rules: way.rules, outer: way };
  return separator === undefined ? findSteps(next) : [{ type: separator, rules: way.rules, behind: next }];
}
