// Patterns of `matches`: `?` matches one character, `*` any run, `#` one digit, and `\` takes the next character literally. Each run
// between two stars is matched at its first possible place, so that the time is at most the text's length times the pattern's.

/** A character, or a class of characters. */
type Step = { readonly which: "any" | "digit" } | { readonly which: "character"; readonly character: string };

/** Runs of steps; between two neighbouring runs there is a `*`. */
export type Wildcard = readonly (readonly Step[])[];

const MAX_PATTERN_BYTES = 128;
const MAX_STARS = 8;

/** Returns the pattern that a text spells, or `undefined` if it is empty, too long, has too many stars or ends in a backslash. */
export function parseWildcard(text: string): Wildcard | undefined {
  if (text === "" || Buffer.byteLength(text) > MAX_PATTERN_BYTES) return undefined;
  const runs: Step[][] = [[]];
  const characters = [...text];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    const run = runs[runs.length - 1];
    if (character === "*") runs.push([]);
    else if (character === "?") run?.push({ which: "any" });
    else if (character === "#") run?.push({ which: "digit" });
    else if (character !== "\\") run?.push({ which: "character", character });
    else {
      const next = characters[++at];
      if (next === undefined) return undefined;
      run?.push({ which: "character", character: next });
    }
  }
  return runs.length - 1 <= MAX_STARS ? runs : undefined;
}

/** Returns whether the whole text matches the pattern. */
export function isMatching(text: string, [first = [], ...others]: Wildcard): boolean {
  // If each character is one code unit, the text itself serves as the list of its characters.
  const characters = /[\ud800-\udfff]/.test(text) ? [...text] : text;
  if (!fitsAt(characters, first, 0)) return false;
  const last = others.pop();
  if (last === undefined) return characters.length === first.length;
  let from = first.length;
  for (const run of others) {
    const at = findRun(characters, run, from);
    if (at === undefined) return false;
    from = at + run.length;
  }
  const end = characters.length - last.length;
  return end >= from && fitsAt(characters, last, end);
}

type Characters = string | readonly string[];

function findRun(characters: Characters, run: readonly Step[], from: number): number | undefined {
  const [first] = run;
  const most = characters.length - run.length;
  for (let at = from; at <= most; at++) {
    if (first?.which === "character") {
      at = characters.indexOf(first.character, at);
      if (at < 0 || at > most) return undefined;
    }
    if (fitsAt(characters, run, at)) return at;
  }
  return undefined;
}

function fitsAt(characters: Characters, run: readonly Step[], at: number): boolean {
  if (at + run.length > characters.length) return false;
  for (let index = 0; index < run.length; index++) {
    const step = run[index];
    if (step === undefined || !isOfStep(characters[at + index] ?? "", step)) return false;
  }
  return true;
}

function isOfStep(character: string, step: Step): boolean {
  if (step.which === "character") return character === step.character;
  return step.which === "any" || (character >= "0" && character <= "9");
}

/** Returns the texts with which every match of the pattern begins and ends. */
export function findFixedEnds(pattern: Wildcard): { readonly start: string; readonly end: string } {
  const start = readFixed(pattern[0] ?? []);
  const end = readFixed([...(pattern[pattern.length - 1] ?? [])].reverse());
  return { start: start.join(""), end: end.reverse().join("") };
}

function readFixed(run: readonly Step[]): string[] {
  const open = run.findIndex(({ which }) => which !== "character");
  const fixed = open === -1 ? run : run.slice(0, open);
  return fixed.map((step) => (step.which === "character" ? step.character : ""));
}

/** Returns whether the pattern matches every text. */
export function isUniversal(pattern: Wildcard): boolean {
  return pattern.length > 1 && pattern.every((run) => run.length === 0);
}

/** Returns the fixed texts between stars, or `undefined` if the pattern also has `?` or `#`. */
export function listFixedRuns(pattern: Wildcard): readonly string[] | undefined {
  const isFixed = pattern.every((run) => run.every(({ which }) => which === "character"));
  return isFixed ? pattern.map((run) => readFixed(run).join("")) : undefined;
}

/** Returns a text that matches the pattern, with `filler` in place of each star. */
export function fillWildcard(pattern: Wildcard, filler: string): string {
  const runs = pattern.map((run) =>
    run.map((step) => (step.which === "character" ? step.character : step.which === "digit" ? "0" : "a")).join(""),
  );
  return runs.join(filler);
}
