// Renders types of a schema in the generated TypeScript: as the type of values, and as the layout.

import { bug } from "../../../lang/diagnostics/index.ts";
import type { SchemaNode, SchemaRequest, SchemaType, StructNode } from "./request.ts";

/**
 * Names that a generated file imports: functions of `engine/lib/wire/layout` and declarations of other generated files.
 */
interface Uses {
  readonly words: Set<string>;
  /** Helpers of quick codecs that the file imports. */
  readonly quickWords: Set<string>;
  /** Names of declarations, by the generated file that contains them. */
  readonly names: Map<string, Set<string>>;
}

/** The generated file to which text is added, with its imports. */
export interface Place {
  readonly request: SchemaRequest;
  readonly file: string;
  readonly uses: Uses;
}

/** Returns the type's name: `Trust.Key` becomes TrustKey; the parameters of `Files.read` become FilesReadParams. */
export function typeName(node: SchemaNode): string {
  return node.path.map((part) => part.split("$").map(capitalize).join("")).join("");
}

export function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/**
 * Returns the node that a type names. The Cap'n Proto compiler resolves every name, so a missing node is a defect of
 * capc.
 */
export function getNode(place: Place, id: bigint): SchemaNode {
  return place.request.nodes.get(id) ?? bug(`the request has no node ${id.toString(16)}`);
}

/**
 * Returns the name of a node's declaration. If another generated file contains the declaration, also records the
 * import.
 */
export function referTo(place: Place, node: SchemaNode): string {
  const name = typeName(node);
  if (node.file !== place.file) {
    const names = place.uses.names.get(node.file) ?? new Set<string>();
    place.uses.names.set(node.file, names.add(name));
  }
  return name;
}

export function useWord(place: Place, name: string): string {
  place.uses.words.add(name);
  return name;
}

/**
 * Marks a call of a layout function, which is made when the file is loaded, as free of effects. So a bundle contains
 * only the layouts that it uses.
 */
export function renderPureCall(name: string): string {
  return `/* @__PURE__ */ ${name}`;
}

export function useQuickWord(place: Place, name: string): string {
  place.uses.quickWords.add(name);
  return name;
}

/** Renders the TypeScript type of the values of a schema type, or returns `undefined` for a type without values. */
export function renderValueType(place: Place, type: SchemaType): string | undefined {
  switch (type.kind) {
    case "void":
      return undefined;
    case "bool":
      return "boolean";
    case "int64":
    case "uint64":
      return "bigint";
    case "text":
      return "string";
    case "data":
      return "Uint8Array";
    case "interface":
      return "null";
    case "list":
      return listType(renderValueType(place, type.element) ?? "undefined");
    case "enum":
    case "struct":
      return referTo(place, getNode(place, type.id));
    case "anyPointer":
    case "parameter":
      return bug("AnyPointer passed the check of what can be generated");
    default:
      return "number";
  }
}

function listType(element: string): string {
  return element.startsWith("readonly ") ? `readonly (${element})[]` : `readonly ${element}[]`;
}

const LAYOUT_WORDS = { void: "nothing", text: "text", data: "bytes", interface: "capability" } as const;

/** Returns the layout of a type as an expression. */
export function renderLayout(place: Place, type: SchemaType): string {
  switch (type.kind) {
    case "void":
    case "text":
    case "data":
    case "interface":
      return useWord(place, LAYOUT_WORDS[type.kind]);
    case "list":
      return `${useWord(place, "list")}(${renderLayout(place, type.element)})`;
    case "enum":
      return referTo(place, getNode(place, type.id));
    case "struct":
      return `${useWord(place, "of")}(() => ${referTo(place, getNode(place, type.id))})`;
    case "anyPointer":
    case "parameter":
      return bug("AnyPointer passed the check of what can be generated");
    default:
      return useWord(place, type.kind);
  }
}

/** Returns the struct that a group or a method names. */
export function getStruct(place: Place, id: bigint): StructNode {
  const node = getNode(place, id);
  return node.kind === "struct" ? node : bug(`${node.path.join(".")} is not a struct`);
}
