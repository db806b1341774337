// Commands on the session's conversations. Sayings of the conversations are drawn for the person, and the loop never
// receives them.
import { formatLabel, renderCanonicalJson } from "../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { type ConversationFacts, ConversationStore, type Hit } from "../../../lib/wire/generated/conversations.ts";
import type { Archive } from "../archive.ts";
import { askConsent } from "../asking.ts";
import { excerpt } from "../result.ts";
import { describeRow } from "../sentences.ts";
import { type CommandParts, type Lines, NO_ARCHIVE } from "./parts.ts";

const STANDARD_COUNT = 20;
const MOST = 1000;
const MOST_HITS = 20;
const KIB = 1024;
/** Shown after `/new`. The store gives a loop only the conversation that its gate has opened. */
const NOTHING_READ = "the agent reads no word of other conversations";

/** Data for the list of conversations: the name of the open conversation, and the store. */
interface ListingParts extends Pick<CommandParts, "archive"> {
  readonly gate: { readonly place: { readonly conversation: string } };
}

export async function listConversations({ gate, archive }: ListingParts, argument: string): Promise<Lines> {
  const most = argument === "" ? STANDARD_COUNT : numberIn(argument, MOST);
  if (most === undefined) return [`/conversations takes a number from 1 to ${MOST}`];
  if (archive === undefined) return [NO_ARCHIVE];
  const listed = await archive.ask(ConversationStore.methods.list, { most });
  if (!listed.ok) return [listed.reason];
  const { conversations, total } = listed.value;
  const open = gate.place.conversation;
  const lines = conversations.map((one) => renderConversation(one, open));
  const more = total > conversations.length ? [`${total - conversations.length} older ones are not shown`] : [];
  return [...lines, ...more, ...(total === 0 ? ["nothing was said yet"] : []), await describeKept(archive)];
}

function renderConversation(one: ConversationFacts, open: string): string {
  const { conversation, title, sayings, bytes, changedMs, parent } = one;
  const from = parent === "" ? "" : `, from ${parent}`;
  const when = new Date(Number(changedMs)).toISOString().slice(0, 16).replace("T", " ");
  const here = conversation === open ? ", open" : "";
  return `${conversation}${here}${from}: ${sayings} sayings, ${convertToKib(bytes)} KiB, ${when}: ${excerpt(title)}`;
}

async function describeKept(archive: Archive): Promise<string> {
  const status = await archive.ask(ConversationStore.methods.status, {});
  if (!status.ok) return status.reason;
  const { durable, reason, bytes, mostBytes, moved, meaning } = status.value;
  const where = durable ? "on the data disk" : `in memory, until the machine stops: ${reason}`;
  return [
    `${convertToKib(bytes)} of ${convertToKib(mostBytes)} KiB are kept ${where}`,
    ...[moved, meaning].filter((words) => words !== ""),
  ].join("; ");
}

function convertToKib(bytes: bigint): bigint {
  return (bytes + BigInt(KIB - 1)) / BigInt(KIB);
}

/** Answers `/save`, which has no work to do: each saying is stored before it takes effect. */
export async function save({ gate, archive }: CommandParts): Promise<Lines> {
  if (archive === undefined) return [NO_ARCHIVE];
  return [`${gate.place.conversation} is kept as it is said; ${await describeKept(archive)}`];
}

export async function beginConversation({ gate, archive }: CommandParts): Promise<Lines> {
  if (archive === undefined) return [NO_ARCHIVE];
  const refusal = await archive.begin(gate);
  return [...describePlace(gate, refusal), ...(refusal === undefined ? [NOTHING_READ] : [])];
}

export async function resume({ gate, archive }: CommandParts, argument: string, signal: AbortSignal): Promise<Lines> {
  if (archive === undefined) return [NO_ARCHIVE];
  const name = argument === "" ? await findNewestOther(archive, gate.place.conversation) : accept(argument);
  if (!name.ok) return [name.reason];
  // If another person has logged in meanwhile, that person's session must not change to this conversation.
  if (signal.aborted) return ["refused: it was given up"];
  if (name.value === gate.place.conversation) return [`${name.value} is the conversation that is open`];
  return describePlace(gate, await archive.resume(gate, name.value));
}

async function findNewestOther(archive: Archive, open: string): Promise<Result<string>> {
  const listed = await archive.ask(ConversationStore.methods.list, { most: 2 });
  if (!listed.ok) return listed;
  const other = listed.value.conversations.find(({ conversation }) => conversation !== open);
  return other === undefined ? refuse("no other conversation is kept") : accept(other.conversation);
}

export async function fork({ gate, archive }: CommandParts, argument: string): Promise<Lines> {
  if (archive === undefined) return [NO_ARCHIVE];
  const [name = "", number = ""] = argument.split(/\s+/);
  const through = number === "" ? 0 : numberIn(number, Number.MAX_SAFE_INTEGER);
  if (through === undefined) return ["/fork takes the name of a conversation and the number of a saying"];
  return describePlace(gate, await archive.fork(gate, name === "" ? gate.place.conversation : name, BigInt(through)));
}

/** Returns a line that names the open conversation, its label and its row, or the reason for the refusal. */
function describePlace(gate: CommandParts["gate"], refusal: string | undefined): Lines {
  if (refusal !== undefined) return [`refused: ${excerpt(refusal)}`];
  const { tables } = gate.parts;
  const label = formatLabel(tables.lattice, gate.conversation.label);
  return [`conversation ${gate.place.conversation}, at ${label}, in ${describeRow(tables, gate.conversation)}`];
}

export async function search({ archive }: CommandParts, words: string): Promise<Lines> {
  if (archive === undefined) return [NO_ARCHIVE];
  const found = await archive.ask(ConversationStore.methods.search, { words, conversation: "", most: MOST_HITS });
  if (!found.ok) return [found.reason];
  const { hits, byMeaning, note } = found.value;
  const none = byMeaning ? "or is near them in meaning" : "";
  const lines = hits.map(byMeaning ? renderHitWithWays : renderHit);
  if (hits.length === 0) lines.push(`nothing that is kept holds all of these words ${none}`.trim());
  return note === "" ? lines : [...lines, excerpt(note)];
}

function renderHit({ conversation, sequence, role, excerpt: text }: Hit): string {
  return `${conversation} ${sequence} ${role}: ${text}`;
}

/** Renders a hit with the search methods that found it, for a search by several methods. */
function renderHitWithWays({ conversation, sequence, role, excerpt: text, byWords, byMeaning }: Hit): string {
  const ways = [...(byWords ? ["words"] : []), ...(byMeaning ? ["meaning"] : [])].join(" and ");
  return `${conversation} ${sequence} ${role}, by ${ways}: ${text}`;
}

/** Forgets a conversation. Because a deletion cannot be undone, the person must confirm it, and its result is recorded. */
export async function forget({ gate, archive }: CommandParts, name: string, signal: AbortSignal): Promise<Lines> {
  if (archive === undefined) return [NO_ARCHIVE];
  if (name === gate.place.conversation)
    return [`${excerpt(name)} is the conversation that is open; /new begins another`];
  const known = await archive.ask(ConversationStore.methods.read, { conversation: name, after: 0n, mostBytes: 0 });
  if (!known.ok) return [known.reason];
  const asking = {
    tool: "/forget",
    arguments: renderCanonicalJson({ conversation: name }),
    sentence: `erase the ${known.value.last} sayings of conversation ${name}; it cannot be brought back`,
    mode: "consent",
    rule: "no line of the page",
    mayRemember: false,
    remembers: "",
  } as const;
  const { refusal } = await askConsent(gate.parts.person, asking, signal);
  if (refusal !== undefined) return [`refused: ${refusal.error}`];
  const forgotten = await archive.ask(ConversationStore.methods.forget, { conversation: name });
  gate.note(forgotten.ok ? "forgot" : "forget refused", forgotten.ok ? name : `${name}: ${forgotten.reason}`);
  if (!forgotten.ok) return [forgotten.reason];
  const left = await gate.moves.forget(name);
  return [`${name} is forgotten`, ...(left === undefined ? [] : [`where it stood is still on record: ${left}`])];
}

/** Returns a whole number from 1 to `most`, or `undefined`. */
export function numberIn(text: string, most: number): number | undefined {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= most ? number : undefined;
}
