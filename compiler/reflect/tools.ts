// Interfaces of a schema as tools: names, words, argument shapes and JSON Schemas. Nobody types a descriptor by hand.
// Whether a method may be called by anyone is not said here: that is the page's business.

import { readFileSync } from "node:fs";
import type { Param } from "../../engine/wire/generated/policy.ts";
import { schemaText } from "./json-schema.ts";
import { type InterfaceNode, readRequest, type SchemaMethod, type SchemaRequest } from "./request.ts";
import { paramsOf, withoutWords } from "./shapes.ts";

/** An interface as it was written. */
export interface InterfaceDescription {
  readonly id: bigint;
  readonly name: string;
  /** The schema file, e.g. "tools.capnp". */
  readonly file: string;
  /** The doc comment; empty where there is none. */
  readonly doc: string;
  /** In order of ordinals. */
  readonly methods: readonly MethodDescription[];
}

/** A method that tools can be made of, or why not. */
export type MethodDescription = {
  readonly ordinal: number;
  readonly name: string;
  readonly doc: string;
} & (
  | {
      readonly callable: true;
      readonly params: readonly Param[];
      /** JSON Schema of the argument object, canonical JSON. */
      readonly paramSchema: string;
      readonly results: readonly Param[];
      readonly resultSchema: string;
    }
  | { readonly callable: false; readonly reason: string }
);

/** All interfaces of a CodeGeneratorRequest that the requested files declare, in order of file and name. */
export function reflectTools(cgr: Uint8Array): readonly InterfaceDescription[] {
  const request = readRequest(cgr);
  const requested = new Set(request.files.map((file) => file.name));
  const interfaces = [...request.nodes.values()].filter((node) => node.kind === "interface");
  return interfaces
    .filter((node) => requested.has(node.file))
    .map((node) => interfaceOf(request, node))
    .sort((a, b) => (`${a.file}:${a.name}` < `${b.file}:${b.name}` ? -1 : 1));
}

/** The interfaces of the standard library, from the request that is checked in beside the generated code. */
export function reflectStandard(): readonly InterfaceDescription[] {
  const file = new URL("../../engine/wire/generated/schema.cgr", import.meta.url);
  return reflectTools(new Uint8Array(readFileSync(file)));
}

/** Doc comments are wrapped where the source has its margin; a model reads them as one paragraph. */
function prose(doc: string): string {
  return doc.replace(/\s*\n\s*/g, " ");
}

function interfaceOf(request: SchemaRequest, node: InterfaceNode): InterfaceDescription {
  return {
    id: node.id,
    name: node.path.join("."),
    file: node.file,
    doc: prose(node.doc),
    methods: node.methods.map((method) => methodOf(request, method)),
  };
}

function methodOf(request: SchemaRequest, { ordinal, name, ...structs }: SchemaMethod): MethodDescription {
  const doc = prose(structs.doc);
  const params = paramsOf(request, structs.params);
  if (!params.ok) return { ordinal, name, doc, callable: false, reason: `parameter ${params.reason}` };
  const results = paramsOf(request, structs.results);
  if (!results.ok) return { ordinal, name, doc, callable: false, reason: `result ${results.reason}` };
  return {
    ordinal,
    name,
    doc,
    callable: true,
    params: withoutWords(params.value),
    paramSchema: schemaText(params.value),
    results: withoutWords(results.value),
    resultSchema: schemaText(results.value),
  };
}
