import { MOST_PATTERNS, MOST_REDACTIONS, parseSearchPattern } from "../../../engine/lib/policy/index.ts";
import type { Span } from "../../../lang/text/index.ts";
import type { RedactionNode, Reference, Words } from "../../../lang/tree/index.ts";
import { redactionUnfit } from "./codes.ts";
import { type Context, declare, selectKind, takeOnce } from "./context.ts";
import { bindLabel } from "./lattice.ts";
import type { Lattice, RedactedField, Redaction, Service } from "./model/index.ts";
import { bindField } from "./sources.ts";

interface RedactionWords {
  readonly lattice: Lattice;
  readonly services: ReadonlyMap<string, Service>;
}

/** Returns the page's redactions. A redaction without a valid label is reported and left out. */
export function bindRedactions(context: Context, words: RedactionWords, nodes: readonly RedactionNode[]): Redaction[] {
  const first = new Map<string, RedactionNode>();
  for (const node of nodes) declare(context, { names: first, what: "redaction", name: node.name, declared: node });
  checkNumber(context, [...first.values()]);
  return [...first.values()].flatMap((node) => bindRedaction(context, words, node) ?? []);
}

/**
 * Reports a page with too many redactions, or with too many patterns in all of its redactions together. The numbers are
 * limited, because each request to a model is searched for all text that the redactions mask.
 */
function checkNumber(context: Context, nodes: readonly RedactionNode[]): void {
  const over = nodes[MOST_REDACTIONS];
  if (over !== undefined) {
    const fault = `a page has ${MOST_REDACTIONS} redactions at most`;
    report(context, over, { at: over.name.span, fault, instead: "join redactions of one label" });
  }
  const patterns = nodes.flatMap((node) => listPatterns(node).map((pattern) => ({ node, pattern })));
  const beyond = patterns[MOST_PATTERNS];
  if (beyond === undefined) return;
  const fault = `a page has ${MOST_PATTERNS} patterns of redactions at most`;
  report(context, beyond.node, { at: beyond.pattern.span, fault, instead: "name fields of tools by `from` and `arg`" });
}

function listPatterns({ parts }: RedactionNode): readonly Words[] {
  return selectKind(parts, "matches").flatMap(({ patterns }) => patterns);
}

function bindRedaction(context: Context, words: RedactionWords, node: RedactionNode): Redaction | undefined {
  const label = bindLabel(context, words.lattice, node.label);
  if (label?.integrity !== undefined) {
    const fault = "its label has an integrity, but a redaction is only about who may read the text";
    report(context, node, { at: node.label.span, fault, instead: "write the level, and compartments if it has any" });
  }
  if (node.parts.length === 0 && !node.damaged) {
    const instead = 'write `matches "PATTERN"`, `from SERVICE.METHOD.FIELD` or `arg SERVICE.METHOD.ARGUMENT`';
    report(context, node, { at: node.name.span, fault: "it names nothing to mask", instead });
  }
  const patterns = keepFirst(context, listPatterns(node), ({ value }) => `the pattern \`${value}\``);
  const bindFields = (kind: "from" | "arg", of: RedactedField["of"]) => {
    const fields = selectKind(node.parts, kind).flatMap((part) => part.fields);
    const named = keepFirst(context, fields, ({ text }) => `the field \`${text}\``);
    return named.flatMap((field) => bindRedacted(context, words, node, { field, of }) ?? []);
  };
  const fields = [...bindFields("from", "result"), ...bindFields("arg", "arguments")];
  const known = patterns.filter((pattern) => checkPattern(context, node, pattern));
  return label && { name: node.name.text, label, patterns: known, fields, node };
}

function keepFirst<T extends { readonly span: Span }>(
  context: Context,
  nodes: readonly T[],
  describe: (node: T) => string,
): readonly T[] {
  return [...Map.groupBy(nodes, describe)].flatMap(([what, same]) => takeOnce(context, what, same) ?? []);
}

function checkPattern(context: Context, node: RedactionNode, { value, span }: Words): boolean {
  if (parseSearchPattern(value) !== undefined) return true;
  const fault = `\`${value}\` is not a pattern that can be looked for`;
  const instead = "write three characters at least beside `*`, one of them not `?`, in 128 bytes with 8 `*` at most";
  report(context, node, { at: span, fault, instead });
  return false;
}

function bindRedacted(
  context: Context,
  words: RedactionWords,
  node: RedactionNode,
  { field: name, of }: { readonly field: Reference; readonly of: RedactedField["of"] },
): RedactedField | undefined {
  if (name.parts.length < 3) {
    const instead = of === "result" ? "write `SERVICE.METHOD.FIELD`" : "write `SERVICE.METHOD.ARGUMENT`";
    report(context, node, { at: name.span, fault: `\`${name.text}\` names no field of a tool`, instead });
    return undefined;
  }
  const bound = bindField(context, words, name);
  if (bound === undefined) return undefined;
  const { service, tool, field } = bound;
  const method = name.parts[1]?.text ?? "";
  const params = service.interface.methods.get(method)?.description.params ?? [];
  const argument = name.parts[2]?.text ?? "";
  if (of === "arguments" && !params.some((param) => param.name === argument)) {
    const known = params.map((param) => `\`${param.name}\``).join(", ");
    const instead = known === "" ? "take it out" : `write one of ${known}`;
    report(context, node, { at: name.span, fault: `\`${tool}\` has no argument \`${argument}\``, instead });
    return undefined;
  }
  return { of, service, tool, method, field, node: name };
}

function report(
  context: Context,
  { name }: RedactionNode,
  { at, fault, instead }: { readonly at: Span; readonly fault: string; readonly instead: string },
): void {
  context.report(redactionUnfit.at(at, { name: name.text, fault, instead }));
}
