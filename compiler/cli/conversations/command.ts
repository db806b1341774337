// Implements capc conversations. It reads the conversations that a machine left on its data disk.

import { resolve } from "node:path";
import type { Result } from "../../../engine/lib/result/result.ts";
import type { ConversationFacts, Saying } from "../../../engine/lib/wire/generated/conversations.ts";
import { renderJsonLine, renderMarkdown, renderPrintableJson } from "../../../engine/processes/gate/commands/export.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { readPassphrase } from "../../artefacts/disk/passphrase.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { LAST_MS } from "../../queries/replay/index.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { readConversations, readSayings, type SessionsPart } from "./asking.ts";
import { type KeptStore, useStore } from "./disk-contents.ts";

export const conversations: Command = {
  name: "conversations",
  operands: ["list|show|export", "DISK", "[NAME]"],
  does: "list, show or export conversations of a data disk",
  details: `DISK is a data disk, its image or a copy of it, from a machine that was shut down or lost power.
In the output, unfinished writes of the machine are undone, as the machine would undo them at its next
start. The disk is only read, and decrypted data goes only to standard output.
Each conversation is printed with its label. capc cannot enforce the label of printed text: a person
can copy it. The text comes from people, models and tools: do not trust it.`,
  options: [
    { name: "passphrase-file", value: "FILE", does: "file with the passphrase of an encrypted data disk" },
    {
      name: "session",
      value: "NAME",
      does: "session of the conversation; needed if two sessions have conversations of the same name",
    },
    {
      name: "format",
      value: "NAME",
      choices: ["jsonl", "markdown"],
      does: "export: jsonl, a line of JSON for each message (default), or markdown",
    },
    JSON_OPTION,
  ],
  run: tellConversations,
};

const refuse = createRefuser("conversations");

async function tellConversations(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const [action = "", disk = "", name] = typed.operands;
  const misuse = explainMisuse(typed, action, name);
  if (misuse !== undefined) return refuse(world, 2, misuse);
  const file = typed.values.get("passphrase-file");
  const passphrase = file === undefined ? undefined : readPassphrase(resolve(world.folder, file));
  if (passphrase?.ok === false) return refuse(world, 3, escapeInvisible(passphrase.reason));
  const session = typed.values.get("session");
  const told = useStore(resolve(world.folder, disk), passphrase?.value, (store) => {
    const sessions = readConversations(store.database);
    if (!sessions.ok) return sessions;
    if (name === undefined)
      return listConversations(store, sessions.value, session, typed.switches.has("json") ? "json" : "text");
    const one = findKept(sessions.value, name, session);
    if (!one.ok) return one;
    const sayings = readSayings(store.database, one.value.session, name);
    if (!sayings.ok) return sayings;
    const label = store.labelOf(one.value.session, name);
    return {
      ok: true,
      value:
        action === "show"
          ? renderForPeople(one.value, label, sayings.value)
          : exportConversation(one.value, label, sayings.value, typed),
    };
  });
  if (!told.ok) return refuse(world, 3, escapeInvisible(told.reason));
  for (const line of told.value) world.print(`${line}\n`);
  return 0;
}

function explainMisuse(
  { values, switches }: ParsedArguments,
  action: string,
  name: string | undefined,
): string | undefined {
  if (!["list", "show", "export"].includes(action)) return `'${action}' is neither list, show nor export`;
  if (action === "list" && name !== undefined) return "list takes a disk and nothing behind it";
  if (action !== "list" && name === undefined) return `${action} takes the name of a conversation; list tells them`;
  if (values.has("format") && action !== "export") return `--format does not go with ${action}`;
  return switches.has("json") && action !== "list" ? `--json does not go with ${action}` : undefined;
}

interface Kept {
  readonly session: string;
  readonly facts: ConversationFacts;
}

function listKept(sessions: readonly SessionsPart[], wanted: string | undefined): readonly Kept[] {
  const parts = wanted === undefined ? sessions : sessions.filter(({ session }) => session === wanted);
  return parts.flatMap(({ session, conversations: kept }) => kept.map((facts) => ({ session, facts })));
}

function findKept(sessions: readonly SessionsPart[], name: string, session: string | undefined): Result<Kept> {
  const found = listKept(sessions, session).filter(({ facts }) => facts.conversation === name);
  const [one] = found;
  if (one === undefined) return { ok: false, reason: `no conversation ${name} is kept on it` };
  if (found.length === 1) return { ok: true, value: one };
  return {
    ok: false,
    reason: `${name} is one of ${found.map((kept) => kept.session).join(" and of ")}: --session says which`,
  };
}

function listConversations(
  store: KeptStore,
  sessions: readonly SessionsPart[],
  wanted: string | undefined,
  format: "json" | "text",
): Result<readonly string[]> {
  const told = listKept(sessions, wanted).map(({ session, facts }) => describeConversation(session, facts, store));
  if (format === "json") return { ok: true, value: [renderPrintableJson(told, 2)] };
  const lines = told.map(({ session, conversation, label, parent, sayings, changed, title }) => {
    const from = parent === "" ? "" : `, from ${parent}`;
    return escapeInvisible(`${session} ${conversation}${from}: ${sayings} sayings, ${label}, ${changed}: ${title}`);
  });
  return { ok: true, value: lines.length === 0 ? ["nothing was said"] : lines };
}

function describeConversation(session: string, facts: ConversationFacts, store: KeptStore) {
  const { conversation, title, sayings, bytes, changedMs, parent } = facts;
  const label = store.labelOf(session, conversation);
  const counts = { sayings: Number(sayings), bytes: Number(bytes) };
  return { session, conversation, label, parent, ...counts, changed: formatMoment(changedMs), title };
}

function formatMoment(ms: bigint): string {
  return ms > LAST_MS ? "a time that no clock tells" : new Date(Number(ms)).toISOString();
}

/**
 * Renders a conversation for people. Escapes each line, so that the text of a conversation cannot begin a new line or
 * move the cursor.
 */
function renderForPeople({ session, facts }: Kept, label: string, sayings: readonly Saying[]): readonly string[] {
  const head = `# ${facts.conversation} of session ${session}, ${label}`;
  return [head, "", ...sayings.flatMap(renderMarkdown)].map(escapeInvisible);
}

function exportConversation(
  kept: Kept,
  label: string,
  sayings: readonly Saying[],
  { values }: ParsedArguments,
): readonly string[] {
  if (values.get("format") === "markdown") return renderForPeople(kept, label, sayings);
  const { conversation, title } = kept.facts;
  // The first line of an exported conversation contains its label, so that a copy of the export has the label too.
  return [renderPrintableJson({ conversation, session: kept.session, label, title }), ...sayings.map(renderJsonLine)];
}
