// Generates straight-line code that writes and reads the structs which the image sends for a call that needs no
// approval. The general writer and reader, which interpret layouts, are slower. The general writer and reader handle
// all other structs. Tests check that both kinds of code give the same bytes, values and refusals.

import { bug } from "../../../lang/diagnostics/index.ts";
import { type QuickPart, renderQuickPart } from "./quick-part.ts";
import type { SchemaField, StructNode } from "./request.ts";
import { getStruct, type Place, typeName, useQuickWord } from "./type-text.ts";

/** Names of all structs that the image sends for a call that needs no approval. */
const QUICK: ReadonlySet<string> = new Set([
  "ApprovalAnnounceParams",
  "AuditEntry",
  "AuditLogAppendParams",
  "AuditLogAppendResults",
  "AuditRecord",
  "BrokerReserveParams",
  "BrokerReserveResults",
  "CallRecord",
  "Notice",
  "Reservation",
  "ToolCall",
  "ToolDescriptor",
  "ToolProxyInvokeToolParams",
  "ToolProxyInvokeToolResults",
  "ToolResult",
]);

export function isQuick(node: StructNode): boolean {
  return QUICK.has(typeName(node));
}

/**
 * Returns the declaration of a constant with the functions that read and write a struct. The generated layout of the
 * struct refers to this constant.
 */
export function renderQuickStruct(place: Place, node: StructNode): string {
  if (node.tagOffset !== undefined && node.fields.some(({ tag }) => tag === undefined))
    return bug(`${typeName(node)} has fields beside its union`);
  for (const name of ["type StructCodec", "type Reader", "type Writer"]) useQuickWord(place, name);
  const bodies =
    node.tagOffset === undefined ? renderPlainBodies(place, node) : renderUnionBodies(place, node, node.tagOffset);
  const name = typeName(node);
  return `${bodies.before}const quick${name}: StructCodec = {
  isBlank(given: unknown${hasUse(bodies.isBlank, "depth") ? ", depth: number" : ""}): boolean {
    const value = given as ${name};
${bodies.isBlank}  },
  put(writer: Writer, at: number, given: unknown, depth: number): void {
    const value = given as ${name};
${bodies.put}  },
  get(reader: Reader, at: number, depth: number): ${name} | undefined {
    const found = reader.struct(at, depth);
    if (found === undefined || !reader.affords(${countValues(place, node)})) return undefined;
${renderFound(bodies.get)}${bodies.get}  },
};
`;
}

function hasUse(body: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(body);
}

/**
 * Renders the statement that assigns the sections of a struct, as the reader found them, to constants such as `data`.
 * It assigns only the constants that `body` uses.
 */
function renderFound(body: string): string {
  const sections = ["data", "dataWords", "pointers", "pointerCount"].filter((name) => hasUse(body, name));
  return `${hasUse(body, "view") ? "    const { view } = reader;\n" : ""}    const { ${sections.join(", ")} } = found;\n`;
}

interface Bodies {
  readonly before: string;
  readonly isBlank: string;
  readonly put: string;
  readonly get: string;
}

function renderPlainBodies(place: Place, node: StructNode): Bodies {
  const parts = node.fields.map((field, index) =>
    renderQuickPart(place, { owner: typeName(node), value: "value", field, index }),
  );
  return {
    before: renderBefore(parts),
    isBlank: `    return ${renderBlank(parts)};\n`,
    put: putText(parts, 0, "    "),
    get: `    return {\n${renderMembers(parts, "      ")}    };\n`,
  };
}

/**
 * Renders the code of a union's members. Only one member is present, so each has code of its own for all words and
 * pointers of the struct.
 */
function renderUnionBodies(place: Place, node: StructNode, tagOffset: number): Bodies {
  const tagReach = Math.floor(tagOffset / 4) + 1;
  const members = node.fields.map((field) => ({ field, tag: field.tag ?? 0, parts: renderParts(place, node, field) }));
  const first = members.find(({ tag }) => tag === 0) ?? bug(`${typeName(node)} has no first member`);
  const put = members.map(({ field, tag, parts }) => {
    const [least, after] = tag === 0 ? [0, ""] : [tagReach, renderTag(tagOffset, tag)];
    return `      case "${field.name}": {\n${putText(parts, least, "        ", after)}        return;\n      }\n`;
  });
  const get = members.map(({ field, tag, parts }) => {
    const inner = renderMembers(parts, "          ");
    const value = field.kind === "group" ? `          ${field.name}: {\n${inner}          },\n` : inner;
    return `      case ${tag}:\n        return {\n          which: "${field.name}",\n${value}        };\n`;
  });
  const refusal = useQuickWord(place, "unknownUnionMember");
  return {
    before: renderBefore(members.flatMap(({ parts }) => parts)),
    isBlank: `    return value.which === "${first.field.name}" && ${renderBlank(first.parts)};\n`,
    put: `    switch (value.which) {
${put.join("")}      default:
        ${useQuickWord(place, "unfitMember")}("${typeName(node)}", given);
    }
`,
    get: `    const tag = dataWords < ${tagReach} ? 0 : view.getUint16(data + ${tagOffset * 2}, true);
    switch (tag) {
${get.join("")}      default:
        return ${refusal}(reader, tag);
    }
`,
  };
}

function renderTag(tagOffset: number, tag: number): string {
  return `writer.view.setUint16(data + ${tagOffset * 2}, ${tag}, true);`;
}

function renderParts(place: Place, node: StructNode, field: SchemaField): QuickPart[] {
  const name = typeName(node);
  if (field.kind === "slot") return [renderQuickPart(place, { owner: name, value: "value", field, index: 0 })];
  const group = getStruct(place, field.id);
  if (group.tagOffset !== undefined) return bug(`${name}.${field.name} is a union in a group`);
  return group.fields.map((one, index) =>
    renderQuickPart(place, { owner: `${name}.${field.name}`, value: `value.${field.name}`, field: one, index }),
  );
}

function renderBefore(parts: readonly QuickPart[]): string {
  return parts.map(({ before = "" }) => before).join("");
}

function renderBlank(parts: readonly QuickPart[]): string {
  return parts.map(({ from, isSet }) => `!(${isSet(from)})`).join(" &&\n      ");
}

function renderMembers(parts: readonly QuickPart[], indent: string): string {
  return parts.map(({ name, get }) => `${indent}${name}: ${get},\n`).join("");
}

/**
 * Returns the code that writes a struct. The code first finds the length of each section, from the end of the section,
 * because the canonical form omits zeros there. `least` is the number of words that are always present.
 */
function putText(parts: readonly QuickPart[], least: number, indent: string, after = ""): string {
  const lines = parts.map(({ local, from }) => `const ${local} = ${from};`);
  lines.push(
    `const words = ${reachText(parts, "data", least, indent)};`,
    `const targets = ${reachText(parts, "pointers", 0, indent)};`,
  );
  if (least === 0) lines.push(`if (words + targets === 0) return;`);
  lines.push("const data = writer.openStruct(at, words, targets, depth);");
  if (parts.some(({ section }) => section === "pointers")) lines.push("const pointers = data + words * 8;");
  if (after !== "") lines.push(after);
  lines.push(
    ...parts.map(({ local, isSet, put, isGuarded }) => (isGuarded ? `${put};` : `if (${isSet(local)}) ${put};`)),
  );
  return lines.map((line) => `${indent}${line}\n`).join("");
}

function reachText(parts: readonly QuickPart[], section: QuickPart["section"], least: number, indent: string): string {
  const inSection = parts.filter((part) => part.section === section && part.reach > least);
  const byReach = [...Map.groupBy(inSection, ({ reach }) => reach)].sort(([a], [b]) => b - a);
  const steps = byReach.map(([reach, alike]) => {
    return `${alike.map(({ isSet, local }) => isSet(local)).join(" || ")} ? ${reach} :`;
  });
  return [...steps, String(least)].join(`\n${indent}  `);
}

/**
 * Returns how many values of a struct count towards the limit of values in a message. The general reader counts them in
 * the same way.
 */
function countValues(place: Place, node: StructNode): number {
  const count = (field: SchemaField) => (field.kind === "group" ? countValues(place, getStruct(place, field.id)) : 1);
  const plain = node.fields.filter(({ tag }) => tag === undefined).map(count);
  const members = node.fields.filter(({ tag }) => tag !== undefined).map(count);
  const union = node.tagOffset === undefined ? 0 : 1 + Math.max(...members);
  return 1 + plain.reduce((sum, one) => sum + one, 0) + union;
}
