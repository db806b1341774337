// Lists the positions of the grammar at which a page has a name or a text, so that a test can require an entry for each.

import { type IProduction, NonTerminal, type Rule, Terminal } from "chevrotain";
import { FileGrammar } from "../../../../lang/grammar/rules/items.ts";

/**
 * Grammar rules that only read words for other grammar rules. The position of such a word belongs to the rule for which
 * it is read.
 */
const WORDS: ReadonlySet<string> = new Set([
  ...["name", "member", "reference", "references", "names", "words", "texts", "fields", "quantity"],
]);
/** Rules of `WORDS` that read one word. */
const SINGLE: ReadonlySet<string> = new Set(["name", "member", "words"]);

/**
 * Returns each position at which the grammar reads a word, such as `label > name 1`: the rule `label`, which reads a
 * name through the rule `name`.
 */
export function listPositions(): readonly string[] {
  const rules = Object.values(new FileGrammar({ skipValidations: true }).getGAstProductions());
  const found = rules.filter(({ name }) => !WORDS.has(name)).flatMap((rule) => listOf(rule.definition, [rule.name]));
  return [...new Set(found)];
}

function listOf(productions: readonly IProduction[], path: readonly string[]): string[] {
  return productions.flatMap((production) => {
    if (production instanceof Terminal) return [];
    if (!(production instanceof NonTerminal))
      return "definition" in production
        ? listOf((production as Pick<Rule, "definition"> & IProduction).definition, path)
        : [];
    const { idx, nonTerminalName, referencedRule } = production;
    if (!WORDS.has(nonTerminalName)) return [];
    const inner = [...path, idx === 0 ? nonTerminalName : `${nonTerminalName} ${idx}`];
    return SINGLE.has(nonTerminalName) ? [inner.join(" > ")] : listOf(referencedRule.definition, inner);
  });
}
