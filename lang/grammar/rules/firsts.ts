import {
  Alternation,
  type IProduction,
  Option,
  Repetition,
  RepetitionWithSeparator,
  Terminal,
  type TokenType,
} from "chevrotain";

/**
 * Returns the tokens with which a rule may begin. Recovery searches for these tokens, because an element can begin only
 * with one of them.
 */
export function computeFirsts(rule: { readonly definition: IProduction[] }): ReadonlySet<TokenType> {
  const firsts = new Set<TokenType>();
  collect(rule.definition, firsts);
  return firsts;
}

/**
 * Adds to `firsts` the tokens with which a sequence may begin. Returns whether the sequence may also have no tokens at
 * all.
 */
function collect(sequence: readonly IProduction[], firsts: Set<TokenType>): boolean {
  return sequence.every((production) => collectOne(production, firsts));
}

function collectOne(production: IProduction, firsts: Set<TokenType>): boolean {
  if (production instanceof Terminal) {
    firsts.add(production.terminalType);
    return false;
  }
  if (production instanceof Alternation) {
    // `map` collects the first tokens of every alternative. `some` would stop at the first alternative that may be empty, and miss
    // the tokens of later ones.
    return production.definition.map((alternative) => collectOne(alternative, firsts)).includes(true);
  }
  if (!isSequence(production)) return false;
  const empty = collect(production.definition, firsts);
  return empty || MAY_BE_ABSENT.some((kind) => production instanceof kind);
}

const MAY_BE_ABSENT = [Option, Repetition, RepetitionWithSeparator];

function isSequence(production: IProduction): production is IProduction & { readonly definition: IProduction[] } {
  return "definition" in production;
}
