import { existsSync, readFileSync } from "node:fs";
import { type IProduction, NonTerminal, Terminal } from "chevrotain";
import { expect, test } from "vitest";
import { CONTEXTUAL, RESERVED } from "../grammar/index.ts";
import { FileGrammar } from "../grammar/rules/items.ts";
import { KEYWORD_MEANINGS } from "./words.ts";
import { renderWordsPage } from "./words-page.ts";

/** Returns `keyword in rule` for each keyword that a rule of the grammar reads directly, not through another rule. */
function listReadings(): readonly string[] {
  const rules = Object.values(new FileGrammar({ skipValidations: true }).getGAstProductions());
  const said = rules.flatMap(({ name, definition }) => listKeywords(definition).map((word) => `${word} in ${name}`));
  return [...new Set(said)].sort();
}

function listKeywords(productions: readonly IProduction[]): string[] {
  return productions.flatMap((production) => {
    if (production instanceof NonTerminal) return [];
    const types = [
      ...(production instanceof Terminal ? [production.terminalType] : []),
      ...("separator" in production ? [production.separator as { readonly name: string }] : []),
    ];
    const words = types.flatMap(({ name }) => /^'([a-zA-Z]+)'$/.exec(name)?.[1] ?? []);
    return [...words, ...("definition" in production ? listKeywords(production.definition as IProduction[]) : [])];
  });
}

test("every keyword has one meaning for each rule of the grammar that reads it, and no other meaning", () => {
  const told = Object.entries(KEYWORD_MEANINGS).flatMap(([word, meanings]) =>
    meanings.flatMap(({ rules }) => rules.split(" ").map((rule) => `${word} in ${rule}`)),
  );
  expect(told.toSorted()).toEqual(listReadings());
  expect(Object.keys(KEYWORD_MEANINGS).toSorted()).toEqual([...RESERVED, ...CONTEXTUAL].toSorted());
});

test("every meaning names a page of the specification that contains the word", () => {
  for (const [word, meanings] of Object.entries(KEYWORD_MEANINGS))
    for (const { page, form } of meanings) {
      const file = new URL(`${page}.md`, import.meta.url);
      expect(existsSync(file), `${page} of ${word}`).toBe(true);
      expect(new RegExp(`\\b${word}\\b`).test(readFileSync(file, "utf8")), `${word} on ${page}`).toBe(true);
      expect(form).toContain(word);
    }
});

test("if the form of a word contains LABEL, the page of the word links to the page about labels", () => {
  const meanings = Object.values(KEYWORD_MEANINGS).flat();
  const pages = new Set(meanings.filter(({ form }) => form.includes("LABEL")).map(({ page }) => page));
  pages.delete("levels");
  expect(pages.size).toBeGreaterThan(5);
  for (const page of pages)
    expect(readFileSync(new URL(`${page}.md`, import.meta.url), "utf8"), page).toContain("](levels.md)");
});

test("words.md has the text that `npm run generate` writes", () => {
  expect(readFileSync(new URL("words.md", import.meta.url), "utf8")).toBe(renderWordsPage());
});
