import { bug } from "../../../lang/diagnostics/index.ts";
import { getText, makeSpan, type Span } from "../../../lang/text/index.ts";
import type { Narrowing, Pattern, SessionAttribute, TaskAttribute } from "../../../lang/tree/index.ts";
import type { BoundPattern, Narrowings, Tool } from "../../phases/bind/index.ts";

// Makes changes of a page as edits of its text.

/** An edit of a text. If `span` is empty, the edit inserts text there. */
export interface Edit {
  readonly span: Span;
  readonly replacement: string;
}

/** A declaration whose attributes may be changed: a session, a task, a phase or a worker of the package. */
export interface Owner extends Narrowings {
  /** Identifier of the declaration. The ids of its rules begin with it. */
  readonly id: string;
  readonly node: { readonly span: Span; readonly attributes: readonly (SessionAttribute | TaskAttribute)[] };
}

function makeInsertionPoint(place: Span, end: number): Span {
  return makeSpan(place.source, end, end);
}

/** Returns an edit that inserts text before the closing brace of a declaration. */
export function insertAtEnd(declared: Span, text: string): Edit {
  return {
    span: makeInsertionPoint(declared, declared.source.text.lastIndexOf("}", declared.end - 1)),
    replacement: `  ${text}\n`,
  };
}

/** Returns an edit that adds a line to the first `permit` of a declaration, or to a new `permit`. */
export function addLine({ node }: Owner, line: string): Edit {
  const permit = node.attributes.find(({ kind }) => kind === "permit");
  return permit === undefined ? insertAtEnd(node.span, `permit { ${line} }`) : insertAtEnd(permit.span, line);
}

/**
 * Returns edits that remove a tool from every `suppress` that covers it, and add it to every `only` that does not cover
 * it.
 */
export function unsuppress(owner: Owner, tool: Tool): Edit[] {
  return owner.node.attributes.flatMap((attribute): Edit[] => {
    if (attribute.kind === "suppress") return removePatterns(attribute, findCovering(owner.suppress, tool));
    if (attribute.kind !== "only") return [];
    const places = new Set(attribute.patterns.map((pattern) => pattern.span));
    const bound = owner.only.flat().filter((pattern) => places.has(pattern.span));
    const last = attribute.patterns.at(-1);
    if (last === undefined || bound.some(({ tools }) => tools.includes(tool))) return [];
    return [{ span: makeInsertionPoint(last.span, last.span.end), replacement: `, ${tool.name}` }];
  });
}

function findCovering(patterns: readonly BoundPattern[], tool: Tool): ReadonlySet<Span> {
  return new Set(patterns.filter(({ tools }) => tools.includes(tool)).map((pattern) => pattern.span));
}

function removePatterns(attribute: Extract<Narrowing, { readonly kind: "suppress" }>, gone: ReadonlySet<Span>): Edit[] {
  const kept = attribute.patterns.filter((pattern) => !gone.has(pattern.span));
  if (kept.length === attribute.patterns.length) return [];
  if (kept.length === 0) return [{ span: attribute.span, replacement: "" }];
  return [
    { span: computeSpan(attribute.patterns), replacement: kept.map((pattern) => getText(pattern.span)).join(", ") },
  ];
}

function computeSpan(patterns: readonly Pattern[]): Span {
  const [first] = patterns;
  const last = patterns.at(-1) ?? first;
  if (first === undefined || last === undefined) return bug("a list of no patterns");
  return makeSpan(first.span.source, first.span.start, last.span.end);
}

/**
 * Returns the span on the original page for a span in the changed text. If a span begins in inserted text, returns the
 * position of the insertion.
 */
export function locateBeforeEdits(span: Span, edits: readonly Edit[]): Span {
  const own = edits
    .filter((edit) => edit.span.source.path === span.source.path)
    .sort((left, right) => left.span.start - right.span.start);
  let shift = 0;
  for (const edit of own) {
    const begin = edit.span.start + shift;
    if (span.start < begin) break;
    if (span.start < begin + edit.replacement.length) return edit.span;
    shift += edit.replacement.length - (edit.span.end - edit.span.start);
  }
  const [first] = own;
  return first === undefined ? span : makeSpan(first.span.source, span.start - shift, span.end - shift);
}

/**
 * Returns the text of a source with all edits. It applies the last edit first, so that the positions of earlier edits
 * stay valid.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((left, right) => right.span.start - left.span.start)
    .reduce((done, { span: at, replacement }) => done.slice(0, at.start) + replacement + done.slice(at.end), text);
}
