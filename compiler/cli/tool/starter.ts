// Writes the files of a new tool: its interface, its program, and a reply of the stub model that calls it.

import { createHash } from "node:crypto";
import { fillTemplate } from "../template.ts";

/** Names of a new tool in its files and on its page. */
export interface ToolNames {
  /** Name of the service, and of the import. */
  readonly service: string;
  /** Name of the interface in the schema. */
  readonly face: string;
  readonly schema: string;
  readonly program: string;
  /** Line that a person types; the stub model responds to it with a call of the tool. */
  readonly line: string;
}

/** Name of the template's method. Its argument is the text `text`, and its result is the text `answer`. */
export const METHOD = "ask";

/** Returns the names for a tool; `name` begins with a lower-case letter. */
export function nameTool(name: string): ToolNames {
  const parts = name.split(/[-_]+/).filter((part) => part !== "");
  return {
    service: name,
    face: parts.map((part) => `${part[0]?.toUpperCase() ?? ""}${part.slice(1)}`).join(""),
    schema: `${name}.capnp`,
    program: `services/${name}.js`,
    line: `Ask ${name} about tea.`,
  };
}

/**
 * Returns the schema. `system` is the name of the system. The identifier of the file depends on this name and on the
 * service's name.
 */
export function renderSchema({ service, face }: ToolNames, system: string): string {
  return fillTemplate(locateTemplate("tool.capnp"), {
    SERVICE: service,
    FACE: face,
    "0xID": `0x${deriveId(`${system}\0${service}`)}`,
  });
}

function locateTemplate(name: string): URL {
  return new URL(`template/${name}`, import.meta.url);
}

/** Identifiers of Cap'n Proto have 64 bits, of which the highest is set. */
function deriveId(words: string): string {
  const digest = createHash("sha256").update(`capc tool\0${words}`).digest();
  return (digest.readBigUInt64BE() | (1n << 63n)).toString(16);
}

export function renderProgram({ service }: ToolNames): string {
  return fillTemplate(locateTemplate("tool.js"), { SERVICE: service });
}

/** Returns entries for a file of replies, in the format of such files. */
export function renderReplies({ service, line }: ToolNames): string {
  const called = `${service}.${METHOD}`;
  return `
  {
    "when": { "user": ${JSON.stringify(line)} },
    "call": [{ "name": ${JSON.stringify(called)}, "arguments": { "text": "tea" } }]
  },
  { "when": { "tool": ${JSON.stringify(called)}, "outcome": "ok" }, "say": "It says: {answer}." }`;
}
