// Renders one schema file as one TypeScript file. The renderer returns a refusal if the generated types cannot
// represent a part of the schema: AnyPointer, generics, defaults of pointers, lists of capabilities, and structs that
// contain themselves outside a list or a union.

import type { Result } from "../../../engine/lib/result/result.ts";
import type { EnumNode, InterfaceNode, SchemaNode, SchemaRequest } from "./request.ts";
import { renderDocComment, renderStruct } from "./struct-text.ts";
import { getStruct, type Place, referTo, renderPureCall, typeName, useWord } from "./type-text.ts";
import { explainUnsupported } from "./unsupported.ts";

/**
 * Returns the generated file for one schema file, such as `policy.capnp`; `layout` is the path of the layout module.
 */
export function renderModule(request: SchemaRequest, file: string, layout: string): Result<string> {
  const nodes = [...request.nodes.values()].filter((node) => node.file === file);
  const reason =
    nodes.map((node) => explainUnsupported(request, node)).find((found) => found !== undefined) ?? findDuplicate(nodes);
  if (reason !== undefined) return { ok: false, reason: `${file}: ${reason}` };
  const place: Place = { request, file, uses: { words: new Set(), quickWords: new Set(), names: new Map() } };
  const body = sortForReading(nodes).map((node) => renderDeclaration(place, node));
  return { ok: true, value: [renderHead(place, layout), ...body].join("\n") };
}

/**
 * Sorts the nodes so that interfaces come last, because their constants refer to the structs of their methods when the
 * file is loaded.
 */
function sortForReading(nodes: readonly SchemaNode[]): SchemaNode[] {
  const named = nodes.filter((node) => !(node.kind === "struct" && node.isGroup));
  const rank = (node: SchemaNode) => (node.kind === "enum" ? 0 : node.kind === "struct" ? 1 : 2);
  const computeSortKey = (node: SchemaNode) => `${rank(node)}${typeName(node)}`;
  return named.sort((a, b) => (computeSortKey(a) < computeSortKey(b) ? -1 : 1));
}

function findDuplicate(nodes: readonly SchemaNode[]): string | undefined {
  const seen = new Set<string>();
  for (const node of sortForReading(nodes)) {
    const name = typeName(node);
    if (seen.has(name)) return `two declarations would both be named ${name}`;
    seen.add(name);
  }
  return undefined;
}

function renderDeclaration(place: Place, node: SchemaNode): string {
  switch (node.kind) {
    case "struct":
      return renderStruct(place, node);
    case "enum":
      return renderEnum(place, node);
    case "interface":
      return renderInterface(place, node);
  }
}

function renderEnum(place: Place, node: EnumNode): string {
  const name = typeName(node);
  const names = node.members.map((member) => JSON.stringify(member.name));
  useWord(place, "type EnumLayout");
  const layout = `${renderPureCall(useWord(place, "enumeration"))}("${name}", [${names.join(", ")}])`;
  return `${renderDocComment(node.doc, "")}export type ${name} = ${names.join(" | ")};

export const ${name}: EnumLayout<${name}> = ${layout};
`;
}

function renderInterface(place: Place, node: InterfaceNode): string {
  const id = `0x${node.id.toString(16)}n`;
  const methods = node.methods.map((one) => {
    const [params, results] = [one.params, one.results].map((struct) => referTo(place, getStruct(place, struct)));
    const parts = `interfaceId: ${id}, ordinal: ${one.ordinal}, name: "${one.name}", params: ${params}, results: ${results}`;
    const call = `${renderPureCall(useWord(place, "method"))}({ ${parts} })`;
    return `${renderDocComment(one.doc, "  ")}  ${one.name}: ${call},\n`;
  });
  const layout = `${renderPureCall(useWord(place, "capabilityOf"))}("${typeName(node)}", ${id}, {\n${methods.join("")}})`;
  return `${renderDocComment(node.doc, "")}export const ${typeName(node)} = ${layout};
`;
}

function renderHead(place: Place, layout: string): string {
  const { words, quickWords, names } = place.uses;
  const others = [...names].sort(([a], [b]) => (a < b ? -1 : 1));
  const imports = others.map(
    ([file, used]) => `import { ${[...used].sort().join(", ")} } from "./${file.replace(/\.capnp$/, ".ts")}";\n`,
  );
  const quick =
    quickWords.size === 0 ? "" : `import { ${[...quickWords].sort().join(", ")} } from "${deriveQuickPath(layout)}";\n`;
  return `// Generated from ${place.file} by \`npm run generate\`. Do not edit.

import { ${[...words].sort().join(", ")} } from "${layout}";
${quick}${imports.join("")}`;
}

/** Returns the path of quick.ts, which is beside the layout module and has the helpers of quick codecs. */
function deriveQuickPath(layout: string): string {
  return layout.replace(/layout\.ts$/, "quick.ts");
}
