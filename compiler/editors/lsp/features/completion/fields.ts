// Finds the arguments of methods, the fields of their results, and the types of arguments and fields.

import { quoteText } from "../../../../../lang/format/index.ts";
import {
  type Interface,
  isWithin,
  type Method,
  type Model,
  type Param,
  type Type,
} from "../../../../phases/bind/index.ts";
import { isNameLike, readReference, type Word } from "./site.ts";

/** Returns the interfaces that a page may mean by a name; the name of an import may be left out. */
export function findInterfaces({ interfaces }: Model, name: string): readonly Interface[] {
  return interfaces.filter((face) => [face.name, getBareName(face), `tools.${face.name}`].includes(name));
}

export function getBareName({ name, alias }: Interface): string {
  return alias === undefined ? name : name.slice(alias.length + 1);
}

/**
 * Returns the method that names refer to, such as `["notes", "write"]` or `["ledger", "Ledger", "pay"]`; `undefined` if
 * there is none.
 */
export function findMethod(model: Model, names: readonly string[]): Method | undefined {
  const owner = names.slice(0, -1).join(".");
  const service = model.services.find(({ name }) => name === owner);
  const faces = service === undefined ? findInterfaces(model, owner) : [service.interface];
  return faces.flatMap(({ methods }) => methods.get(names.at(-1) ?? "") ?? [])[0];
}

/**
 * Returns the methods of the patterns at the beginning of the words, each once. For example, the words `notes.*,
 * readOnly where` begin with two patterns.
 */
export function findMethodsOf(model: Model, words: readonly Word[]): readonly Method[] {
  const found = new Set<Method>();
  for (let at = 0; at < words.length; ) {
    const rest = words.slice(at);
    const names = readReference(rest);
    const end = names.length * 2 - 1;
    const isAll = rest[0]?.kind === "*" || (rest[end]?.kind === "." && rest[end + 1]?.kind === "*");
    const owner = rest[end]?.kind === "in" ? readReference(rest.slice(end + 1)) : undefined;
    for (const method of listCovered(model, isAll && names.length === 0 ? undefined : names, owner)) found.add(method);
    const next = rest.findIndex(({ kind }) => kind === ",");
    if (next < 0) break;
    at += next + 1;
  }
  return [...found];
}

/**
 * Returns the methods that a pattern covers. If `names` is absent, the pattern is `*`; `owner` is the interface or service that follows
 * `in`.
 */
function listCovered(
  model: Model,
  names: readonly string[] | undefined,
  owner: readonly string[] | undefined,
): readonly Method[] {
  const own = owner?.join(".");
  const owners = own === undefined ? [] : findInterfaces(model, own);
  const tools = model.tools.filter(
    ({ service }) => own === undefined || service.name === own || owners.includes(service.interface),
  );
  if (names === undefined) return tools.map(({ method }) => method);
  const one = findMethod(model, names);
  if (one !== undefined) return [one];
  const name = names.join(".");
  const faces = findInterfaces(model, name);
  return tools
    .filter(
      ({ service, method }) =>
        service.name === name ||
        faces.includes(service.interface) ||
        service.interface.alias === name ||
        isWithin(method.category, name),
    )
    .map(({ method }) => method);
}

/** Returns the parameters whose names all methods have, with the types that they have in the first method. */
export function listShared([first, ...others]: readonly (readonly Param[])[]): readonly Param[] {
  return (first ?? []).filter(({ name }) => others.every((params) => params.some((param) => param.name === name)));
}

/** Returns the fields at a path through records and lists, or none if the path does not lead to a record. */
export function findFields(params: readonly Param[], path: readonly string[]): readonly Param[] {
  let fields = params;
  for (const name of path) {
    const inner = getElementType(fields.find((field) => field.name === name)?.type);
    fields = inner?.which === "record" ? inner.record : [];
  }
  return fields;
}

/**
 * Returns the type of the field at a path, or `undefined` if there is no such field; for a list, the type of its
 * elements.
 */
export function findType(params: readonly Param[], path: readonly string[]): Type | undefined {
  const fields = findFields(params, path.slice(0, -1));
  return getElementType(fields.find(({ name }) => name === path.at(-1))?.type);
}

function getElementType(type: Type | undefined): Type | undefined {
  let inner = type;
  while (inner?.which === "list") inner = inner.list;
  return inner;
}

/**
 * Returns the words of a choice in quotes: `"low"` and `"high"` for the type `"low" | "high"`. Returns none for another
 * type.
 */
export function listChoices(type: Type | undefined): readonly string[] {
  return type?.which === "choice" ? type.choice.map(quoteText) : [];
}

/** Returns the names of a term up to its end, without functions: `["items", "amount"]` of `some(items.amount`. */
export function readTerm(words: readonly Word[]): readonly string[] {
  const inner = words.findLastIndex(({ kind }) => kind === "(");
  return readReference(words.slice(inner + 1).filter((word) => word.kind === "." || isNameLike(word)));
}

/** Renders a type for a person: `text`, `list of integer`, `"low" | "high"`. */
export function renderType(type: Type): string {
  switch (type.which) {
    case "choice":
      return type.choice.map(quoteText).join(" | ");
    case "list":
      return `list of ${renderType(type.list)}`;
    case "either":
      return type.either.map(renderType).join(" | ");
    case "json":
      return "JSON";
    default:
      return type.which;
  }
}

/** Renders a parameter or a field with its type; a question mark follows the name of an optional one. */
export function renderParam({ name, type, required }: Param): string {
  return `${name}${required ? "" : "?"}: ${renderType(type)}`;
}
