import { type Diagnostic, findNearest } from "../../../lang/diagnostics/index.ts";
import { placeOf, type Span } from "../../../lang/text/index.ts";
import type { Name } from "../../../lang/tree/index.ts";
import { duplicateEntry, duplicateName, unknownName, wrongWord } from "./codes.ts";
import type { Naming } from "./naming.ts";

/** State that every part of binding (the resolution of names) needs. */
export interface Context {
  readonly report: (diagnostic: Diagnostic) => void;
  /**
   * Returns the candidate that is most similar to `name`, or `undefined` if none is similar. The function compares
   * `name` with each candidate, which takes time, so the total number of comparisons for a page is limited.
   */
  readonly suggest: (name: string, candidates: Iterable<string>) => string | undefined;
  /** Names whose declarations were skipped or refused. These names are unknown, but their uses are not reported. */
  readonly lost: ReadonlySet<string>;
  /** Whether a used page or schema is missing. An unknown name may then be declared in the missing file. */
  readonly incomplete: boolean;
  /**
   * Called for each name whose meaning was found, in any order, so that editors know what each name on the page refers
   * to.
   */
  readonly named: (naming: Naming) => void;
}

/** Records that a name on the page refers to a declaration elsewhere. */
export function noteUse(context: Context, what: string, id: string, span: Span): void {
  context.named({ span, what, id, declares: false });
}

/**
 * Maximum number of pairs of letters that are compared for suggestions, which takes about a tenth of a second. If a
 * page has thousands of unknown names, the last ones get no suggestion.
 */
const MAX_COMPARED = 20_000_000;

/** Returns the function `suggest` for one page, with its own limit of comparisons. */
export function createSuggestions(): Context["suggest"] {
  let left = MAX_COMPARED;
  function* limitCandidates(name: string, candidates: Iterable<string>): Generator<string> {
    for (const candidate of candidates) {
      left -= 1 + name.length * candidate.length;
      if (left <= 0) return;
      yield candidate;
    }
  }
  return (name, candidates) => findNearest(name, limitCandidates(name, candidates));
}

/** A name to look up among names of its kind; `hint` says what to do if it is missing. */
interface Lookup<T> {
  readonly names: ReadonlyMap<string, T>;
  readonly what: string;
  readonly name: Name;
  readonly hint?: string;
}

/**
 * Returns what a name of the page refers to among the names of its kind, or `undefined` for an unknown name. Reports an
 * unknown name with the most similar known name. Does not report it if its declaration was skipped, or if a file is
 * missing and no known name is similar.
 */
export function resolve<T>(context: Context, { names, what, name, hint }: Lookup<T>): T | undefined {
  const found = names.get(name.text);
  if (found !== undefined) noteUse(context, what, name.text, name.span);
  else if (!context.lost.has(name.text)) {
    const near = context.suggest(name.text, names.keys());
    if (near === undefined && context.incomplete) return undefined;
    const fix = near === undefined ? undefined : { span: name.span, replacement: near, guess: "name" as const };
    const facts = { what, name: name.text, near, ...(hint === undefined ? {} : { hint }) };
    context.report(unknownName.at(name.span, facts, { fix }));
  }
  return found;
}

/** Returns the word if it is one of the allowed words; otherwise reports it and returns `undefined`. */
export function resolveWord<W extends string>(
  context: Context,
  what: string,
  known: readonly W[],
  { text, span }: Name,
): W | undefined {
  const word = known.find((one) => one === text);
  if (word === undefined) context.report(wrongWord.at(span, { word: text, what, known }));
  return word;
}

/** A declaration to add to `names`; `owner` is the name of the declaration that contains it. */
interface Declaration<T> {
  readonly names: Map<string, T>;
  readonly what: string;
  readonly name: Name;
  readonly declared: T;
  readonly owner?: string;
}

/**
 * Adds a declaration under its name; reports a name that exists already. `owner` is the declaration that contains the
 * name, such as the interface of a method.
 */
export function declare<T extends { readonly span: Span }>(
  context: Context,
  { names, what, name, declared, owner }: Declaration<T>,
): void {
  const kind = owner === undefined ? what : `${what} of ${owner}`;
  context.named({ span: name.span, what: kind, id: name.text, declares: true });
  const before = names.get(name.text);
  if (before === undefined) names.set(name.text, declared);
  else context.report(duplicateName.at(name.span, { what, name: name.text, where: placeOf(before.span) }));
}

/** Returns the first of the nodes, or `undefined` if there is none; reports all others. */
export function takeOnce<T extends { readonly span: Span }>(
  context: Context,
  what: string,
  nodes: readonly T[],
): T | undefined {
  const first = nodes[0];
  if (first === undefined || nodes.length === 1) return first;
  for (const other of nodes.slice(1))
    context.report(duplicateEntry.at(other.span, { what, where: placeOf(first.span) }));
  return first;
}

/** The members of a union whose `kind` is K or includes K. */
type OfKind<T, K> = T extends { readonly kind: infer J } ? (K extends J ? T : never) : never;

const NONE: readonly never[] = [];

/** Returns the nodes of one kind, with the type of this kind. */
export function selectKind<T extends { readonly kind: string }, K extends T["kind"]>(
  nodes: readonly T[],
  kind: K,
): readonly OfKind<T, K>[] {
  let found: OfKind<T, K>[] | undefined;
  // A list is created only for the first match, because most declarations have no attribute of the requested kind.
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index];
    if (node?.kind !== kind) continue;
    found ??= [];
    found.push(node as OfKind<T, K>);
  }
  return found ?? NONE;
}
