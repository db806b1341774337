// Sentences about policy for people. Each sentence about policy is made from the same value that the gate checks.
import {
  type Conversation,
  explainTasklessness,
  type GatedDecision,
  type IndexedTables,
  isByElse,
  isRecord,
  type Json,
  type PermissionMode,
  quoteRule,
  readJson,
  renderCanonicalJson,
} from "../../lib/policy/index.ts";
import { renderTarget, type Target } from "../../lib/reach/place.ts";
import type { Tool } from "../../lib/wire/generated/policy.ts";
import { shorten } from "./result.ts";

const MAX_SHOWN = 48;

/** Describes a call: "notes.write: path "a.txt", content of 12 bytes". The full arguments are shown beside the description. */
function callSentence(tool: Tool, args: string): string {
  const read = readJson(args);
  const fields = read.ok && isRecord(read.value) ? Object.entries(read.value) : [];
  const words = fields.map(([name, value]) => `${name} ${describeValue(value)}`);
  return `${tool.name}: ${words.length === 0 ? "no arguments" : words.join(", ")}`;
}

/**
 * Maximum bytes of a URL in a question, about a dozen rows of a small screen. The full arguments are shown beside the
 * URL. A URL has only printable ASCII, because a target with other characters is refused.
 */
const MAX_SHOWN_URL = 1024;

/** Describes a request over HTTP: `sends POST https://shop.example.net/orders with body "x"`. The URL is the one that egress requests. */
function describeRequest({ methodName }: Tool, args: string, target: Target): string {
  const read = readJson(args);
  const { path: _, url: __, ...others } = read.ok && isRecord(read.value) ? read.value : {};
  const words = Object.entries(others).map(([name, value]) => `${name} ${describeValue(value)}`);
  const sent = `sends ${methodName.toUpperCase()} ${shorten(renderTarget(target), MAX_SHOWN_URL)}`;
  return words.length === 0 ? sent : `${sent} with ${words.join(", ")}`;
}

/**
 * Describes a call. If a release lets the arguments flow, and another rule decided the call, the description names the
 * release. A question shows the deciding rule beside the description. `target` is the URL to which the tool sends its
 * arguments over HTTP; `undefined` for other tools.
 */
export function describeDecision(
  tables: IndexedTables,
  tool: Tool,
  { arguments: args, release, rule }: GatedDecision,
  target: Target | undefined,
): string {
  const sentence = target === undefined ? callSentence(tool, args) : describeRequest(tool, args, target);
  const released = release === undefined ? undefined : tables.releases[release]?.rule;
  return released === undefined || released === rule
    ? sentence
    : `${sentence}; released by ${quoteRule(tables, released)}`;
}

/** Returns the row of a conversation in words, such as "phase look of task triage". */
export function describeRow(tables: IndexedTables, conversation: Conversation): string {
  const { task = "", phase = "", session = "" } = tables.rows[conversation.row] ?? {};
  if (task === "") return `session ${session}`;
  return phase === "" ? `task ${task}` : `phase ${phase} of task ${task}`;
}

function describeValue(value: Json): string {
  const text = renderCanonicalJson(value);
  return text.length <= MAX_SHOWN ? text : `of ${Buffer.byteLength(typeof value === "string" ? value : text)} bytes`;
}

/** Returns the only message for a person at the console of a locked session. */
export function describeLocked(session: string): string {
  return `session ${session} is locked: /login opens it`;
}

/**
 * Returns why no message and no call is possible in a conversation: its session requires a task, and no task has begun.
 * Returns `undefined` if messages and calls are possible.
 */
export function explainClosed(tables: IndexedTables, conversation: Conversation): string | undefined {
  const row = tables.rows[conversation.row];
  return row?.requiresTask === true ? explainTasklessness(tables, row) : undefined;
}

/**
 * Describes a rule, and states where it is on the page. `mode` is the mode that the rule resulted in, which may be the
 * mode after its `else`.
 */
export function describeRule(tables: IndexedTables, index: number | undefined, mode?: PermissionMode): string {
  const rule = index === undefined ? undefined : tables.rules[index];
  if (rule === undefined) return "no line of the page";
  const said = `${rule.words} (${rule.place})`;
  return mode !== undefined && isByElse(rule.words, mode) ? `the else of ${said}` : said;
}
