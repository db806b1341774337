// Renders one struct as TypeScript: the type of its values and its layout.

import { isQuick, renderQuickStruct } from "./quick-text.ts";
import type { SchemaField, StructNode } from "./request.ts";
import {
  getStruct,
  type Place,
  renderLayout,
  renderPureCall,
  renderValueType,
  typeName,
  useWord,
} from "./type-text.ts";

/** Returns the declarations of a struct and of the groups in it. */
export function renderStruct(place: Place, node: StructNode): string {
  const name = typeName(node);
  useWord(place, "type StructLayout");
  const size = `[${node.dataWords}, ${node.pointers}]`;
  const shape = renderShape(place, node, 1);
  const [quick, argument] = isQuick(node) ? [`\n${renderQuickStruct(place, node)}`, `, quick: quick${name}`] : ["", ""];
  return `${renderDocComment(node.doc, "")}${typeText(place, node, name)}${quick}
export const ${name}: StructLayout<${name}> = ${renderPureCall(useWord(place, "struct"))}({ name: "${name}", id: 0x${node.id.toString(16)}n, sizes: ${size}, shape: () => (${shape})${argument} });
`;
}

/** Returns a doc comment, or an empty text if there is none. */
export function renderDocComment(doc: string, indent: string): string {
  if (doc === "") return "";
  const lines = doc.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

function typeText(place: Place, node: StructNode, name: string): string {
  const plain = node.fields.filter((field) => field.tag === undefined);
  const base = renderObject(place, plain, "");
  if (node.tagOffset === undefined) return `export interface ${name} ${base}\n`;
  const type = combineWithUnion(base, renderUnion(place, node, ""));
  return `export type ${name} =${type.startsWith("\n") ? "" : " "}${type.trimEnd()};\n`;
}

function combineWithUnion(base: string, union: string): string {
  return base === "{}" ? union : `${base} & (${union})`;
}

function renderObject(place: Place, fields: readonly SchemaField[], indent: string): string {
  const lines = fields.map((field) => renderProperty(place, field, `${indent}  `)).filter((line) => line !== "");
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

function renderProperty(place: Place, field: SchemaField, indent: string): string {
  const type = renderFieldType(place, field, indent);
  return type === undefined ? "" : `${renderDocComment(field.doc, indent)}${indent}readonly ${field.name}: ${type};\n`;
}

function renderFieldType(place: Place, field: SchemaField, indent: string): string | undefined {
  if (field.kind === "slot") return renderValueType(place, field.type);
  const node = getStruct(place, field.id);
  const plain = node.fields.filter((one) => one.tag === undefined);
  const base = renderObject(place, plain, indent);
  return node.tagOffset === undefined ? base : combineWithUnion(base, renderUnion(place, node, indent));
}

function renderUnion(place: Place, node: StructNode, indent: string): string {
  const members = sortByTag(node.fields).map((field) => {
    const value = renderProperty(place, field, `${indent}      `);
    if (value === "")
      return `\n${renderDocComment(field.doc, `${indent}  `)}${indent}  | { readonly which: "${field.name}" }`;
    return `\n${indent}  | {\n${indent}      readonly which: "${field.name}";\n${value}${indent}    }`;
  });
  return `${members.join("")}\n${indent}`;
}

function sortByTag(fields: readonly SchemaField[]): SchemaField[] {
  return fields.filter((field) => field.tag !== undefined).sort((a, b) => (a.tag ?? 0) - (b.tag ?? 0));
}

function renderShape(place: Place, node: StructNode, depth: number): string {
  const indent = "  ".repeat(depth);
  const plain = node.fields.filter((field) => field.tag === undefined);
  const fields = `${indent}fields: ${renderFieldList(place, plain, depth)},\n`;
  if (node.tagOffset === undefined) return `{\n${fields}${"  ".repeat(depth - 1)}}`;
  const members = renderFieldList(place, sortByTag(node.fields), depth);
  const union = `${indent}union: { tagOffset: ${node.tagOffset}, members: ${members} },\n`;
  return `{\n${fields}${union}${"  ".repeat(depth - 1)}}`;
}

function renderFieldList(place: Place, fields: readonly SchemaField[], depth: number): string {
  if (fields.length === 0) return "[]";
  const indent = "  ".repeat(depth + 1);
  const lines = fields.map((field) => `${indent}${renderField(place, field, depth + 1)},\n`);
  return `[\n${lines.join("")}${"  ".repeat(depth)}]`;
}

function renderField(place: Place, field: SchemaField, depth: number): string {
  const call = useWord(place, "field");
  if (field.kind === "group") {
    const shape = renderShape(place, getStruct(place, field.id), depth + 1);
    return `${call}("${field.name}", ${useWord(place, "group")}(${shape}), 0)`;
  }
  const standard = field.standard === undefined ? "" : `, ${renderDefault(field.standard)}`;
  return `${call}("${field.name}", ${renderLayout(place, field.type)}, ${field.offset}${standard})`;
}

function renderDefault(value: number | bigint | boolean): string {
  return typeof value === "bigint" ? `${value}n` : String(value);
}
