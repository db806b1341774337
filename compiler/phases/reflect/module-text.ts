// One schema file as one TypeScript file. It refuses, as a value, what a value of TypeScript cannot carry here: AnyPointer,
// generics, defaults of pointers, lists of capabilities, and structs that hold themselves outside a list or a union.

import type { EnumNode, InterfaceNode, SchemaNode, SchemaRequest } from "./request.ts";
import { docText, structText } from "./struct-text.ts";
import { type Place, reference, structNamed, typeName, word } from "./type-text.ts";
import { unsupported } from "./unsupported.ts";

type ModuleText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** The text of the generated file for one schema file, e.g. "policy.capnp"; `layout` is where it finds its words. */
export function moduleText(request: SchemaRequest, file: string, layout: string): ModuleText {
  const nodes = [...request.nodes.values()].filter((node) => node.file === file);
  const reason = nodes.map((node) => unsupported(request, node)).find((found) => found !== undefined) ?? twice(nodes);
  if (reason !== undefined) return { ok: false, reason: `${file}: ${reason}` };
  const place: Place = { request, file, uses: { words: new Set(), quickWords: new Set(), names: new Map() } };
  const body = inReadingOrder(nodes).map((node) => declarationText(place, node));
  return { ok: true, text: [headText(place, layout), ...body].join("\n") };
}

/** Interfaces last: their constants name the structs of their methods when the file is loaded. */
function inReadingOrder(nodes: readonly SchemaNode[]): SchemaNode[] {
  const named = nodes.filter((node) => !(node.kind === "struct" && node.isGroup));
  const rank = (node: SchemaNode) => (node.kind === "enum" ? 0 : node.kind === "struct" ? 1 : 2);
  const key = (node: SchemaNode) => `${rank(node)}${typeName(node)}`;
  return named.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function twice(nodes: readonly SchemaNode[]): string | undefined {
  const seen = new Set<string>();
  for (const node of inReadingOrder(nodes)) {
    const name = typeName(node);
    if (seen.has(name)) return `two declarations would both be named ${name}`;
    seen.add(name);
  }
  return undefined;
}

function declarationText(place: Place, node: SchemaNode): string {
  switch (node.kind) {
    case "struct":
      return structText(place, node);
    case "enum":
      return enumText(place, node);
    case "interface":
      return interfaceText(place, node);
  }
}

function enumText(place: Place, node: EnumNode): string {
  const name = typeName(node);
  const names = node.members.map((member) => JSON.stringify(member.name));
  word(place, "type EnumLayout");
  const layout = `${word(place, "enumeration")}("${name}", [${names.join(", ")}])`;
  return `${docText(node.doc, "")}export type ${name} = ${names.join(" | ")};

export const ${name}: EnumLayout<${name}> = ${layout};
`;
}

function interfaceText(place: Place, node: InterfaceNode): string {
  const id = `0x${node.id.toString(16)}n`;
  const methods = node.methods.map((one) => {
    const structs = [one.params, one.results].map((struct) => reference(place, structNamed(place, struct)));
    const call = `${word(place, "method")}(${id}, ${one.ordinal}, "${one.name}", ${structs.join(", ")})`;
    return `${docText(one.doc, "  ")}  ${one.name}: ${call},\n`;
  });
  const layout = `${word(place, "capabilityOf")}("${typeName(node)}", ${id}, {\n${methods.join("")}})`;
  return `${docText(node.doc, "")}export const ${typeName(node)} = ${layout};
`;
}

function headText(place: Place, layout: string): string {
  const { words, quickWords, names } = place.uses;
  const others = [...names].sort(([a], [b]) => (a < b ? -1 : 1));
  const imports = others.map(
    ([file, used]) => `import { ${[...used].sort().join(", ")} } from "./${file.replace(/\.capnp$/, ".ts")}";\n`,
  );
  const quick =
    quickWords.size === 0 ? "" : `import { ${[...quickWords].sort().join(", ")} } from "${quickOf(layout)}";\n`;
  return `// Generated from ${place.file} by \`npm run generate\`. Do not edit.

import { ${[...words].sort().join(", ")} } from "${layout}";
${quick}${imports.join("")}`;
}

/** The code of structs that have some of their own stands beside the words of layouts. */
function quickOf(layout: string): string {
  return layout.replace(/layout\.ts$/, "quick.ts");
}
