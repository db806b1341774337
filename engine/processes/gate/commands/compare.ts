// Compares two conversations: shows their common beginning, and the point at which they diverge.
import { renderCanonicalJson } from "../../../lib/policy/index.ts";
import type { Saying } from "../../../lib/wire/generated/conversations.ts";
import { shorten } from "../result.ts";
import { type CommandParts, type Lines, NO_ARCHIVE } from "./parts.ts";
import { readSayings } from "./sayings.ts";

/** Maximum bytes compared of each conversation; later differences are visible in an export. */
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_SHOWN = 10;
const SHOWN_BYTES = 160;

export async function compare({ archive }: CommandParts, argument: string): Promise<Lines> {
  const names = argument.split(/\s+/).filter((name) => name !== "");
  const [left, right] = names;
  if (left === undefined || right === undefined || names.length > 2)
    return ["/compare takes the names of two conversations"];
  if (archive === undefined) return [NO_ARCHIVE];
  const [one, other] = [
    await readSayings(archive, left, 0n, MOST_BYTES),
    await readSayings(archive, right, 0n, MOST_BYTES),
  ];
  if (!one.ok) return [`${left}: ${one.reason}`];
  if (!other.ok) return [`${right}: ${other.reason}`];
  const both = countCommon(one.value.sayings, other.value.sayings);
  const cutWords = one.value.isCut || other.value.isCut ? [`only the first ${MOST_BYTES} bytes were compared`] : [];
  return [
    `the first ${both} sayings are the same`,
    ...renderRest(left, one.value.sayings.slice(both)),
    ...renderRest(right, other.value.sayings.slice(both)),
    ...cutWords,
  ];
}

function countCommon(one: readonly Saying[], other: readonly Saying[]): number {
  const different = one.findIndex((saying, index) => {
    const beside = other[index];
    return beside === undefined || renderMeaning(saying) !== renderMeaning(beside);
  });
  return different === -1 ? one.length : different;
}

/** Renders a saying without its time and its turn. */
function renderMeaning({ role, text, calls, source, outcome, through }: Saying): string {
  const called = calls.map(({ name, arguments: args }) => [name, args]);
  return renderCanonicalJson({ role, text, called, source, outcome, through: String(through) });
}

function renderRest(name: string, sayings: readonly Saying[]): Lines {
  if (sayings.length === 0) return [`${name}: nothing more`];
  const more = sayings.length > MOST_SHOWN ? [`${name}: ${sayings.length - MOST_SHOWN} more`] : [];
  return [...sayings.slice(0, MOST_SHOWN).map((saying) => `${name} ${renderSaying(saying)}`), ...more];
}

function renderSaying({ sequence, role, text, calls, source, outcome }: Saying): string {
  const who = role === "tool" ? `${source} ${outcome}` : role;
  const words = [text, ...calls.map((call) => `${call.name} ${call.arguments}`)].join(" ");
  return `${sequence} ${who}: ${shorten(words.replaceAll(/\s+/g, " ").trim(), SHOWN_BYTES)}`;
}
