import {
  Alternation,
  type IProduction,
  Option,
  Repetition,
  RepetitionWithSeparator,
  Terminal,
  type TokenType,
} from "chevrotain";

/** The tokens with which a rule may begin. Recovery looks for them: only there can an element be read again. */
export function computeFirsts(rule: { readonly definition: IProduction[] }): ReadonlySet<TokenType> {
  const firsts = new Set<TokenType>();
  collect(rule.definition, firsts);
  return firsts;
}

/** Adds the firsts of a sequence; true where all of it may be empty. */
function collect(sequence: readonly IProduction[], firsts: Set<TokenType>): boolean {
  return sequence.every((production) => collectOne(production, firsts));
}

function collectOne(production: IProduction, firsts: Set<TokenType>): boolean {
  if (production instanceof Terminal) {
    firsts.add(production.terminalType);
    return false;
  }
  if (production instanceof Alternation) {
    // Every alternative has to be visited: `some` would stop at the first that may be empty.
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
