// How people write: with a please, in a hurry, with a slip of a finger. What an argument copies is never touched.

import type { Random } from "./random.ts";

const BEFORE = [
  "please ",
  "hey, ",
  "could you ",
  "can you ",
  "I'd like you to ",
  "now ",
  "ok, ",
  "then ",
  "next, ",
  "I need you to ",
  "pls ",
];
const BEFORE_ANY = ["hey, ", "hi, ", "quick question: ", "ok, ", "so, ", "one more thing: ", "tell me, ", "hm, "];
const AFTER = [" please", ", please", " now", ", thanks", " for me", " thx", ", will you?", " right away"];
const IS_QUESTION =
  /^(what|who|which|where|when|how|why|is|are|does|do|did|has|have|can|should|am|any|new|the|it|i|we)\b|[?=]$/i;

/** The same request as somebody else might type it. */
export function spoken(text: string, random: Random): string {
  const isBound = IS_QUESTION.test(text) || /^[^a-z]/i.test(text) || /^\S*[^a-z\s']/i.test(text);
  let said = text;
  if (random.chance(0.25)) {
    const before = random.pick(isBound ? BEFORE_ANY : BEFORE);
    const asks = before.startsWith("could") || before.startsWith("can");
    said = before + said + (asks && random.chance(0.6) && !said.endsWith("?") ? "?" : "");
  } else if (!isBound && random.chance(0.15)) said += random.pick(AFTER);
  if (random.chance(0.35)) said = said.slice(0, 1).toUpperCase() + said.slice(1);
  if (random.chance(0.15) && said.endsWith("?")) said = said.slice(0, -1);
  else if (random.chance(0.15) && /[a-z]$/.test(said)) said += random.pick([".", "!", "."]);
  return random.chance(0.06) ? slipped(said, random) : said;
}

/** Two letters of a long plain word change places; names with digits and marks stay. */
function slipped(text: string, random: Random): string {
  const words = text.split(" ");
  const [first] = words;
  if (first === undefined || !/^[a-z]{5,}$/i.test(first)) return text;
  const at = random.between(1, first.length - 3);
  const changed = first.slice(0, at) + (first[at + 1] ?? "") + (first[at] ?? "") + first.slice(at + 2);
  return [changed, ...words.slice(1)].join(" ");
}
