import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import type { Span } from "../../../lang/text/index.ts";
import type { Fact, InterfaceNode, MethodNode, Name } from "../../../lang/tree/index.ts";
import { type ImportedInterface, type Imports, type SaidMethod, shortenWords, unwrapProse } from "../reflect/index.ts";
import { duplicateEntry, notATool, unknownName, unknownSchema, wrongCase } from "./codes.ts";
import { type Context, declare, noteUse, resolve, selectKind, takeOnce } from "./context.ts";
import type { CallableMethod, InterfaceDescription } from "./described.ts";
import { bindLabel, bindRange } from "./lattice.ts";
import type { Category, Interface, Lattice, Meaning, Method } from "./model/index.ts";
import { readBytes } from "./quantities.ts";

const MAX_TRUNCATE = 1n << 30n;
/** Maximum length of a description in characters; descriptions in imported lists have the same limit. */
const MAX_WORDS = 4096;

interface InterfaceWords {
  readonly lattice: Lattice;
  readonly categories: ReadonlyMap<string, Category>;
  /** Interfaces that the standard schemas define, by name. */
  readonly described: ReadonlyMap<string, InterfaceDescription>;
  readonly imports: Imports;
}

/**
 * Binds an interface: joins its schema with the page's facts about its methods. A standard interface is bound only if
 * an `interface` block of the page, or of a module that the page uses, states facts about it. An imported interface is
 * always bound, with the facts of its own schema.
 */
export function bindInterfaces(
  context: Context,
  words: InterfaceWords,
  nodes: readonly InterfaceNode[],
): Map<string, Interface> {
  const first = new Map<string, InterfaceNode>();
  for (const node of nodes) declare(context, { names: first, what: "interface", name: node.name, declared: node });
  const imported = new Map(words.imports.interfaces.map((face) => [face.description.name, face]));
  const bound = new Map<string, Interface>();
  for (const node of first.values()) {
    if (imported.has(node.name.text)) continue;
    const description = words.described.get(node.name.text);
    if (description === undefined) reportUnknownInterface(context, words, node.name);
    else bound.set(node.name.text, bindInterface(context, words, node, description));
  }
  for (const [name, face] of imported) {
    bound.set(name, bindImported(context, words, face, first.get(name)));
  }
  return bound;
}

function reportUnknownInterface(context: Context, words: InterfaceWords, name: Name): void {
  if (context.lost.has(name.text) || context.lost.has(name.text.split(".")[0] ?? "")) return;
  const imported = words.imports.interfaces.map(({ description }) => description.name);
  const near = context.suggest(name.text, [...words.described.keys(), ...imported]);
  context.report(unknownSchema.at(name.span, { name: name.text, near }));
}

/**
 * Binds an imported interface. If the page and the schema state the same fact about a method, the page takes
 * precedence.
 */
function bindImported(
  context: Context,
  words: InterfaceWords,
  { description, alias, at, said, hints }: ImportedInterface,
  page: InterfaceNode | undefined,
): Interface {
  const name = { text: description.name, span: at };
  const reference = { parts: [name], text: name.text, span: at };
  const none = { kind: "interface" as const, name, reference, doc: "", damaged: false, span: at };
  const written = page?.methods ?? [];
  const unwritten = [...said].filter(([method]) => !written.some((node) => node.name.text === method));
  const methods = [
    ...written.map((node) => addSaidFacts(node, said.get(node.name.text))),
    ...unwritten.flatMap(([, { node, classified }]) => (classified ? [node] : [])),
  ];
  const sources = new Set([...said.values()].map(({ node }) => node.span.source));
  const report: Context["report"] = (diagnostic) =>
    context.report(sources.has(diagnostic.span.source) ? moveDiagnostic(at, diagnostic) : diagnostic);
  const named: Context["named"] = (naming) => {
    if (!sources.has(naming.span.source)) context.named(naming);
  };
  const [before] = page?.reference.parts ?? [];
  if (before !== undefined) noteUse(context, "import", alias, before.span);
  const face = bindInterface({ ...context, report, named }, words, { ...(page ?? none), methods }, description);
  return { ...face, alias, hints };
}

function addSaidFacts(node: MethodNode, said: SaidMethod | undefined): MethodNode {
  const more = (said?.node.facts ?? []).filter((fact) => !node.facts.some((own) => isAbout(own, fact)));
  return { ...node, facts: [...node.facts, ...more] };
}

function isAbout(one: Fact, other: Fact): boolean {
  if (one.kind !== "argument" || other.kind !== "argument") return one.kind === other.kind;
  return one.argument.text === other.argument.text;
}

/** Moves a diagnostic about an annotation to the import, because the text of the fact is not on the page. */
function moveDiagnostic(at: Span, { fix: _, ...diagnostic }: Diagnostic): Diagnostic {
  return { ...diagnostic, span: at, related: [{ span: diagnostic.span, message: "its schema says this" }] };
}

function bindInterface(
  context: Context,
  words: InterfaceWords,
  node: InterfaceNode,
  description: InterfaceDescription,
): Interface {
  if (!/^[A-Z]/.test(node.name.text.split(".").at(-1) ?? "")) {
    const wanted = "an upper-case letter";
    context.report(wrongCase.at(node.name.span, { what: "interface", name: node.name.text, wanted }));
  }
  const described = new Map(description.methods.map((method) => [method.name, method]));
  const nodes = new Map<string, MethodNode>();
  for (const method of node.methods)
    declare(context, { names: nodes, what: "method", name: method.name, declared: method, owner: description.name });
  const methods = new Map<string, Method>();
  for (const method of nodes.values()) {
    const known = resolve(context, { names: described, what: `method of ${description.name}`, name: method.name });
    const category = resolve(context, { names: words.categories, what: "category", name: method.category });
    if (known === undefined || category === undefined) continue;
    if (known.callable)
      methods.set(known.name, bindMethod(context, words.lattice, { node: method, description: known, category }));
    else context.report(notATool.at(method.name.span, { name: known.name, reason: known.reason }));
  }
  return { name: description.name, description, methods, node };
}

/** Parts of a method: its node on the page, its description in the schema, and its category. */
interface MethodParts {
  readonly node: MethodNode;
  readonly description: CallableMethod;
  readonly category: Category;
}

function bindMethod(context: Context, lattice: Lattice, { node, description, category }: MethodParts): Method {
  const takeFact = <K extends Fact["kind"]>(kind: K) => takeOnce(context, `\`${kind}\``, selectKind(node.facts, kind));
  const returns = takeFact("returns");
  const sends = takeFact("sends");
  const truncate = takeFact("truncate");
  const says = takeFact("says")?.words.value;
  return {
    name: description.name,
    description,
    category,
    meanings: bindMeanings(context, node, description),
    returns: returns && bindRange(context, lattice, returns),
    sends: sends && bindLabel(context, lattice, sends.label),
    redact: takeFact("redact")?.fields.map((field) => field.value) ?? [],
    truncateBytes: truncate === undefined ? 0 : Number(readBytes(context, truncate.size, MAX_TRUNCATE) ?? 0n),
    words: says === undefined ? description.doc : shortenWords(unwrapProse(says), MAX_WORDS),
  };
}

function bindMeanings(context: Context, node: MethodNode, description: CallableMethod): Map<string, Meaning> {
  const params = new Map(description.params.map((param) => [param.name, param]));
  const meanings = new Map<string, Meaning>();
  for (const { argument, meaning, span } of selectKind(node.facts, "argument")) {
    const name = argument.parts[0];
    if (name === undefined) continue;
    // A fact about a field inside a record would have no effect: only whole arguments have meanings.
    if (argument.parts.length > 1) {
      const facts = { what: `argument of ${description.name}`, name: argument.text, near: undefined };
      context.report(unknownName.at(argument.span, facts));
    } else if (resolve(context, { names: params, what: `argument of ${description.name}`, name }) !== undefined) {
      if (meanings.has(name.text)) {
        context.report(duplicateEntry.at(span, { what: `the meaning of \`${name.text}\``, where: "the same method" }));
      }
      const { kind } = meaning;
      meanings.set(name.text, kind === "money" ? { kind, currency: meaning.currency.text } : { kind });
    }
  }
  return meanings;
}
