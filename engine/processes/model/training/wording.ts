// Rewrites requests as people type them: with a please, in a hurry, with a typing error. Text that an argument copies is never changed.

import type { Random } from "./random.ts";
import { capitalize } from "./value.ts";

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
  "would you ",
  "kindly ",
  "first ",
  "also ",
  "quickly ",
  "I want you to ",
  "time to ",
  "we have to ",
  "somebody should ",
  "let's ",
  "go and ",
  "hi! please ",
  "right, ",
  "when you have a moment, ",
];
const BEFORE_ANY = [
  "hey, ",
  "hi, ",
  "quick question: ",
  "ok, ",
  "so, ",
  "one more thing: ",
  "tell me, ",
  "hm, ",
  "by the way, ",
  "well, ",
  "sorry, ",
  "hello! ",
  "listen, ",
  "next: ",
  "agent, ",
];
const AFTER = [
  " please",
  ", please",
  " now",
  ", thanks",
  " for me",
  " thx",
  ", will you?",
  " right away",
  " asap",
  ", it is urgent",
  " if you can",
  ", ok?",
  " - thank you",
  " before I forget",
  ", as discussed",
  " again",
];
/** Reasons that people add to a request, and that are not requests themselves. */
const REASONS = [
  "the boss wants it",
  "a customer is waiting",
  "I am in a hurry",
  "I promised it",
  "it has been on my list for days",
  "we talked about it this morning",
  "nobody else has time",
  "that is what the others want, too",
  "I have no hands free",
  "sorry for the trouble",
  "it cannot wait",
];
const IS_QUESTION =
  /^(what|who|which|where|when|how|why|is|are|does|do|did|has|have|can|should|am|any|new|the|it|i|we)\b|[?=]$/i;

/**
 * Returns a request as another person might type it. `copied` are the parts of the request that a call copies letter by
 * letter.
 */
export function rewriteAsSpoken(text: string, random: Random, copied: readonly string[] = []): string {
  const isCopied = copied.some((value) => value !== "" && text.startsWith(value));
  const isBound = IS_QUESTION.test(text) || /^[^a-z]/i.test(text) || /^\S*[^a-z\s']/i.test(text);
  let said = text;
  if (random.flipCoin(0.25)) {
    const before = random.pick(isBound ? BEFORE_ANY : BEFORE);
    const asks = before.startsWith("could") || before.startsWith("can") || before.startsWith("would");
    said = before + said + (asks && random.flipCoin(0.6) && !said.endsWith("?") ? "?" : "");
  } else if (!isBound && random.flipCoin(0.15)) said += random.pick(AFTER);
  if (random.flipCoin(0.35) && !(isCopied && said.startsWith(text))) said = capitalize(said);
  if (random.flipCoin(0.15) && said.endsWith("?")) said = said.slice(0, -1);
  else if (random.flipCoin(0.15) && /[a-z]$/.test(said)) said += random.pick([".", "!", "."]);
  if (random.flipCoin(0.07)) said = addReason(said, random);
  return random.flipCoin(0.06) && !isCopied ? swapLetters(said, random) : said;
}

function addReason(text: string, random: Random): string {
  const reason = random.pick(REASONS);
  const end = /[.!?]$/.test(text) ? "" : ".";
  const sentence = `${capitalize(reason)}.`;
  return random.flipCoin(0.5) ? `${text}${end} ${sentence}` : `${sentence} ${text}`;
}

/** Swaps two letters of a long plain word; names with digits and marks stay unchanged. */
function swapLetters(text: string, random: Random): string {
  const words = text.split(" ");
  const [first] = words;
  if (first === undefined || !/^[a-z]{5,}$/i.test(first)) return text;
  const at = random.drawBetween(1, first.length - 3);
  const changed = first.slice(0, at) + (first[at + 1] ?? "") + (first[at] ?? "") + first.slice(at + 2);
  return [changed, ...words.slice(1)].join(" ");
}
