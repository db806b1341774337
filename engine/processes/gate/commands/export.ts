// Renders a conversation as text that the console draws. If the console is a serial line, the text arrives on the host, where people can
// use it. Characters that the console would draw differently are escaped, so that the text arrives as it is stored.
import type { Saying } from "../../../lib/wire/generated/conversations.ts";
import { numberIn } from "./conversations.ts";
import { type CommandParts, type Lines, NO_ARCHIVE } from "./parts.ts";
import { readSayings } from "./sayings.ts";

/** Maximum bytes of text: an answer is one frame, and escapes can make it six times as long. */
const MOST_BYTES = 128 * 1024;
const USAGE = "/export takes the name of a conversation, markdown or jsonl, and the number of a saying";

export async function exportConversation({ gate, archive }: CommandParts, argument: string): Promise<Lines> {
  if (archive === undefined) return [NO_ARCHIVE];
  const [name = "", form = "markdown", number = "", ...rest] = argument.split(/\s+/);
  const behind = number === "" ? 0 : numberIn(number, Number.MAX_SAFE_INTEGER);
  if (behind === undefined || rest.length > 0 || (form !== "markdown" && form !== "jsonl")) return [USAGE];
  const which = name === "" ? gate.place.conversation : name;
  const read = await readSayings(archive, which, BigInt(behind), MOST_BYTES);
  if (!read.ok) return [read.reason];
  const { sayings, isCut } = read.value;
  const lines = sayings.flatMap((saying) => (form === "jsonl" ? [renderJsonLine(saying)] : renderMarkdown(saying)));
  return isCut ? [...lines, `there is more: /export ${which} ${form} ${sayings.at(-1)?.sequence}`] : lines;
}

/** Renders one message as a line of JSON. */
export function renderJsonLine({
  sequence,
  turn,
  role,
  text,
  calls,
  callId,
  source,
  outcome,
  through,
  saidMs,
}: Saying): string {
  const said = { sequence: Number(sequence), turn, role, text, saidMs: Number(saidMs) };
  const more = {
    ...(calls.length === 0 ? {} : { calls }),
    ...(role === "tool" ? { callId, source, outcome } : {}),
    ...(through === 0n ? {} : { summaryThrough: Number(through) }),
  };
  return renderPrintableJson({ ...said, ...more });
}

/** Renders a value as JSON in printable ASCII, everything else escaped. With `indent`, lines break between values. */
export function renderPrintableJson(value: object, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replaceAll(
    /[^\n\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Renders a saying in Markdown, indented so that none of its text is markup. */
export function renderMarkdown({ sequence, role, text, calls, source, outcome, through }: Saying): Lines {
  const who = role === "tool" ? `${source}: ${outcome}` : through > 0n ? `summary up to ${through}` : role;
  const called = calls.map(({ name, arguments: args }) => `    calls ${name} ${args.replaceAll(/[\r\n]+/g, " ")}`);
  const said = text === "" ? [] : text.split(/\r\n|\n|\r/).map((line) => `    ${line}`);
  return [`### ${sequence} ${who}`, "", ...said, ...called, ""];
}
