import { compareCodeUnits } from "../text/index.ts";
import { KEYWORD_MEANINGS, type Meaning, SETTING_MEANINGS, VALUE_MEANINGS } from "./words.ts";

// Renders the index of all words of the language as a page of the specification.

/** Titles of the tables in `words.md` that list words which are not keywords. */
const TITLES: { readonly [K in keyof typeof VALUE_MEANINGS]: string } = {
  kinds: "Kinds of sessions",
  logins: "Ways to log in",
  functions: "Functions of a term",
  places: "Sources of `from`",
  scopes: "Scopes of a quota",
  units: "Units of a quota",
  timed: "Scopes of a timeout",
  times: "Units of time",
  sizes: "Units of size",
  remembered: "Durations of an approval",
  parameters: "Types of parameters",
  inherited: "Inherited assertions",
  sources: "Sources of an ingress",
  missed: "Missed runs of a timer",
  answers: "Answers in a test",
  expected: "Outcomes in a test",
  settings: "Settings",
};

/** Returns the text of `words.md`. */
export function renderWordsPage(): string {
  const keywords = Object.entries(KEYWORD_MEANINGS)
    .sort(([left], [right]) => compareCodeUnits(left.toLowerCase(), right.toLowerCase()))
    .flatMap(([word, meanings]) => meanings.map((meaning) => renderKeyword(word, meaning)));
  const values = (Object.keys(TITLES) as (keyof typeof TITLES)[]).map(
    (set) => `## ${TITLES[set]}\n\n${renderTable(["word", "meaning"], renderRows(VALUE_MEANINGS[set]))}`,
  );
  const settings = Object.entries(SETTING_MEANINGS).flatMap(([setting, words]) =>
    renderRows(words).map((row) => [`\`${setting}\``, ...row]),
  );
  return `${[
    "# Words of the language",
    "`npm run generate` writes this page from `words.ts`, whose texts editors show.",
    "LABEL in a form stands for a label, such as `secret/untrusted`: see [levels](levels.md).",
    "## Keywords",
    renderTable(["word", "form", "meaning", "page"], keywords),
    ...values,
    "## Values of settings",
    renderTable(["setting", "word", "meaning"], settings),
  ].join("\n\n")}\n`;
}

function renderKeyword(word: string, { form, text, page }: Meaning): readonly string[] {
  return [`\`${word}\``, `\`${form}\``, text, `[${page}](${page}.md)`];
}

function renderRows(words: Readonly<Record<string, string>>): (readonly string[])[] {
  return Object.entries(words).map(([word, text]) => [`\`${word}\``, text]);
}

function renderTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const renderLine = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [renderLine(heads), `|${heads.map(() => "---").join("|")}|`, ...rows.map(renderLine)].join("\n");
}
