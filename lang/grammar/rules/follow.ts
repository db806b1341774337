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

// Goes along the grammar with the tokens, on all ways at once. A parser says only what it missed where it stopped; here
// all that may come next is known, what may be left out among it.

/** A token that may come next. */
export interface Next {
  readonly type: TokenType;
  /** Rules that would read it, outermost first: `name` or, where a rule uses another more than once, `name 1`. */
  readonly rules: readonly string[];
}

interface Step extends Next {
  readonly behind: Way | undefined;
}

/** What is still to be read, innermost first. */
type Way =
  | {
      readonly sequence: readonly IProduction[];
      readonly at: number;
      readonly rules: readonly string[];
      readonly outer: Way | undefined;
    }
  | { readonly loop: Loop; readonly rules: readonly string[]; readonly outer: Way | undefined };

/** What may be read again. */
interface Loop {
  readonly body: readonly IProduction[];
  readonly separator: TokenType | undefined;
}

/** What may stand behind the tokens, read from the beginning of a rule; nothing where the rule cannot begin so. */
export function followOf(rule: Rule, tokens: readonly IToken[]): readonly Next[] {
  let steps = stepsFrom({ sequence: rule.definition, at: 0, rules: [rule.name], outer: undefined });
  for (const token of tokens) {
    steps = steps.flatMap(({ type, behind }) => (tokenMatcher(token, type) ? stepsFrom(behind) : []));
  }
  return steps;
}

function stepsFrom(way: Way | undefined): Step[] {
  if (way === undefined) return [];
  if ("loop" in way) return [...stepsFrom(way.outer), ...again(way.loop, way)];
  const { sequence, at, rules, outer } = way;
  const production = sequence[at];
  if (production === undefined) return stepsFrom(outer);
  return stepsOf(production, rules, { sequence, at: at + 1, rules, outer });
}

function stepsOf(production: IProduction, rules: readonly string[], rest: Way): Step[] {
  const into = (body: readonly IProduction[], outer: Way): Step[] => stepsFrom({ sequence: body, at: 0, rules, outer });
  const looping = (body: readonly IProduction[], separator?: TokenType): Way => ({
    loop: { body, separator },
    rules,
    outer: rest,
  });
  if (production instanceof Terminal) return [{ type: production.terminalType, rules, behind: rest }];
  if (production instanceof NonTerminal) {
    const { idx, nonTerminalName, referencedRule } = production;
    const inner = [...rules, idx === 0 ? nonTerminalName : `${nonTerminalName} ${idx}`];
    return stepsFrom({ sequence: referencedRule.definition, at: 0, rules: inner, outer: rest });
  }
  if (production instanceof Alternation) return production.definition.flatMap((one) => stepsOf(one, rules, rest));
  if (production instanceof Alternative) return into(production.definition, rest);
  if (production instanceof RepetitionMandatory) return into(production.definition, looping(production.definition));
  if (production instanceof RepetitionMandatoryWithSeparator)
    return into(production.definition, looping(production.definition, production.separator));
  if (production instanceof Repetition) return stepsFrom(looping(production.definition));
  if (production instanceof RepetitionWithSeparator)
    return [...stepsFrom(rest), ...into(production.definition, looping(production.definition, production.separator))];
  if (production instanceof Option) return [...stepsFrom(rest), ...into(production.definition, rest)];
  return [];
}

function again({ body, separator }: Loop, way: Way): Step[] {
  const next: Way = { sequence: body, at: 0, rules: way.rules, outer: way };
  return separator === undefined ? stepsFrom(next) : [{ type: separator, rules: way.rules, behind: next }];
}
