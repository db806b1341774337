import { type Diagnostic, findNearest } from "../../../lang/diagnostics/index.ts";
import { placeOf, type Span } from "../../../lang/text/index.ts";
import type { Name } from "../../../lang/tree/index.ts";
import { duplicateEntry, duplicateName, unknownName, wrongWord } from "./codes.ts";
import type { Naming } from "./naming.ts";

/** State that every part of binding needs. */
export interface Context {
  readonly report: (diagnostic: Diagnostic) => void;
  /** The nearest of the names, if one is near: at the price of looking at each, so not for ever. */
  readonly suggest: (name: string, candidates: Iterable<string>) => string | undefined;
  /** Names that stood among skipped text or come from what is refused elsewhere: unknown, and not worth a message. */
  readonly lost: ReadonlySet<string>;
  /** Something that the page uses is not there: a name that resembles no other may well come from it. */
  readonly incomplete: boolean;
  /** Called for each resolved name, in no order, for queries about the name at a place. */
  readonly named: (naming: Naming) => void;
}

/** A place that names what is there. */
export function noteUse(context: Context, what: string, id: string, span: Span): void {
  context.named({ span, what, id, declares: false });
}

/**
 * Pairs of letters that may be compared for a page's mistakes, about a tenth of a second's: thousands of unknown names
 * need no help with the last one.
 */
const MAX_COMPARED = 20_000_000;

/** Suggestions for one page. */
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

/** Looks a name up; a name that is not there is reported once, with the nearest one that is. */
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

/** The word, if it is one of those that may stand here; else it is reported. */
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

/** A declaration to put among others of its kind; `owner` names the thing that it belongs to. */
interface Declaration<T> {
  readonly names: Map<string, T>;
  readonly what: string;
  readonly name: Name;
  readonly declared: T;
  readonly owner?: string;
}

/** Puts a declaration under its name, unless one stands there already, which is reported. `owner`: within what the name is one. */
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

/** The first of the nodes; every further one is reported. */
export function takeOnce<T extends { readonly span: Span }>(
  context: Context,
  what: string,
  nodes: readonly T[],
): T | undefined {
  const [first, ...others] = nodes;
  if (first === undefined) return undefined;
  for (const other of others) context.report(duplicateEntry.at(other.span, { what, where: placeOf(first.span) }));
  return first;
}

/** The member of a union whose kind is K, or may be. */
type OfKind<T, K> = T extends { readonly kind: infer J } ? (K extends J ? T : never) : never;

/** The elements of one kind, typed. */
export function selectKind<T extends { readonly kind: string }, K extends T["kind"]>(
  nodes: readonly T[],
  kind: K,
): OfKind<T, K>[] {
  return nodes.filter((node): node is T & OfKind<T, K> => node.kind === kind);
}
