// Describes parts of a schema that the generated types cannot represent.

import type { SchemaField, SchemaNode, SchemaRequest, SchemaType, StructNode } from "./request.ts";

/** Returns the reason for which no code can be generated for the node, or `undefined` if code can be generated. */
export function explainUnsupported(request: SchemaRequest, node: SchemaNode): string | undefined {
  const name = node.path.join(".");
  if (node.generic) return `${name} has type parameters`;
  if (node.kind === "interface" && node.superclasses.length > 0) return `${name} extends another interface`;
  if (node.kind !== "struct") return undefined;
  for (const field of node.fields) {
    const reason = explainUnsupportedField(field);
    if (reason !== undefined) return `${name}.${field.name} ${reason}`;
  }
  return isRecursive(request, node, node, new Set()) ? `${name} always holds itself: it would have no end` : undefined;
}

function explainUnsupportedField(field: SchemaField): string | undefined {
  if (field.name === "which") return "has the name that tells the members of a union apart";
  if (field.kind === "group") return undefined;
  if (field.pointerDefault) return "has a default that is not a number";
  return explainUnsupportedType(field.type);
}

function explainUnsupportedType(type: SchemaType): string | undefined {
  if (type.kind === "anyPointer") return "is an AnyPointer, whose shape is not known";
  if (type.kind !== "list") return undefined;
  return type.element.kind === "interface" ? "is a list of capabilities" : explainUnsupportedType(type.element);
}

/**
 * Returns whether the empty value of a struct would be infinite, because the struct contains itself. In this value,
 * lists are empty, and a union has only its first member.
 */
function isRecursive(request: SchemaRequest, from: StructNode, node: StructNode, seen: Set<bigint>): boolean {
  return node.fields.some((field) => {
    if (field.tag !== undefined && field.tag !== 0) return false;
    const id = field.kind === "group" ? field.id : field.type.kind === "struct" ? field.type.id : undefined;
    const held = id === undefined ? undefined : request.nodes.get(id);
    if (held?.kind !== "struct") return false;
    if (held.id === from.id) return true;
    if (seen.has(held.id)) return false;
    return isRecursive(request, from, held, seen.add(held.id));
  });
}
