import type { Span } from "../../../lang/text/index.ts";
import type { Name, Pattern, Reference } from "../../../lang/tree/index.ts";
import { noSuchTool, unknownName } from "./codes.ts";
import { type Context, noteUse, resolve } from "./context.ts";
import type { BoundPattern, Category, Interface, Service } from "./model/index.ts";
import {
  type Coverage,
  EVERYTHING,
  formatCategoryInKey,
  formatCategoryKey,
  formatInstanceKey,
  formatInterfaceKey,
  formatMethodKey,
  formatToolKey,
} from "./tools.ts";

export interface PatternWords {
  readonly categories: ReadonlyMap<string, Category>;
  readonly interfaces: ReadonlyMap<string, Interface>;
  readonly services: ReadonlyMap<string, Service>;
  readonly coverage: Coverage;
}

/**
 * Resolves patterns. Returns the patterns with their names resolved; a pattern with an unknown name is reported and
 * left out. `github.*`, where `github` is an import, becomes one pattern for each interface of the import. Laws check
 * whether each pattern covers a tool.
 */
export function bindPatterns(context: Context, words: PatternWords, patterns: readonly Pattern[]): BoundPattern[] {
  return patterns.flatMap((pattern) => bindPattern(context, words, pattern) ?? []);
}

/** Whether a pattern names one tool (`exact`) or covers all tools that match it. */
type Breadth = "exact" | "covering";

function bindPattern(
  context: Context,
  words: PatternWords,
  pattern: Pattern,
): BoundPattern | readonly BoundPattern[] | undefined {
  const bound = (key: string, breadth: Breadth = "covering", category?: Category): BoundPattern => {
    return { key, exact: breadth === "exact", category, tools: words.coverage(key), span: pattern.span };
  };
  switch (pattern.kind) {
    case "everything":
      return bound(EVERYTHING);
    case "within": {
      const category = resolveSingleCategory(context, words, pattern.name);
      const face = resolveInterface(context, words, pattern.owner);
      return category && face && bound(formatCategoryInKey(category.name, face.name), "covering", category);
    }
    case "all-of": {
      const owner = resolveOwner(context, words, pattern.name);
      if (owner?.kind === "service") return bound(formatInstanceKey(owner.service.name));
      return owner?.faces.map((face) => bound(formatInterfaceKey(face.name)));
    }
    case "named": {
      if (pattern.name.parts.length > 1) return bindMethodPattern(context, words, pattern.name, bound);
      const category = resolveSingleCategory(context, words, pattern.name);
      return category && bound(formatCategoryKey(category.name), "covering", category);
    }
  }
}

function bindMethodPattern(
  context: Context,
  words: PatternWords,
  name: Reference,
  bound: (key: string, breadth: Breadth) => BoundPattern,
): BoundPattern | undefined {
  const method = name.parts[name.parts.length - 1];
  const parts = name.parts.slice(0, -1);
  const owner = resolveOwner(context, words, getHead(name, parts));
  if (owner === undefined || method === undefined) return undefined;
  const faces = owner.kind === "service" ? [owner.service.interface] : owner.faces;
  const known = faces.flatMap((face) => face.description.methods.map((described) => described.name));
  const face = faces.find(({ description }) => description.methods.some((described) => described.name === method.text));
  if (face === undefined) return reportUnknownMethod(context, name, method, known);
  noteUse(context, `method of ${face.name}`, method.text, method.span);
  const key =
    owner.kind === "service"
      ? formatToolKey(`${owner.service.name}.${method.text}`)
      : formatMethodKey(face.name, method.text);
  return bound(key, "exact");
}

/** Returns the reference without its last part. */
function getHead(name: Reference, parts: readonly Name[]): Reference {
  const last = parts[parts.length - 1]?.span ?? name.span;
  return { parts, text: parts.map((part) => part.text).join("."), span: { ...name.span, end: last.end } };
}

function reportUnknownMethod(context: Context, name: Reference, method: Name, known: readonly string[]): undefined {
  if (context.lost.has(method.text)) return;
  const near = context.suggest(method.text, known);
  const meant = near === undefined ? undefined : `${name.text.slice(0, -method.text.length)}${near}`;
  const fix = near === undefined ? undefined : { span: method.span, replacement: near, guess: "name" as const };
  context.report(noSuchTool.at(name.span, { name: name.text, near: meant }, { fix }));
}

function resolveSingleCategory(context: Context, words: PatternWords, name: Reference): Category | undefined {
  const [first, second] = name.parts;
  if (first === undefined || second !== undefined) {
    context.report(unknownName.at(name.span, { what: "category", name: name.text, near: undefined }));
    return undefined;
  }
  const owns = words.interfaces.has(first.text) || words.services.has(first.text);
  const hint = owns ? `write \`${first.text}.*\` for all of its methods` : "a word without a dot is a category";
  return resolve(context, { names: words.categories, what: "category", name: first, hint });
}

type Owner =
  | { readonly kind: "interfaces"; readonly faces: readonly Interface[] }
  | { readonly kind: "service"; readonly service: Service };

/**
 * Resolves the name before the dot. A name in upper case is an interface. A name in lower case is a service, or an
 * import if no service has this name. Returns `undefined` for an unknown name.
 */
function resolveOwner(context: Context, words: PatternWords, name: Reference): Owner | undefined {
  const last = name.parts[name.parts.length - 1]?.text ?? "";
  if (/^[A-Z]/.test(last)) {
    const face = resolveInterface(context, words, name);
    return face && { kind: "interfaces", faces: [face] };
  }
  const imported = [...words.interfaces.values()].filter(({ alias }) => alias === name.text);
  if (imported.length > 0 && !words.services.has(name.text)) {
    noteUse(context, "import", name.text, name.span);
    return { kind: "interfaces", faces: imported };
  }
  const service = resolve(context, {
    names: words.services,
    what: "service",
    name: { text: name.text, span: name.span },
  });
  return service && { kind: "service", service };
}

/**
 * Resolves the name of an interface, such as `Files` or `tools.Files`. An interface of an import is named
 * `ledger.Ledger`, or `Ledger` if no other interface has this name. Returns `undefined` for an unknown name.
 */
export function resolveInterface(
  context: Context,
  words: Pick<PatternWords, "interfaces">,
  name: Reference,
): Interface | undefined {
  const [first, second] = name.parts;
  if (first !== undefined && second !== undefined && context.lost.has(first.text)) return undefined;
  const bare = second !== undefined && first?.text === "tools" ? second : { text: name.text, span: name.span };
  const found = words.interfaces.get(bare.text);
  if (found !== undefined) return noteInterface(context, found, name, bare.span);
  const [imported, ...more] = [...words.interfaces.values()].filter(
    ({ alias, name: whole }) => alias !== undefined && whole === `${alias}.${bare.text}`,
  );
  if (imported !== undefined && more.length === 0) return noteInterface(context, imported, name, bare.span);
  const behind = [...words.interfaces.values()].filter(({ alias }) => alias !== undefined && alias === first?.text);
  const meant = imported === undefined ? behind : [imported, ...more];
  return resolve(context, { names: words.interfaces, what: "interface", name: bare, hint: describeHint(meant) });
}

/** Records a use of an interface; for `ledger.Ledger`, also a use of the import before the dot. */
function noteInterface(
  context: Context,
  face: Interface,
  { parts: [first, second] }: Reference,
  span: Span,
): Interface {
  const behind = face.alias !== undefined && face.alias === first?.text ? second : undefined;
  if (first !== undefined && behind !== undefined) noteUse(context, "import", first.text, first.span);
  noteUse(context, "interface", face.name, behind?.span ?? span);
  return face;
}

function describeHint(meant: readonly Interface[]): string {
  if (meant.length === 0) return "`use std.tools` brings the standard interfaces";
  return `write ${meant.map((face) => `\`${face.name}\``).join(" or ")}`;
}
