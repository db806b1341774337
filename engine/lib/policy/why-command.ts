// Writes the command with which a person asks `capc why` about a call, in a form for the shell.
import { canonicalizeArguments } from "./canonical-json.ts";
import type { Conversation } from "./conversation.ts";
import { formatLabel } from "./label.ts";
import { formatRowPath } from "./row-path.ts";
import type { IndexedTables } from "./tables.ts";
import { renderTaskValues } from "./task-parameters.ts";

/** Most bytes of arguments that the command contains. */
const MOST_BYTES = 240;

/**
 * Returns `capc why FILE 'operator notes.write {…}' --label secret`, which asks about the same call in a conversation with the same
 * label. If the arguments exceed `MOST_BYTES`, or are not JSON, the command has the word `ARGUMENTS` in their place. The command does not
 * contain the texts that the conversation has read. Returns `undefined` for a call of a worker, because `capc why` cannot ask about
 * workers.
 */
export function renderWhyCommand(
  tables: IndexedTables,
  file: string,
  { row: at, label, unattended, parameters }: Conversation,
  call: { readonly tool: string; readonly arguments: string },
): string | undefined {
  const row = tables.rows[at];
  if (row === undefined || row.worker !== "") return undefined;
  const args = canonicalizeArguments(call.arguments);
  const isWritten = args.ok && Buffer.byteLength(args.value.text) <= MOST_BYTES;
  const question = `${formatRowPath(row)} ${call.tool} ${isWritten ? args.value.text : "ARGUMENTS"}`;
  const values = parameters === undefined ? "" : ` --values ${quote(renderTaskValues(row.parameters, parameters))}`;
  const absent = unattended ? " --unattended" : "";
  return `capc why ${file} ${quote(question)} --label ${quote(formatLabel(tables.lattice, label))}${values}${absent}`;
}

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
