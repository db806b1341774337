// Renders the interfaces of the standard library as a module of plain values: reading them from a CodeGeneratorRequest
// takes more CPU time than the rest of a check.

import type { InterfaceDescription } from "./tools.ts";

/** Returns TypeScript whose value equals the given interfaces; the same interfaces give the same bytes. */
export function renderStandard(interfaces: readonly InterfaceDescription[]): string {
  return [
    "// Generated from the schemas of stdlib/schema by `npm run generate`. Do not edit.",
    "",
    "/** In order of file and name. */",
    "export const STANDARD = [",
    ...interfaces.map((one) => `  ${renderLiteral(one)},`),
    "] as const;",
    "",
  ].join("\n");
}

/** Renders a value. Descriptions contain texts, booleans, numbers of any length, lists and records. */
function renderLiteral(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(renderLiteral).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{ ${members.map(([name, member]) => `${JSON.stringify(name)}: ${renderLiteral(member)}`).join(", ")} }`;
}
