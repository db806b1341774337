import type { Reference, RelatedNode, SourceNode } from "../../../lang/tree/index.ts";
import { noSuchTool, sourceUnfit, wrongWord } from "./codes.ts";
import { type Context, noteUse, resolve } from "./context.ts";
import type { Service } from "./model/interfaces.ts";
import type { Lattice } from "./model/lattice.ts";

/** Names that the sources of `from` may refer to. */
export interface SourceWords {
  readonly lattice: Pick<Lattice, "integrity">;
  readonly services: ReadonlyMap<string, Service>;
}

/** A source of the value of an argument, as a `from` condition names it. */
export type BoundSource =
  | { readonly kind: "person" | "pasted" | "page" | "untrusted"; readonly node: Reference }
  | { readonly kind: "atLeast"; readonly level: number; readonly node: Reference }
  | BoundField;

/** A field of the results of a tool. */
interface BoundField {
  readonly kind: "field";
  readonly service: Service;
  /** `contacts.find` */
  readonly tool: string;
  /** Path of the field in the result; empty if the result is a text. */
  readonly field: string;
  readonly related: readonly BoundRelated[];
  readonly node: Reference;
}

/**
 * A condition that a source contains: on the record of the field (`people[owner == "ada"]`), or on the call that
 * returned the record (`files.read(path from person)`).
 */
export interface BoundRelated {
  readonly name: string;
  readonly ofCall: boolean;
  /**
   * Text that the field `name` of the record, or the argument `name` of the call, must equal; `undefined` if the
   * condition names sources instead.
   */
  readonly text: string | undefined;
  readonly sources: readonly BoundSource[];
  readonly node: RelatedNode;
}

/** Returns whether the service of a field declares it as strong: only its owner can fill it. */
export function isStrongField({ service, tool, field }: BoundField): boolean {
  return service.strong.some((one) => `${service.name}.${one.method}` === tool && one.field === field);
}

/** Sources that are neither a field of a result nor a level. */
export const PLACES = ["person", "pasted", "page", "untrusted"] as const;

/** Returns the sources of a `from` condition, or `undefined` if one of them is unknown, which is reported. */
export function bindSources(
  context: Context,
  words: SourceWords,
  nodes: readonly SourceNode[],
): BoundSource[] | undefined {
  const bound = nodes.map((node) => bindSource(context, words, node));
  return bound.some((source) => source === undefined) ? undefined : bound.flatMap((source) => source ?? []);
}

function bindSource(context: Context, words: SourceWords, { name, call, record }: SourceNode): BoundSource | undefined {
  const source = bindPlain(context, words, name);
  if (source === undefined) return undefined;
  const related = [
    ...call.map((node) => bindRelated(context, words, source, { node, of: "call" })),
    ...record.map((node) => bindRelated(context, words, source, { node, of: "record" })),
  ];
  if (related.length === 0) return source;
  if (source.kind !== "field") {
    const [first] = [...call, ...record];
    context.report(
      sourceUnfit.at(first?.span ?? name.span, { name: name.text, fault: "it has no records and no calls" }),
    );
    return undefined;
  }
  const whole = related.flatMap((one) => one ?? []);
  return whole.length < related.length ? undefined : { ...source, related: whole };
}

/**
 * Returns the field of a tool that a reference names. If the tool does not exist, reports this and returns `undefined`.
 */
export function bindField(
  context: Context,
  { services }: Pick<SourceWords, "services">,
  name: Reference,
): BoundField | undefined {
  const [first, method, ...rest] = name.parts;
  const service = first && resolve(context, { names: services, what: "service", name: first });
  if (service === undefined || method === undefined) return undefined;
  if (!service.interface.methods.has(method.text)) {
    if (context.lost.has(method.text)) return undefined;
    const near = context.suggest(method.text, service.interface.methods.keys());
    const fix = near === undefined ? undefined : { span: method.span, replacement: near, guess: "name" as const };
    const meant = near === undefined ? undefined : `${service.name}.${near}`;
    context.report(noSuchTool.at(name.span, { name: `${service.name}.${method.text}`, near: meant }, { fix }));
    return undefined;
  }
  noteUse(context, `method of ${service.interface.name}`, method.text, method.span);
  return {
    kind: "field",
    service,
    tool: `${service.name}.${method.text}`,
    field: rest.map(({ text }) => text).join("."),
    related: [],
    node: name,
  };
}

/**
 * Returns a source that is a word of the language, a level of the page, or a field of a tool; `undefined` for any other
 * name.
 */
function bindPlain(context: Context, words: SourceWords, name: Reference): BoundSource | undefined {
  const { lattice } = words;
  if (name.parts.length < 2) {
    const place = PLACES.find((one) => one === name.text);
    if (place !== undefined) return { kind: place, node: name };
    const level = lattice.integrity.indexOf(name.text);
    if (level > 0) {
      noteUse(context, "integrity level", name.text, name.span);
      return { kind: "atLeast", level, node: name };
    }
    if (context.lost.has(name.text)) return undefined;
    const known = [...PLACES, ...lattice.integrity.slice(1)];
    context.report(wrongWord.at(name.span, { word: name.text, what: "source of words", known }));
    return undefined;
  }
  return bindField(context, words, name);
}

function bindRelated(
  context: Context,
  words: SourceWords,
  source: BoundSource,
  { node, of }: { readonly node: RelatedNode; readonly of: "call" | "record" },
): BoundRelated | undefined {
  if (of === "call" && !hasArgument(source, node)) {
    const fault = `its call has no argument \`${node.field.parts[0]?.text}\``;
    context.report(sourceUnfit.at(node.field.span, { name: source.node.text, fault }));
    return undefined;
  }
  const plain = { name: node.field.text, ofCall: of === "call", node };
  if (node.test.kind === "is") return bindText(context, { ...plain, text: node.test.text.value, sources: [] });
  const sources = node.test.sources.map((one) => bindPlain(context, words, one));
  const whole = sources.flatMap((one) => one ?? []);
  return whole.length < sources.length ? undefined : { ...plain, text: undefined, sources: whole };
}

function hasArgument(source: BoundSource, { field }: RelatedNode): boolean {
  if (source.kind !== "field") return true;
  const method = source.service.interface.methods.get(source.tool.slice(source.service.name.length + 1));
  return method === undefined || method.description.params.some(({ name }) => name === field.parts[0]?.text);
}

/**
 * Returns a condition that compares another field of the record, or an argument of the call, with a text. If the text
 * has no letters or digits, reports the condition and returns `undefined`, because no value would equal such a text.
 */
function bindText(context: Context, related: BoundRelated & { readonly text: string }): BoundRelated | undefined {
  if (/[\p{L}\p{N}]/u.test(related.text)) return related;
  const fault = "an empty text has no words to compare";
  context.report(sourceUnfit.at(related.node.span, { name: related.node.field.text, fault }));
  return undefined;
}
