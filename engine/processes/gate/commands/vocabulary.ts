import { isRecord, listAdvertisedTools, listLaterPhases, listTasks, readJson } from "../../../lib/policy/index.ts";
import { ConversationStore } from "../../../lib/wire/generated/conversations.ts";
import type { SessionVocabularyResults, ToolWords } from "../../../lib/wire/generated/wire.ts";
import type { Gate } from "../gate.ts";
import type { CommandParts } from "./parts.ts";

/** Maximum number of conversations offered for completion: the newest, at most one screen. */
const MOST_CONVERSATIONS = 64;

/** Returns the names that commands accept besides tools: tasks, later phases, and stored conversations. */
export async function placeNames({
  gate,
  archive,
}: CommandParts): Promise<Pick<SessionVocabularyResults, "tasks" | "phases" | "conversations">> {
  const { tables, session } = gate.parts;
  const listed = await archive?.ask(ConversationStore.methods.list, { most: MOST_CONVERSATIONS });
  return {
    tasks: listTasks(tables, session),
    phases: listLaterPhases(tables, gate.conversation),
    conversations: listed?.ok === true ? listed.value.conversations.map(({ conversation }) => conversation) : [],
  };
}

/** Returns the tools that may be named now, with the names of their arguments from their schemas. */
export function describeTools({ parts, conversation }: Gate): readonly ToolWords[] {
  return listAdvertisedTools(parts.tables, conversation).map(({ tool }) => ({
    name: tool.name,
    service: tool.provider,
    arguments: readFieldNames(tool.paramSchema),
  }));
}

function readFieldNames(schema: string): readonly string[] {
  const read = readJson(schema);
  const properties = read.ok && isRecord(read.value) ? read.value["properties"] : undefined;
  return properties !== undefined && isRecord(properties) ? Object.keys(properties) : [];
}
