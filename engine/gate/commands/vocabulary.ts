import { advertisedTools, isRecord, readJson } from "../../policy/index.ts";
import type { ToolWords } from "../../wire/generated/wire.ts";
import type { Gate } from "../gate.ts";

/** Tools that may be named now, with the names of their arguments, as their own schemas have them. */
export function toolWords({ parts, conversation }: Gate): readonly ToolWords[] {
  return advertisedTools(parts.tables, conversation).map(({ tool }) => ({
    name: tool.name,
    service: tool.provider,
    arguments: fieldNames(tool.paramSchema),
  }));
}

function fieldNames(schema: string): readonly string[] {
  const read = readJson(schema);
  const properties = read.ok && isRecord(read.value) ? read.value["properties"] : undefined;
  return properties !== undefined && isRecord(properties) ? Object.keys(properties) : [];
}
