import { isDeepStrictEqual } from "node:util";
import { type Fix, isError } from "../../../lang/diagnostics/index.ts";
import { parse } from "../../../lang/grammar/index.ts";
import { createSourceText, getText, makeSpan, type SourceText, type Span } from "../../../lang/text/index.ts";
import type { FileTree } from "../../../lang/tree/index.ts";
import { type CompileContext, type Compiled, type CompileOptions, compile, createKept } from "../../compile.ts";
import { type Host, isStandard } from "../../phases/source/index.ts";
import { applyFixes, chooseFixes } from "../../rules/index.ts";
import { overlayEdits } from "../why/index.ts";
import { collectElementsAround } from "./elements.ts";

/**
 * `same`: each of these fixes keeps the meaning of the page. `reading`: the page compiles only with all of these fixes
 * together, and with no other words at their positions.
 */
export interface CertainFixes {
  readonly kind: "same" | "reading";
  readonly fixes: readonly Fix[];
}

/** Maximum number of compilations for one page; fixes that would need more are left to a person. */
const MOST_COMPILATIONS = 200;

/** Maximum number of letters to parse again. Parsing this number of letters takes about four seconds. */
const MOST_LETTERS = 12_000_000;

/**
 * Words that allow something or waive a law. A fix that inserts such a word is never applied without asking, even if
 * the page compiles with no other word.
 */
const OPENING: ReadonlySet<string> = new Set([
  ...[
    "auto",
    "consent",
    "stepUp",
    "widen",
    "waive",
    "declassify",
    "endorse",
    "remember",
    "grant",
    "ungated",
    "directly",
    "unattended",
  ],
]);

const WORD = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Returns the fixes that may be applied to the page at `path` without asking. They must be applied together. */
export async function findCertainFixes(
  host: Host,
  path: string,
  surroundings: Partial<CompileContext> = {},
): Promise<CertainFixes> {
  const trying = new Trying(host, path, { ...surroundings, kept: createKept() });
  const before = await trying.compileWith([], { advice: "given" });
  if (getPolicy(before) === undefined) return { kind: "reading", fixes: await findOnlyReading(trying, before) };
  return { kind: "same", fixes: await selectSafeFixes(trying, before) };
}

type Always = Partial<CompileContext> & Pick<CompileOptions, "kept">;

/** A page with its files, compiled repeatedly with some changes. */
class Trying {
  left = MOST_COMPILATIONS;
  private readonly host: Host;
  private readonly path: string;
  private readonly always: Always;

  constructor(host: Host, path: string, always: Always) {
    this.host = host;
    this.path = path;
    this.always = always;
  }

  async compileWith(fixes: readonly Fix[], options: Pick<CompileOptions, "advice" | "proofs">): Promise<Compiled> {
    this.left -= 1;
    const host = await overlayEdits({ host: this.host, path: this.path }, fixes);
    return compile(host, this.path, { advice: "left", ...options, ...this.always, purpose: "check" });
  }

  /** Returns the same page with the fixes applied in all of its compilations. */
  async overlayFixes(fixes: readonly Fix[]): Promise<Trying> {
    return new Trying(await overlayEdits({ host: this.host, path: this.path }, fixes), this.path, this.always);
  }
}

/** Returns the policy of a page that has no errors except failed proofs, or `undefined`. */
function getPolicy({ understood }: Compiled) {
  return understood?.lowered?.policy;
}

/**
 * Considers only the fixes of advice that are declared to keep the meaning of the page: those without `guess`. Returns
 * those of them that keep the meaning if they are applied together.
 */
async function selectSafeFixes(trying: Trying, before: Compiled): Promise<readonly Fix[]> {
  const claimed = chooseBySource(collectFixes(before).filter(({ guess }) => guess === undefined));
  if (claimed.length === 0 || (await isSame(trying, before, claimed))) return claimed;
  const kept: Fix[] = [];
  for (const fix of claimed) {
    if (trying.left <= 0) break;
    if (await isSame(trying, before, [...kept, fix])) kept.push(fix);
  }
  return kept;
}

async function isSame(trying: Trying, before: Compiled, fixes: readonly Fix[]): Promise<boolean> {
  return isDeepStrictEqual(
    extractMeaning(await trying.compileWith(fixes, { advice: "given" })),
    extractMeaning(before),
  );
}

/**
 * Returns the meaning of a page, which fixes must not change. It omits the text and the positions of rules, because a
 * fix changes them.
 */
function extractMeaning(compiled: Compiled) {
  const { tables, ...rest } = getPolicy(compiled) ?? {};
  return {
    ...rest,
    tables: tables && { ...tables, rules: tables.rules.map(({ id }) => id) },
    errors: compiled.diagnostics.filter(isError).map(({ code, message }) => `${code}: ${message}`),
    silenced: compiled.silenced.map(({ diagnostic: { code, message }, reason }) => `${code}: ${message}: ${reason}`),
  };
}

/**
 * Returns all proposed fixes of a page with errors if the page compiles with them and with no other words; otherwise
 * returns an empty list.
 */
async function findOnlyReading(trying: Trying, before: Compiled): Promise<readonly Fix[]> {
  const proposed = before.diagnostics.filter(isError).flatMap(({ fix }) => fix ?? []);
  const chosen = chooseBySource(proposed);
  if (chosen.length === 0 || chosen.length < proposed.length || !chosen.every(isWordForWord)) return [];
  const letters = chosen.map((fix) => getOtherGuesses(fix).length * fix.span.source.text.length);
  if (letters.reduce((sum, count) => sum + count, 0) > MOST_LETTERS) return [];
  const compiled = await trying.compileWith(chosen, {});
  if (compiled.policy === undefined) return [];
  const fixed = await trying.overlayFixes(chosen);
  const trees = compiled.understood?.package.pages ?? [];
  for (const fix of chosen) {
    const place = placeAfter(fix, chosen, trees);
    if (place === undefined) return [];
    const elements = collectElementsAround(place.tree, place.span);
    const readings = [
      ...elements.map((element): Fix => ({ span: element, replacement: "" })),
      ...getOtherGuesses(fix).map((replacement): Fix => ({ span: place.span, replacement })),
    ];
    for (const reading of readings) if (await hasPolicy(fixed, reading)) return [];
  }
  return chosen;
}

/**
 * Returns whether the page has a policy with the correction `reading`. After `MOST_COMPILATIONS` compilations it
 * returns `true`: the caller then assumes that the page has several possible corrections, and applies no fix.
 */
async function hasPolicy(fixed: Trying, reading: Fix): Promise<boolean> {
  const { source } = reading.span;
  const { diagnostics } = await parse(createSourceText(source.path, applyFixes(source.text, [reading]).text));
  if (diagnostics.length > 0) return false;
  if (fixed.left <= 0) return true;
  // Assertions are not proved here, because the author may intend this correction even if an assertion then fails.
  return getPolicy(await fixed.compileWith([reading], { proofs: "left" })) !== undefined;
}

function isWordForWord({ span: at, replacement, guess }: Fix): boolean {
  if (guess === "name" || guess === undefined) return false;
  return WORD.test(getText(at)) && WORD.test(replacement) && !OPENING.has(replacement) && !isStandard(at.source.path);
}

function getOtherGuesses({ span: at, replacement, guess = [] }: Fix): readonly string[] {
  return guess === "name" ? [] : [...new Set(guess)].filter((word) => word !== replacement && word !== getText(at));
}

/** Returns the position of a fix after all fixes are applied, or `undefined` if none of `trees` is of its file. */
function placeAfter(
  { span: at, replacement }: Fix,
  all: readonly Fix[],
  trees: readonly FileTree[],
): { readonly tree: FileTree; readonly span: Span } | undefined {
  const tree = trees.find(({ source }) => source.path === at.source.path);
  if (tree === undefined) return undefined;
  const moved = all
    .filter((other) => other.span.source === at.source && other.span.start < at.start)
    .reduce((sum, other) => sum + other.replacement.length - (other.span.end - other.span.start), 0);
  return { tree, span: makeSpan(tree.source, at.start + moved, at.start + moved + replacement.length) };
}

function collectFixes({ advice }: Compiled): readonly Fix[] {
  return advice.flatMap(({ fix }) => (fix === undefined || isStandard(fix.span.source.path) ? [] : [fix]));
}

function chooseBySource(fixes: readonly Fix[]): readonly Fix[] {
  const bySource = Map.groupBy(fixes, ({ span: at }): SourceText => at.source);
  return [...bySource.values()].flatMap((own) => chooseFixes(own));
}
