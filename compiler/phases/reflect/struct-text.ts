// One struct as TypeScript: the type of its values and its layout.

import { isQuick, quickText } from "./quick-text.ts";
import type { SchemaField, StructNode } from "./request.ts";
import { layoutText, type Place, structNamed, typeName, valueType, word } from "./type-text.ts";

/** The declarations of a struct; groups are written inside it. */
export function structText(place: Place, node: StructNode): string {
  const name = typeName(node);
  word(place, "type StructLayout");
  const size = `[${node.dataWords}, ${node.pointers}]`;
  const shape = shapeText(place, node, 1);
  const [quick, argument] = isQuick(node) ? [`\n${quickText(place, node)}`, `, quick${name}`] : ["", ""];
  return `${docText(node.doc, "")}${typeText(place, node, name)}${quick}
export const ${name}: StructLayout<${name}> = ${word(place, "struct")}("${name}", 0x${node.id.toString(16)}n, ${size}, () => (${shape})${argument});
`;
}

/** A doc comment, or nothing. */
export function docText(doc: string, indent: string): string {
  if (doc === "") return "";
  const lines = doc.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

function typeText(place: Place, node: StructNode, name: string): string {
  const plain = node.fields.filter((field) => field.tag === undefined);
  const base = objectText(place, plain, "");
  if (node.tagOffset === undefined) return `export interface ${name} ${base}\n`;
  const type = withUnion(base, unionText(place, node, ""));
  return `export type ${name} =${type.startsWith("\n") ? "" : " "}${type.trimEnd()};\n`;
}

function withUnion(base: string, union: string): string {
  return base === "{}" ? union : `${base} & (${union})`;
}

function objectText(place: Place, fields: readonly SchemaField[], indent: string): string {
  const lines = fields.map((field) => propertyText(place, field, `${indent}  `)).filter((line) => line !== "");
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

function propertyText(place: Place, field: SchemaField, indent: string): string {
  const type = fieldType(place, field, indent);
  return type === undefined ? "" : `${docText(field.doc, indent)}${indent}readonly ${field.name}: ${type};\n`;
}

function fieldType(place: Place, field: SchemaField, indent: string): string | undefined {
  if (field.kind === "slot") return valueType(place, field.type);
  const node = structNamed(place, field.id);
  const plain = node.fields.filter((one) => one.tag === undefined);
  const base = objectText(place, plain, indent);
  return node.tagOffset === undefined ? base : withUnion(base, unionText(place, node, indent));
}

function unionText(place: Place, node: StructNode, indent: string): string {
  const members = inTagOrder(node.fields).map((field) => {
    const value = propertyText(place, field, `${indent}      `);
    if (value === "") return `\n${docText(field.doc, `${indent}  `)}${indent}  | { readonly which: "${field.name}" }`;
    return `\n${indent}  | {\n${indent}      readonly which: "${field.name}";\n${value}${indent}    }`;
  });
  return `${members.join("")}\n${indent}`;
}

function inTagOrder(fields: readonly SchemaField[]): SchemaField[] {
  return fields.filter((field) => field.tag !== undefined).sort((a, b) => (a.tag ?? 0) - (b.tag ?? 0));
}

function shapeText(place: Place, node: StructNode, depth: number): string {
  const indent = "  ".repeat(depth);
  const plain = node.fields.filter((field) => field.tag === undefined);
  const fields = `${indent}fields: ${fieldList(place, plain, depth)},\n`;
  if (node.tagOffset === undefined) return `{\n${fields}${"  ".repeat(depth - 1)}}`;
  const members = fieldList(place, inTagOrder(node.fields), depth);
  const union = `${indent}union: { tagOffset: ${node.tagOffset}, members: ${members} },\n`;
  return `{\n${fields}${union}${"  ".repeat(depth - 1)}}`;
}

function fieldList(place: Place, fields: readonly SchemaField[], depth: number): string {
  if (fields.length === 0) return "[]";
  const indent = "  ".repeat(depth + 1);
  const lines = fields.map((field) => `${indent}${fieldText(place, field, depth + 1)},\n`);
  return `[\n${lines.join("")}${"  ".repeat(depth)}]`;
}

function fieldText(place: Place, field: SchemaField, depth: number): string {
  const call = word(place, "field");
  if (field.kind === "group") {
    const shape = shapeText(place, structNamed(place, field.id), depth + 1);
    return `${call}("${field.name}", ${word(place, "group")}(${shape}), 0)`;
  }
  const standard = field.standard === undefined ? "" : `, ${standardText(field.standard)}`;
  return `${call}("${field.name}", ${layoutText(place, field.type)}, ${field.offset}${standard})`;
}

function standardText(value: number | bigint | boolean): string {
  return typeof value === "bigint" ? `${value}n` : String(value);
}
