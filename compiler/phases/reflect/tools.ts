// Converts interfaces of a schema to tools: names, descriptions, types of arguments and JSON Schemas, so that nobody
// has to write descriptions of tools by hand. The page, and not this module, decides who may call a method.

import type { Layout, Param } from "../../../engine/lib/wire/generated/policy.ts";
import { compareCodeUnits } from "../../../lang/text/index.ts";
import { type MethodAnnotations, readAnnotations } from "./annotations.ts";
import { unwrapProse } from "./described.ts";
import { explainUnseen } from "./hidden.ts";
import { renderSchema } from "./json-schema.ts";
import { deriveLayout } from "./layouts.ts";
import { type InterfaceNode, readRequest, type SchemaMethod, type SchemaRequest } from "./request.ts";
import { readParams, removeWords } from "./shapes.ts";

/** Description of an interface in a schema or a list. */
export interface InterfaceDescription {
  readonly id: bigint;
  readonly name: string;
  /** The schema file, for example "tools.capnp". */
  readonly file: string;
  /** Doc comment; empty if there is none. */
  readonly doc: string;
  /** Methods, in the order of their ordinals. */
  readonly methods: readonly MethodDescription[];
  /** Digest that identifies the tools of a list from an MCP server (`computeToolListDigest`); absent for other interfaces. */
  readonly toolList?: Uint8Array;
}

/** A method that can become a tool, or the reason for which it cannot. */
export type MethodDescription = {
  readonly ordinal: number;
  readonly name: string;
  readonly doc: string;
} & (
  | {
      readonly callable: true;
      readonly params: readonly Param[];
      /**
       * Positions of the parameters in a message. Absent if the parameters are only sent as JSON, or if the image's
       * programs already contain the layout.
       */
      readonly layout?: Layout;
      /** JSON Schema of the argument object, as canonical JSON. */
      readonly paramSchema: string;
      readonly results: readonly Param[];
      readonly resultSchema: string;
    }
  | { readonly callable: false; readonly reason: string }
);

/**
 * A method that an interface inherits from another interface. A call of such a method contains the id of the interface
 * that declares it.
 */
interface InheritedMethod {
  readonly method: string;
  /** Name of the interface that declares the method. */
  readonly of: string;
}

/** An interface, with the annotations of its schema that concern the policy. */
export interface ReflectedInterface {
  readonly description: InterfaceDescription;
  /** Annotations of the methods, by method. */
  readonly said: ReadonlyMap<string, MethodAnnotations>;
  /**
   * Methods of all interfaces that this one extends, directly or indirectly. Inherited methods do not become tools of
   * this interface.
   */
  readonly inherited: readonly InheritedMethod[];
}

/**
 * Returns all interfaces of a CodeGeneratorRequest that the requested files declare, in the order of files and names.
 * Layouts are omitted, because the image's programs contain the layouts of the standard library.
 */
export function reflectTools(cgr: Uint8Array): readonly InterfaceDescription[] {
  return reflectInterfaces(cgr).map(({ description }) => ({
    ...description,
    methods: description.methods.map(removeLayout),
  }));
}

function removeLayout(method: MethodDescription): MethodDescription {
  if (!method.callable) return method;
  const { layout: _, ...rest } = method;
  return rest;
}

/** Returns the same interfaces as `reflectTools`, with annotations and inherited methods. */
export function reflectInterfaces(cgr: Uint8Array): readonly ReflectedInterface[] {
  const request = readRequest(cgr);
  const requested = new Set(request.files.map((file) => file.name));
  const interfaces = [...request.nodes.values()].filter((node) => node.kind === "interface");
  return interfaces
    .filter((node) => requested.has(node.file))
    .map((node) => ({
      description: describeInterface(request, node),
      said: new Map(node.methods.map((method) => [method.name, readAnnotations(request, node, method)])),
      inherited: listInherited(request, node, new Set([node.id])),
    }))
    .sort((a, b) => compareCodeUnits(placeOf(a.description), placeOf(b.description)));
}

const placeOf = ({ file, name }: InterfaceDescription): string => `${file}:${name}`;

function listInherited(request: SchemaRequest, node: InterfaceNode, seen: Set<bigint>): readonly InheritedMethod[] {
  return node.superclasses.flatMap((id) => {
    const above = request.nodes.get(id);
    if (above?.kind !== "interface" || seen.has(id)) return [];
    seen.add(id);
    const own = above.methods.map(({ name }) => ({ method: name, of: above.path.join(".") }));
    return [...own, ...listInherited(request, above, seen)];
  });
}

function describeInterface(request: SchemaRequest, node: InterfaceNode): InterfaceDescription {
  return {
    id: node.id,
    name: node.path.join("."),
    file: node.file,
    doc: unwrapProse(node.doc),
    methods: node.methods.map((method) => describeMethod(request, method)),
  };
}

function describeMethod(request: SchemaRequest, { ordinal, name, ...structs }: SchemaMethod): MethodDescription {
  const doc = unwrapProse(structs.doc);
  const unseen = explainUnseen(structs.doc);
  if (unseen !== undefined) return { ordinal, name, doc: "", callable: false, reason: unseen };
  const params = readParams(request, structs.params, structs.paramBindings);
  if (!params.ok) return { ordinal, name, doc, callable: false, reason: `parameter ${params.reason}` };
  const results = readParams(request, structs.results, structs.resultBindings);
  if (!results.ok) return { ordinal, name, doc, callable: false, reason: `result ${results.reason}` };
  const layout = deriveLayout(request, structs.params, structs.paramBindings);
  return {
    ordinal,
    name,
    doc,
    callable: true,
    params: removeWords(params.value),
    ...(layout && { layout }),
    paramSchema: renderSchema(params.value),
    results: removeWords(results.value),
    resultSchema: renderSchema(results.value),
  };
}
